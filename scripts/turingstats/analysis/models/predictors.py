"""What to keep of a fit so that questions of published tests can be asked of it."""

import numpy as np

from turingstats.analysis.models.asked import Asked, find_group_column
from turingstats.stats.mixed import marginal


def extract_fit_summaries(study, fits):
    """Keep of each fit what `turingstats.analysis.models.counterparts` needs.

    Parameters
    ----------
    study : Study
    fits : dict of str to Fit

    Returns
    -------
    dict of str to Asked
        By id of the model.
    """
    comparisons = {c.id: c for c in study.comparisons}
    kept = {}
    for model in study.models:
        if model.id in fits:
            fitted = fits[model.id]
            asked = [comparisons[i] for i in model.counterpart_of if i in comparisons]
            columns = dict.fromkeys(map(find_group_column, asked))
            predictors = {column: average_predictors(column, fitted) for column in columns}
            kept[model.id] = Asked(fitted.estimate, fitted.covariance, fitted.notes, predictors)
    return kept


def average_predictors(across, fitted):
    """Average predictors of each kind of response, in each of the groups of a column.

    Parameters
    ----------
    across : str or None
        Column of the groups that are compared; None where there are none.
    fitted : Fit

    Returns
    -------
    dict or None
        By (agent, group), or (agent,) without groups, coefficients' weights; agents are human, all and
        each agent. Empty where the model could not be fitted, None where it lacks the groups.
    """
    table = fitted.data.table
    if not fitted.usable:
        return {}
    side = "agent" if "agent" in table else "made_by"
    if side not in table or (across and across not in table):
        return None
    shares = table[side].value_counts()
    machines = [name for name in table[side].cat.categories if name != "human"]
    found = {
        levels: np.average(design, axis=0, weights=weights)
        for levels, (design, _, weights) in marginal.build_cell_designs(
            fitted, [side] if across is None else [side, across]
        ).items()
    }
    for group in dict.fromkeys(levels[1:] for levels in list(found)):
        rows = [found[(name, *group)] for name in machines]
        found["all", *group] = np.average(rows, axis=0, weights=shares[machines])
    return found
