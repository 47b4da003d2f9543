"""People and machine judges of the same responses: the numbers of the figure, and the table."""

import numpy as np
import pandas as pd

from turingstats.analysis.responses import READING
from turingstats.config.study import Study
from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.core.names import SLASH, split_names
from turingstats.tables.formats import Filled

TITLE = "Machine judges and people on the same responses"
SHOWN = {
    "people_accuracy": "People right",
    "machine_accuracy": "Machine right",
    "accuracy_difference": "Difference",
    "agreement": "Agreement with people",
    "people_agreement": "People with each other",
    "cohen_kappa": "Cohen's kappa",
    "people_alpha": "Krippendorff's alpha of people",
    "joint_alpha": "of people and machine",
    "corrected_correlation": "Correlation corrected for people's reliability",
    "advantage": "\N{GREEK SMALL LETTER RHO}",
    "winning_rate_0.10": "\N{GREEK SMALL LETTER OMEGA}, \N{GREEK SMALL LETTER EPSILON} = 0.1",
}
"""Quantities of a machine judge that the figure and the table show, and their headings."""
ENDS = {"value": "", "ci_low": "_low", "ci_high": "_high"}
"""Ends of the names of a number and its interval."""
SIZES = {
    "n_verdicts": "n",
    "n": "n_responses",
    "n_stimuli": "n_stimuli",
    "n_judges": "n_judges",
    "p": "p",
}
KEYS = ["task", "cohort", "machine"]
PAIRS = [
    *("task", "task_label", "cohort", "cohort_label", "machine", "machine_label"),
    *("n", "n_responses", "n_stimuli", "n_judges", "p"),
    *(f"{quantity}{end}" for quantity in SHOWN for end in ENDS.values()),
    *("level", "reading", "data"),
]
"""Columns of the source data of the figure."""


def list_pairs(table: pd.DataFrame, study: Study, level: float, data: str) -> pd.DataFrame:
    """List cohorts of people and machine judges that share responses, in one row for each pair."""
    table = table[table["cohort"] != "all"]
    whole = table[(table["agent"] == "all") & table["quantity"].isin(SHOWN)]
    wide = whole.pivot(index=KEYS, columns="quantity", values=[*ENDS])
    wide.columns = [f"{quantity}{ENDS[end]}" for end, quantity in wide.columns]
    sizes = whole[whole["quantity"] == "accuracy_difference"].set_index(KEYS)[[*SIZES]]
    pairs = table[KEYS].drop_duplicates().join(sizes.rename(columns=SIZES), on=KEYS)
    machines = [split_names(machine, SLASH) for machine in pairs["machine"]]
    number = pairs.assign(of=[of for of, _ in machines]).groupby(["task", "of"])["machine"]
    tasks = [study.tasks[name] for name in pairs["task"]]
    places = zip(tasks, pairs["cohort"], machines, number.transform("nunique"), strict=True)
    labels = [
        (task.label, task.cohorts[cohort].label, task.cohorts[of].label + f", {judge}" * (n > 1))
        for task, cohort, (of, judge), n in places
    ]
    pairs[["task_label", "cohort_label", "machine_label"]] = labels or np.empty((0, 3))
    pairs = pairs.join(wide, on=KEYS).assign(level=level, reading=READING, data=data)
    return pairs.reindex(columns=PAIRS).reset_index(drop=True)


def tabulate_pairs(table: pd.DataFrame, study: Study, level: float, data: str) -> Filled:
    """Tabulate cohorts of people and machine judges, with cells as text; the title says what dashes mean."""
    pairs = list_pairs(table, study, level, data)
    heads = {"task_label": "Task", "cohort_label": "People", "machine_label": "Machine judge"}
    cells = pairs[[*heads]].rename(columns=heads)
    cells["Responses"] = pairs["n_responses"].map("{:,.0f}".format)
    cells["Verdicts of people"] = pairs["n"].map("{:,.0f}".format)
    for name, head in SHOWN.items():
        values = zip(*(pairs[f"{name}{end}"] for end in ENDS.values()), strict=True)
        cells[head] = [use_minus_signs(format_with_interval(*value)) for value in values]
    shown = (table["agent"] == "all") & (table["cohort"] != "all") & table["quantity"].isin(SHOWN)
    notes = table.loc[shown & table["value"].isna(), "note"].dropna()
    why = "; ".join(dict.fromkeys(note.partition(": ")[2] for note in notes))
    reasons = f". \N{EN DASH}, not computed: {why}" if why else ""
    return Filled(cells, TITLE + reasons)
