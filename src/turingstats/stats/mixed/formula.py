"""Prepare the rows and columns of a table that regression formulas need."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from formulaic import model_matrix

from turingstats.stats.mixed.syntax import Term, find_formula_columns, parse_formula

NOT_FITTED = "not fitted"
"""Start of the note on a model that cannot be fitted."""


@dataclass(frozen=True)
class Data:
    """The rows of a fit in the form that the engines need."""

    table: pd.DataFrame  # the rows used, with factors as categories
    fixed: str  # right-hand side of the formula without random terms
    # Shape (rows,)
    successes: np.ndarray
    trials: np.ndarray
    random: tuple[Term, ...]  # random terms that were fitted, the group with most levels first
    response: str


def prepare_data(table: pd.DataFrame, formula: str) -> tuple[Data, dict[str, int], str, list[str]]:
    """Select the rows and columns that a formula needs.

    Returns
    -------
    data : Data
        Without random terms that have only one level.
    groups : dict of str to int
    dropped : str
    notes : list of str

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
        first, *others = (used[name].astype(str) for name in term.group.split(":"))
        levels = first.str.cat(others, sep=":")
        groups[term.group] = levels.nunique()
        if groups[term.group] < 2:
            notes.append(f"random effect of {term.group} left out: it has a single level")
            continue
        used[term.group.replace(":", "_by_")] = levels.to_numpy(dtype=object)
        kept.append(term)
    used = used.assign(**{name: make_factor(used[name]) for name in needed})
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
    data = Data(used, fixed, successes, trials, tuple(kept), response)
    return data, groups, dropped, notes


def make_factor(column: pd.Series) -> pd.Series:
    """Make categories of a column, those that occur; one of numbers stays as it is."""
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return column
    values = set(column.unique())
    ordered = getattr(column.dtype, "categories", sorted(values))
    present = [str(level) for level in ordered if level in values]
    return pd.Series(pd.Categorical(column.astype(str), present), column.index)


def build_design(table: pd.DataFrame, terms: str) -> tuple[np.ndarray, list[str]]:
    """Build the design of a right-hand side, such as ``agent * x``, with R's names of the columns.

    Factors are compared with their first level; names are such as (Intercept), agentgpt2, agentgpt2:x.
    """
    if terms == "1":
        return np.ones((len(table), 1)), ["(Intercept)"]
    matrix = model_matrix(terms, table, na_action="raise")
    columns = list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", terms)))
    names = []
    for name in matrix.columns:
        # Such as variant[T.burst]:agent[T.gpt2]; a level may have a colon. R orders by appearance.
        parts = re.split(r":(?![^\[]*\])", str(name))
        if len(parts) > 1:
            parts.sort(key=lambda part: columns.index(part.split("[")[0]))
        names.append(":".join(re.sub(r"\[(?:T\.)?(.*)\]$", r"\1", part) for part in parts))
    return matrix.to_numpy(float), [
        "(Intercept)" if name == "Intercept" else name for name in names
    ]


def find_patterns(data: Data) -> tuple[np.ndarray, pd.DataFrame]:
    """Find the distinct rows of all predictors: the pattern of each row, and each pattern's first row."""
    terms = " + ".join([data.fixed, *(name for term in data.random for name in term.effects)])
    columns = [name for name in find_formula_columns("y ~ " + terms) if name in data.table]
    if not columns:
        return np.zeros(len(data.table), int), data.table.iloc[:1]
    pattern = data.table.groupby(columns).ngroup().to_numpy()
    _, first = np.unique(pattern, return_index=True)
    return pattern, data.table.iloc[first]


def build_fixed_design(
    table: pd.DataFrame, terms: str
) -> tuple[np.ndarray, tuple[str, ...], tuple[str, ...]]:
    """Build the design of the fixed effects, and name the columns left out since others determine them."""
    design, names = build_design(table, terms)
    # A triangular factor has the same dependent columns, and few rows.
    keep = find_independent_columns(np.linalg.qr(design).R)
    gone = [name for i, name in enumerate(names) if i not in keep]
    notes = (f"left out, determined by other terms: {', '.join(gone)}",) if gone else ()
    return design[:, keep], tuple(names[i] for i in keep), notes


def find_independent_columns(matrix: np.ndarray) -> list[int]:
    """Find the columns that are linearly independent of the preceding ones."""
    keep: list[int] = []
    for i in range(matrix.shape[1]):
        if np.linalg.matrix_rank(matrix[:, [*keep, i]]) > len(keep):
            keep.append(i)
    return keep
