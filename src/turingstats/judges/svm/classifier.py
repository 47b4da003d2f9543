"""Support vector machines as judges: trained on some responses, they judge others.

Every verdict is on a response that its judge was not trained on. There are two readings. The published
one follows the authors' code: a radial kernel, and responses assigned to folds individually, so that a
judge may have been trained on other responses to the same stimulus. The recommended one follows their
Methods: a linear judge, with each stimulus (cue, image, conversation) on one side of the split only, and in
cross-validation each person too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.model_selection import GroupKFold, KFold
from sklearn.svm import SVC, LinearSVC

from turingstats.judges.svm.features import draw_balanced_items
from turingstats.stats import resampling

TESTED = 200
"""Maximum number of items of each kind in the test set of a judge of unseen agents."""
CROWD = 8
"""Number of stimuli from which a judge with few examples draws, as a multiple of its examples."""


@dataclass(frozen=True)
class Setup:
    """How a judge is trained.

    Parameters
    ----------
    name : str
        Name of the judge, such as caption.trained; seeds its draws.
    reading : {"published", "recommended"}
    kernel : {"linear", "rbf"}
    folds, seeds, max_responses : int
        Number of folds; how often responses are redrawn and assigned to folds; maximum number of responses
        of each kind.
    seed : int
        Seed of the whole run.
    """

    name: str
    reading: str
    kernel: str
    folds: int = 10
    seeds: int = 3
    max_responses: int = 1000
    seed: int = 2025

    @property
    def grouped(self):
        """Whether a stimulus stays on one side of the split."""
        return self.reading == "recommended"

    def make_generator(self, *what):
        """Make the random generator of one step."""
        return resampling.make_generator(
            self.seed, " ".join(map(str, (self.name, self.reading, *what)))
        )


def compute_decisions(kernel, features, labels, train, test, apart=None):
    """Train a judge on some items, and return its decisions on others.

    Parameters
    ----------
    kernel : {"linear", "rbf"}
        Both with C = 1 and equal total weights of people and machines; rbf with gamma = 1 / (features *
        variance), scikit-learn's default.
    features : numpy.ndarray, shape (items, features)
    labels : numpy.ndarray of 0 and 1, shape (items,)
        1 means machine.
    train, test : numpy.ndarray of int
        Positions of the items to train on and to judge.
    apart : numpy.ndarray, shape (items, items), optional
        Squared distances of all items, where several judges share them.

    Returns
    -------
    numpy.ndarray, shape (len(test),)
        Items above 0 are judged to be a machine's.
    """
    known, numbers = np.unique(labels[train], return_counts=True)
    if len(known) < 2:
        # A judge trained on one kind only judges everything as that kind.
        return np.full(len(test), 2.0 * known[0] - 1)
    weights = dict(zip(known.tolist(), len(train) / (2 * numbers), strict=True))
    if kernel == "linear":
        judge = LinearSVC(C=1.0, class_weight=weights, dual=False, random_state=0)
        judge.fit(features[train], labels[train])
        return features[test] @ judge.coef_[0] + judge.intercept_[0]
    spread = features.shape[1] * features[train].var(dtype=float)
    gamma = 1 / spread if spread else 1.0

    def near(some, others):
        if apart is None:
            return np.exp(-gamma * compute_distances(features[some], features[others]))
        return np.exp(-gamma * apart[np.ix_(some, others)])

    judge = SVC(C=1.0, kernel="precomputed", class_weight=weights)
    judge.fit(near(train, train), labels[train])
    return near(test, train[judge.support_]) @ judge.dual_coef_[0] + judge.intercept_[0]


def compute_distances(some, others):
    """Compute squared distances of some rows from others; shape (some, others).

    With matrix products, a radial judge is many times faster than within libsvm, with the same decisions
    up to rounding.
    """
    apart = some @ others.T
    apart *= -2
    apart += np.square(some).sum(axis=1)[:, None]
    apart += np.square(others).sum(axis=1)
    return np.maximum(apart, 0, out=apart)


def assign_folds(items, number, grouped, seed):
    """Assign items to folds.

    Parameters
    ----------
    items : pandas.DataFrame
    number : int
        Number of folds, reduced to the number of stimuli (grouped) or items if that is smaller.
    grouped : bool
        All items of a stimulus are in the same fold.
    seed : int

    Returns
    -------
    numpy.ndarray of int, shape (len(items),)
    """
    stimuli = items["number"].to_numpy()
    number = min(number, len(np.unique(stimuli)) if grouped else len(items))
    if grouped:
        parts = GroupKFold(number, shuffle=True, random_state=seed).split(items, groups=stimuli)
    else:
        parts = KFold(number, shuffle=True, random_state=seed).split(items)
    fold = np.empty(len(items), dtype=int)
    for place, (_, test) in enumerate(parts):
        fold[test] = place
    return fold


def split_folds(
    items: pd.DataFrame, number: int, grouped: bool, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Split items into those to train on and those to judge, fold by fold.

    Grouped, the two share neither a stimulus nor a person. A person responds to many stimuli, so that a fold
    holds all responses of some people, and its training set none to the same stimuli.

    Parameters
    ----------
    items, number, grouped, seed
        As in `assign_folds`. With fewer people than folds, only stimuli are kept apart.

    Yields
    ------
    train, test : numpy.ndarray of int
        Positions; each item is in one test set.
    """
    fold, people = assign_folds(items, number, grouped, seed), items["person"].to_numpy()
    by_person = np.flatnonzero(people >= 0) if grouped else []
    if len(np.unique(people[by_person])) >= max(number, 2):
        parts = GroupKFold(number, shuffle=True, random_state=seed).split(
            by_person, groups=people[by_person]
        )
        for place, (_, test) in enumerate(parts):
            fold[by_person[test]] = place
    else:
        people = np.full(len(items), -1)
    for place in np.unique(fold):
        test = fold == place
        train = ~test
        if grouped:
            for code in (items["number"].to_numpy(), people):
                train &= ~np.isin(code, code[test & (code >= 0)])
        yield np.flatnonzero(train), np.flatnonzero(test)


def decide_out_of_fold(
    kernel: str,
    features: np.ndarray,
    labels: np.ndarray,
    parts: Iterable[tuple[np.ndarray, np.ndarray]],
) -> np.ndarray:
    """Compute decisions on every item by the judge that was trained without its fold.

    Parameters
    ----------
    kernel : {"linear", "rbf"}
    features : numpy.ndarray, shape (items, features)
    labels : numpy.ndarray of int, shape (items,)
    parts : iterable
        From `split_folds`.

    Returns
    -------
    numpy.ndarray, shape (items,)
    """
    decisions = np.empty(len(labels))
    apart = compute_distances(features, features) if kernel == "rbf" else None
    for train, test in parts:
        decisions[test] = compute_decisions(kernel, features, labels, train, test, apart)
    return decisions


def cross_validate_judge(items, features, setup):
    """Judge responses by cross-validation; decisions of several seeds are averaged.

    Parameters
    ----------
    items : pandas.DataFrame
        From `turingstats.judges.svm.features.select_items`.
    features : numpy.ndarray, shape (items, features)
    setup : Setup

    Yields
    ------
    pandas.DataFrame
        Items with judge (a suffix), trained_on (empty) and score; each item once, for any number of seeds.
    """

    rounds = []
    for number in range(setup.seeds):
        rng = setup.make_generator("draw", number)
        drawn = draw_balanced_items(items, setup.max_responses, rng)
        drawn_items = items.iloc[drawn]
        parts = split_folds(drawn_items, setup.folds, setup.grouped, int(rng.integers(2**31)))
        score = decide_out_of_fold(
            setup.kernel, features[drawn], drawn_items["machine"].to_numpy(), parts
        )
        rounds.append(pd.Series(score, index=drawn))
    mean = pd.concat(rounds).groupby(level=0).mean()
    yield items.iloc[mean.index].assign(judge="", trained_on=None, score=mean.to_numpy())


def train_on_few_examples(items, features, setup, examples, judges=25):
    """Train judges on as few examples as people had with feedback; each judges equally many responses.

    Parameters
    ----------
    items, features, setup
        As in `cross_validate_judge`.
    examples : int
        Number of examples, half of them people's.
    judges : int

    Yields
    ------
    pandas.DataFrame
        As in `cross_validate_judge`, for each judge, without the stimuli of its examples.
    """
    known, stimulus = np.unique(items["number"], return_inverse=True)
    for number in range(1, judges + 1):
        rng = setup.make_generator("few", number)
        chosen = rng.permutation(len(known))[: CROWD * examples]
        side = np.zeros(len(known), dtype=int)
        side[chosen] = np.where(np.arange(len(chosen)) < len(chosen) // 2, 1, 2)
        train, test = (
            draw_balanced_items(items, examples // 2, rng, side[stimulus] == half)
            for half in (1, 2)
        )
        if len(train) and len(test):
            yield train_and_judge(items, train, test, features, setup, f"{number:02d}", None)


def confront_unseen_agents(items, features, setup, agent, alone):
    """Test a judge on AI agents that it was not trained on.

    Parameters
    ----------
    items, features, setup
        As in `cross_validate_judge`.
    agent : str
    alone : bool
        If true, the judge is trained on this agent alone and judges all others. If false, it is trained on
        all others and judges this one.

    Yields
    ------
    pandas.DataFrame
        As in `cross_validate_judge`, with the same judge name for all agents, since judges that differ
        only in the training agent are not a sample of judges. Half of the people's responses are used for
        training, half for testing; in the recommended reading all responses are split by stimulus.
    """
    rng = setup.make_generator("extrapolate", agent)
    people = items["machine"].to_numpy() == 0
    if setup.grouped:
        stimuli = np.unique(items["number"])
        first = np.isin(items["number"], rng.permutation(stimuli)[: len(stimuli) // 2])
        second = ~first
    else:
        half = np.zeros(len(items), dtype=bool)
        half[rng.permutation(np.flatnonzero(people))[: people.sum() // 2]] = True
        first, second = half | ~people, ~half | ~people
    is_agent = (items["agent"] == agent).to_numpy()
    known = is_agent if alone else ~is_agent & ~people
    train = draw_balanced_items(items, setup.max_responses, rng, first & (people | known))
    test = draw_balanced_items(items, TESTED, rng, second & (people | ~known))
    trained_on = agent if alone else f"all but {agent}"
    if len(train) and len(test):
        yield train_and_judge(items, train, test, features, setup, "", trained_on)


def train_and_judge(items, train, test, features, setup, judge, trained_on):
    """Train a judge on the items at some positions, and judge those at others."""
    score = compute_decisions(setup.kernel, features, items["machine"].to_numpy(), train, test)
    return items.iloc[test].assign(judge=judge, trained_on=trained_on, score=score)
