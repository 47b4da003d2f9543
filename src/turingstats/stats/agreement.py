"""Agreement between people who answered the same questions.

`estimate_agreement` allows for a different number of answers to each question; `fleiss_kappa` is the test
of the same number of answers to all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm

from turingstats.stats import resampling
from turingstats.stats.hypothesis.outcome import NAN, Outcome, make_undefined_outcome

UNIT = 2.0**30
"""Fractions are resampled in whole multiples of 1 / UNIT: sums of whole numbers are the same in any order."""
MEASURES = ("percent_agreement", "fleiss_kappa", "krippendorff_alpha")


class Estimate(NamedTuple):
    """A measure of agreement with its interval."""

    value: float
    se: float
    ci_low: float
    ci_high: float


def estimate_agreement(
    table: ArrayLike,
    clusters: ArrayLike,
    rng: np.random.Generator,
    n_bootstrap: int,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Estimate the agreement of nominal answers, with intervals from a bootstrap of clusters of subjects.

    Parameters
    ----------
    table : array of int, shape (subjects, categories)
        Number of people who gave each answer about each subject; at least two people per subject.
    clusters : array, shape (subjects,)
        Subjects that are drawn together, such as the responses to a stimulus.

    Returns
    -------
    dict of str to Estimate
        By `MEASURES`; see `compute_agreement`. Intervals are percentiles; nan with a single cluster.
    """
    columns = list_pair_columns(table)
    values = compute_agreement(columns.sum(axis=0))
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    sums = np.zeros((codes.max() + 1, columns.shape[1]))
    np.add.at(sums, codes, np.rint(columns * UNIT))
    drawn = resampling.bootstrap_totals(sums.astype(np.int64), n_bootstrap, rng) / UNIT
    estimates = {}
    for name, resampled in compute_agreement(drawn).items():
        summary = resampling.summarize_draws(resampled, level) if len(sums) > 1 else (NAN,) * 3
        estimates[name] = Estimate(float(values[name]), *map(float, summary))
    return estimates


def list_pair_columns(table: ArrayLike) -> np.ndarray:
    """List what each subject adds to the sums that agreement is computed from.

    `table` has the answers by subject and category; returns shape (subjects, 3 + 2 * categories): 1; share of
    pairs of answers that agree; this share times the number of answers (Krippendorff's coincidences); answers
    in each category; share of answers in each category.
    """
    # By column, whatever the layout of the table: sums are taken in the same order, and more exact.
    counts = np.asarray(table, dtype=float, order="F")
    answers = counts.sum(axis=1)
    if len(counts) == 0 or (answers < 2).any():
        raise ValueError("agreement needs subjects with at least two answers each")
    agreeing = (counts * (counts - 1)).sum(axis=1) / (answers * (answers - 1))
    shares = counts / answers[:, None]
    return np.column_stack([np.ones(len(counts)), agreeing, agreeing * answers, counts, shares])


def compute_agreement(totals: np.ndarray) -> dict[str, np.ndarray]:
    """Compute measures of agreement from the summed columns of `list_pair_columns`.

    percent_agreement: share of pairs of answers that agree, mean over subjects. fleiss_kappa: this share
    corrected for chance by the mean shares of the categories (Fleiss 1971, for unequal numbers of answers:
    Gwet 2014, chapter 2). krippendorff_alpha: nominal, in which a subject counts by its number of answers
    (Krippendorff 2011). The last two are nan if all answers are the same.
    """
    categories = (totals.shape[-1] - 3) // 2
    subjects, agreeing, coincidences = (totals[..., i] for i in range(3))
    counts, shares = totals[..., 3 : 3 + categories], totals[..., 3 + categories :]
    observed = agreeing / subjects
    by_chance = ((shares / subjects[..., None]) ** 2).sum(axis=-1)
    answers = counts.sum(axis=-1)
    same = (counts * (counts - 1)).sum(axis=-1)
    differing = answers * (answers - 1) - same
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = (observed - by_chance) / (1 - by_chance)
        alpha = 1 - (answers - 1) * (answers - coincidences) / differing
    defined = differing > 0.5
    values = observed, np.where(defined, kappa, NAN), np.where(defined, alpha, NAN)
    return dict(zip(MEASURES, values, strict=True))


def fleiss_kappa(
    table: ArrayLike, rng: np.random.Generator, n_bootstrap: int, level: float = 0.95
) -> Outcome:
    """Compute Fleiss' kappa of categorical answers.

    Parameters
    ----------
    table : array of int, shape (subjects, categories)
        Number of people who gave each answer. Subjects whose number of answers differs from the most
        frequent one are left out.

    Returns
    -------
    Outcome
        z against no agreement beyond chance (Fleiss, Nee & Landis 1979); the effect is kappa (Fleiss 1971),
        with a percentile interval from a bootstrap of subjects.
    """
    method = (
        "Fleiss 1971, z of Fleiss, Nee & Landis 1979 (as kappam.fleiss of R's irr), p = 2 * norm.sf(|z|); "
        f"percentile interval from {n_bootstrap} bootstraps of subjects"
    )
    table = np.asarray(table, dtype=int)
    answers = table.sum(axis=1)
    usual = int(np.bincount(answers).argmax()) if len(answers) else 0
    used = table[answers == usual]
    lost = len(table) - len(used)
    dropped = f"{lost} subjects without {usual} answers" if lost else ""
    blank = make_undefined_outcome(dropped, "z", "Fleiss' kappa", len(used), NAN, method)
    alike = len(used) < 2 or (used > 0).any(axis=0).sum() < 2
    refused = blank.refuse_if(
        (usual == 0, "nobody's answers are at hand"),
        (usual < 2, f"subjects have {usual} answer each, at least 2 needed"),
        (alike, "fewer than 2 subjects, or all answers alike"),
    )
    if refused:
        return refused
    columns = list_pair_columns(used)
    kappa = float(compute_agreement(columns.sum(axis=0))["fleiss_kappa"])
    p = used.sum(axis=0) / used.sum()
    q = p * (1 - p)
    error = np.sqrt(2 * (q.sum() ** 2 - (q * (1 - 2 * p)).sum()))
    error /= q.sum() * np.sqrt(len(used) * usual * (usual - 1))
    z = kappa / error
    drawn = resampling.bootstrap_totals(columns, n_bootstrap, rng)
    _, low, high = resampling.summarize_draws(compute_agreement(drawn)["fleiss_kappa"], level)
    return blank.report(z, 2 * norm.sf(abs(z)), (kappa, float(low), float(high)))
