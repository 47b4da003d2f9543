"""Sample sizes: judges, people, trials, stimuli and answers, by cohort and group of judges."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from turingstats.config.study import Cohort, Defect, Filter, Study, Task
from turingstats.data.cleaning import find_other_reading, keep_one_per_trial

# The agent of a response for which the source says only that a machine made it.
UNNAMED = "machine"
COLUMNS = [
    "task", "cohort", "judge", "agent", "stimulus", "domain", "topic", "truth", "verdict", "phase", "side",
    "position", "reading", "defect", "control_ok",
]  # fmt: skip
MARKS = ("kept_", "excluded_")


def count_samples(
    marked: pd.DataFrame,
    groups: pd.DataFrame,
    responses: pd.DataFrame,
    study: Study,
    people: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Count judges, trials, stimuli and answers."""
    rows, marked = [], marked[COLUMNS + [name for name in marked if name.startswith(MARKS)]]

    def add(place: dict[str, str], quantities: Mapping[str, Any]) -> None:
        for quantity, value in quantities.items():
            if value is not None:
                size_id = f"{place['task']}.{place['cohort']}.{place['group']}.{quantity}"
                row = {"size_id": size_id, "study": study.study, **place}
                rows.append(row | {"quantity": quantity, "value": value})

    for (task, cohort), trials in marked.groupby(["task", "cohort"], observed=True):
        described = study.tasks[task].cohorts[cohort]
        for reading in study.readings:
            kept = trials[trials[f"kept_{reading}"]]
            judges = trials["judge"].unique()
            in_reading = groups[groups["reading"] == reading]
            own = in_reading[in_reading["judge"].isin(judges)]
            by_judge = count_trials_by_judge(kept)
            sets = [("all", "all", list(by_judge))]
            sets += [
                (*place, [name for name in members if name in by_judge])
                for place, members in own.groupby(["group_by", "group"], sort=False)["judge"]
            ]
            for group_by, group, names in sets:
                place = {"task": task, "cohort": cohort, "group_by": group_by, "group": group}
                place |= {"reading": reading}
                n_trials = sum(by_judge[name] for name in names)
                add(place, {"n_judges": len(names), "n_people": count_people(names, people)})
                add(place, {"n_trials": n_trials})
                if group_by == "all":
                    per_judge = n_trials / len(names) if names else None
                    mine = trials[~find_other_reading(trials, reading)]
                    mine = mine[~find_sessions_left_out(mine, study.tasks[task].defects, reading)]
                    in_source = len(keep_one_per_trial(mine))
                    add(place, {"trials_per_judge": per_judge, "n_in_source": in_source})
                    sessions = describe_sessions(mine, described)
                    counted = {"source": in_source, "analyzed": n_trials}
                    n_tests = counted.get(described.counted, sessions["n_shown"])
                    add(place, sessions | {"n_tests": n_tests})
                    # None where the source does not name stimuli.
                    add(place, {"n_stimuli": int(kept["stimulus"].nunique()) or None})
                    add(place, compare_control_answers(mine, study.tasks[task]))
                    add(place, {"n_topics": int(kept["topic"].nunique()) or None})
                    if "domain" in study.tasks[task].conditions:
                        topics = kept.groupby("domain", observed=True)["topic"].nunique()
                        for domain, number in topics.items():
                            among = place | {"group_by": "domain", "group": domain}
                            add(among, {"n_topics": int(number) or None})
                    add(place, count_left_out(trials, reading, study.tasks[task].filters))
                    ai = count_models(kept)
                    add(place, {"n_ai_agents": ai} | count_catch_trials(mine))
            others = in_reading[in_reading["judge"].str.startswith(f"{task}.{cohort}.")]
            for place in count_participants(others[~others["judge"].isin(judges)]):
                number = {"n_participants": place.pop("number")}
                add({"task": task, "cohort": cohort, "reading": reading} | place, number)
    for reading in study.readings:
        everyone = list_judges_by_task(marked[marked[f"kept_{reading}"]], study)
        for task, judges in everyone.items():
            place = {"task": task, "cohort": "all", "group_by": "all", "group": "all"}
            known = [people[name] for name in judges if name in people] if people else []
            totals = {"n_judges": len(judges), "n_judges_known": len(known)}
            add(place | {"reading": reading}, totals | {"n_people": len(set(known)) or None})
    for task, answers in responses.groupby("task"):
        human = answers["agent"] == "human"
        for reading in study.readings:
            place = {"task": task, "cohort": "responses", "group_by": "all", "group": "all"}
            add(
                place | {"reading": reading},
                {
                    "n_images": answers["stimulus"].nunique(),
                    "n_answers": len(answers),
                    "n_answers_human": int(human.sum()),
                    "n_answers_machine": int((~human).sum()),
                    "n_responders": answers.loc[human, "responder"].nunique() or None,
                    "n_ai_agents": answers.loc[~human, "agent"].nunique(),
                    "n_stimuli": count_shown_stimuli(answers, study.tasks[task].page_lengths),
                    "n_options": answers.loc[answers["response"] != "none", "response"].nunique(),
                },
            )
    return pd.DataFrame(rows)


def count_participants(members: pd.DataFrame) -> list[dict[str, Any]]:
    """Count people who took part in a test by their groups, where what they judged is not known."""
    numbers = members.groupby(["group_by", "group"], sort=False)["judge"].nunique()
    places = {**numbers, ("all", "all"): members["judge"].nunique()} if len(members) else {}
    return [
        {"group_by": group_by, "group": group, "number": int(number)}
        for (group_by, group), number in places.items()
    ]


def count_trials_by_judge(trials: pd.DataFrame) -> dict[str, int]:
    """Count the trials of each judge; where both speakers are judged, these are one trial."""
    counted = keep_one_per_trial(trials)["judge"].value_counts()
    return {name: int(counted.get(name, 0)) for name in trials["judge"].unique()}


def count_people(judges: Iterable[str], people: Mapping[str, str] | None) -> int | None:
    """Count the distinct people among judges; None unless every judge's identity is known."""
    known = {people[name] for name in judges if name in people} if people else set()
    return len(known) if known and all(name in people for name in judges) else None


def list_judges_by_task(trials: pd.DataFrame, study: Study) -> dict[str, list[str]]:
    """List the human judges of each task and of all tasks ("all"), without those of pooled cohorts."""
    judges_by_task = {}
    for (task, cohort), cohort_judges in trials.groupby(["task", "cohort"], observed=True)["judge"]:
        described = study.tasks[task].cohorts[cohort]
        if described.judge_kind == "human" and not described.pools:
            judges_by_task.setdefault(task, []).extend(cohort_judges.unique())
    return judges_by_task | {"all": [name for judges in judges_by_task.values() for name in judges]}


def count_left_out(trials: pd.DataFrame, reading: str, filters: Sequence[Filter]) -> dict[str, int]:
    """Count the trials that each declared filter left out."""
    reasons = trials[f"excluded_{reading}"].astype(str)
    return {f"n_left_out_{own.id}": int((reasons == own.reason).sum()) for own in filters}


def count_shown_stimuli(answers: pd.DataFrame, lengths: Sequence[int]) -> int:
    """Count the stimuli that answers form: one per answer, or conversations as shown for turns.

    A conversation as long as the largest of the `lengths` was shown cut at each of them; all others
    were shown whole.
    """
    if answers["turn"].isna().all():
        return len(answers)
    whole = answers.groupby("stimulus", observed=True)["turn"].max()
    return int(sum(len(lengths) if n == max(lengths, default=0) else 1 for n in whole))


def count_models(trials: pd.DataFrame) -> int | None:
    """Count the distinct AI agents; None where the source does not name them."""
    agents = trials.loc[trials["truth"] == "machine", "agent"]
    return None if (agents == UNNAMED).any() else agents.nunique()


def find_sessions_left_out(
    trials: pd.DataFrame, defects: Mapping[str, Defect], reading: str
) -> pd.Series:
    """Find the rows of whole sessions that a reading leaves out because of a defect."""
    names = [name for name, own in defects.items() if own.session and reading in own.left_out_in]
    return trials["defect"].astype(object).isin(names)


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
    shown = described.trials_shown * judges if described.trials_shown else None
    if described.shown_per_judge == "all":
        shown = len(keep_one_per_trial(trials))
    accuracy = None
    if trials["control_ok"].notna().any():
        accuracy = float(trials["control_ok"].astype("boolean").mean())
    elif described.absent_failed_control and shown:
        accuracy = len(keep_one_per_trial(trials)) / shown
    has_positions = people and trials["position"].notna().any()
    return {
        "n_judges_in_source": judges if people else None,
        "n_shown": shown,
        "longest_session": int(trials["position"].max()) if has_positions else None,
        "control_accuracy": accuracy,
    }
