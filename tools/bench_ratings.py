"""Time the statistics of similarity ratings at the size of the paper, against their budget.

Run with `make bench-statistics`: people, and 30 systems of 24 participants with 4,489 ratings each (67 items,
both orders), generated. Maps of participants are not part of it.
"""

import tempfile
import time
from pathlib import Path

import pandas as pd

from demo.turingrsa import ratings as simulate
from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files, yaml_models
from turingstats.ratings import raw_ratings
from turingstats.ratings.analysis import analyze_ratings

PUBLISHED = Path(__file__).parents[1] / "data/published/turingrsa"
BUDGET = 20  # seconds on one core
SYSTEMS, PARTICIPANTS = 30, 24


def make_study(names):
    """Make a study of these systems, on the words, with people as reference."""
    systems = {"human": {"label": "Human", "kind": "human", "orders": "one"}}
    systems |= {name: {"label": name} for name in names}
    task = {"label": "Words", "references": ["human"]}
    described = {"study": "bench", "title": "Bench", "design": "ratings", "systems": systems}
    return yaml_models.build_model(RatingsStudy, described | {"tasks": {"words": task}}, "bench")


def write_files(names, folder):
    """Generate the files of a study; return how many ratings there are."""
    items = pd.read_csv(PUBLISHED / "items.csv")
    printed = pd.read_csv(PUBLISHED / "design.csv")
    model = printed[printed["system"] == "gpt4omini"]
    people = printed[printed["system"].isin(["human", "spose"])]
    machines = [model.assign(system=name, participants=PARTICIPANTS) for name in names]
    alignments = pd.read_csv(PUBLISHED / "alignments.csv")
    alignments = alignments[
        alignments[["system_a", "system_b"]].isin(["human", "spose"]).all(axis=1)
    ]
    table, distances = simulate.generate_tables(
        pd.concat([people, *machines]), alignments, items, seed=1
    )
    files.write_frame(table, folder / "ratings.parquet")
    files.write_frame(items[["item", "category"]], folder / "items.csv")
    return len(table), distances.iloc[:0]


def main():
    """Print the seconds that reading, checking and the statistics take."""
    names = [f"m{number:02}" for number in range(SYSTEMS)]
    study = make_study(names)
    with tempfile.TemporaryDirectory() as folder:
        number, distances = write_files(names, Path(folder))
        start = time.process_time(), time.perf_counter()
        table = raw_ratings.read_ratings(Path(folder) / "ratings.parquet", study)
        items = raw_ratings.read_items(Path(folder) / "items.csv", table, list(study.tasks))
    arrays = raw_ratings.build_rating_arrays(table, study, items)
    raw_ratings.log_rating_exclusions(table, arrays, study, items)
    options = {"seed": 1, "n_permutation": 10_000, "confidence": 0.95}
    tables = analyze_ratings(study, items, arrays, distances, options)
    used, spent = time.process_time() - start[0], time.perf_counter() - start[1]
    verdict = "" if used <= BUDGET else "  OVER BUDGET"
    rows = {name: len(rows) for name, rows in tables.items()}
    print(f"{number:,} ratings, of {SYSTEMS} systems and people; rows: {rows}")
    print(f"  {used:.1f} s of CPU, {spent:.1f} s on the clock, of {BUDGET} s{verdict}")


if __name__ == "__main__":
    main()
