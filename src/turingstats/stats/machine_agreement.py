"""Agreement of a machine judge with people about the same responses, corrected for people's reliability."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from turingstats.stats import crossed
from turingstats.stats.agreement import Estimate, compute_agreement, list_pair_columns
from turingstats.stats.hypothesis.outcome import NAN

MEASURES = (
    "agreement", "cohen_kappa", "people_agreement", "people_alpha", "joint_alpha", "correlation",
    "reliability", "corrected_correlation",
)  # fmt: skip
SIGNED = ("cohen_kappa", "people_alpha", "joint_alpha", "correlation", "reliability")
SUMS = (
    "responses", "agreeing", "both_human", "only_machine", "only_people", "neither", "twice",
    "predicted", "share", "squared", "product", "noise",
)  # fmt: skip
"""Sums over responses from which the measures are computed, before those of pairs of verdicts."""
SCALES = {"correlation": (np.arctanh, np.tanh)}
"""Scales, and their inverses, of measures whose intervals are not symmetric themselves."""


def estimate_machine_agreement(
    predicted: ArrayLike,
    humans: ArrayLike,
    verdicts: ArrayLike,
    clusters: ArrayLike,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Estimate how far a machine judge agrees with people about responses.

    Parameters
    ----------
    predicted : array of bool, shape (responses,)
        Whether the machine judged each response human.
    humans, verdicts : array of int, shape (responses,)
        How many people judged it human, and how many judged it; at least 1.
    clusters : array, shape (responses,)
        Responses that belong together, such as those to a stimulus.

    Returns
    -------
    dict of str to Estimate
        By `MEASURES`; see `compute_machine_agreement`. Errors are from a jackknife of clusters; intervals,
        with Student's t, are within the range of the measure. Both are nan where a measure is not defined
        without one of the clusters, or the same without any of them. The correlation's is symmetric on
        Fisher's scale; the corrected one has its limits, corrected likewise (Hunter and Schmidt 2004), since
        an interval around it is too narrow for few clusters.
    """
    counts = np.asarray(humans, int), np.asarray(verdicts, int)
    columns = list_columns(np.asarray(predicted, bool), *counts)
    values = compute_machine_agreement(columns.sum(axis=0))
    sums = crossed.sum_by_unit(columns, clusters)
    number = len(sums)
    ends_of_t = np.array([-1, 1]) * stdtrit(number - 1, 0.5 + level / 2)
    estimates = {}
    for name, without in compute_machine_agreement(sums.sum(axis=0) - sums).items():
        value = float(values[name])
        scale, back = SCALES.get(name, (np.asarray, np.asarray))
        with np.errstate(divide="ignore", invalid="ignore"):
            se, error = (
                float(np.sqrt((number - 1) * part.var())) for part in (without, scale(without))
            )
            se, error = (part if part > crossed.SMALLEST else np.nan for part in (se, error))
            ends = back(scale(value) + ends_of_t * error)
        ends = ends.clip(-1 if name in SIGNED else 0, 1)
        if name == "corrected_correlation":
            # Above 0 where the value is a number.
            reliability = values["reliability"] if value == value else np.nan
            ends = np.array(estimates["correlation"][2:]) / np.sqrt(reliability)
        estimates[name] = Estimate(value, se, *map(float, ends))
    return estimates


def list_columns(predicted: np.ndarray, humans: np.ndarray, verdicts: np.ndarray) -> np.ndarray:
    """List what each response adds to `SUMS`, and to those of pairs without and with the machine."""
    share = humans / verdicts
    majority = np.sign(2 * humans - verdicts)
    twice = verdicts > 1
    noise = share * (1 - share) / np.maximum(verdicts - 1, 1)
    people = np.column_stack([humans, verdicts - humans])
    joint = people + np.column_stack([predicted, ~predicted])
    pairs = np.zeros((2, len(share), 7))
    if twice.any():
        pairs[:, twice] = [list_pair_columns(table[twice]) for table in (people, joint)]
    whole = [np.ones(len(share)), np.where(predicted, share, 1 - share)]
    cells = [
        predicted & (majority > 0),
        predicted & (majority < 0),
        ~predicted & (majority > 0),
        ~predicted & (majority < 0),
    ]
    moments = [np.ones(len(share)), predicted, share, share**2, predicted * share, noise]
    return np.column_stack([*whole, *cells, *(twice * column for column in moments), *pairs])


def compute_machine_agreement(totals: np.ndarray) -> dict[str, np.ndarray]:
    """Compute measures of agreement from sums over responses, shape (..., sums).

    agreement: share of people who agree with the machine, mean over responses. cohen_kappa: of the machine
    and people's majority, without ties. The others are of responses that two people or more judged:
    people_agreement: share of pairs of people who agree. people_alpha, joint_alpha: Krippendorff's alpha of
    people, and of people and the machine. correlation: Pearson's, of the machine's verdict and the share of
    people who judged the response human. reliability: share of the variance of these shares that other people
    would show again (for equal numbers of verdicts, the intraclass correlation ICC(1, k)).
    corrected_correlation: correlation / sqrt(reliability), that with the share of all people (Spearman 1904,
    American Journal of Psychology 15, 72-101), which by chance may be above 1.
    """
    sums = dict(zip(SUMS, np.moveaxis(totals[..., : len(SUMS)], -1, 0), strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        people, joint = (
            compute_agreement(totals[..., len(SUMS) + start :][..., :7]) for start in (0, 7)
        )
        n = sums["twice"]
        mean, rate = sums["share"] / n, sums["predicted"] / n
        variance = (sums["squared"] / n - mean**2) * n / (n - 1)
        # Smaller ones are rounding noise of shares that are all the same.
        variance = np.where(variance > crossed.SMALLEST, variance, NAN)
        reliability = 1 - sums["noise"] / n / variance
        covariance = sums["product"] / n - mean * rate
        correlation = covariance / np.sqrt(rate * (1 - rate) * variance * (n - 1) / n)
        corrected = correlation / np.sqrt(np.where(reliability > 0, reliability, NAN))
        decided = sum(sums[name] for name in SUMS[2:6])
        same = (sums["both_human"] + sums["neither"]) / decided
        by_machine = (sums["both_human"] + sums["only_machine"]) / decided
        by_people = (sums["both_human"] + sums["only_people"]) / decided
        chance = by_machine * by_people + (1 - by_machine) * (1 - by_people)
        values = (
            sums["agreeing"] / sums["responses"],
            (same - chance) / np.where(chance < 1, 1 - chance, NAN),
            people["percent_agreement"],
            people["krippendorff_alpha"],
            joint["krippendorff_alpha"],
            correlation,
            reliability,
            corrected,
        )
    return dict(zip(MEASURES, values, strict=True))
