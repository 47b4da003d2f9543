"""All judges of one task: audited, trained, and their verdicts and qualities as tables."""

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
NOTHING = "there are not both people's and machines' responses"


class Untrainable(Exception):
    """A judge cannot be trained on these data; its message says why."""


def train_all(responses, study, options, seed, level, workers=1):
    """Train the judges of all tasks, one task a process.

    Parameters
    ----------
    responses, study, options, seed, level
        As in `train`.
    workers : int
        Processes at a time; it changes the time taken, never the result.

    Returns
    -------
    dict of str to pandas.DataFrame
        As of `train`, all tasks below each other.
    """

    tasks = [name for name, task in study.tasks.items() if trained_here(task)]
    arguments = [
        (responses[responses["task"] == task], study, task, options, seed, level) for task in tasks
    ]
    made = parallel.each(train, arguments, workers, lambda each: len(each[0]))
    return {
        table: pd.concat([own[table] for own in made], ignore_index=True)
        for table in ("judgments", "scores", "evaluation", "audit")
    }


def trained_here(task):
    """Whether a task declares judges to train."""
    return any(cohort.trained for cohort in task.cohorts.values())


def train(responses, study, task, options, seed, level):
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
        Of the intervals.

    Returns
    -------
    dict of str to pandas.DataFrame
        judgments (the data contract's table), scores (`SCORES`), evaluation (one row a number, with a
        row `not trained` and the reason where a judge could not be) and audit.
    """
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        return trained(responses, study, task, options, seed, level)


def trained(responses, study, task, options, seed, level):
    """See `train`."""

    described = study.tasks[task]
    own = responses[responses["task"] == task]
    source = embeddings.provider(options)
    seen = {}  # features are shared by all judges that see the same
    judgments, scores, evaluations, audits = [], [], [], []
    for cohort, spec in described.cohorts.items():
        if spec.trained is None:
            continue
        items = features.items_of(own, spec.agents)
        if not both(items):
            rows = [{"quantity": "not trained", "method": NOTHING}]
            head = {"study": study.study, "task": task, "cohort": cohort}
            evaluations += [pd.DataFrame(rows).assign(**head, reading=r) for r in READINGS]
            continue
        for reading in READINGS:
            kernel = "rbf" if reading == "published" else "linear"
            setup = classifier.Setup(
                name=f"{task}.{cohort}",
                reading=reading,
                kernel=kernel if options.kernel == "by reading" else options.kernel,
                folds=options.folds,
                seeds=options.seeds,
                most=options.most,
                seed=seed,
            )
            place = {"study": study.study, "task": task, "cohort": cohort, "reading": reading}
            try:
                paths = described.features == "scan path"
                key = (spec.agents, spec.trained.images, reading if paths else None)
                if key not in seen:
                    images = images_of(options, task, spec.trained.images)
                    seen[key] = features.vectors(
                        items, described.features, reading, source, options.cache, images
                    )
                found, told = judged(items, seen[key], spec, setup, options, level)
            except Untrainable as error:
                rows = [{"quantity": "not trained", "method": str(error)}]
                evaluations.append(pd.DataFrame(rows).assign(**place))
                continue
            prefix = f"{task}.{cohort}.{setup.kernel}"
            names = (prefix + ("." + found["judge"]).where(found["judge"] != "", "")).to_numpy()
            found = found.assign(judge=names, truth=sided(found["machine"]), **place)
            scores.append(found.reindex(columns=SCORES))
            judgments.append(verdicts(found, spec))
            head = {"kernel": setup.kernel, "embeddings": source.name}
            if paths:
                head["embeddings"] = f"first {FIXATIONS[reading]} fixations"
            evaluations.append(pd.DataFrame(told).assign(**place, **head))
        if spec.trained.design == "folds" and not audits:
            found = audit.audit(items, described.features, setup)
            audits.append(found.assign(study=study.study, task=task))
    return {
        "judgments": pd.concat([pd.DataFrame(columns=list(schema.JUDGMENTS)), *judgments]),
        "scores": joined(scores, SCORES),
        "evaluation": joined(
            evaluations,
            [*"study task cohort reading kernel embeddings".split(), *results.COLUMNS],
        ),
        "audit": joined(audits, ["study", "task", *audit.COLUMNS]),
    }


def joined(tables, columns):
    """Tables below each other, with these columns."""

    return pd.concat([pd.DataFrame(columns=columns), *tables], ignore_index=True)[columns]


def sided(machine):
    """human or machine."""
    return np.where(machine == 1, "machine", "human")


def both(items):
    """Whether there are responses of people and of machines."""
    return items["machine"].nunique() == 2


def images_of(options, task, layer):
    """Features of a task's images; none where the judge sees none."""
    if layer is None:
        return None
    found = None
    if options.images:
        found = features.image_features(f"{options.images}/{task}.npz", layer)
    if found is None:
        raise Untrainable(f"needs features of the images (layer {layer!r}), see judges.images")
    return found


def judged(items, seen, spec, setup, options, level):
    """Verdicts of the judges of a cohort, and how good they are.

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
    told : list of dict
        Rows of the evaluation.
    """

    trained = spec.trained
    shown = np.isfinite(seen).all(axis=1)
    visible, seen = items[shown], seen[shown]
    if not both(visible):
        raise Untrainable(NOTHING)
    present = [agent for agent in spec.agents if (visible["agent"] == agent).any()]
    if trained.design in ("one", "others") and len(present) < 2:
        raise Untrainable("needs two agents with responses")
    if len(np.unique(visible["stimulus"])) < 4:
        raise Untrainable("there are fewer than four stimuli")
    if trained.design == "folds":
        parts = classifier.cross_validated(visible, seen, setup)
    elif trained.design == "few":
        parts = classifier.few_examples(visible, seen, setup, trained.examples, trained.judges)
    else:
        parts = (
            part
            for agent in present
            for part in classifier.extrapolated(
                visible, seen, setup, agent, trained.design == "one"
            )
        )
    parts = list(parts)
    if not parts:
        raise Untrainable("there are too few stimuli to train and to test on")
    found = pd.concat(parts, ignore_index=True)
    rng = setup.generator("evaluation")
    told = list(evaluation.quality(found, BOOTSTRAP, level, rng))
    if trained.design == "folds":
        told += evaluation.roc(found)
        told += evaluation.calibration(found, level, int(rng.integers(2**31)))
        told += evaluation.learning_curve(visible, seen, setup)
    if trained.design == "folds" and setup.grouped:
        places = features.draw(visible, setup.most, setup.generator("draw", 0))
        drawn = visible.iloc[places]
        fold = classifier.folds_of(drawn, setup.folds, True, int(rng.integers(2**31)))
        chance = resampling.generator(setup.seed, f"permutation {setup.name}")
        told.append(
            evaluation.permutation_test(drawn, seen[places], fold, options.permutations, chance)
        )
    return found, told


def verdicts(found, spec):
    """Rows of the judgments table."""
    return (
        found.assign(
            judge_kind="svm",
            trial=found.groupby("judge").cumcount() + 1,
            phase="test",
            variant=spec.trained.variant,
            verdict=sided(found["score"] > 0),
        )
        .assign(position=lambda table: table["trial"])
        .reindex(columns=list(schema.JUDGMENTS))
    )
