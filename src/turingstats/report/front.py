"""The first screen of a report in words: what judges could tell, what changes, and what to mind."""

from collections import Counter
from typing import Any

import pandas as pd

from turingstats.core.labels import join_with_and
from turingstats.core.names import SLASH, split_names
from turingstats.figures.notes import Facts
from turingstats.report.cells import label_judge, parse_number, write_sentence
from turingstats.stats.multiplicity import adjust_p_values


def explain_no_answer(rows: list[dict[str, str]], study: dict[str, Any]) -> list[str]:
    """Explain, by task and cohort, why detectability is not known; rows are those of the estimates."""
    counted: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for row in rows:
        is_whole = row["group_by"] == "all" and row["quantity"] in ("p_HH", "p_MM")
        if is_whole and row["reading"] == study["reading"] and (parse_number(row["n"]) or 0) > 0:
            of = counted.setdefault((row["task"], row["cohort"]), {})
            of[row["agent"] if row["quantity"] == "p_MM" else "human"] = row
    reasons = []
    for (task, cohort), of in counted.items():
        where = f"{study['tasks'][task]}, {study['cohorts'][task].get(cohort, cohort)}"
        machines = [name for name in of if name not in ("human", "all")]
        labels = join_with_and(study["agents"].get(name, name) for name in machines)
        reasons.append(write_sentence("no_answer", where, of, machines, labels))
    return reasons or ["No verdict took a side on a response whose author is known."]


def write_summary(rows: list[dict[str, str]], tally: dict[str, int] | None, generated: bool) -> str:
    """Write the findings in a sentence; empty if there are none."""
    whole = [] if generated else [row for row in rows if row["agent"] == "all"]
    margin = f"{100 * float(whole[0]['margin']):g}" if whole else ""
    return write_sentence("summary", whole, margin, tally)


def describe_machine_judges(pairs: list[dict[str, str]]) -> list[str]:
    """Say per task which machine judge agrees best with its main people, and whether it may stand in.

    Whether it is right more often is corrected over the machine judges of the task (Holm).
    """
    sentences = []
    for of_task in Facts(pairs).but("agreement", "").group("task").values():
        main = max(of_task.rows, key=lambda row: parse_number(row["n"]))["cohort"]
        machines = of_task.of("cohort", main).rows
        best = max(machines, key=lambda row: parse_number(row["agreement"]))
        p = adjust_p_values([float(row["p"] or "nan") for row in machines], "holm")
        differs = p[machines.index(best)] < 1 - float(best["level"])
        sentences.append(write_sentence("machine_judge", best, machines, differs))
    return sentences


def describe_best_machine(
    rows: list[dict[str, str]], study: dict[str, Any], alpha: float
) -> list[str]:
    """Say per task which machine judge is right most often, and of which others this is not shown."""
    sentences = []
    pairs = Facts(rows).of("test", "mcnemar").but("difference", "")
    for (task,), of_task in pairs.group("task").items():
        ahead: dict[str, dict[str, tuple[float, float]]] = {}
        for row in of_task.rows:
            difference, p = float(row["difference"]), float(row["p_adjusted"])
            ahead.setdefault(row["judge"], {})[row["other"]] = difference, p
            ahead.setdefault(row["other"], {})[row["judge"]] = -difference, p
        best = max(ahead, key=lambda name: sum(by for by, _ in ahead[name].values()))
        alike = [other for other, (by, p) in ahead[best].items() if by <= 0 or p >= alpha]
        # A machine judge has its own name beside that of its cohort if this has several.
        machines = {name: split_names(name, SLASH) for name in ahead}
        sizes = Counter(cohort for cohort, _ in machines.values())
        labels = {
            name: label_judge(cohort, judge * (sizes[cohort] > 1), study["cohorts"][task])
            for name, (cohort, judge) in machines.items()
        }
        ends = [f"{100 * by:.0f}" for by in sorted(by for by, _ in ahead[best].values())]
        others = [labels[other] for other in alike]
        facts = (study["tasks"][task], len(ahead), labels[best], dict.fromkeys((ends[0], ends[-1])))
        sentences.append(write_sentence("best_machine", *facts, others))
    return sentences


def sum_up_changes(rows: list[dict[str, str]], alpha: float, with_causes: bool = True) -> str:
    """Sum up what errors over judges and stimuli do to published tests, and why; empty without any."""
    compared = [row for row in rows if row["hypothesis"]]
    distinct = pd.DataFrame([row for row in compared if row["hypothesis"] == row["test_id"]])
    if distinct.empty:
        return ""
    numbers = distinct.astype({"crossed_p_holm": float, "crossed_p_fdr": float})
    return write_sentence("changes", compared, Facts(numbers), alpha, with_causes)


def list_reading_gaps(rows: list[dict[str, str]], study: dict[str, Any]) -> list[str]:
    """List cohorts whose published detectability lies outside the interval of the recommended one.

    Judges trained here are left out: what they saw differs between the readings on purpose.
    """
    whole = Facts(rows).of("quantity", "detectability").of("group", "all").of("agent", "all")
    sentences = []
    for (task, cohort), of_cohort in whole.group("task", "cohort").items():
        label = study["cohorts"][task][cohort]
        by_reading = {row["reading"]: row for row in of_cohort.rows}
        if "trained here" in label or len(by_reading) < 2:
            continue
        published = parse_number(by_reading["published"]["value"])
        value, low, high = (
            parse_number(by_reading["recommended"][name]) for name in ("value", "ci_low", "ci_high")
        )
        if None not in (published, low, high) and not low <= published <= high:
            place = (study["tasks"][task], label)
            sentences.append(write_sentence("reading_gap", *place, (value, low, high), published))
    return sentences


def list_giveaways(rows: list[dict[str, str]], study: dict[str, Any]) -> list[str]:
    """List what gives responses away before a judge is trained: the flagged rows of the audit."""
    giveaways = {}
    for row in rows:
        if row["flagged"] == "True":
            names = split_names(row["agents"], ", ")
            agents = [study["agents"].get(name, name) for name in names]
            giveaways[write_sentence("giveaway", row, study["tasks"][row["task"]], agents)] = None
    return list(giveaways)
