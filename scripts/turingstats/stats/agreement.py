"""Agreement between people who answered the same questions."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm

from turingstats.stats import resampling
from turingstats.stats.hypothesis.outcome import NAN, Outcome


def compute_kappa(totals: np.ndarray, subjects: int, raters: int) -> np.ndarray:
    """Compute Fleiss' kappa from totals over subjects.

    Parameters
    ----------
    totals : array, shape (..., 1 + categories)
        Sum over subjects of the squared numbers of answers in each category, then answers in each
        category.
    subjects, raters : int

    Returns
    -------
    array, shape (...)
        NaN if all answers are the same.
    """
    observed = (totals[..., 0] - subjects * raters) / (subjects * raters * (raters - 1))
    shares = totals[..., 1:] / (subjects * raters)
    expected = (shares**2).sum(axis=-1)
    return np.where(
        expected < 1, (observed - expected) / np.where(expected < 1, 1 - expected, 1), NAN
    )


def fleiss_kappa(
    table: ArrayLike, rng: np.random.Generator, n_bootstrap: int, level: float = 0.95
) -> Outcome:
    """Compute Fleiss' kappa of categorical answers.

    Parameters
    ----------
    table : array of int, shape (subjects, categories)
        Number of people who gave each answer. Subjects whose number of answers differs from the most
        frequent one are left out.
    rng : numpy.random.Generator
        For the bootstrap of subjects.
    n_bootstrap : int
    level : float
        Confidence level.

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
    names = ("z", "Fleiss' kappa")
    table = np.asarray(table, dtype=int)
    answers = table.sum(axis=1)
    usual = int(np.bincount(answers).argmax()) if len(answers) else 0
    used = table[answers == usual]
    dropped = (
        f"{len(table) - len(used)} subjects without {usual} answers"
        if len(used) < len(table)
        else ""
    )
    reason = ""
    if usual == 0:
        reason = "not computed: nobody's answers are at hand"
    elif usual < 2:
        reason = f"not computed: subjects have {usual} answer each, at least 2 needed"
    elif len(used) < 2 or (used > 0).any(axis=0).sum() < 2:
        reason = "not computed: fewer than 2 subjects, or all answers alike"
    if reason:
        reason = "; ".join(filter(None, [dropped, reason]))
        return Outcome(
            names[0], NAN, "", NAN, names[1], NAN, NAN, NAN, len(used), NAN, reason, method
        )
    columns = np.column_stack([(used**2).sum(axis=1), used])
    kappa = float(compute_kappa(columns.sum(axis=0).astype(float), len(used), usual))
    p = used.sum(axis=0) / used.sum()
    q = p * (1 - p)
    error = np.sqrt(2 * (q.sum() ** 2 - (q * (1 - 2 * p)).sum()))
    error /= q.sum() * np.sqrt(len(used) * usual * (usual - 1))
    z = float(kappa / error)
    drawn = compute_kappa(resampling.bootstrap_totals(columns, n_bootstrap, rng), len(used), usual)
    _, low, high = resampling.summarize_draws(drawn, level)
    return Outcome(
        names[0], z, "", float(2 * norm.sf(abs(z))), names[1], kappa, float(low), float(high), len(used),
        NAN, dropped, method,
    )  # fmt: skip
