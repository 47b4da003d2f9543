"""Audit and train all judges of a task, and tabulate their verdicts and evaluation."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import sklearn

from turingstats.config.settings import FIXATIONS, Judges
from turingstats.config.study import Cohort, Study, Task
from turingstats.core import parallel
from turingstats.core.yaml_models import READINGS
from turingstats.data import schema
from turingstats.judges import embeddings
from turingstats.judges.svm import audit, classifier, evaluation, features, results
from turingstats.stats import resampling

SCORES = [
    "study",
    "task",
    "cohort",
    "reading",
    "judge",
    "trained_on",
    "stimulus",
    "agent",
    "truth",
    "score",
]
BOOTSTRAP = 500
KERNELS: dict[str, classifier.Kernel] = {"published": "rbf", "recommended": "linear"}
"""Radial in the authors' code, linear in their Methods."""
ONE_KIND_ONLY = "there are not both people's and machines' responses"


class Untrainable(Exception):
    """A judge cannot be trained on these data; its message says why."""


def train_all(
    responses: pd.DataFrame,
    study: Study,
    options: Judges,
    seed: int,
    level: float,
    workers: int = 1,
) -> dict[str, pd.DataFrame]:
    """Train the judges of all tasks, one task per process, and concatenate their tables."""

    tasks = [name for name, task in study.tasks.items() if has_trained_judges(task)]
    arguments = [
        (responses[responses["task"] == task], study, task, options, seed, level) for task in tasks
    ]
    made = parallel.call_in_parallel(
        train_task_judges, arguments, workers, lambda each: len(each[0])
    )
    return {
        table: pd.concat([tables[table] for tables in made], ignore_index=True)
        for table in ("judgments", "scores", "evaluation", "audit")
    }


def has_trained_judges(task: Task) -> bool:
    """Return whether a task declares judges to train."""
    return any(cohort.trained for cohort in task.cohorts.values())


def train_task_judges(
    responses: pd.DataFrame, study: Study, task: str, options: Judges, seed: int, level: float
) -> dict[str, pd.DataFrame]:
    """Train every judge that a task declares; `level` is that of confidence intervals."""
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        return train_cohort_judges(responses, study, task, options, seed, level)


def train_cohort_judges(
    responses: pd.DataFrame, study: Study, task: str, options: Judges, seed: int, level: float
) -> dict[str, pd.DataFrame]:
    """Make the tables judgments, scores, evaluation (with the reason where a judge was not trained) and
    audit.
    """

    described = study.tasks[task]
    task_responses = responses[responses["task"] == task]
    source = embeddings.make_provider(options)
    seen = {}  # features are shared by all judges with the same input
    judgments, scores, evaluations, audits = [], [], [], []
    for cohort, spec in described.cohorts.items():
        if spec.trained is None:
            continue
        items = features.select_items(task_responses, spec.agents)
        if not has_both_kinds(items):
            rows = [{"quantity": "not trained", "method": ONE_KIND_ONLY}]
            head = {"study": study.study, "task": task, "cohort": cohort}
            evaluations += [pd.DataFrame(rows).assign(**head, reading=r) for r in READINGS]
            continue
        for reading in READINGS:
            setup = classifier.Setup(
                name=f"{task}.{cohort}",
                reading=reading,
                kernel=KERNELS[reading],
                folds=options.folds,
                seeds=options.seeds,
                max_responses=options.max_responses,
                seed=seed,
            )
            head = {"study": study.study, "task": task, "cohort": cohort, "reading": reading}
            try:
                paths = described.features == "scan path"
                key = (spec.agents, spec.trained.images, reading if paths else None)
                if key not in seen:
                    images = find_image_features(options, task, spec.trained.images)
                    seen[key] = features.compute_features(
                        items, described.features, reading, source, images
                    )
                judged, evaluation_rows = judge_cohort_items(
                    items, seen[key], spec, setup, options, level
                )
            except Untrainable as error:
                rows = [{"quantity": "not trained", "method": str(error)}]
                evaluations.append(pd.DataFrame(rows).assign(**head))
                continue
            prefix = f"{task}.{cohort}.{setup.kernel}"
            names = (prefix + ("." + judged["judge"]).where(judged["judge"] != "", "")).to_numpy()
            judged = judged.assign(judge=names, truth=label_sides(judged["machine"]), **head)
            scores.append(judged.reindex(columns=SCORES))
            judgments.append(build_verdict_rows(judged, described.response.variant))
            judge_head = {"kernel": setup.kernel, "embeddings": source.name}
            if paths:
                judge_head["embeddings"] = f"first {FIXATIONS[reading]} fixations"
            evaluations.append(pd.DataFrame(evaluation_rows).assign(**head, **judge_head))
        if spec.trained.design == "folds" and not audits:
            findings = audit.audit_items(items, described.features, setup)
            audits.append(findings.assign(study=study.study, task=task))
    return {
        "judgments": pd.concat([pd.DataFrame(columns=list(schema.JUDGMENTS)), *judgments]),
        "scores": join_tables(scores, SCORES),
        "evaluation": join_tables(
            evaluations,
            ["study", "task", "cohort", "reading", "kernel", "embeddings", *results.COLUMNS],
        ),
        "audit": join_tables(audits, ["study", "task", *audit.COLUMNS]),
    }


def join_tables(tables: Iterable[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """Concatenate tables, with these columns."""

    return pd.concat([pd.DataFrame(columns=columns), *tables], ignore_index=True)[columns]


def label_sides(machine: pd.Series) -> np.ndarray:
    """Convert 0 and 1 to human and machine."""
    return np.where(machine == 1, "machine", "human")


def has_both_kinds(items: pd.DataFrame) -> bool:
    """Return whether there are responses of people and of machines."""
    return items["machine"].nunique() == 2


def find_image_features(
    options: Judges, task: str, layer: str | None
) -> dict[str, np.ndarray] | None:
    """Find the features of a task's images; None if the judge sees no images."""
    if layer is None:
        return None
    images = None
    if options.images:
        images = features.read_image_features(f"{options.images}/{task}.npz", layer)
    if images is None:
        raise Untrainable(f"needs features of the images ({layer} layer), see judges.images")
    return images


def judge_cohort_items(
    items: pd.DataFrame,
    seen: np.ndarray,
    spec: Cohort,
    setup: classifier.Setup,
    options: Judges,
    level: float,
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Return items with judge, trained_on and score, and rows of the evaluation; `seen` are features of all
    items.
    """

    trained = spec.trained
    shown = np.isfinite(seen).all(axis=1)
    visible, seen = items[shown], seen[shown]
    if not has_both_kinds(visible):
        raise Untrainable(ONE_KIND_ONLY)
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
    judged = pd.concat(parts, ignore_index=True)
    rng = setup.make_generator("evaluation")
    evaluation_rows = list(evaluation.measure_quality(judged, BOOTSTRAP, level, rng))
    if trained.design == "folds":
        evaluation_rows += evaluation.compute_roc_curve(judged)
        evaluation_rows += evaluation.measure_calibration(judged, level, int(rng.integers(2**31)))
        evaluation_rows += evaluation.measure_learning_curve(visible, seen, setup)
    if trained.design == "folds" and setup.grouped:
        positions = features.draw_balanced_items(
            visible, setup.max_responses, setup.make_generator("draw", 0)
        )
        drawn = visible.iloc[positions]
        fold = classifier.assign_folds(drawn, setup.folds, True, int(rng.integers(2**31)))
        chance = resampling.make_generator(setup.seed, f"permutation {setup.name}")
        evaluation_rows.append(
            evaluation.run_permutation_test(
                drawn, seen[positions], fold, options.permutations, chance
            )
        )
    return judged, evaluation_rows


def build_verdict_rows(judged: pd.DataFrame, variant: str) -> pd.DataFrame:
    """Build rows of the judgments table."""
    return (
        judged.assign(
            judge_kind="svm",
            trial=judged.groupby("judge").cumcount() + 1,
            phase="test",
            variant=variant,
            verdict=label_sides(judged["score"] > 0),
        )
        .assign(position=lambda table: table["trial"])
        .reindex(columns=list(schema.JUDGMENTS))
    )
