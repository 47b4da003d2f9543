"""Random-effects meta-analysis of estimates that share data: several levels, and known covariances.

Estimates of one study are rarely independent: its agents are compared with the same people by the same
judges. The model takes the covariance of their errors as known, lets the true values vary at several levels
(between tasks, between agents of a task), and takes its errors from how much groups of estimates vary, so
that they hold if the levels do not describe this variation well.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cholesky
from scipy.optimize import minimize
from scipy.special import chdtrc, stdtr, stdtrit

LEAST_DF = 1.0
"""With no more degrees of freedom, Student's t has not even a mean, and there is no interval."""


class RandomEffects(NamedTuple):
    """Fit of a random-effects model."""

    # Shape (terms,); estimates, with standard errors and the degrees of freedom of Student's t
    coefficients: np.ndarray
    se: np.ndarray
    df: np.ndarray
    # Shape (levels,); variance of the true values at each level (tau squared)
    variances: np.ndarray
    # Shape (levels,); share of the variance of an estimate that is variance of true values, by
    # level; the sum is I squared
    shares: np.ndarray
    # Cochran's Q, that true values do not vary.
    q: float
    q_df: int
    q_p: float

    @property
    def p(self) -> np.ndarray:
        """Two-sided p of each coefficient."""
        return np.asarray(2 * stdtr(self.df, -np.abs(self.coefficients / self.se)))

    def compute_intervals(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Compute confidence intervals of the coefficients; nan with `LEAST_DF` or fewer."""
        return self._compute_reach(self.se, level)

    def compute_prediction_intervals(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Compute intervals for a true value that is new at every level.

        Each coefficient must be the mean of a group of estimates. The interval covers the spread between
        true values in addition to the error of their mean (Higgins, Thompson & Spiegelhalter 2009, Journal of
        the Royal Statistical Society A 172, 137-159).
        """
        return self._compute_reach(np.sqrt(self.se**2 + self.variances.sum()), level)

    def _compute_reach(self, spread: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        reach = np.where(self.df <= LEAST_DF, np.nan, stdtrit(self.df, 0.5 + level / 2) * spread)
        return self.coefficients - reach, self.coefficients + reach


def fit_random_effects(
    values: ArrayLike,
    covariance: ArrayLike,
    design: ArrayLike | None = None,
    levels: Sequence[ArrayLike] | None = None,
    clusters: ArrayLike | None = None,
    at_least_model: bool = False,
) -> RandomEffects:
    """Fit a random-effects model by restricted maximum likelihood.

    Parameters
    ----------
    values : array, shape (estimates,)
    covariance : array, shape (estimates, estimates)
        Covariance of the errors of the estimates; their variances alone have shape (estimates,).
    design : array, shape (estimates, terms), optional
        Terms of a meta-regression; by default the mean.
    levels : sequence of array, shape (estimates,), optional
        Group of each estimate at each level at which true values vary; by default every estimate is a group.
    clusters : array, shape (estimates,), optional
        Groups of estimates that are independent of each other, over which errors are taken. By default,
        errors are those of Hartung and Knapp.
    at_least_model : bool
        Errors are never smaller than those of the model: few groups may agree by chance, and errors that all
        estimates share do not show in how they differ.

    Notes
    -----
    Variances maximize the restricted likelihood and are at least 0. Errors of clusters are CR2 with the
    degrees of freedom of Satterthwaite (Pustejovsky & Tipton 2018, Journal of Business & Economic Statistics
    36, 672-683): unbiased if the model holds, and valid if it does not. Errors of Hartung and Knapp (2001,
    Statistics in Medicine 20, 3875-3889) multiply the variance of the model by the mean weighted square of
    the residuals. Shares generalize I squared (Higgins & Thompson 2002, Statistics in Medicine 21, 1539-1558)
    to levels: the typical error variance is (n - p) / tr(P), where P projects out the terms.
    """
    y, errors = np.asarray(values, float), np.asarray(covariance, float)
    errors = np.diag(errors) if errors.ndim == 1 else errors
    number = len(y)
    x = np.ones((number, 1)) if design is None else np.asarray(design, float)
    groups = [np.arange(number)] if levels is None else list(levels)
    same = np.array([np.equal.outer(group, group) for group in map(np.asarray, groups)], float)
    variances = estimate_variances(y, errors, x, same)
    total = errors + np.tensordot(variances, same, 1)
    weights = np.linalg.inv(total)
    bread = np.linalg.inv(x.T @ weights @ x)
    coefficients = bread @ x.T @ weights @ y
    residuals = y - x @ coefficients
    rest = number - x.shape[1]
    if clusters is None:
        scale = residuals @ weights @ residuals / rest if rest else np.nan
        se = np.sqrt(np.diag(bread) * scale)
        df = np.full(len(coefficients), float(rest))
    else:
        se, df = compute_cluster_errors(residuals, total, x, np.asarray(clusters))
    if at_least_model:
        se = np.maximum(se, np.sqrt(np.diag(bread)))
    fixed = np.linalg.inv(errors)
    projection = fixed - fixed @ x @ np.linalg.solve(x.T @ fixed @ x, x.T @ fixed)
    q = float(y @ projection @ y)
    typical = rest / np.trace(projection) if rest else np.nan
    shares = variances / (variances.sum() + typical)
    return RandomEffects(
        coefficients, se, df, variances, shares, q, rest, float(chdtrc(rest, q)) if rest else np.nan
    )


def estimate_variances(
    values: np.ndarray, errors: np.ndarray, design: np.ndarray, same: np.ndarray
) -> np.ndarray:
    """Estimate the variance at each level by restricted maximum likelihood.

    `same`, shape (levels, estimates, estimates), is 1 for two estimates of one group of the level. 0 at every
    level if there are no more estimates than terms.
    """
    if len(values) <= design.shape[1]:
        return np.zeros(len(same))
    scale = float(np.mean(np.diag(errors)) + np.var(values))

    def deviance(parts: np.ndarray) -> tuple[float, np.ndarray]:
        total = errors + np.tensordot(parts * scale, same, 1)
        weights = np.linalg.inv(total)
        cross = design.T @ weights @ design
        projection = weights - weights @ design @ np.linalg.solve(cross, design.T @ weights)
        fitted = projection @ values
        value = np.linalg.slogdet(total)[1] + np.linalg.slogdet(cross)[1] + values @ fitted
        slopes = np.einsum("ij,lji->l", projection, same)
        slopes -= np.einsum("i,lij,j->l", fitted, same, fitted)
        return float(value), slopes * scale

    fits = [
        minimize(
            deviance,
            np.full(len(same), start),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * len(same),
            options={"ftol": 1e-15, "gtol": 1e-10},
        )
        for start in (0.0, 0.1, 1.0)
    ]
    return np.asarray(min(fits, key=lambda fit: fit.fun).x * scale)


def compute_cluster_errors(
    residuals: np.ndarray, total: np.ndarray, design: np.ndarray, clusters: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute CR2 errors over clusters and their degrees of freedom, shape (terms,).

    `total` is the covariance of the estimates in the model, 0 between clusters. nan if there is one cluster.
    """
    terms = design.shape[1]
    members = [np.flatnonzero(clusters == one) for one in np.unique(clusters)]
    if len(members) < 2:
        return np.full(terms, np.nan), np.full(terms, np.nan)
    weights = np.linalg.inv(total)
    bread = np.linalg.inv(design.T @ weights @ design)
    leftover = np.eye(len(total)) - design @ bread @ design.T @ weights
    scores, spreads = [], []
    for cluster in members:
        root = cholesky(total[np.ix_(cluster, cluster)])
        rows = leftover[cluster]
        middle = root @ rows @ total @ rows.T @ root.T
        adjusted = root.T @ invert_root(middle) @ root
        # By term, the weights of this cluster's residuals in the coefficient.
        part = adjusted @ weights[np.ix_(cluster, cluster)] @ design[cluster] @ bread
        scores.append(residuals[cluster] @ part)
        spreads.append(rows.T @ part)
    se = np.sqrt((np.array(scores) ** 2).sum(axis=0))
    expected = np.einsum("aet,ef,bft->tab", spreads, total, spreads)
    traces = np.trace(expected, axis1=1, axis2=2)
    return se, traces**2 / (expected**2).sum(axis=(1, 2))


def invert_root(matrix: np.ndarray) -> np.ndarray:
    """Invert the symmetric square root of a matrix, with 0 for its null space."""
    values, vectors = np.linalg.eigh(matrix)
    kept = values > values.max() * 1e-10
    return (vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T


def average_by_group(
    values: ArrayLike, covariance: ArrayLike, groups: ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    """Average the estimates of each group with equal weights; also the covariance of the means."""
    codes = np.unique(np.asarray(groups), return_inverse=True)[1]
    belongs = np.equal.outer(np.arange(codes.max() + 1), codes).astype(float)
    belongs /= belongs.sum(axis=1, keepdims=True)
    return belongs @ np.asarray(values, float), belongs @ np.asarray(covariance, float) @ belongs.T


def make_covariance(correlation: np.ndarray, se: np.ndarray) -> np.ndarray:
    """Make a positive definite covariance from standard errors and noisy correlations.

    Negative eigenvalues of the correlations are set to 0; the squares of `se` are on the diagonal.
    """
    values, vectors = np.linalg.eigh(correlation)
    positive = (vectors * np.maximum(values, 1e-6)) @ vectors.T
    scale = se / np.sqrt(np.diag(positive))
    return np.asarray(positive * np.outer(scale, scale))
