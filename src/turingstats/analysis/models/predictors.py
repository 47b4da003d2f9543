"""Extract from a fit what is needed to answer the questions of published tests."""

import numpy as np

from turingstats.analysis.models.asked import Asked, find_group_column
from turingstats.config.study import Study
from turingstats.stats.mixed import marginal
from turingstats.stats.mixed.fit import Fit


def extract_fit_summaries(study: Study, fits: dict[str, Fit]) -> dict[str, Asked]:
    """Extract from each fit what `turingstats.analysis.models.counterparts` needs, by model id."""
    comparisons = {c.id: c for c in study.comparisons}
    kept = {}
    for model in study.models:
        if model.id in fits:
            fitted = fits[model.id]
            asked = [comparisons[i] for i in model.counterpart_of if i in comparisons]
            columns = dict.fromkeys(map(find_group_column, asked))
            predictors = {column: average_predictors(column, fitted) for column in columns}
            parts = fitted.estimate, fitted.covariance, fitted.df, fitted.notes
            kept[model.id] = Asked(*parts, predictors)
    return kept


def average_predictors(across: str | None, fitted: Fit) -> dict[tuple[str, ...], np.ndarray] | None:
    """Average the predictors for each kind of response, in each of the groups of a column (None: no groups).

    Returns weights of the coefficients by (agent, group), or by (agent,) without groups; agents are
    human, all and each agent. Empty if the model could not be fitted, None if it lacks the groups.
    """
    table = fitted.data.table
    if not fitted.usable:
        return {}
    side = "agent" if "agent" in table else "made_by"
    if side not in table or (across and across not in table):
        return None
    shares = table[side].value_counts()
    machines = [name for name in table[side].cat.categories if name != "human"]
    averages = {
        levels: np.average(design, axis=0, weights=weights)
        for levels, (design, _, weights) in marginal.build_cell_designs(
            fitted, [side] if across is None else [side, across]
        ).items()
    }
    for group in dict.fromkeys(levels[1:] for levels in list(averages)):
        rows = [averages[(name, *group)] for name in machines]
        averages["all", *group] = np.average(rows, axis=0, weights=shares[machines])
    return averages
