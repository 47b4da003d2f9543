"""Read new verdicts on the responses of a new model, and compare it with the agents of a study.

The judges are new ones, unless the table names agents of the study as well: these are then compared within
the same judges. Stimuli of the same name are the same, so that errors are over judges and stimuli
(`turingstats.stats.crossed`).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.comparisons.crossed import (
    Element,
    assess_elements,
    choose_sample,
    measure_element,
)
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.raw_files import RawFile
from turingstats.config.study import Agent, Cohort, Study
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import build_model
from turingstats.data import adapters
from turingstats.data import counts as counting
from turingstats.data.adapters import table_files
from turingstats.data.counts import Cells
from turingstats.new_model.responses import AGENT
from turingstats.stats import multiplicity

COHORT = "new_verdicts"
LABEL = "People, new verdicts"
MACHINE = "machine"
"""Agent of a table that has only the truth."""
NAMES = ("judge", "verdict", "agent", "truth", "stimulus")
DIFFERENCES = [
    "agent", "agent_label", "quantity", "cohort", "new", "other", "difference", "se", "ci_low",
    "ci_high", "df", "p", "p_adjusted", "error_over", "n_judges", "n_judges_other", "method",
]  # fmt: skip
QUANTITIES = ("called human", "detectability")


def add_new_judges(study: Study, task: str, label: str) -> Study:
    """Reduce a study to one task, with the new model as an agent and its judges as the only cohort."""
    described = study.tasks[task]
    agents = (AGENT, *described.agents)
    cohort = Cohort(label=LABEL, agents=(*agents, MACHINE), setting="online")
    described = described.model_copy(
        update={"agents": (*agents, MACHINE), "cohorts": {COHORT: cohort}, "conditions": ()}
    )
    new = {AGENT: Agent(label=label), MACHINE: Agent(label=MACHINE)}
    return study.model_copy(
        update={"agents": new | study.agents, "tasks": {task: described}, "demographics": {}}
    )


def read_verdicts(path: Path, study: Study, task: str, values: dict[str, str]) -> pd.DataFrame:
    """Read verdicts on a new model's responses, as judgments all kept in the recommended reading."""
    path = Path(path)
    header = table_files.read_header(path)
    spelled = {name.strip().lower(): name for name in header}
    mapped = {name: spelled[name] for name in NAMES if name in spelled}
    file = {
        "path": path.name,
        "format": "verdict_table",
        "task": task,
        "cohort": COHORT,
        "columns": mapped,
        "values": {
            name: values for name in ("verdict", "agent", "truth") if name in mapped and values
        },
    }
    missing = [name for name in ("judge", "verdict") if name not in mapped]
    if missing or not {"agent", "truth"} & set(mapped):
        raise InputError(
            path,
            f"no column {' and no column '.join(missing or ['agent or truth'])}",
            value=", ".join(header),
            fix="name the columns judge, verdict, agent (or truth) and, if possible, stimulus",
        )
    raw = build_model(RawFile, file, "verdicts")
    judgments = adapters.read_with_left_out([raw], path.parent, study)[0]
    agents = judgments["agent"].astype(str).replace({MACHINE: AGENT})
    if not (agents == AGENT).any():
        raise InputError(
            path,
            f"no verdict on a response of {study.agents[AGENT].label}",
            column=mapped.get("agent", mapped.get("truth")),
            allowed=sorted(set(agents)),
            fix="name the new model as `name` does",
        )
    return judgments.assign(agent=agents.astype("category"), kept_recommended=True)


def match_names(judgments: pd.DataFrame, stimuli: list[str]) -> pd.DataFrame:
    """Name stimuli as the study does, whatever their case; others keep their names."""
    spelled = {str(name).lower(): str(name) for name in stimuli}
    named = judgments["stimulus"].astype(object)
    return judgments.assign(
        stimulus=named.map(lambda s: spelled.get(str(s).lower(), s), na_action="ignore")
    )


def count_new_verdicts(judgments: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Count verdicts by judge and stimulus, in the recommended reading."""
    return counting.count_verdicts(
        judgments, study.model_copy(update={"readings": ("recommended",)})
    )


def list_scores(
    counts: pd.DataFrame, study: Study, options: AnalysisSettings
) -> list[dict[str, Any]]:
    """List the detectability of every agent that the new judges saw, as rows of scores."""
    nobody = pd.DataFrame(columns=["judge", "reading", "group_by", "group"])
    estimates = estimate_rates(counts, nobody, study, options)
    keys = estimates.set_index(["quantity", "agent"])
    place = {"judge": COHORT, "judge_label": LABEL, "judge_kind": "human", "cohort": COHORT}
    place["judge_source"] = "people, who saw the new model"
    rows = []
    for (quantity, agent), row in keys.iterrows():
        if quantity != "detectability" or agent == "all" or pd.isna(row["value"]):
            continue
        numbers = {
            "n_human": keys.loc[("p_HH", "human"), "n"],
            "n_machine": keys.loc[("p_MM", agent), "n"],
        }
        rows.append(
            place
            | {"reading": "recommended", "agent": agent, "quantity": quantity}
            | row[["value", "ci_low", "ci_high", "n_stimuli", "method"]].to_dict()
            | numbers
        )
    return rows


def compare_with_agents(
    counts: pd.DataFrame,
    new_counts: pd.DataFrame,
    study: Study,
    matched: Study,
    task: str,
    level: float,
) -> pd.DataFrame:
    """Compare the new model with every agent of the study that people judged.

    An agent that the new judges saw as well is compared within them, another one with the cohort that has
    the most verdicts on it.
    """
    new = arrange_cells(new_counts, matched, task, COHORT)
    rows = []
    for agent in ("human", *study.tasks[task].agents):
        cohort, cells = find_judges(counts, study, task, agent)
        if agent in new.agents and new.n[:, 0, new.agents.index(agent)].any():
            cohort, cells = COHORT, new
        if cells is None:
            continue
        for quantity in QUANTITIES:
            pair = [(new, AGENT), (cells, agent)]
            if quantity == "detectability" and (
                agent == "human" or not all(part.n[:, 0, 0].any() for part, _ in pair)
            ):
                continue
            elements = [
                measure_element(part, 0, np.asarray(part.n[:, 0].any(axis=1)), quantity, name)
                for part, name in pair
            ]
            rows.append(
                {"agent": agent, "quantity": quantity, "cohort": cohort}
                | describe_difference(elements, level)
            )
    table = pd.DataFrame(rows).reindex(columns=DIFFERENCES)
    labels = {"human": "People"} | {name: part.label for name, part in study.agents.items()}
    table["agent_label"] = table["agent"].map(labels)
    for _, part in table.groupby("quantity"):
        p = part["p"].to_numpy(float)
        adjusted = multiplicity.adjust_p_values(p, "holm", int(part["p"].notna().sum()))
        table.loc[part.index, "p_adjusted"] = adjusted
    return table


def describe_difference(elements: list[Element], level: float) -> dict[str, Any]:
    """Describe the difference of two elements, with its error over judges and stimuli if that is known."""
    tests = assess_elements(elements)
    used = choose_sample(tests)
    row: dict[str, Any] = {
        "new": elements[0].value,
        "other": elements[1].value,
        "difference": elements[0].value - elements[1].value,
        "n_judges": len(set(elements[0].judges[0])),
        "n_judges_other": len(set(elements[1].judges[0])),
        "method": "not tested: too few judges and stimuli, or all alike",
    }
    if used is None:
        return row
    test = tests[used]
    reach = test.compute_reach(level)
    return row | {
        "se": test.se,
        "ci_low": row["difference"] - reach,
        "ci_high": row["difference"] + reach,
        "df": test.df[0],
        "p": test.p,
        "error_over": used,
        "method": "t test of the difference",
    }


def select_counts(counts: pd.DataFrame, task: str) -> pd.DataFrame:
    """Select the counts of a task that are not split by a condition, in the recommended reading."""
    rows = (counts["task"] == task) & (counts["reading"] == "recommended")
    return counts[rows & (counts["group_by"] == "all")]


def find_judges(counts: pd.DataFrame, study: Study, task: str, agent: str) -> tuple[str, Cells]:
    """Find the cohort of people with the most verdicts on an agent, and its counts; None if there is none."""
    kept = select_counts(counts, task)
    kept = kept[kept["agent"] == agent]
    cohorts = study.tasks[task].cohorts
    people = [
        name
        for name, cohort in cohorts.items()
        if cohort.judge_kind == "human" and not cohort.pools
    ]
    sizes = kept[kept["cohort"].isin(people)].groupby("cohort")["n"].sum()
    if sizes.empty:
        return None, None
    return sizes.idxmax(), arrange_cells(counts, study, task, sizes.idxmax())


def arrange_cells(counts: pd.DataFrame, study: Study, task: str, cohort: str) -> Cells:
    """Arrange the counts of a cohort in the recommended reading by judge and stimulus."""
    kept = select_counts(counts, task)
    kept = kept[kept["cohort"] == cohort]
    nobody = pd.DataFrame(columns=["judge", "group_by", "group"])
    agents = [
        name for name in study.tasks[task].cohorts[cohort].agents if (kept["agent"] == name).any()
    ]
    return counting.arrange_counts(kept, nobody, agents, study.tasks[task].choice)
