"""Train the judges of a cohort, audit what they judge, and tabulate their verdicts and evaluation."""

from typing import Any

import numpy as np
import pandas as pd
import sklearn

from turingstats.config.settings import FIXATIONS, Judges
from turingstats.config.study import Cohort, Study
from turingstats.core.yaml_models import READINGS, Reading
from turingstats.data import schema
from turingstats.judges.svm import audit, classifier, evaluation, features

BOOTSTRAP = 500


class Untrainable(Exception):
    """A judge cannot be trained on these data; its message says why."""


@sklearn.config_context(assume_finite=True, skip_parameter_validation=True)
def train_cohort(
    responses: pd.DataFrame,
    study: Study,
    task: str,
    cohort: str,
    reading: Reading,
    options: Judges,
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame]:
    """Train the judges of a cohort in a reading on the responses of its task; the first that is
    cross-validated also audits the responses.
    """
    described, spec = study.tasks[task], study.tasks[task].cohorts[cohort]
    items = features.select_items(responses, spec.agents)
    setup = classifier.Setup(f"{task}.{cohort}", reading, options, seed)
    head = {"study": study.study, "task": task, "cohort": cohort, "reading": reading}
    try:
        require_both_kinds(items)
        seen = features.compute_features(items, described.features, reading)
        judged, measured = judge_cohort_items(items, seen, spec, setup, level)
    except Untrainable as error:
        rows = [head | {"quantity": "not trained", "method": str(error)}]
        made = {"evaluation": pd.DataFrame(rows)}
    else:
        prefix = f"{task}.{cohort}.{setup.kernel}"
        names = (prefix + ("." + judged["judge"]).where(judged["judge"] != "", "")).to_numpy()
        judged = judged.assign(judge=names, truth=label_sides(judged["machine"]), **head)
        paths = described.features == "scan path"
        shown = f"first {FIXATIONS[reading]} fixations" if paths else features.EMBEDDINGS
        head |= {"kernel": setup.kernel, "embeddings": shown}
        made = {
            "judgments": build_verdict_rows(judged, described.response.variant),
            "scores": judged.reindex(columns=schema.RESULTS["machine_scores"]),
            "evaluation": pd.DataFrame(measured).assign(**head),
        }
    validated = [
        name
        for name, each in described.cohorts.items()
        if each.trained and each.trained.design == "folds"
    ]
    is_first = [cohort] == validated[:1] and reading == READINGS[-1]
    if is_first and items["machine"].nunique() == 2:
        findings = audit.audit_items(items, described.features, setup)
        made["audit"] = findings.assign(study=study.study, task=task)
    return made


def label_sides(machine: pd.Series) -> np.ndarray:
    """Convert 0 and 1 to human and machine."""
    return np.where(machine == 1, "machine", "human")


def require_both_kinds(items: pd.DataFrame) -> None:
    """Refuse to train on responses of people alone, or of machines alone."""
    if items["machine"].nunique() < 2:
        raise Untrainable("there are not both people's and machines' responses")


def judge_cohort_items(
    items: pd.DataFrame,
    seen: np.ndarray,
    spec: Cohort,
    setup: classifier.Setup,
    level: float,
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Return items with judge, trained_on and score, and the evaluation; `seen` are features of all items."""
    trained = spec.trained
    shown = np.isfinite(seen).all(axis=1)
    visible, seen = items[shown], seen[shown]
    require_both_kinds(visible)
    present = [agent for agent in spec.agents if (visible["agent"] == agent).any()]
    if trained.design in ("one", "others") and len(present) < 2:
        raise Untrainable("needs two agents with responses")
    if len(np.unique(visible["stimulus"])) < 4:
        raise Untrainable("there are fewer than four stimuli")
    if trained.design == "folds":
        parts = classifier.cross_validate_judge(visible, seen, setup)
    elif trained.design == "few":
        parts = classifier.train_on_few_examples(visible, seen, setup, trained.examples)
    else:
        parts = (
            part
            for agent in present
            for part in classifier.confront_unseen_agents(
                visible, seen, setup, agent, trained.design == "one"
            )
        )
    parts = list(parts)
    if not parts:
        raise Untrainable("there are too few stimuli to train and to test on")
    numbers = [len(part.positions) for part in parts]
    judged = visible.iloc[np.concatenate([part.positions for part in parts])].assign(
        judge=np.repeat([part.judge for part in parts], numbers),
        trained_on=pd.Series([part.trained_on for part in parts]).repeat(numbers).array,
        score=np.concatenate([part.scores for part in parts]),
    )
    rng = setup.make_generator("evaluation")
    measured = list(evaluation.measure_quality(judged, BOOTSTRAP, level, rng))
    return judged, measured


def build_verdict_rows(judged: pd.DataFrame, variant: str) -> pd.DataFrame:
    """Build rows of the judgments table."""
    trial, verdict = judged.groupby("judge").cumcount() + 1, label_sides(judged["score"] > 0)
    constant = {"judge_kind": "svm", "phase": "test", "variant": variant}
    rows = judged.assign(**constant, trial=trial, position=trial, verdict=verdict)
    return rows.reindex(columns=list(schema.JUDGMENTS))
