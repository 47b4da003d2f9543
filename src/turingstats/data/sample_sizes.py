"""Sample sizes: judges, people, trials, stimuli and answers, by cohort and group of judges."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from turingstats.config.study import Cohort, Study, Task
from turingstats.data.cleaning import find_other_reading, keep_one_per_trial

# The agent of a response for which the source says only that a machine made it.
UNNAMED = "machine"
TRIAL_COLUMNS = [
    "task", "cohort", "judge", "agent", "stimulus", "domain", "topic", "truth", "verdict", "phase", "side",
    "position", "reading", "defect", "control_ok",
]  # fmt: skip
MARKS = ("kept_", "excluded_")
GROUP = ["group_by", "group"]
EVERYONE = dict.fromkeys(GROUP, "all")


Sizes = Iterator[tuple[dict[str, str], dict[str, Any]]]
"""Place of a group in a reading, and quantities; None where the source does not tell."""


def count_samples(
    marked: pd.DataFrame,
    groups: pd.DataFrame,
    responses: pd.DataFrame,
    study: Study,
    people: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Count judges, trials, stimuli and answers."""
    marked = marked[TRIAL_COLUMNS + [name for name in marked if name.startswith(MARKS)]]
    sizes = [
        *count_by_cohort(marked, groups, study, people or {}),
        *count_by_task(marked, study, people or {}),
        *count_responses(responses, study),
    ]
    rows = [
        {"size_id": f"{place['task']}.{place['cohort']}.{place['group']}.{quantity}"}
        | {"study": study.study, **place, "quantity": quantity, "value": value}
        for place, quantities in sizes
        for quantity, value in quantities.items()
        if value is not None
    ]
    return pd.DataFrame(rows)


def count_by_cohort(
    marked: pd.DataFrame, groups: pd.DataFrame, study: Study, people: Mapping[str, str]
) -> Sizes:
    """Count the judges and trials of each cohort and of groups of its judges."""
    for (task, cohort), trials in marked.groupby(["task", "cohort"], observed=True):
        for reading in study.readings:
            place = {"task": task, "cohort": cohort, **EVERYONE, "reading": reading}
            kept = trials[trials[f"kept_{reading}"]]
            judges = trials["judge"].unique()
            in_reading = groups[groups["reading"] == reading]
            own = in_reading[in_reading["judge"].isin(judges)]
            # Where both speakers are judged, these are one trial.
            counted = keep_one_per_trial(kept)["judge"].value_counts()
            by_judge = {name: int(counted.get(name, 0)) for name in kept["judge"].unique()}
            yield place, count_judges(by_judge, by_judge, people)
            yield from count_in_cohort(trials, kept, study.tasks[task], by_judge, place)
            for names, members in own.groupby(GROUP, sort=False)["judge"]:
                numbers = count_judges(members, by_judge, people)
                yield place | dict(zip(GROUP, names, strict=True)), numbers
            # People took part whose judgments are not known.
            others = in_reading[in_reading["judge"].str.startswith(f"{task}.{cohort}.")]
            others = others[~others["judge"].isin(judges)]
            sets = [(("all", "all"), others["judge"])] if len(others) else []
            for names, members in [*others.groupby(GROUP, sort=False)["judge"], *sets]:
                participants = {"n_participants": int(members.nunique())}
                yield place | dict(zip(GROUP, names, strict=True)), participants


def count_in_cohort(
    trials: pd.DataFrame,
    kept: pd.DataFrame,
    task: Task,
    by_judge: Mapping[str, int],
    place: dict[str, str],
) -> Sizes:
    """Count what a whole cohort was shown and said, in the source and among the `kept` trials."""
    reading, described = place["reading"], task.cohorts[place["cohort"]]
    n_trials = sum(by_judge.values())
    mine = trials[~find_other_reading(trials, reading)]
    # Whole sessions may be left out because of a defect.
    defects = [name for name, own in task.defects.items() if own.session]
    defects = [name for name in defects if reading in task.defects[name].left_out_in]
    mine = mine[~mine["defect"].astype(object).isin(defects)]
    in_source = len(keep_one_per_trial(mine))
    sessions = describe_sessions(mine, described)
    counted = {"source": in_source, "analyzed": n_trials}
    yield (
        place,
        {
            "trials_per_judge": n_trials / len(by_judge) if by_judge else None,
            "n_in_source": in_source,
            **sessions,
            "n_tests": counted.get(described.counted, sessions["n_shown"]),
            # None where the source does not name stimuli.
            "n_stimuli": int(kept["stimulus"].nunique()) or None,
            **compare_control_answers(mine, task),
            "n_topics": int(kept["topic"].nunique()) or None,
        },
    )
    if "domain" in task.conditions:
        for domain, number in kept.groupby("domain", observed=True)["topic"].nunique().items():
            among = place | {"group_by": "domain", "group": domain}
            yield among, {"n_topics": int(number) or None}
    reasons = trials[f"excluded_{reading}"].astype(str)
    left_out = {f"n_left_out_{own.id}": int((reasons == own.reason).sum()) for own in task.filters}
    agents = kept.loc[kept["truth"] == "machine", "agent"]
    # None where the source does not name them.
    number = {"n_ai_agents": None if (agents == UNNAMED).any() else agents.nunique()}
    yield place, left_out | number | count_catch_trials(mine)


def count_by_task(marked: pd.DataFrame, study: Study, people: Mapping[str, str]) -> Sizes:
    """Count the human judges of each task and of all tasks, without those of pooled cohorts."""
    for reading in study.readings:
        everyone: dict[str, list[str]] = {}
        kept = marked[marked[f"kept_{reading}"]]
        for (task, cohort), own in kept.groupby(["task", "cohort"], observed=True)["judge"]:
            described = study.tasks[task].cohorts[cohort]
            if described.judge_kind == "human" and not described.pools:
                everyone.setdefault(task, []).extend(own.unique())
        everyone["all"] = [name for judges in everyone.values() for name in judges]
        for task, judges in everyone.items():
            known = [people[name] for name in judges if name in people]
            totals = {"n_judges": len(judges), "n_judges_known": len(known)}
            place = {"task": task, "cohort": "all", **EVERYONE, "reading": reading}
            yield place, totals | {"n_people": len(set(known)) or None}


def count_responses(responses: pd.DataFrame, study: Study) -> Sizes:
    """Count the responses of each task, who gave them, and what they are about."""
    for task, answers in responses.groupby("task"):
        human = answers["agent"] == "human"
        counts = {
            "n_images": answers["stimulus"].nunique(),
            "n_answers": len(answers),
            "n_answers_human": int(human.sum()),
            "n_answers_machine": int((~human).sum()),
            "n_responders": answers.loc[human, "responder"].nunique() or None,
            "n_ai_agents": answers.loc[~human, "agent"].nunique(),
            "n_stimuli": count_shown_stimuli(answers, study.tasks[task].page_lengths),
            "n_options": answers.loc[answers["response"] != "none", "response"].nunique(),
        }
        for reading in study.readings:
            yield {"task": task, "cohort": "responses", **EVERYONE, "reading": reading}, counts


def count_judges(
    judges: Iterable[str], by_judge: Mapping[str, int], people: Mapping[str, str]
) -> dict[str, int | None]:
    """Count judges with trials, these, and the people, unless some judge's identity is not known."""
    present = [name for name in judges if name in by_judge]
    known = {people.get(name) for name in present}
    n_people = len(known) if known and None not in known else None
    n_trials = sum(by_judge[name] for name in present)
    return {"n_judges": len(present), "n_people": n_people, "n_trials": n_trials}


def count_shown_stimuli(answers: pd.DataFrame, lengths: Sequence[int]) -> int:
    """Count the stimuli that answers form: one per answer, or conversations as shown for turns.

    A conversation as long as the largest of the `lengths` was shown cut at each of them; all others
    were shown whole.
    """
    if answers["turn"].isna().all():
        return len(answers)
    whole = answers.groupby("stimulus", observed=True)["turn"].max()
    return int(sum(len(lengths) if n == max(lengths, default=0) else 1 for n in whole))


def compare_control_answers(trials: pd.DataFrame, task: Task) -> dict[str, float]:
    """Measure whether answers to the control question differ between the judges of a stimulus.

    Where hardly any differ, the stored answer is a label of the stimulus and says nothing about a judge.
    """
    answered = keep_one_per_trial(trials[trials["control_ok"].notna() & trials["stimulus"].notna()])
    asked = answered["stimulus"].astype(str)
    if task.control_ignores:
        asked = asked.map({n: re.sub(task.control_ignores, "", n) for n in asked.unique()})
    right = answered["control_ok"].astype(bool).groupby(asked).agg(["sum", "size"])
    right = right[right["size"] > 1]
    if right.empty:
        return {}
    share = right["sum"].sum() / right["size"].sum()
    same = (right["sum"] == 0) | (right["sum"] == right["size"])
    return {
        "n_control_repeated": len(right),
        "n_control_same": int(same.sum()),
        "n_control_wrong": int((right["sum"] == 0).sum()),
        "control_same_by_chance": float(
            (share ** right["size"] + (1 - share) ** right["size"]).sum()
        ),
    }


def count_catch_trials(trials: pd.DataFrame) -> dict[str, float]:
    """Count judges and catch and swapped trials, with the share correct, where the source has any."""
    caught, swapped = (trials[trials["phase"] == phase] for phase in ("catch", "swapped"))
    counts = {}
    if len(swapped):
        counts = {
            "n_swapped_trials": len(swapped),
            "swapped_p_HH": float((swapped["verdict"] == "human").mean()),
        }
    if caught.empty:
        return counts
    machines = caught[caught["truth"] == "machine"]
    return counts | {
        "n_catch_judges": caught["judge"].nunique(),
        "n_catch_trials": len(keep_one_per_trial(caught)),
        "n_catch_right": int((machines["verdict"] == "machine").sum()),
        "catch_p_MM": float((machines["verdict"] == "machine").mean()),
    }


def describe_sessions(trials: pd.DataFrame, described: Cohort) -> dict[str, Any]:
    """Describe the trials shown and the control answers of a cohort, as far as the source tells."""
    judges = trials["judge"].nunique()
    people = described.judge_kind == "human"
    n_shown = described.trials_shown * judges if described.trials_shown else None
    if described.shown_per_judge == "all":
        n_shown = len(keep_one_per_trial(trials))
    accuracy = None
    if trials["control_ok"].notna().any():
        accuracy = float(trials["control_ok"].astype("boolean").mean())
    elif described.absent_failed_control and n_shown:
        accuracy = len(keep_one_per_trial(trials)) / n_shown
    has_positions = people and trials["position"].notna().any()
    return {
        "n_judges_in_source": judges if people else None,
        "n_shown": n_shown,
        "longest_session": int(trials["position"].max()) if has_positions else None,
        "control_accuracy": accuracy,
    }
