"""Tables of models, changed tests and equivalence, with cells as text."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.labels import TRENDS, format_needed_size, format_p, format_size, name_test
from turingstats.core.names import VS, split_names
from turingstats.figures.model_source_data import add_labels, put_agents_first


def describe_comparison(row: dict[str, Any], study: Study) -> str:
    """Describe a test by its groups, and by what is compared between them."""
    cohorts = study.tasks[row["task"]].cohorts.items()
    labels = study.agent_labels | {name: cohort.label for name, cohort in cohorts}
    labels |= {"0.5": "chance", "all": "all models", "": "all models"}
    names = split_names(row["groups"], VS)
    compared = [labels.get(name, name) for name in names]
    groups = {group for groups in study.demographics.values() for group in groups}
    if of_judges := [place for place, name in enumerate(names) if name in groups]:
        compared[of_judges[-1]] += " judges"
    described = "trend along exchanges" if row["test"] in TRENDS else " against ".join(compared)
    agent = labels[row["agent"]]
    whats = {
        "p_HH": "people judged human",
        "p_MM": f"{agent} judged machine",
        "detectability": f"detectability of {agent}",
    }
    return f"{described[:1].upper()}{described[1:]}: {whats.get(row['quantity'], 'responses judged human')}"


def tabulate_changes(changes: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Make the table that compares published tests with mixed models, with cells as text."""
    changes = changes.fillna(
        {"recommended_test": "", "agent": ""}
        | dict.fromkeys(("change", "crossed_change", "mixed_moved_by", "crossed_moved_by"), "")
    )
    same = changes["recommended_test"] == changes["test"]
    mixed = state_changes(changes["change"], changes["mixed_moved_by"])
    described = [describe_comparison(row, study) for row in changes.to_dict("records")]
    return pd.DataFrame(
        {
            "Task": changes["task"].map({name: task.label for name, task in study.tasks.items()}),
            "What is compared": described,
            "Published test": changes["test"].map(name_test) + ", by " + changes["unit"],
            "p": changes["published_p"].map(format_p),
            "Recommended test": changes["recommended_test"].map(name_test).mask(same, "the same"),
            "p, recommended": changes["recommended_p"].map(format_p),
            "p, judges and stimuli": changes["crossed_p"].map(format_p),
            "corrected (Holm)": changes["crossed_p_holm"].map(format_p),
            "Change, judges and stimuli": state_changes(
                changes["crossed_change"], changes["crossed_moved_by"]
            ),
            "p, mixed model": changes["mixed_p"].map(format_p),
            "Change, mixed model": mixed.mask(
                changes["change"] == "no counterpart", changes["notes"]
            ),
        }
    )


def state_changes(changes: pd.Series, moved_by: pd.Series) -> pd.Series:
    """State what becomes of tests, and because of what."""
    because = changes + ", because of the " + moved_by.str.replace(", ", " and the ")
    return because.where(moved_by != "", changes)


def tabulate_equivalence(judged: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Make the table of equivalence by agent and task, with cells as text."""
    judged = add_labels(put_agents_first(judged[judged["judge_kind"] == "human"]), study)
    rows = judged.to_dict("records")
    return pd.DataFrame(
        {
            "Task": judged["task_label"],
            "Judges": judged["cohort_label"],
            "Agent": judged["agent_label"],
            "Against": judged["against"],
            "Judged human": judged["rate"].map("{:.2f}".format),
            "Difference": format_intervals(judged, ("difference", "ci_low", "ci_high"), "{:+.2f}"),
            "p, difference": judged["p_difference"].map(format_p),
            "corrected (Holm)": judged["p_difference_adjusted"].map(format_p),
            "p, equivalence": judged["p_equivalence"].map(format_p),
            "corrected (Holm) ": judged["p_equivalence_adjusted"].map(format_p),
            "Smallest margin": judged["smallest_margin"].map("{:.2f}".format),
            "Conclusion": [
                ": ".join(filter(None, words))
                for words in zip(judged["conclusion"], judged["direction"].fillna(""), strict=True)
            ],
            "Judges now": [format_size(row) for row in rows],
            "Judges to show equivalence": [format_needed_size(row) for row in rows],
        }
    )


OUTCOMES = {
    "said_machine": "judged machine",
    "said_human": "judged human",
    "correct": "judged right",
}


def tabulate_contrasts(contrasts: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Make the table of contrasts in the mixed models, with cells as text."""
    contrasts = add_labels(contrasts, study)
    labels = {("agent", name): agent.label for name, agent in study.agents.items()}
    for task in study.tasks.values():
        labels |= {("cohort", name): cohort.label for name, cohort in task.cohorts.items()}
    first, second = (
        [
            labels.get(pair, str(pair[1]))
            for pair in zip(contrasts["factor"], contrasts[side], strict=True)
        ]
        for side in ("first", "second")
    )
    return pd.DataFrame(
        {
            "Task": contrasts["task_label"],
            "Judges": contrasts["cohort_label"],
            # An id may begin with the task.
            "Model": [
                name.removeprefix(f"{task}.").replace("_", " ")
                for name, task in zip(contrasts["model_id"], contrasts["task"], strict=True)
            ],
            "Outcome": contrasts["outcome"].map(OUTCOMES),
            "First": first,
            "Second": second,
            "Odds ratio": format_intervals(
                contrasts, ("odds_ratio", "or_low", "or_high"), "{:.2f}"
            ),
            "Difference of probability": format_intervals(
                contrasts,
                [f"probability_{part}" for part in ("difference", "low", "high")],
                "{:+.2f}",
            ),
            "p": contrasts["p"].map(format_p),
            "p, Holm": contrasts["p_adjusted"].map(format_p),
        }
    )


def format_intervals(table: pd.DataFrame, columns: Sequence[str], form: str) -> list[str]:
    """Format a number with its interval in each row of a table."""
    return [
        f"{form.format(value)} ({form.format(low)} to {form.format(high)})"
        for value, low, high in zip(*(table[name] for name in columns), strict=True)
    ]
