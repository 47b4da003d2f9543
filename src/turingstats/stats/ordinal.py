"""Cumulative logit models of ratings (proportional odds), with errors for clustered trials.

The model describes all trials together: it has no random effects, so a coefficient is the log odds ratio
between groups of trials (marginal, or population-averaged), which is smaller than the one within a judge.
Judges and stimuli enter the errors, as clusters of trials.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from statsmodels.miscmodels.ordinal_model import OrderedModel
from statsmodels.tools.numdiff import approx_fprime

TOLERANCE = 1e-8
"""Largest slope of the log-likelihood per trial, by any parameter, at its maximum."""
LARGEST = 15.0
"""Coefficients beyond this are infinite: some group has ratings at one end of the scale only."""


class CellModel(OrderedModel):
    """A cumulative logit model of cells, each with a number of equal trials."""

    def __init__(self, ratings: np.ndarray, predictors: np.ndarray, trials: np.ndarray) -> None:
        super().__init__(ratings, predictors, distr="logit")
        self.trials = trials

    def loglike(self, params: np.ndarray) -> float:
        """Compute the log-likelihood of all trials."""
        return float(self.trials @ self.loglikeobs(params))


class OrdinalFit(NamedTuple):
    """A fitted cumulative logit model."""

    coefficients: np.ndarray  # shape (predictors,); log odds ratios of a higher rating
    # Shape (points - 1,); between neighboring points that occur, where all predictors are 0
    thresholds: np.ndarray
    # Shape (cells, predictors + points - 1); how much one trial of each cell moves the coefficients
    # and thresholds
    influence: np.ndarray
    converged: bool


def fit_cumulative_logit(
    ratings: ArrayLike, predictors: ArrayLike, trials: ArrayLike
) -> OrdinalFit:
    """Fit a cumulative logit model, logit P(rating <= k) = threshold_k - predictors @ coefficients.

    Parameters
    ----------
    ratings : array of float, shape (cells,)
        At least two different ones.
    predictors : array of float, shape (cells, predictors)
        Without a constant.
    trials : array of int, shape (cells,)
        Number of trials in each cell, at least 1.

    Returns
    -------
    OrdinalFit
        Not converged if a coefficient is infinite; its influence is then nan.

    Notes
    -----
    Maximum likelihood by statsmodels, refined by Newton's method. The influence of a trial is its score
    times the inverse of the information (Huber 1967), so that sums of squares over clusters are
    cluster-robust variances (Liang & Zeger 1986, Biometrika 73, 13-22).
    """
    codes = np.unique(np.asarray(ratings, float), return_inverse=True)[1]
    exog, n = np.asarray(predictors, float), np.asarray(trials, float)
    # Tolerances of the optimizer are for one trial per cell. Convergence is judged by the slopes below.
    model = CellModel(codes, exog, n / n.mean())
    fitted = model.fit(method="bfgs", maxiter=500, disp=False, warn_convergence=False)
    parameters = np.concatenate(
        [fitted.params[: exog.shape[1]], model.transform_threshold_params(fitted.params)[1:-1]]
    )
    information = np.full((len(parameters),) * 2, np.nan)
    for _ in range(20):
        slopes = n @ compute_scores(parameters, codes, exog)
        information = -approx_fprime(
            parameters, lambda at: n @ compute_scores(at, codes, exog), centered=True
        )
        if np.abs(slopes).max() <= TOLERANCE * n.sum() or not np.isfinite(information).all():
            break
        step = np.linalg.lstsq(information, slopes, rcond=None)[0]
        if not np.all(np.diff((parameters + step)[exog.shape[1] :]) > 0):
            break
        parameters = parameters + step
    scores = compute_scores(parameters, codes, exog)
    flat = np.abs(n @ scores).max() <= 10 * TOLERANCE * n.sum()
    finite = np.abs(parameters[: exog.shape[1]]).max(initial=0) < LARGEST
    converged = bool(flat and finite and np.linalg.cond(information) < 1e12)
    influence = np.full(scores.shape, np.nan)
    if converged:
        influence = scores @ np.linalg.inv(information)
    split = exog.shape[1]
    return OrdinalFit(parameters[:split], parameters[split:], influence, converged)


def compute_scores(parameters: np.ndarray, codes: np.ndarray, exog: np.ndarray) -> np.ndarray:
    """Compute the derivatives of each cell's log probability by the coefficients, then the thresholds."""
    coefficients, thresholds = np.split(parameters, [exog.shape[1]])
    ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
    middle = exog @ coefficients
    below, above = ends[codes] - middle, ends[codes + 1] - middle
    densities = [expit(at) * expit(-at) for at in (below, above)]
    # The same difference from the other side keeps its digits where both are near 1.
    chance = np.where(below > 0, expit(-below) - expit(-above), expit(above) - expit(below))
    low, high = (density / chance for density in densities)
    by_threshold = np.zeros((len(codes), len(thresholds)))
    inner = codes < len(thresholds)
    by_threshold[inner, codes[inner]] = high[inner]
    inner = codes > 0
    by_threshold[inner, codes[inner] - 1] -= low[inner]
    return np.column_stack([(low - high)[:, None] * exog, by_threshold])
