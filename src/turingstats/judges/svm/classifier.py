"""Support vector machines as judges: trained on some responses, they judge others.

Every verdict is on a response that its judge was not trained on. There are two readings. The published
one follows the authors' code: a radial kernel, and responses assigned to folds individually, so that a
judge may have been trained on other responses to the same stimulus. The recommended one follows their
Methods: a linear judge, with each stimulus (cue, image, conversation) on one side of the split only, and in
cross-validation each person too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import GroupKFold, KFold
from sklearn.svm import SVC, LinearSVC

from turingstats.config.settings import Judges
from turingstats.core.yaml_models import Reading
from turingstats.judges.svm.features import draw_balanced_items
from turingstats.stats import resampling

Kernel = Literal["linear", "rbf"]
MAX_TESTED = 200
"""Maximum number of items of each kind in the test set of a judge of unseen agents."""
STIMULI_PER_EXAMPLE = 8
"""Number of stimuli from which a judge with few examples draws, as a multiple of its examples."""


@dataclass(frozen=True)
class Setup:
    """How a judge is trained."""

    # Such as caption.trained; seeds its draws.
    name: str
    reading: Reading
    options: Judges
    # Seed of the whole run.
    seed: int

    @property
    def kernel(self) -> Kernel:
        """The kernel: radial in the authors' code, linear in their Methods."""
        return "rbf" if self.reading == "published" else "linear"

    @property
    def grouped(self) -> bool:
        """Whether a stimulus stays on one side of the split."""
        return self.reading == "recommended"

    def make_generator(self, *what: str | int) -> np.random.Generator:
        """Make the random generator of one step."""
        return resampling.make_generator(
            self.seed, " ".join(map(str, (self.name, self.reading, *what)))
        )


class Decisions(NamedTuple):
    """Decisions of a judge; above 0, the item is a machine's."""

    positions: np.ndarray  # of the judged items
    scores: np.ndarray
    judge: str = ""
    trained_on: str | None = None


def compute_decisions(
    kernel: Kernel,
    features: np.ndarray,
    labels: np.ndarray,
    train: np.ndarray,
    test: np.ndarray,
    apart: np.ndarray | None = None,
) -> np.ndarray:
    """Train a judge on items at the positions `train`, and return its decisions on those at `test`: above 0,
    a machine's (label 1); `apart` are squared distances of all items, where several judges share them.
    """
    # Both kernels have C = 1 and equal total weights of people and machines; rbf has scikit-learn's default
    # gamma, 1 / (features * variance).
    kinds, numbers = np.unique(labels[train], return_counts=True)
    if len(kinds) < 2:
        # A judge trained on one kind only judges everything as that kind.
        return np.full(len(test), 2.0 * kinds[0] - 1)
    weights = dict(zip(kinds.tolist(), len(train) / (2 * numbers), strict=True))
    if kernel == "linear":
        judge = LinearSVC(C=1.0, class_weight=weights, dual=False, random_state=0)
        judge.fit(features[train], labels[train])
        return features[test] @ judge.coef_[0] + judge.intercept_[0]
    # A plain number leaves similarities in the precision of the features; numpy's would double it.
    spread = float(features.shape[1] * features[train].var(dtype=float))
    gamma = 1 / spread if spread else 1.0

    def compute_similarity(some: np.ndarray, others: np.ndarray) -> np.ndarray:
        if apart is None:
            similarity = compute_distances(features[some], features[others])
        else:
            similarity = apart[some].take(others, axis=1)
        # In place: these matrices are large.
        similarity *= -gamma
        return np.exp(similarity, out=similarity)

    judge = SVC(C=1.0, kernel="precomputed", class_weight=weights)
    judge.fit(compute_similarity(train, train), labels[train])
    similarity = compute_similarity(test, train[judge.support_])
    return similarity @ judge.dual_coef_[0] + judge.intercept_[0]


def compute_distances(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Compute squared distances of some rows from others; shape (some, others)."""
    # With matrix products, a radial judge is many times faster than within libsvm, with the same decisions up
    # to rounding.
    apart = some @ others.T
    apart *= -2
    apart += np.square(some).sum(axis=1)[:, None]
    apart += np.square(others).sum(axis=1)
    return np.maximum(apart, 0, out=apart)


def assign_folds(items: pd.DataFrame, number: int, grouped: bool, seed: int) -> np.ndarray:
    """Assign items to folds, `grouped` by stimulus or singly, but to no more than there are of these."""
    stimuli = items["number"].to_numpy()
    number = min(number, len(np.unique(stimuli)) if grouped else len(items))
    if grouped:
        folds = GroupKFold(number, shuffle=True, random_state=seed).split(items, groups=stimuli)
    else:
        folds = KFold(number, shuffle=True, random_state=seed).split(items)
    fold = np.empty(len(items), dtype=int)
    for part, (_, test) in enumerate(folds):
        fold[test] = part
    return fold


def split_folds(
    items: pd.DataFrame, number: int, grouped: bool, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the positions of the items to train on and to judge, fold by fold; each item is judged once."""
    # Grouped, the two share neither a stimulus nor a person. A person responds to many stimuli, so that a
    # fold holds all responses of some people, and its training set none to the same stimuli. With fewer
    # people than folds, only stimuli are kept apart.
    fold, people = assign_folds(items, number, grouped, seed), items["person"].to_numpy()
    by_person = np.flatnonzero(people >= 0) if grouped else []
    if len(np.unique(people[by_person])) >= max(number, 2):
        folds = GroupKFold(number, shuffle=True, random_state=seed).split(
            by_person, groups=people[by_person]
        )
        for part, (_, test) in enumerate(folds):
            fold[by_person[test]] = part
    else:
        people = np.full(len(items), -1)
    for part in np.unique(fold):
        test = fold == part
        train = ~test
        if grouped:
            for code in (items["number"].to_numpy(), people):
                train &= ~np.isin(code, code[test & (code >= 0)])
        yield np.flatnonzero(train), np.flatnonzero(test)


def cross_validate_judge(
    items: pd.DataFrame, features: np.ndarray, setup: Setup
) -> Iterator[Decisions]:
    """Yield the decisions on items, averaged over the seeds; on each by judges trained without its fold."""
    total, times = np.zeros((2, len(items)))
    for number in range(setup.options.seeds):
        rng = setup.make_generator("draw", number)
        drawn = draw_balanced_items(items, setup.options.max_responses, rng)
        drawn_items, seen = items.iloc[drawn], features[drawn]
        labels = drawn_items["machine"].to_numpy()
        apart = compute_distances(seen, seen) if setup.kernel == "rbf" else None
        seed = int(rng.integers(2**31))
        for train, test in split_folds(drawn_items, setup.options.folds, setup.grouped, seed):
            total[drawn[test]] += compute_decisions(setup.kernel, seen, labels, train, test, apart)
        times[drawn] += 1
    judged = np.flatnonzero(times)
    yield Decisions(judged, total[judged] / times[judged])


def train_on_few_examples(
    items: pd.DataFrame, features: np.ndarray, setup: Setup, examples: int, judges: int = 25
) -> Iterator[Decisions]:
    """Train judges on as few examples as people had, half of them people's, and test on other stimuli."""
    stimuli, stimulus = np.unique(items["number"], return_inverse=True)
    labels = items["machine"].to_numpy()
    for number in range(1, judges + 1):
        rng = setup.make_generator("few", number)
        chosen = rng.permutation(len(stimuli))[: STIMULI_PER_EXAMPLE * examples]
        side = np.zeros(len(stimuli), dtype=int)
        side[chosen] = np.where(np.arange(len(chosen)) < len(chosen) // 2, 1, 2)
        train, test = (
            draw_balanced_items(items, examples // 2, rng, side[stimulus] == half)
            for half in (1, 2)
        )
        if len(train) and len(test):
            scores = compute_decisions(setup.kernel, features, labels, train, test)
            yield Decisions(test, scores, f"{number:02d}")


def confront_unseen_agents(
    items: pd.DataFrame, features: np.ndarray, setup: Setup, agent: str, alone: bool
) -> Iterator[Decisions]:
    """Train a judge on one agent and test it on all others (`alone`), or the other way round."""
    # All agents have the same judge name, since judges that differ only in the training agent are not a
    # sample of judges. Half of the people's responses are used for training, half for testing; in the
    # recommended reading all responses are split by stimulus.
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
    is_trained_on = is_agent if alone else ~is_agent & ~people
    train = draw_balanced_items(
        items, setup.options.max_responses, rng, first & (people | is_trained_on)
    )
    test = draw_balanced_items(items, MAX_TESTED, rng, second & (people | ~is_trained_on))
    trained_on = agent if alone else f"all but {agent}"
    if len(train) and len(test):
        labels = items["machine"].to_numpy()
        scores = compute_decisions(setup.kernel, features, labels, train, test)
        yield Decisions(test, scores, trained_on=trained_on)
