"""Who judges what, and the verdicts.

Model of one verdict::

    logit P(judged machine)
        = intercept of the agent
        + bias of the judge
        + sensitivity of the judge * (+1/2 if the agent is a machine, -1/2 if human)
        + effect of the stimulus (one picture with the answer of one agent)

The three random terms are normal with mean 0; machine judges have no judge terms. The intercept is chosen so
that the expected share judged machine, averaged over judges and stimuli, is the published share. Counts of
trials are those of the design; counts of verdicts vary with the seed, as in a replication of the experiment.

The standard deviations, in logits, are near those of the first wave of Color estimation: a logistic model
with normal judge terms gives 0.7 (bias) and 0.15 (sensitivity), and two judges of the same picture with the
same answer agree more often than by chance, as with an SD of about 1.1. Sensitivity is set above its
uncertain estimate, to give the models something to find.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit

JUDGE_BIAS_SD, JUDGE_SENSITIVITY_SD, STIMULUS_SD = 0.7, 0.3, 1.0
RT_MEDIAN_MS = {"conversation": 47_000}
DEFAULT_RT_MS = 9150
RT_JUDGE_SD, RT_TRIAL_SD = 0.3, 0.5
"""Of log time, between judges and between the trials of a judge."""
DESCRIBED_LATER = 655
"""Images that the models of 2025 described."""
ACCURACY = {
    "color": {"feedback": 0.887, "gpt4o_agent": 0.887},
    "object": {"feedback": 0.923, "gpt4o_agent": 0.912},
    "attention": {"feedback": 0.704, "gpt4o_agent": 0.697, "ablated": 0.749, "expert": 0.75},
}
"""Share of right answers to the control question, where one was asked."""
TRAINED_ELSEWHERE = 40
"""Training trials of the judges with feedback that the files of most tasks leave out."""
TRAINING = 24
"""Those of Attention prediction, which its file has."""
REPEATED = ("svm_full", "svm_layer5", "svm_word")
"""Machine judges whose file repeats their predictions, as often as the design has judges."""


@dataclass(frozen=True)
class DesignPart:
    """Judges of the design who had trials of the same kinds: a cohort, or those of one variant."""

    # The cohort as the design names it, and as the data do.
    name: str
    cohort: str
    variant: str | None
    # Judges, judges of the cohort in earlier parts, and trials of a judge.
    judges: int
    first_judge: int
    per_judge: int
    # Trials by kind: the agent, in some tasks with a slash and the kind of its stimuli.
    kinds: dict[str, int]
    # Expected share judged machine, by kind.
    rates: dict[str, float]
    people: bool

    @property
    def agents(self) -> list[str]:
        """Names of the agents."""
        return list(dict.fromkeys(kind.partition("/")[0] for kind in self.kinds))


def read_design(design: pd.DataFrame, demographics: pd.DataFrame, task: str) -> list[DesignPart]:
    """Read the parts of the design of a task; trials of cues with shared words belong to their cohort."""
    rows = design[design["task"] == task].copy()
    shared = rows["cohort"].str.endswith("_shared")
    rows.loc[shared, "agent"] += "/shared"
    rows["cohort"] = rows["cohort"].str.removesuffix("_shared")
    asked = set(demographics.loc[demographics["task"] == task, "cohort"])
    parts: list[DesignPart] = []
    for name, own in rows.groupby("cohort", sort=False):
        cohort, _, variant = str(name).partition(" ")
        if task == "attention" and not variant:
            variant = "visual search" if cohort == "ablated" else "free viewing"
        numbers = own["n_trials"].astype(int).to_list()
        machine = own["judged_machine"].astype(int)
        parts.append(
            DesignPart(
                name=str(name),
                cohort=cohort,
                variant=variant or None,
                judges=1 if cohort in REPEATED else int(own["n_judges"].iloc[0]),
                first_judge=sum(part.judges for part in parts if part.cohort == cohort),
                per_judge=int(own["trials_per_judge"].iloc[0]),
                kinds=dict(zip(own["agent"], numbers, strict=True)),
                rates=dict(zip(own["agent"], machine / numbers, strict=True)),
                people=name in asked,
            )
        )
    return parts


def name_judges(part: DesignPart) -> list[str]:
    """Name the judges of a part within their cohort."""
    return [f"w{part.first_judge + number + 1:03d}" for number in range(part.judges)]


def list_stimuli(task: str, answers: pd.DataFrame) -> dict[str, list[str]]:
    """List the stimuli of a task, all ("") and those of each kind."""
    every = list(answers["stimulus"].unique())
    pools = {"": every}
    if task == "caption":
        pools["gpt4o_agent"] = every[:DESCRIBED_LATER]
    elif task == "word":
        people = answers["agent"] == "human"
        said = answers[people].merge(answers[~people], on=["stimulus", "response"])["stimulus"]
        pools["shared"] = sorted(set(said))
        pools["kept"] = [cue for cue in every if cue not in pools["shared"]]
    elif task == "attention":
        pools["free viewing"] = [name for name in every if name.startswith("img")]
        pools["visual search"] = [name for name in every if not name.startswith("img")]
    return pools


def draw_effects(rng: np.random.Generator, agents: list[str], stimuli: list[str]) -> pd.DataFrame:
    """Draw the effect of each stimulus with the response of each agent."""
    return pd.DataFrame(rng.normal(0, STIMULUS_SD, (len(stimuli), len(agents))), stimuli, agents)


def deal_trials(
    rng: np.random.Generator, kinds: dict[str, int], judges: int, pools: dict[str, list[str]]
) -> pd.DataFrame:
    """Deal trials to judges: nearly the same number of each kind to each, in random order.

    `pools` has the stimuli by the part of the kind after the slash, of which no judge gets one twice; if it
    is empty, stimuli are not known.
    """
    trials = pd.DataFrame({"kind": np.repeat(list(kinds), list(kinds.values()))})
    trials["judge"] = np.arange(len(trials)) % judges
    trials = trials.iloc[rng.permutation(len(trials))].sort_values(
        "judge", kind="stable", ignore_index=True
    )
    trials["position"] = trials.groupby("judge").cumcount() + 1
    trials["stimulus"] = None
    pool = trials["kind"].str.partition("/")[2]
    place = trials.groupby(["judge", pool]).cumcount()
    for name in pool.unique() if pools else ():
        rows = pool == name
        order = rng.random((judges, len(pools[name]))).argsort(axis=1)
        chosen = order[trials.loc[rows, "judge"], place[rows]]
        trials.loc[rows, "stimulus"] = np.array(pools[name], object)[chosen]
    return trials


def generate_cohort(
    rng: np.random.Generator,
    task: str,
    part: DesignPart,
    pools: dict[str, list[str]],
    effects: pd.DataFrame,
) -> pd.DataFrame:
    """Generate the trials of a part of the design."""
    if not part.people:
        kinds = {k: n // 5 if part.cohort in REPEATED else n for k, n in part.kinds.items()}
        trials = deal_trials(rng, kinds, part.judges, {})
    else:
        own = pools.get(part.cohort) or pools.get(part.variant or "") or pools[""]
        if task == "word":
            own = pools["kept"] if part.cohort in ("amt", "inlab") else pools[""]
        own = {"": own, "shared": pools.get("shared", [])}
        trials = deal_trials(rng, part.kinds, part.judges, own)
        if task == "attention" and part.cohort == "feedback":
            trials = add_training(rng, trials, part, own)
    of_stimulus = rng.normal(0, STIMULUS_SD, len(trials))
    if part.people:
        rows = effects.index.get_indexer(trials["stimulus"])
        columns = effects.columns.get_indexer(trials["kind"].str.partition("/")[0])
        of_stimulus = effects.to_numpy()[rows, columns]
    verdicts = draw_verdicts(rng, trials, part, of_stimulus)
    trials = trials.assign(verdict=verdicts, phase=trials.get("phase", "test"))
    if part.cohort in REPEATED:
        trials = pd.concat([trials] * 5, ignore_index=True)
        trials["position"] = trials.index + 1
    names = trials["kind"].str.partition("/")
    agent, kind = names[0], names[2]
    trials = trials.assign(agent=agent, variant=part.variant)
    if task == "word":
        trials["defect"] = np.where(kind == "shared", "shared word", None)
        trials.loc[agent == "catch", "defect"] = "catch as machine"
        if part.cohort == "amt":
            half = np.where(trials["judge"] < part.judges // 2, "free", "prompted")
            trials["variant"] = np.where(kind == "shared", None, half)
    if task == "attention":
        aside = trials["agent"].isin(["catch", "swapped"])
        trials.loc[aside, "phase"] = trials["agent"]
        trials["agent"] = trials["agent"].replace("swapped", "human")
    if part.people:
        trials["rt_ms"] = draw_times(rng, trials["judge"], RT_MEDIAN_MS.get(task, DEFAULT_RT_MS))
        if part.cohort in ACCURACY.get(task, {}):
            trials["control_ok"] = draw_answers(rng, trials["judge"], ACCURACY[task][part.cohort])
        if part.cohort == "feedback" and task != "attention":
            trials["position"] += TRAINED_ELSEWHERE
    return finish_trials(trials, part)


def add_training(
    rng: np.random.Generator, trials: pd.DataFrame, part: DesignPart, pools: dict[str, list[str]]
) -> pd.DataFrame:
    """Put training before the trials of each judge, with the same agents in the same shares."""
    shown = {k: n for k, n in part.kinds.items() if k not in ("catch", "swapped")}
    before = deal_trials(rng, shown, part.judges, pools).assign(phase="train")
    after = trials.assign(phase="test", position=trials["position"] + TRAINING)
    return pd.concat([before, after]).sort_values(["judge", "position"], ignore_index=True)


def finish_trials(trials: pd.DataFrame, part: DesignPart) -> pd.DataFrame:
    """Name cohort and judges, and number the trials."""
    names = np.array(name_judges(part))[trials["judge"]]
    trials = trials.assign(cohort=part.cohort, judge=names, trial=trials["position"])
    return trials.drop(columns="kind")


def solve_intercept(rate: float, sd: float) -> float:
    """Solve for the logit intercept that gives probability `rate`, averaged over normal effects of this SD.

    The average is a Gauss-Hermite sum with 40 nodes; the root is found with Brent's method.
    """
    if not 0 < rate < 1:
        raise ValueError(f"rate must be between 0 and 1 (both excluded), got {rate}")
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()
    return brentq(lambda b: weights @ expit(b + sd * nodes) - rate, -20, 20, xtol=1e-10)


def draw_verdicts(
    rng: np.random.Generator, trials: pd.DataFrame, part: DesignPart, of_stimulus: np.ndarray
) -> np.ndarray:
    """Draw a verdict for each trial (judge, kind) from the model of this module."""
    bias_sd, sensitivity_sd = (JUDGE_BIAS_SD, JUDGE_SENSITIVITY_SD) if part.people else (0, 0)
    bias = rng.normal(0, bias_sd, part.judges)[trials["judge"]]
    sensitivity = rng.normal(0, sensitivity_sd, part.judges)[trials["judge"]]
    sd = float(np.sqrt(bias_sd**2 + (sensitivity_sd / 2) ** 2 + STIMULUS_SD**2))
    agent = trials["kind"].str.partition("/")[0]
    intercept = trials["kind"].map(
        {kind: solve_intercept(rate, sd) for kind, rate in part.rates.items()}
    )
    side = np.where(agent.isin(["human", "swapped"]), -0.5, 0.5)
    logit = intercept + bias + sensitivity * side + of_stimulus
    return np.where(rng.random(len(trials)) < expit(logit), "machine", "human")


def draw_times(rng: np.random.Generator, judge: pd.Series, median: int) -> np.ndarray:
    """Draw times to verdicts, in milliseconds."""
    of_judge = rng.normal(0, RT_JUDGE_SD, judge.max() + 1)[judge]
    return np.rint(median * np.exp(of_judge + rng.normal(0, RT_TRIAL_SD, len(judge)))).astype(int)


def draw_answers(rng: np.random.Generator, judge: pd.Series, accuracy: float) -> pd.Series:
    """Draw answers to the control question: each judge has this share right, as nearly as possible."""
    chance = pd.Series(rng.random(len(judge)), judge.index)
    return chance.groupby(judge).rank(pct=True) <= accuracy
