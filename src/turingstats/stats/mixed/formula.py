"""Prepare the rows and columns of a table that regression formulas need."""

from dataclasses import dataclass

import glmm
import numpy as np
import pandas as pd

from turingstats.stats.mixed.syntax import (
    Term,
    find_formula_columns,
    find_transformed_columns,
    name_terms,
    parse_formula,
)

NOT_FITTED = "not fitted"
"""Start of the note on a model that cannot be fitted."""


@dataclass(frozen=True)
class Data:
    """The rows of a fit in the form that the engines need.

    Attributes
    ----------
    table : pandas.DataFrame
        The rows used, with factors as categories.
    fixed : str
        Right-hand side of the formula without random terms, functions of columns replaced by the columns
        that hold their values.
    design : array, shape (rows, coefficients)
        Design of the fixed effects, without aliased columns.
    successes, trials : array, shape (rows,)
    random : tuple of Term
        Random terms that were fitted, the group with most levels first.
    response : str
    """

    table: pd.DataFrame
    fixed: str
    design: np.ndarray
    successes: np.ndarray
    trials: np.ndarray
    random: tuple[Term, ...]
    response: str


def prepare_data(table, formula):
    """Select the rows and columns that a formula needs.

    Parameters
    ----------
    table : pandas.DataFrame
    formula : str

    Returns
    -------
    data : Data
        Without `design`, and without random terms that have only one level.
    groups : dict of str to int
    dropped : str
    notes : list of str
        One that starts with `NOT_FITTED` if a function is not defined for the values of its column.

    Raises
    ------
    ValueError
        A column is missing, or the response is neither 0 nor 1.
    """
    response, fixed, random = parse_formula(formula)
    needed = find_formula_columns(formula)
    missing = [name for name in needed if name not in table]
    if missing:
        raise ValueError(f"{formula!r}: no column {', '.join(missing)}; there are {list(table)}")
    used = table[needed].dropna()
    lost = len(table) - len(used)
    holes = [f"{name} {n}" for name, n in table[needed].isna().sum().items() if n]
    dropped = f"{lost} rows without a value ({', '.join(holes)})" if lost else ""
    used = used.reset_index(drop=True).copy()
    groups, kept, notes = {}, [], []
    for term in random:
        parts = term.group.split(":")
        name = "_by_".join(parts)
        levels = used[parts[0]].astype(str)
        for part in parts[1:]:
            levels = levels + ":" + used[part].astype(str)
        groups[term.group] = levels.nunique()
        if groups[term.group] < 2:
            notes.append(f"random effect of {term.group} left out: it has a single level")
            continue
        used[name] = levels.to_numpy(dtype=object)
        kept.append(term)
    for name in needed:
        if not pd.api.types.is_numeric_dtype(used[name]) or pd.api.types.is_bool_dtype(used[name]):
            values = set(used[name].unique())
            ordered = getattr(used[name].dtype, "categories", sorted(values))
            present = [str(level) for level in ordered if level in values]
            used[name] = pd.Categorical(used[name].astype(str), present)
    if response.startswith("cbind("):
        yes, no = response[6:-1].split(",")
        successes = used[yes].to_numpy(float)
        trials = successes + used[no].to_numpy(float)
    else:
        values = table.loc[table[needed].dropna().index, response].to_numpy(float)
        if not np.isin(values, (0, 1)).all():
            raise ValueError(f"{formula!r}: {response} must be 0 or 1")
        used[response] = values
        successes, trials = values, np.ones(len(values))
    for name, (function, argument) in find_transformed_columns(formula).items():
        try:
            used[name] = transform_column(used[argument], function, name_terms(argument, formula))
        except ValueError as error:
            notes.append(f"{NOT_FITTED}: {error}")
            break
    kept = sorted(kept, key=lambda term: make_sort_key(term, kept, groups))
    data = Data(used, fixed, None, successes, trials, tuple(kept), response)
    return data, groups, dropped, notes


def transform_column(values, function, shown):
    """Compute a function of a column over the rows of the model, as R's `scale` and `log` do.

    Parameters
    ----------
    values : pandas.Series
    function : {"scale", "log"}
        scale: (x - mean) / SD, with n - 1 degrees of freedom; log: natural logarithm.
    shown : str
        Name of the column in the formula, for messages.

    Raises
    ------
    ValueError
        The column is not numeric, constant (scale), or not positive (log).
    """
    if not pd.api.types.is_numeric_dtype(values):
        raise ValueError(f"{function}({shown}): {shown} is not a column of numbers")
    values = values.astype(float)
    if function == "log":
        if (values <= 0).any():
            raise ValueError(f"log({shown}): {(values <= 0).sum()} values are 0 or negative")
        return np.log(values)
    spread = values.std()
    if not spread > 0:
        raise ValueError(f"scale({shown}): all values are the same")
    return (values - values.mean()) / spread


def make_sort_key(term, terms, groups):
    """Make the sorting key of a random term; glmm is up to ten times faster in this order.

    Nested groups (judge:made_by in judge) are adjacent, the outer one first; families of groups with the
    most levels come first. The estimates are the same in any order.
    """

    def outermost(group):
        return next(t.group for t in by_length if f"{group}:".startswith(f"{t.group}:"))

    by_length = sorted(terms, key=lambda t: len(t.group))
    family = outermost(term.group)
    together = sum(groups[t.group] for t in terms if outermost(t.group) == family)
    return -together, family, groups[term.group]


def build_random_design(data, term, effects):
    """Build the design of a random term, shape (rows, effects)."""
    if len(term.effects) == 1:
        return np.ones((len(data.table), 1))
    matrix, names = glmm.model_matrix(data.table, "~ " + " + ".join(term.effects))
    index = {name: i for i, name in enumerate(names)}
    return np.asarray(matrix, float)[:, [index[name] for name in effects]]
