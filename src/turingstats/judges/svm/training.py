"""Audit and train all judges of a task, and tabulate their verdicts and evaluation."""

import numpy as np
import pandas as pd
import sklearn

from turingstats.config.settings import FIXATIONS
from turingstats.core import parallel
from turingstats.core.yaml_models import READINGS
from turingstats.data import schema
from turingstats.judges import embeddings
from turingstats.judges.svm import audit, classifier, evaluation, features, results
from turingstats.stats import resampling

SCORES = "study task cohort reading judge trained_on stimulus agent truth score".split()
BOOTSTRAP = 500
KERNELS = {"published": "rbf", "recommended": "linear"}
"""Radial in the authors' code, linear in their Methods."""
NOTHING = "there are not both people's and machines' responses"


class Untrainable(Exception):
    """A judge cannot be trained on these data; its message says why."""


def train_all(responses, study, options, seed, level, workers=1):
    """Train the judges of all tasks, one task per process.

    Parameters
    ----------
    responses, study, options, seed, level
        As in `train_task_judges`.
    workers : int
        Number of parallel processes; it does not affect the result.

    Returns
    -------
    dict of str to pandas.DataFrame
        As from `train_task_judges`, with all tasks concatenated.
    """

    tasks = [name for name, task in study.tasks.items() if has_trained_judges(task)]
    arguments = [
        (responses[responses["task"] == task], study, task, options, seed, level) for task in tasks
    ]
    made = parallel.call_in_parallel(
        train_task_judges, arguments, workers, lambda each: len(each[0])
    )
    return {
        table: pd.concat([own[table] for own in made], ignore_index=True)
        for table in ("judgments", "scores", "evaluation", "audit")
    }


def has_trained_judges(task):
    """Return whether a task declares judges to train."""
    return any(cohort.trained for cohort in task.cohorts.values())


def train_task_judges(responses, study, task, options, seed, level):
    """Train every judge that a task declares.

    Parameters
    ----------
    responses : pandas.DataFrame
        The data contract's table.
    study : Study
    task : str
    options : turingstats.config.settings.Judges
    seed : int
    level : float
        Confidence level of the intervals.

    Returns
    -------
    dict of str to pandas.DataFrame
        judgments (the data contract's table), scores (`SCORES`), evaluation (one row per number, or a
        row `not trained` with the reason if a judge could not be trained) and audit.
    """
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        return train_cohort_judges(responses, study, task, options, seed, level)


def train_cohort_judges(responses, study, task, options, seed, level):
    """Train every judge that a task declares; see `train_task_judges`."""

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
            rows = [{"quantity": "not trained", "method": NOTHING}]
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
            place = {"study": study.study, "task": task, "cohort": cohort, "reading": reading}
            try:
                paths = described.features == "scan path"
                key = (spec.agents, spec.trained.images, reading if paths else None)
                if key not in seen:
                    images = find_image_features(options, task, spec.trained.images)
                    seen[key] = features.compute_features(
                        items, described.features, reading, source, options.cache, images
                    )
                found, evaluation_rows = judge_cohort_items(
                    items, seen[key], spec, setup, options, level
                )
            except Untrainable as error:
                rows = [{"quantity": "not trained", "method": str(error)}]
                evaluations.append(pd.DataFrame(rows).assign(**place))
                continue
            prefix = f"{task}.{cohort}.{setup.kernel}"
            names = (prefix + ("." + found["judge"]).where(found["judge"] != "", "")).to_numpy()
            found = found.assign(judge=names, truth=label_sides(found["machine"]), **place)
            scores.append(found.reindex(columns=SCORES))
            judgments.append(build_verdict_rows(found, described.response.variant))
            head = {"kernel": setup.kernel, "embeddings": source.name}
            if paths:
                head["embeddings"] = f"first {FIXATIONS[reading]} fixations"
            evaluations.append(pd.DataFrame(evaluation_rows).assign(**place, **head))
        if spec.trained.design == "folds" and not audits:
            found = audit.audit_items(items, described.features, setup)
            audits.append(found.assign(study=study.study, task=task))
    return {
        "judgments": pd.concat([pd.DataFrame(columns=list(schema.JUDGMENTS)), *judgments]),
        "scores": join_tables(scores, SCORES),
        "evaluation": join_tables(
            evaluations,
            [*"study task cohort reading kernel embeddings".split(), *results.COLUMNS],
        ),
        "audit": join_tables(audits, ["study", "task", *audit.COLUMNS]),
    }


def join_tables(tables, columns):
    """Concatenate tables, with these columns."""

    return pd.concat([pd.DataFrame(columns=columns), *tables], ignore_index=True)[columns]


def label_sides(machine):
    """Convert 0 and 1 to human and machine."""
    return np.where(machine == 1, "machine", "human")


def has_both_kinds(items):
    """Return whether there are responses of people and of machines."""
    return items["machine"].nunique() == 2


def find_image_features(options, task, layer):
    """Find the features of a task's images; None if the judge sees no images."""
    if layer is None:
        return None
    found = None
    if options.images:
        found = features.read_image_features(f"{options.images}/{task}.npz", layer)
    if found is None:
        raise Untrainable(f"needs features of the images ({layer} layer), see judges.images")
    return found


def judge_cohort_items(items, seen, spec, setup, options, level):
    """Compute and evaluate the verdicts of the judges of a cohort.

    Parameters
    ----------
    items : pandas.DataFrame
    seen : numpy.ndarray
        Features of all items.
    spec : Cohort
    setup : Setup
    options : turingstats.config.settings.Judges
    level : float

    Returns
    -------
    found : pandas.DataFrame
        Items with judge, trained_on, score.
    evaluation_rows : list of dict
        Rows of the evaluation.
    """

    trained = spec.trained
    shown = np.isfinite(seen).all(axis=1)
    visible, seen = items[shown], seen[shown]
    if not has_both_kinds(visible):
        raise Untrainable(NOTHING)
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
    found = pd.concat(parts, ignore_index=True)
    rng = setup.make_generator("evaluation")
    evaluation_rows = list(evaluation.measure_quality(found, BOOTSTRAP, level, rng))
    if trained.design == "folds":
        evaluation_rows += evaluation.compute_roc_curve(found)
        evaluation_rows += evaluation.measure_calibration(found, level, int(rng.integers(2**31)))
        evaluation_rows += evaluation.measure_learning_curve(visible, seen, setup)
    if trained.design == "folds" and setup.grouped:
        places = features.draw_balanced_items(
            visible, setup.max_responses, setup.make_generator("draw", 0)
        )
        drawn = visible.iloc[places]
        fold = classifier.assign_folds(drawn, setup.folds, True, int(rng.integers(2**31)))
        chance = resampling.make_generator(setup.seed, f"permutation {setup.name}")
        evaluation_rows.append(
            evaluation.run_permutation_test(drawn, seen[places], fold, options.permutations, chance)
        )
    return found, evaluation_rows


def build_verdict_rows(found, variant):
    """Build rows of the judgments table."""
    return (
        found.assign(
            judge_kind="svm",
            trial=found.groupby("judge").cumcount() + 1,
            phase="test",
            variant=variant,
            verdict=label_sides(found["score"] > 0),
        )
        .assign(position=lambda table: table["trial"])
        .reindex(columns=list(schema.JUDGMENTS))
    )
