"""People and machine judges of the same responses: the numbers of the figure, and the table."""

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
ENDS = {"": "value", "_low": "ci_low", "_high": "ci_high"}
PAIRS = [
    *("task", "task_label", "cohort", "cohort_label", "machine", "machine_label"),
    *("n", "n_responses", "n_stimuli", "n_judges", "p"),
    *(f"{quantity}{end}" for quantity in SHOWN for end in ENDS),
    *("level", "reading", "data"),
]
"""Columns of the source data of the figure."""


def list_pairs(table: pd.DataFrame, study: Study, level: float, data: str) -> pd.DataFrame:
    """List cohorts of people and machine judges that share responses, in one row for each pair."""
    table = table[table["cohort"] != "all"]
    of = [split_names(machine, SLASH)[0] for machine in table["machine"]]
    machines = table.groupby(["task", pd.Series(of, table.index, object)])["machine"].nunique()
    rows = []
    for (task, cohort, machine), part in table.groupby(["task", "cohort", "machine"], sort=False):
        cohorts = study.tasks[task].cohorts
        numbers = part[part["agent"] == "all"].set_index("quantity").reindex([*SHOWN])
        counted = numbers.loc["accuracy_difference"]
        of_machine, judge = split_names(machine, SLASH)
        label = cohorts[of_machine].label
        label += f", {judge}" if machines[task, of_machine] > 1 else ""
        values = {
            f"{name}{end}": numbers.loc[name, of] for name in SHOWN for end, of in ENDS.items()
        }
        rows.append(
            {"task": task, "task_label": study.tasks[task].label}
            | {"cohort": cohort, "cohort_label": cohorts[cohort].label}
            | {"machine": machine, "machine_label": label}
            | {"n": counted["n_verdicts"], "n_responses": counted["n"]}
            | {name: counted[name] for name in ("n_stimuli", "n_judges", "p")}
            | values
            | {"level": level, "reading": READING, "data": data}
        )
    return pd.DataFrame(rows, columns=PAIRS)


def tabulate_pairs(table: pd.DataFrame, study: Study, level: float, data: str) -> Filled:
    """Tabulate cohorts of people and machine judges, with cells as text; the title says what dashes mean."""
    pairs = list_pairs(table, study, level, data)
    heads = {"task_label": "Task", "cohort_label": "People", "machine_label": "Machine judge"}
    cells = pairs[[*heads]].rename(columns=heads)
    cells["Responses"] = pairs["n_responses"].map("{:,.0f}".format)
    cells["Verdicts of people"] = pairs["n"].map("{:,.0f}".format)
    for name, head in SHOWN.items():
        values = zip(*(pairs[f"{name}{end}"] for end in ENDS), strict=True)
        cells[head] = [use_minus_signs(format_with_interval(*value)) for value in values]
    shown = (table["agent"] == "all") & (table["cohort"] != "all") & table["quantity"].isin(SHOWN)
    notes = table.loc[shown & table["value"].isna(), "note"].dropna()
    why = "; ".join(dict.fromkeys(note.partition(": ")[2] for note in notes))
    reasons = f". \N{EN DASH}, not computed: {why}" if why else ""
    return Filled(cells, TITLE + reasons)
