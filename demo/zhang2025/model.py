"""The model of a verdict, and code shared by the files of all tasks: people, sessions, times.

The package's docstring gives the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    import pandas as pd

# Standard deviations of the random terms, in logits: see the docstring of this module.
JUDGE_BIAS_SD = 0.7
JUDGE_SENSITIVITY_SD = 0.3
STIMULUS_SD = 1.0

RT_MEDIAN_MS = 9150  # first wave of Color estimation
RT_JUDGE_SD = 0.3  # of log time, between judges
RT_TRIAL_SD = 0.5  # of log time, within a judge
RT_EXTREMES = 2  # impossibly short, and very long, times in each file
CONTROL_ACCURACY = 0.887  # share of right control answers (feedback judges, Color estimation)
FEMALE_GUESS = 0.4  # share of "female" among the guessed genders of the first wave
WORKER_POOL = 5000  # people there are; more than all cohorts need


@dataclass(frozen=True)
class Trial:
    """One verdict to be given.

    Attributes
    ----------
    judge : int
        Judge, counted from 0.
    position : int
        Position in the session, counted from 1.
    image : int
        Number of the picture.
    agent : str
        Who answered: ``"human"`` or a machine (canonical name), with the kind of the stimulus after
        a slash where rates depend on it.
    """

    judge: int
    position: int
    image: int
    agent: str

    @property
    def truth(self) -> str:
        """``"human"`` or ``"machine"``."""
        return "human" if self.agent.split("/")[0] == "human" else "machine"


# --- random numbers ----------------------------------------------------------------------------


def make_worker_ids(seed: int, first: int, n: int) -> list[str]:
    """Return the platform ids of people number `first` to ``first + n - 1``.

    The ids look like those of Mechanical Turk (``A`` and 13 capitals or digits). All begin with
    ``AGENERATED``, so that a test can prove that none reaches an output.
    """
    symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    codes = make_generator(seed, "worker ids").choice(36**4, size=WORKER_POOL, replace=False)
    digits = [[int(code) // 36**i % 36 for i in range(4)] for code in codes[first : first + n]]
    return ["AGENERATED" + "".join(symbols[d] for d in code) for code in digits]


# --- the model ---------------------------------------------------------------------------------


def solve_intercept(rate: float, sd: float) -> float:
    """Return the logit intercept that gives probability `rate`, averaged over random effects.

    Solves ``E[1 / (1 + exp(-(intercept + sd * z)))] = rate`` for standard normal z. The expectation
    is a Gauss-Hermite sum with 40 nodes; the root is found with Brent's method.

    Parameters
    ----------
    rate : float
        Target probability, between 0 and 1 (both excluded).
    sd : float
        Standard deviation of the sum of all random effects, in logits.

    Raises
    ------
    ValueError
        If `rate` is not between 0 and 1.
    """

    if not 0 < rate < 1:
        raise ValueError(f"rate must be between 0 and 1 (both excluded), got {rate}")
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()
    return brentq(lambda b: weights @ expit(b + sd * nodes) - rate, -20, 20, xtol=1e-10)


def draw_stimulus_effects(
    seed: int, task: str, agents: Sequence[str], last: int
) -> dict[str, np.ndarray]:
    """Return for each agent the effects of stimuli 0 to `last`, shared by all cohorts."""
    return {
        agent: make_generator(seed, f"{task} stimuli {agent}").normal(0, STIMULUS_SD, last + 1)
        for agent in agents
    }


def judge_trials(
    rng: np.random.Generator,
    trials: Sequence[Trial],
    rates: dict[str, float],
    effects: dict[str, np.ndarray],
    human_judges: bool,
) -> list[str]:
    """Draw the verdict on each trial from the model at the top of this module.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random numbers of the file.
    trials : sequence of Trial
        Trials of one cohort.
    rates : dict
        Agent to expected share judged machine.
    effects : dict
        Agent to effects of the stimuli (`draw_stimulus_effects`).
    human_judges : bool
        False for machine judges, who have neither bias nor sensitivity of their own.

    Returns
    -------
    list of str
        ``"human"`` or ``"machine"``, one per trial.
    """

    bias_sd, sensitivity_sd = (JUDGE_BIAS_SD, JUDGE_SENSITIVITY_SD) if human_judges else (0.0, 0.0)
    n_judges = 1 + max(trial.judge for trial in trials)
    bias = rng.normal(0, bias_sd, n_judges)
    sensitivity = rng.normal(0, sensitivity_sd, n_judges)
    total_sd = float(np.sqrt(bias_sd**2 + (sensitivity_sd / 2) ** 2 + STIMULUS_SD**2))
    base = {agent: solve_intercept(rate, total_sd) for agent, rate in rates.items()}
    logits = [
        base[t.agent]
        + bias[t.judge]
        + sensitivity[t.judge] * (-0.5 if t.truth == "human" else 0.5)
        + effects[t.agent][t.image]
        for t in trials
    ]
    machine = rng.random(len(trials)) < expit(np.array(logits))
    return ["machine" if m else "human" for m in machine]


def make_predictions(
    seed: int,
    name: str,
    cohort: Cohort,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    spelling: dict[str, str],
) -> list[dict[str, dict[str, Any]]]:
    """Return the verdicts of a machine judge in the format of the files: ``{"trialData": {...}}``.

    Parameters
    ----------
    seed, name : int, str
        Give the random numbers.
    cohort : Cohort
    trials : sequence of Trial
    effects : dict
        See `draw_stimulus_effects`.
    spelling : dict
        Agent to its name in the file.
    """
    rng = make_generator(seed, name)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=False)
    return [
        {
            "trialData": {
                "response_speaker": verdict,
                "groundtruth": t.truth,
                "machine_groundtruth": spelling[t.agent],
            }
        }
        for t, verdict in zip(trials, verdicts, strict=True)
    ]


# --- parts that several files share ------------------------------------------------------------


@dataclass(frozen=True)
class Cohort:
    """One cohort of the design: see the columns of ``design.csv``."""

    name: str
    n_judges: int
    trials_per_judge: int
    n_trials: dict[str, int]
    rates: dict[str, float]


def read_cohorts(design: pd.DataFrame) -> dict[str, Cohort]:
    """Turn the rows of one task of the design into cohorts, by name."""
    cohorts = {}
    for name, rows in design.groupby("cohort", sort=False):
        n_trials = dict(zip(rows["agent"], rows["n_trials"].astype(int), strict=True))
        machine = dict(zip(rows["agent"], rows["judged_machine"].astype(int), strict=True))
        cohorts[name] = Cohort(
            name=name,
            n_judges=int(rows["n_judges"].iloc[0]),
            trials_per_judge=int(rows["trials_per_judge"].iloc[0]),
            n_trials=n_trials,
            rates={agent: machine[agent] / n for agent, n in n_trials.items()},
        )
    return cohorts


def deal_questionnaires(
    rng: np.random.Generator,
    demographics: pd.DataFrame,
    cohort: Cohort,
    mode: str,
    ai_experience: bool,
) -> list[dict[str, Any]]:
    """Return the questionnaire of each judge of a cohort (``workerData``).

    Each variable has exactly the counts of the demographics table, assigned to the judges in
    random order and independently of the other variables.

    Raises
    ------
    ValueError
        If the counts of a variable do not add up to the number of judges.
    """
    said = {}
    for variable in ("gender", "age", "education", "native", "country"):
        rows = demographics[
            (demographics["cohort"] == cohort.name) & (demographics["variable"] == variable)
        ]
        values = np.repeat(rows["value"].to_numpy(dtype=object), rows["n_judges"].astype(int))
        if len(values) != cohort.n_judges:
            raise ValueError(
                f"demographics table, cohort {cohort.name!r}, variable {variable!r}: the counts "
                f"add up to {len(values)}, but the design has {cohort.n_judges} judges; "
                "correct n_judges in one of the two tables"
            )
        said[variable] = rng.permutation(values).tolist()
    engagement = rng.integers(3, 11, cohort.n_judges)
    difficulty = rng.integers(0, 11, cohort.n_judges)
    experience = rng.choice(4, size=cohort.n_judges, p=(0.2, 0.4, 0.3, 0.1))
    judges = []
    for j in range(cohort.n_judges):
        judge = {
            "country": said["country"][j],
            "age": said["age"][j],
            "engagement": str(engagement[j]),
            "difficulty": str(difficulty[j]),
            "mode": mode,
            "gender": said["gender"][j],
            "education": said["education"][j],
        }
        if ai_experience:
            judge["ai-experience"] = str(experience[j])
        judges.append(judge | {"condition": 0, "native": said["native"][j]})
    return judges


def draw_sessions(
    rng: np.random.Generator,
    cohort: Cohort,
    images: Sequence[int],
    skipped: int = 0,
    balanced: bool = False,
) -> list[Trial]:
    """Return the trials of a cohort that are in the public file, in order.

    A judge sees `cohort.trials_per_judge` trials. The first `skipped` are not in the file, nor are
    some of the others, chosen at random, so that the file has the number of trials of the design and
    its positions have gaps.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random numbers of the file.
    cohort : Cohort
        Number of judges, and number of trials for each agent.
    images : sequence of int
        Pictures to choose from; no judge sees a picture twice.
    skipped : int
        Training trials at the start of each session.
    balanced : bool
        True: every judge has the same number of trials of each agent. False: agents are assigned over
        the whole file.
    """
    positions = range(skipped + 1, cohort.trials_per_judge + 1)
    slots = [(judge, position) for judge in range(cohort.n_judges) for position in positions]
    n_kept = sum(cohort.n_trials.values())
    if balanced and n_kept < len(slots):
        share = n_kept // cohort.n_judges
        chosen = [np.sort(rng.permutation(positions)[:share]) for _ in range(cohort.n_judges)]
        kept = [(judge, int(place)) for judge, mine in enumerate(chosen) for place in mine]
    else:
        kept = [slots[i] for i in np.sort(rng.choice(len(slots), size=n_kept, replace=False))]
    if balanced:
        share = {agent: n // cohort.n_judges for agent, n in cohort.n_trials.items()}
        hands = [rng.permutation(_repeat_agents(share)) for _ in range(cohort.n_judges)]
        agents = np.concatenate(hands).tolist()
    else:
        agents = rng.permutation(_repeat_agents(cohort.n_trials)).tolist()
    seen = [
        rng.choice(images, size=cohort.trials_per_judge, replace=False)
        for _ in range(cohort.n_judges)
    ]
    return [
        Trial(judge, position, int(seen[judge][position - 1]), agent)
        for (judge, position), agent in zip(kept, agents, strict=True)
    ]


def _repeat_agents(counts: dict[str, int]) -> np.ndarray:
    """Return each key as often as its count says."""
    return np.repeat(np.array(list(counts), dtype=object), list(counts.values()))


def draw_response_times(rng: np.random.Generator, trials: Sequence[Trial]) -> list[int]:
    """Draw response times in ms: log-normal, with a speed for each judge and a few extremes."""
    speed = rng.normal(0, RT_JUDGE_SD, 1 + max(t.judge for t in trials))
    times = RT_MEDIAN_MS * np.exp(
        [speed[t.judge] for t in trials] + rng.normal(0, RT_TRIAL_SD, len(trials))
    )
    extreme = rng.choice(len(trials), size=2 * RT_EXTREMES, replace=False)
    times[extreme[:RT_EXTREMES]] = rng.uniform(20, 60, RT_EXTREMES)
    times[extreme[RT_EXTREMES:]] = rng.uniform(100_000, 210_000, RT_EXTREMES)
    return np.rint(times).astype(int).tolist()


def draw_control_answers(
    rng: np.random.Generator,
    trials: Sequence[Trial],
    accuracy: float = CONTROL_ACCURACY,
    lowest: float = 0.65,
) -> list[bool]:
    """Say for each trial whether the control question was answered correctly.

    A judge's share of right answers lies between `lowest` and 1, with mean `accuracy`: judges with
    fewer than 7/12 right are not in the public files. Wrongly answered trials are in the files.
    """
    spread = 4.0
    middle = (accuracy - lowest) / (1 - lowest)
    right = np.zeros(len(trials), dtype=bool)
    judges = np.array([t.judge for t in trials])
    for judge in range(1 + judges.max()):
        accuracy = lowest + (1 - lowest) * rng.beta(spread * middle, spread * (1 - middle))
        mine = rng.permutation(np.flatnonzero(judges == judge))
        right[mine[: round(accuracy * len(mine))]] = True
    return right.tolist()
