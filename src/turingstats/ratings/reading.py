"""Tables of similarity ratings, items and distances: reading, checks and the exclusion log.

Each is a file of data/sources/ with columns as docs/ratings.md names them, or of any names that `columns:`
maps to these; formats are `ratings`, `items` and `distances`.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.checked_csv import Check, check_allowed, check_table, check_unique
from turingstats.core.errors import InputError
from turingstats.data.adapters import columns, table_files
from turingstats.data.adapters.messages import make_source_error
from turingstats.data.adapters.repeated_rows import REPEATED
from turingstats.ratings.arrays import Rated, build_rating_arrays

RATINGS = ("system", "participant", "item_a", "item_b", "rating")
DISTANCES = ("system", "item_a", "item_b", "distance")
ITEMS = ("item", "category")
NUMBERED = r"[A-Za-z]{0,2}_?\d{1,4}"
"""Regular expression of participants who are numbered already."""


def read_study(
    listed: Iterable[RawFile], folder: str | Path, study: Study
) -> dict[str, pd.DataFrame]:
    """Read the ratings, items and distances of a study, and count the trials that are left out."""
    files = {file.format: file for file in listed}
    if "ratings" not in files:
        raise InputError(
            folder, "no file of ratings", fix="list one with format: ratings in data/sources/"
        )
    ratings = read_ratings(files["ratings"], folder, study)
    items = read_items(files.get("items"), folder, ratings, list(study.tasks))
    check_items(Path(folder) / files["ratings"].path, ratings, items)
    distances = read_distances(files.get("distances"), folder, study, items)
    ratings = ratings[[*RATINGS, "status"]]
    arrays = build_rating_arrays(ratings, study, items)
    return {
        "ratings": ratings,
        "items": items,
        "distances": distances,
        "exclusions": log_rating_exclusions(ratings, arrays, study, items),
    }


def read_table(
    file: RawFile,
    folder: str | Path,
    needed: Sequence[str],
    optional: Sequence[str],
    number: str = "",
) -> pd.DataFrame:
    """Read a table with the `needed` columns and those of the `optional` ones that it has, as categories of
    text, but `number` as a number; the index is the line in the file.
    """
    names = [*needed, *optional]
    if not file.columns:
        header = table_files.read_header(Path(folder) / file.path)
        file = file.model_copy(update={"columns": {n: n for n in names if n in header}})
    implied = {"system"} if file.cohort else set()
    lacking = [name for name in needed if name not in {*file.columns, *implied}]
    if lacking:
        raise make_source_error(file, "lacking_rating_columns", names=", ".join(lacking))
    table, left_out, shaped = columns.load_columns(
        file, folder, names, numbers=(number,) if number else ()
    )
    reasons = left_out.loc[~left_out["reason"].str.startswith("nothing in"), "reason"]
    if len(reasons):
        raise make_source_error(file, "left_out", number=len(reasons), reason=reasons.iloc[0])
    with shaped.name_sources():
        for name in needed:
            if name == number:
                table[name] = columns.parse_numbers(shaped, table[name], name)
            elif name in table:
                shaped.require_filled(table, name)
    if "system" in needed and "system" not in table:
        table["system"] = pd.Categorical([file.cohort] * len(table))
    return table.set_axis(range(2, len(table) + 2), axis=0) if file.wide else table


def read_ratings(file: RawFile, folder: str | Path, study: Study) -> pd.DataFrame:
    """Read and check ratings; `rating` is missing where `status` is not ok, as in repeats.

    Participants become numbers within their agent, unless columns have their proper names and people are
    numbered already.
    """
    path = Path(folder) / file.path
    table = read_table(file, folder, RATINGS, ("status", "task", "trial"), number="rating")
    if table.empty:
        raise InputError(path, "the table has no ratings", fix="correct `path` in data/sources/")
    people = table.loc[table["system"] == "human", "participant"].astype(str)
    if file.columns or not people.drop_duplicates().str.fullmatch(NUMBERED).all():
        table["participant"] = number_participants(table)
    check_table(table, list_rating_checks(table, study), path)
    status = table.get("status", pd.Series(index=table.index, dtype="category"))
    status = status.cat.set_categories([*dict.fromkeys(["ok", "refused", *status.cat.categories])])
    status = status.fillna("ok").where(status.notna() | table["rating"].notna(), "refused")
    table = table.assign(status=status)
    check_table(table, {}, path, {"rating": STATUS_RULES})
    repeated = table.duplicated() & table["rating"].notna()
    if repeated.any():
        status = status.cat.add_categories([REPEATED]).mask(repeated, REPEATED)
        table = table.assign(status=status, rating=table["rating"].mask(repeated))
    return separate_tasks(table) if "task" in table else table


STATUS_RULES = [
    Check(
        lambda rows: (rows["status"] != "ok") | rows["rating"].notna(),
        "status ok without a rating",
        "give a rating, or another status (refused, filtered, ...)",
    ),
    Check(
        lambda rows: rows["rating"].isna() | (rows["status"] == "ok"),
        "a rating whose status is not ok",
        "empty the rating, which is left out anyway, or set the status to ok",
    ),
]


def list_rating_checks(table: pd.DataFrame, study: Study) -> dict[str, Check]:
    """List the checks of systems, ratings and, if there are any, tasks."""
    low, high = study.scale
    fix = "add it to `agents` in the study file, or leave its rows out"
    checks = {
        "system": check_allowed(study.agents, fix, "unknown system"),
        "rating": Check(
            lambda ratings: ratings.isna() | ratings.between(low, high),
            "rating outside the scale",
            "rescale the ratings, or set `scale` in the study file",
            [f"{low:g} to {high:g}"],
        ),
    }
    if "task" in table:
        fix = "add it to `tasks` in the study file, or say what it means under values: task"
        checks["task"] = check_allowed(study.tasks, fix, "unknown task")
    return checks


def number_participants(table: pd.DataFrame) -> pd.Series:
    """Replace participants by numbers within their agent, in order of first appearance."""
    numbers = table.groupby("system", sort=False)["participant"].transform(
        lambda ids: pd.factorize(ids)[0] + 1
    )
    names = table["system"].astype(str) + numbers.astype(int).map(".r{:03d}".format)
    return names.astype("category")


def separate_tasks(table: pd.DataFrame) -> pd.DataFrame:
    """Make an item that was rated in several tasks one item of each, named after it: `orange (fruit)`."""
    rated = table.melt("task", ["item_a", "item_b"], value_name="item")
    tasks = rated.astype(str).groupby("item")["task"].nunique()
    shared = set(tasks.index[tasks > 1])
    for name in ("item_a", "item_b"):
        items = table[name].astype(str)
        named = items + " (" + table["task"].astype(str) + ")"
        table[name] = items.where(~items.isin(shared), named).astype("category")
    return table


def read_items(
    file: RawFile | None, folder: str | Path, ratings: pd.DataFrame, tasks: Collection[str]
) -> pd.DataFrame:
    """Read item, category and one bool column per task.

    Without a file, the items are those of the ratings, in alphabetical order and in one category.
    """
    if file is None:
        names = sorted({*ratings["item_a"].cat.categories, *ratings["item_b"].cat.categories})
        table = pd.DataFrame({"item": names, "category": "all"})
        for task in tasks:
            rows = ratings[ratings["task"] == task] if "task" in ratings else ratings
            table[task] = table["item"].isin({*rows["item_a"], *rows["item_b"]})
        return table
    path = Path(folder) / file.path
    table = read_table(file, folder, ITEMS, ("sets",))
    check = check_unique("this item is listed twice", "keep one line per item")
    check_table(table, {"item": check}, path)
    sets = [[]] * len(table)
    if "sets" in table:
        sets = [str(text).split() for text in table["sets"].astype(object).fillna("")]
    for number, names in enumerate(sets):
        for name in names:
            if name not in tasks:
                raise InputError(
                    path, "no such task", row=f"line {number + 2}", column="sets", value=name,
                    allowed=tasks, fix="name tasks of the study file, or leave the cell empty",
                )  # fmt: skip
    members = {task: [not names or task in names for names in sets] for task in tasks}
    return table.assign(**members)


def read_distances(
    file: RawFile | None, folder: str | Path, study: Study, items: pd.DataFrame
) -> pd.DataFrame:
    """Read and check distances of systems without raters; empty without a file."""
    if file is None:
        return pd.DataFrame(columns=DISTANCES)
    table = read_table(file, folder, DISTANCES, (), number="distance")
    fix = "add it to `agents` in the study file"
    checks = {
        "system": check_allowed(study.agents, fix, "unknown system"),
        "distance": Check(
            lambda distances: distances.fillna(-1) >= -1e-9,
            "not a distance",
            "a distance is 0 or more (cosine distance: 1 - cosine similarity)",
        ),
    }
    path = Path(folder) / file.path
    check_table(table, checks, path)
    check_items(path, table, items)
    return table[list(DISTANCES)]


def check_items(path: Path, table: pd.DataFrame, items: pd.DataFrame) -> None:
    """Raise `InputError` for items that are not in the list of items."""
    listed = [f"the {len(items)} items of the file of items"]
    check = Check(
        lambda cells: cells.isin(items["item"]),
        "unknown item",
        "correct the spelling, or add the item",
        listed,
    )
    check_table(table, {"item_a": check, "item_b": check}, path)


def log_rating_exclusions(
    ratings: pd.DataFrame, arrays: dict[str, Rated], study: Study, items: pd.DataFrame
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
        for task, described in study.tasks.items():
            if name in described.raters:
                members = items[task].to_numpy(dtype=bool)
                wanted |= members[:, None] & members
        np.fill_diagonal(wanted, False)
        reasons = [f"{status}: {n}" for status, n in by_status.items() if n and status != "ok"]
        rows.append(
            {
                "system": name,
                "label": study.agents[name].label,
                "kind": "human" if name == "human" else "llm",
                "raters": len(rated.participants),
                "trials": by_status.sum(),
                "rated": by_status["ok"],
                "refused": by_status["refused"],
                "other": by_status.drop(["ok", "refused"]).sum(),
                "one_sided_pairs": int(((there ^ there.T) & wanted).sum() // 2),
                "unrated_pairs": int((~there & ~there.T & wanted).sum() // 2),
                "reason": "; ".join(reasons),
            }
        )
    return pd.DataFrame(rows)
