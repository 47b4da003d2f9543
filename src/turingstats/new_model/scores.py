"""Score a new model with every available judge, using one response per stimulus.

The new model's responses join those of people and of the paper's models; then each judge judges all of
them again, so that the new model and the paper's are compared under the same judge.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.settings import FIXATIONS, Judges, LanguageModels
from turingstats.config.study import Agent, Cohort, Study
from turingstats.config.study.task import Trained
from turingstats.config.subset import list_language_judges
from turingstats.core.labels import format_with_interval, join_with_and
from turingstats.core.yaml_models import READINGS
from turingstats.judges.llm import language
from turingstats.judges.svm import kept_judges
from turingstats.new_model.responses import AGENT
from turingstats.stats import crossed

DESIGNS = ("folds", "few", "others")
"""Trained judges that score a new model, by how they are trained; see `turingstats.config.study.Trained`."""
DEFAULT_JUDGES = {
    "trained": ("Judge trained on all agents", "folds"),
    "trained_others": ("Judge trained on the other agents", "others"),
}
"""Labels and designs of the judges that are trained for a task that declares none of the design."""
COPIED = 0.9
"""Minimum share of responses that are another agent's for the table to ask whether it is the same."""
UNSEEN = "it saw none of the new model's responses; a scan path needs {} fixations or more"
"""Why a judge has no verdict on the new model."""
SCORES = [
    "study", "task", "judge", "judge_label", "judge_source", "judge_kind", "cohort", "reading",
    "agent", "agent_label", "submitted", "quantity", "value", "ci_low", "ci_high", "n_human",
    "n_machine", "n_stimuli", "method", "data",
]  # fmt: skip


def add_agent(study: Study, task: str, label: str) -> Study:
    """Add the new model to a study as one more agent of a task and of the judges trained here."""
    described = study.tasks[task]
    cohorts = {
        name: cohort.model_copy(update={"agents": (*cohort.agents, AGENT)})
        for name, cohort in described.cohorts.items()
        if cohort.trained is not None and cohort.trained.design in DESIGNS
    }
    agents = (*described.agents, AGENT)
    declared = {cohort.trained.design for cohort in cohorts.values() if cohort.trained}
    for name, (judge, design) in DEFAULT_JUDGES.items():
        if design not in declared:
            trained = Trained(design=design)
            cohorts[name] = Cohort(label=judge, judge_kind="svm", agents=agents, trained=trained)
    described = described.model_copy(update={"agents": agents, "cohorts": cohorts})
    return study.model_copy(
        update={"agents": {**study.agents, AGENT: Agent(label=label)}, "tasks": {task: described}}
    )


def estimate_detectability(
    verdicts: pd.DataFrame, agents: Sequence[str], options: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Estimate the detectability of agents under one judge, with intervals over stimuli."""
    stimuli = verdicts["stimulus"].to_numpy(str)
    right = verdicts["right"].to_numpy(float)[:, None]
    names = verdicts["agent"].to_numpy(str)
    for agent in agents:
        sides = np.column_stack([names == "human", names == agent]).astype(float)
        total = sides.sum(axis=0)
        if not total.all():
            continue
        rates = (right * sides).sum(axis=0) / total
        influence = (right - rates) * sides / total / len(total)
        value, kept = rates.mean(), sides.any(axis=1)
        error = crossed.estimate_crossed_error(influence[kept], None, stimuli[kept], sides[kept])
        low, high = crossed.compute_crossed_interval(value, error, options["confidence"])
        yield {
            "agent": agent, "quantity": "detectability", "value": float(value), "ci_low": float(low),
            "ci_high": float(high), "n_human": int(total[0]), "n_machine": int(total[1]),
            "n_stimuli": len(np.unique(stimuli[names == agent])),
            "method": "error over stimuli, for this judge, t interval",
        }  # fmt: skip


def score_by_trained_judges(
    responses: pd.DataFrame, study: Study, task: str, judges: Judges, options: dict[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Score the new model by the judges that are trained here; name those that could not be, and why."""
    only = study.model_copy(update={"tasks": {task: study.tasks[task]}})
    made = kept_judges.train_all(responses, only, judges, options["seed"], options["confidence"])
    evaluation, cohorts = made["evaluation"], study.tasks[task].cohorts
    seen = evaluation.dropna(subset="embeddings").set_index(["cohort", "reading"])["embeddings"]
    sees = seen.to_dict()
    lacking = evaluation[evaluation["quantity"] == "not trained"]
    absent = {
        cohorts[cohort].label: reason
        for cohort, reason in zip(lacking["cohort"], lacking["method"], strict=True)
    }
    scores = made["scores"]
    scores = scores.assign(right=(scores["score"] > 0) == (scores["truth"] == "machine"))
    rows = []
    for (cohort, reading), part in scores.groupby(["cohort", "reading"], sort=False):
        keys = {"judge": cohort, "judge_label": cohorts[cohort].label, "judge_kind": "svm"}
        keys |= {"cohort": cohort, "reading": reading}
        keys["judge_source"] = f"trained here, sees {sees[cohort, reading]}"
        agents, trained = cohorts[cohort].agents, cohorts[cohort].trained
        judged = [(part, agents)]
        if trained and trained.design == "others":
            # Each agent by the judge that was not trained on it.
            not_on = {agent: part["trained_on"] == f"all but {agent}" for agent in agents}
            judged = [(part[not_on[agent]], (agent,)) for agent in agents]
        for verdicts, of in judged:
            rows += [keys | row for row in estimate_detectability(verdicts, of, options)]
    made = pd.DataFrame(rows, columns=["judge_label", "reading", "agent"])
    meets = (
        (made["agent"] == AGENT).groupby([made["judge_label"], made["reading"]], sort=False).any()
    )
    for label, _ in meets[~meets].index:
        absent[label] = UNSEEN.format(FIXATIONS["recommended"])
    return rows, absent


def score_by_language_models(
    responses: pd.DataFrame,
    study: Study,
    task: str,
    settings: LanguageModels,
    options: dict[str, Any],
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Score the new model by language models; parameters and results as in `score_by_trained_judges`."""
    if settings.base_url is None:
        return [], {"Language models": "no endpoint to ask (llm.base_url)"}
    if study.tasks[task].response.form == "conversation":
        return [], {"Language models": "they judge both speakers, and the file has one of them"}
    settings = settings.model_copy(update={"tasks": (task,)})
    # Prompts about stimuli that the new model did not respond to would say nothing about it.
    answered = responses.loc[responses["agent"] == AGENT, "stimulus"]
    asked = responses[(responses["task"] == task) & responses["stimulus"].isin(answered)]
    judgments = language.judge_responses(asked, study, settings, options["seed"])["judgments"]
    judgments = judgments.assign(
        right=judgments["verdict"].astype(str) == judgments["truth"].astype(str)
    )
    rows = []
    for cohort, _, _, label in list_language_judges(study.tasks[task], settings):
        part = judgments[judgments["cohort"] == cohort]
        keys = {"judge": cohort, "judge_label": label, "judge_kind": "llm", "cohort": cohort}
        keys["judge_source"] = "language model, asked here"
        agents = study.tasks[task].agents
        scores = list(estimate_detectability(part, agents, options))
        # A language model's verdicts belong to both readings.
        rows += [keys | {"reading": reading} | row for reading in READINGS for row in scores]
    return rows, {}


def list_known_scores(
    estimates: pd.DataFrame, study: Study, task: str, asked: Collection[str], generated: bool
) -> list[dict[str, Any]]:
    """List the detectability of the paper's models for people online and for the paper's machine judges.

    A model that several cohorts of people judged is shown with the cohort that has the most verdicts.
    """
    cohorts = study.tasks[task].cohorts
    online = [name for name, cohort in cohorts.items() if cohort.setting == "online"]
    keys = {"judge": "people", "judge_label": "People online", "judge_kind": "human"}
    keys["judge_source"] = "people, who did not see the new model"
    by_agent: dict[tuple[str, str], dict[str, Any]] = {}
    for row in list_detectabilities(estimates, task, online):
        by_agent.setdefault((row["agent"], row["reading"]), keys | row)
    rows = list(by_agent.values())
    source = "simulated as the paper's judge" if generated else "predictions published by the paper"
    for name, cohort in cohorts.items():
        if cohort.judge_kind == "human" or cohort.trained or cohort.pools or name in asked:
            continue
        keys = {"judge": name, "judge_label": f"Paper's {cohort.label}"}
        keys |= {"judge_kind": cohort.judge_kind, "judge_source": source}
        rows += [keys | row for row in list_detectabilities(estimates, task, [name])]
    return rows


def list_detectabilities(
    estimates: pd.DataFrame, task: str, cohorts: list[str]
) -> list[dict[str, Any]]:
    """List detectabilities of single agents by some cohorts as scores, those of most verdicts first."""
    selected = estimates[
        (estimates["task"] == task)
        & estimates["cohort"].isin(cohorts)
        & (estimates["group_by"] == "all")
    ]
    verdicts = selected.set_index(["quantity", "cohort", "reading", "agent"])["n"].to_dict()
    selected = selected[
        (selected["quantity"] == "detectability")
        & (selected["agent"] != "all")
        & selected["value"].notna()
    ].sort_values("n", ascending=False, kind="stable")
    columns = ["cohort", "reading", "agent", "quantity", "value", "ci_low", "ci_high", "method"]
    return [
        row
        | {
            "n_human": verdicts.get(("p_HH", row["cohort"], row["reading"], "human")),
            "n_machine": verdicts.get(("p_MM", row["cohort"], row["reading"], row["agent"])),
        }
        for row in selected[columns].to_dict("records")
    ]


def build_scores(
    rows: list[dict[str, Any]], matched: Study, study: Study, task: str
) -> pd.DataFrame:
    """Build the table of all scores; `matched` is the study with the new model."""
    keys = {"study": study.study, "task": task}
    columns = [name for name in SCORES if name != "data"]
    table = pd.DataFrame([keys | row for row in rows]).reindex(columns=columns)
    labels = {name: agent.label for name, agent in matched.agents.items()}
    return table.assign(agent_label=table["agent"].map(labels), submitted=table["agent"] == AGENT)


# --- what is shown -------------------------------------------------------------------------------


def describe_scores(
    scores: pd.DataFrame, matching: pd.DataFrame, absent: dict[str, str], name: str
) -> list[str]:
    """Describe the scores of the new model: one sentence per judge, and what could not be scored."""
    matched = matching[matching["matched"]]
    unknown = matching["note"].str.startswith("unknown")
    left = (
        f"{unknown.sum()} to unknown stimuli left out" if unknown.any() else "all responses matched"
    )
    sentences = [
        *conclude_scores(scores, name),
        f"{len(matched):,} of {(~unknown).sum():,} stimuli have a response of {name}; {left}.",
    ]
    same = matched["same_as"].str.split(", ").explode().value_counts().drop("", errors="ignore")
    sentences += [
        f"{number:,} of these responses are the same as those of {agent}, word for word. If this is "
        "another model, the file may be the wrong one, and judges trained on the other agents were "
        "trained on the same responses."
        for agent, number in same.items()
        if number >= COPIED * len(matched)
    ]
    for label, part in scores.groupby("judge_label", sort=False):
        others = part.loc[~part["submitted"], "value"]
        for row in part[part["submitted"]].to_dict("records"):
            side = (
                "is below chance" if row["ci_high"] < 0.5 else "is not distinguishable from chance"
            )
            side = "is above chance" if row["ci_low"] > 0.5 else side
            interval = format_with_interval(row["value"], row["ci_low"], row["ci_high"])
            below = (others < row["value"]).sum()
            sentences.append(
                f"{label}: detectability {interval}, which {side}; {below} of {len(others)} other "
                f"models are harder to distinguish from people than {name}."
            )
    return sentences + [f"Not available: {judge}: {reason}." for judge, reason in absent.items()]


def conclude_scores(scores: pd.DataFrame, name: str) -> Iterator[str]:
    """Conclude which place the new model takes among all models, and whether the judges agree on it.

    Places count from the model that is hardest to distinguish from people. Two models may change places where
    their intervals overlap.
    """
    places = {}
    for label, part in scores.groupby("judge_label", sort=False):
        others, new = part[~part["submitted"]], part[part["submitted"]]
        if len(new) and len(others):
            value, low, high = new[["value", "ci_low", "ci_high"]].iloc[0]
            first = 1 + (others["ci_high"] < low).sum()
            last = 1 + len(others) - (others["ci_low"] > high).sum()
            places[label] = 1 + (others["value"] < value).sum(), first, last, 1 + len(others)
    if not places:
        return
    listed = join_with_and(
        f"{place} of {number} by {label}"
        + (f" (intervals allow {first} to {last})" if first < last else "")
        for label, (place, first, last, number) in places.items()
    )
    firsts, lasts = max(place[1] for place in places.values()), min(p[2] for p in places.values())
    agreement = "The judges contradict each other"
    if len(places) == 1:
        agreement = "One judge could place it"
    elif len({place for place, *_ in places.values()}) == 1:
        agreement = "The judges agree"
    elif firsts <= lasts:
        agreement = f"The judges differ by no more than chance allows (ranks {firsts} to {lasts})"
    yield f"{agreement}: {name} ranks {listed}; rank 1 is the hardest to distinguish from people."


def tabulate_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the scores of all agents by judge, the new model first, with cells as text."""
    ranked = scores.sort_values(["submitted", "value"], ascending=[False, True], kind="stable")
    by_judge = ranked.set_index("judge").loc[scores["judge"].unique()]
    return pd.DataFrame(
        {
            "Judge": by_judge["judge_label"],
            "What it is": by_judge["judge_source"].fillna(""),
            "Responses by": by_judge["agent_label"],
            "Detectability": [
                format_with_interval(*ends)
                for ends in by_judge[["value", "ci_low", "ci_high"]].to_numpy(float)
            ],
            "Verdicts on these": by_judge["n_machine"].map("{:,.0f}".format, na_action="ignore"),
        }
    )
