"""Pairwise similarity ratings: reading, checks, exclusion log, and one dense array per system.

A folder holds up to three files, CSV or parquet, described in docs/ratings.md:

ratings
    system, participant, item_a, item_b (in the order shown), rating; optionally status, by default ok,
    or refused where there is no rating.
items (optional)
    item, category; optionally sets: the tasks that an item belongs to, blank-separated (empty: all).
distances (optional)
    system, item_a, item_b, distance: for systems without raters, such as embeddings.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pandera.pandas as pa

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core.checked_csv import (
    check_allowed,
    check_cells,
    check_rows,
    check_table,
    check_unique,
)
from turingstats.core.errors import InputError
from turingstats.ratings.rating_tables import hide_participants, read_table

RATINGS = ("system", "participant", "item_a", "item_b", "rating")
DISTANCES = ("system", "item_a", "item_b", "distance")
ITEMS = ("item", "category")


@dataclass(frozen=True)
class Rated:
    """Ratings of one system."""

    participants: list[str]
    # Mean of a participant's ratings of item_a before item_b (participants x item_a x item_b); NaN where
    # there are none.
    ratings: np.ndarray
    # Numbers of trials, with or without a rating, and with one (participants x item_a x item_b).
    shown: np.ndarray
    rated: np.ndarray
    # Each pair was shown in one order, which counts for both.
    mirrored: bool


# --- reading -----------------------------------------------------------------------------------


def check_columns(
    path: str | Path,
    table: pd.DataFrame,
    checks: dict[str, pa.Check],
    rules: Sequence[pa.Check] = (),
) -> None:
    """Raise `InputError` for the first row (line 2 of the file) that violates a check of its column, or a
    rule of whole rows.
    """
    columns = {name: pa.Column(checks=check, nullable=True) for name, check in checks.items()}
    schema = pa.DataFrameSchema(columns, checks=list(rules))
    check_table(table, schema, path, header_lines=1)


def read_items(
    path: str | Path | None, ratings: pd.DataFrame, tasks: Collection[str]
) -> pd.DataFrame:
    """Read item, category and one bool column per task; without a file, the items are those of the ratings,
    in alphabetical order and in one category.
    """

    if path is None:
        names = sorted({*ratings["item_a"].cat.categories, *ratings["item_b"].cat.categories})
        return pd.DataFrame({"item": names, "category": "all"}).assign(**dict.fromkeys(tasks, True))
    table = read_table(path, ITEMS)
    check_columns(
        path, table, {"item": check_unique("this item is listed twice", "keep one line per item")}
    )
    sets = [()] * len(table)
    if "sets" in table:
        texts = table["sets"].astype(object).where(table["sets"].notna(), "")
        sets = [str(text).split() for text in texts]
    for number, names in enumerate(sets):
        for name in names:
            if name not in tasks:
                raise InputError(
                    path, "no such task", row=f"line {number + 2}", column="sets", value=name,
                    allowed=tasks, fix="name tasks of the study file, or leave the cell empty",
                )  # fmt: skip
    members = {task: [not names or task in names for names in sets] for task in tasks}
    return table.assign(**members)


def read_item_list(path: str | Path) -> pd.DataFrame:
    """Read the list of items that `read_items` made, from a file of the workflow."""

    # Items may be called 12 or NA.
    text = {"item": str, "category": str}
    return pd.read_csv(path, dtype=text, keep_default_na=False)


def read_ratings(
    path: str | Path, study: RatingsStudy, table: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Read ratings, or take the table that `own_ratings` read, and check them against the study; `rating` is
    NaN where it was refused.
    """
    if table is None:
        table = hide_participants(read_table(path, RATINGS, number="rating"), study)
    if table.empty:
        raise InputError(path, "the table has no ratings", fix="correct path: in data/sources/")
    low, high = study.scale
    raters = [name for name, system in study.systems.items() if system.kind != "embedding"]
    checks = {
        "system": check_allowed(
            raters,
            "add it to `systems` in the study file, or leave its rows out",
            "unknown system",
        ),
        "rating": check_cells(
            lambda ratings: ratings.isna() | ratings.between(low, high),
            "rating outside the scale",
            "rescale the ratings, or set `scale` in the study file",
            [f"{low:g} to {high:g}"],
        ),
    }
    check_columns(path, table, checks)
    there = table["rating"].notna()
    if "status" in table:
        status = table["status"].astype("category").cat.rename_categories(str)
        status = status.cat.set_categories(
            [*dict.fromkeys(["ok", "refused", *status.cat.categories])]
        )
        if status.isna().any():
            status = status.fillna("ok").where(status.notna() | there, "refused")
        rules = [
            check_rows(
                lambda rows: (rows["status"] != "ok") | rows["rating"].notna(),
                "rating",
                "status ok without a rating",
                "give a rating, or another status (refused, filtered, ...)",
            ),
            check_rows(
                lambda rows: (rows["status"] == "ok") | rows["rating"].isna(),
                "rating",
                "a rating whose status is not ok",
                "empty the rating, which is left out anyway, or set the status to ok",
            ),
        ]
        check_columns(path, table.assign(status=status), {}, rules)
    else:
        status = pd.Categorical.from_codes((~there).astype(int), ["ok", "refused"])
    table = table.assign(status=status)
    return table[[*RATINGS, "status"]]


def read_distances(
    path: str | Path | None, study: RatingsStudy, items: pd.DataFrame
) -> pd.DataFrame:
    """Read and check distances of systems without raters (see `read_ratings`); empty without a file."""
    if path is None:
        return pd.DataFrame(columns=DISTANCES)
    table = read_table(path, DISTANCES, number="distance")
    named = [name for name, system in study.systems.items() if system.kind == "embedding"]
    checks = {
        "system": check_allowed(
            named, "add it to `systems` in the study file with kind: embedding", "unknown system"
        ),
        "distance": check_cells(
            lambda distances: distances.fillna(-1) >= -1e-9,
            "not a distance",
            "a distance is 0 or more (cosine distance: 1 - cosine similarity)",
        ),
    }
    check_columns(path, table, checks)
    check_items(path, table, items)
    return table[list(DISTANCES)]


def check_items(path: str | Path, table: pd.DataFrame, items: pd.DataFrame) -> None:
    """Raise `InputError` for items that are not in the list of items."""
    allowed = check_allowed(items["item"], "correct the spelling, or add the item", "unknown item")
    allowed.statistics["allowed_values"] = [f"the {len(items)} items of the file of items"]
    check_columns(path, table, {"item_a": allowed, "item_b": allowed})


# --- dense arrays ------------------------------------------------------------------------------


def build_rating_arrays(
    ratings: pd.DataFrame, study: RatingsStudy, items: pd.DataFrame, path: str | Path = "ratings"
) -> dict[str, Rated]:
    """Build one dense array per system; `path` is for messages."""
    n = len(items)
    position_of = {name: number for number, name in enumerate(items["item"])}
    codes = {
        column: np.array([position_of[name] for name in ratings[column].cat.categories])[
            ratings[column].cat.codes
        ]
        for column in ("item_a", "item_b")
    }
    who = ratings["participant"].cat
    values, there = ratings["rating"].to_numpy(), ratings["rating"].notna().to_numpy()
    of_system = ratings["system"].cat
    arrays = {}
    for name in study.systems:
        if name not in of_system.categories:
            continue
        rows = np.flatnonzero(of_system.codes == of_system.categories.get_loc(name))
        present, number = np.unique(who.codes.to_numpy()[rows], return_inverse=True)
        at = (number * n + codes["item_a"][rows]) * n + codes["item_b"][rows]
        shape = (len(present), n, n)
        asked = np.bincount(at, minlength=np.prod(shape)).reshape(shape)
        rated = rows[there[rows]]
        at = at[there[rows]]
        count = np.bincount(at, minlength=np.prod(shape)).reshape(shape)
        total = np.bincount(at, weights=values[rated], minlength=np.prod(shape)).reshape(shape)
        with np.errstate(invalid="ignore"):
            dense = np.where(count > 0, total / count, np.nan)
        mirrored = study.systems[name].orders == "one"
        if not mirrored:
            require_both_orders(path, name, asked, items)
        people = [str(who.categories[c]) for c in present]
        # Counts per cell are small; narrow integers save memory.
        number_shown, number_rated = asked.astype(np.int32), count.astype(np.int32)
        arrays[name] = Rated(people, dense, number_shown, number_rated, mirrored)
    return arrays


def require_both_orders(
    path: str | Path, system: str, asked: np.ndarray, items: pd.DataFrame
) -> None:
    """Raise `InputError` for a pair shown in one order only, where the study declares both."""
    shown = asked.any(axis=0)
    lacking = shown & ~shown.T
    if lacking.any():
        a, b = np.argwhere(lacking)[0]
        first, second = items["item"].iloc[[a, b]]
        raise InputError(
            path,
            f"{lacking.sum()} pairs of system {system} were shown in one order only, but the study "
            "declares both",
            row=f"{system}: {first}, {second}",
            column="item_a, item_b",
            value=f"{first}, {second} but never {second}, {first}",
            fix=f"set `orders: one` for {system} in the study file, so that each rating counts for "
            "both orders, or complete the trials",
        )


def select_task_raters(
    arrays: dict[str, Rated], members: np.ndarray, reading: str
) -> dict[str, Rated]:
    """Select the participants who rated a pair of a task (others are not raters of it), and systems that have
    any.
    """
    kept = {}
    for name, rated in arrays.items():
        has = (~np.isnan(build_rating_vectors(rated, members, reading))).any(axis=1)
        if has.all():
            kept[name] = rated
        elif has.any():
            people = [who for who, rates in zip(rated.participants, has, strict=True) if rates]
            kept[name] = Rated(
                people, rated.ratings[has], rated.shown[has], rated.rated[has], rated.mirrored
            )
    return kept


def build_rating_vectors(rated: Rated, members: np.ndarray, reading: str) -> np.ndarray:
    """Build vectors (participants x pairs) of the ratings of the pairs of a task, whose items have the
    indices `members`.
    """
    # Published: the order of a pair in which the earlier item in the list of items comes first ("one half" of
    # the matrix). Recommended: the mean of both orders. Where pairs were shown in one order only, that order
    # is used in both readings.
    rows, columns = np.triu_indices(len(members), 1)
    upper = rated.ratings[:, members[rows], members[columns]]
    lower = rated.ratings[:, members[columns], members[rows]]
    if reading == "published" and not rated.mirrored:
        return upper
    # If one order is missing, use the other one.
    mean = (upper + lower) / 2
    return np.where(np.isnan(mean), np.where(np.isnan(upper), lower, upper), mean)


def flatten_ratings(rated: Rated, members: np.ndarray) -> np.ndarray:
    """Flatten ratings of all ordered pairs of a task, with identical items, to one row per participant."""
    grid = rated.ratings[:, members][:, :, members]
    return grid.reshape(len(grid), -1)


def list_embedded_systems(
    distances: pd.DataFrame, members: np.ndarray, items: pd.DataFrame
) -> set[str]:
    """List the systems that have a distance between two items of a task."""
    names = items["item"].iloc[members]
    in_task = distances["item_a"].isin(names) & distances["item_b"].isin(names)
    in_task &= distances["item_a"].astype(object) != distances["item_b"].astype(object)
    return set(distances["system"][in_task])


def compute_embedding_similarity(
    distances: pd.DataFrame, system: str, members: np.ndarray, items: pd.DataFrame
) -> np.ndarray:
    """Compute the similarity (minus the distance) of the pairs of a task for a system without raters; the two
    orders of a pair must have the same distance.
    """
    part = distances[distances["system"] == system]
    n = len(items)
    row_of = {name: number for number, name in enumerate(items["item"])}
    matrix = np.full((n, n), np.nan)
    a, b = (part[column].astype(object).map(row_of).to_numpy() for column in ("item_a", "item_b"))
    matrix[a, b] = part["distance"]
    if np.nanmax(np.abs(matrix - matrix.T), initial=0) > 1e-6:
        x, y = np.argwhere(np.abs(matrix - matrix.T) > 1e-6)[0]
        raise InputError(
            "distances", f"two distances for one pair of {system}",
            row=", ".join(items["item"].iloc[[x, y]]), column="distance",
            value=f"{matrix[x, y]:g} and {matrix[y, x]:g}", fix="keep one of the two",
        )  # fmt: skip
    rows, columns = np.triu_indices(len(members), 1)
    upper = matrix[members[rows], members[columns]]
    lower = matrix[members[columns], members[rows]]
    return -np.where(np.isnan(upper), lower, upper)


def log_rating_exclusions(
    ratings: pd.DataFrame, arrays: dict[str, Rated], study: RatingsStudy, items: pd.DataFrame
) -> pd.DataFrame:
    """Count the trials of each system, what is left out and why, and pairs of items of its tasks without a
    rating.
    """

    counted = ratings.groupby(["system", "status"], observed=False).size().unstack(fill_value=0)
    rows = []
    for name, rated in arrays.items():
        by_status = counted.loc[name]
        there = ~np.isnan(rated.ratings).all(axis=0)
        wanted = np.zeros_like(there)
        for task in study.tasks:
            if name in study.list_systems(task):
                members = items[task].to_numpy(dtype=bool)
                wanted |= members[:, None] & members
        np.fill_diagonal(wanted, False)
        reasons = [f"{status}: {n}" for status, n in by_status.items() if n and status != "ok"]
        rows.append(
            {
                "system": name,
                "label": study.systems[name].label,
                "kind": study.systems[name].kind,
                "raters": len(rated.participants),
                "trials": by_status.sum(),
                "rated": by_status.get("ok", 0),
                "refused": by_status.get("refused", 0),
                "other": by_status.sum() - by_status.get("ok", 0) - by_status.get("refused", 0),
                "one_sided_pairs": int(((there ^ there.T) & wanted).sum() // 2),
                "unrated_pairs": int((~there & ~there.T & wanted).sum() // 2),
                "reason": "; ".join(reasons),
            }
        )
    return pd.DataFrame(rows)
