"""Errors of all quantities of a table at once are those of each quantity by itself, row by row."""

import numpy as np
import pandas as pd
import pytest
from project import NOBODY

from turingstats.analysis.estimates.recommended import estimate_recommended
from turingstats.analysis.estimates.sides import COUNTED, find_people_table
from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import arrange_counts
from turingstats.data.schema import JUDGED
from turingstats.stats.crossed import MIN_UNITS, estimate_crossed_error
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity

AGENTS = ["human", "one", "two"]


def draw_cohort(choice):
    """Draw verdicts, some unsure, by judges who are also what is judged, at two levels of a condition."""
    rng = np.random.default_rng(5)
    rows = pd.DataFrame(
        {
            "judge": rng.integers(0, 12, 600).astype(str),
            "stimulus": [JUDGED + name for name in rng.integers(6, 20, 600).astype(str)],
            "agent": np.array(AGENTS)[rng.integers(int(choice), 3, 600)],
            "level": np.array(["x", "y"])[rng.integers(0, 2, 600)],
            "verdict": rng.choice(["n_human", "n_machine", "unsure"], 600, p=[0.5, 0.35, 0.15]),
        }
    )
    tables = [("all", rows.assign(group="all")), ("variant", rows.assign(group=rows["level"]))]
    keys = ["judge", "stimulus", "agent", "group_by", "group"]
    rows = pd.concat(part.assign(group_by=name) for name, part in tables)
    counts = rows.groupby([*keys, "verdict"]).size().unstack(fill_value=0)
    counts = counts.assign(n=counts.sum(axis=1)).drop(columns="unsure").reset_index()
    # Only names tell who is in both roles.
    return arrange_counts(counts.assign(person=""), NOBODY, AGENTS[1:], choice)


def split_influence(counts, of_agent, slopes, name, same):
    """Split how much rows move a quantity, and their trials, by side."""
    by_side = slopes.reshape(2, 2)
    moved = (counts * (by_side.sum(axis=0) if same else by_side[1 * of_agent])).sum(axis=1)
    counted = same | (WHOSE[name] == "pair") | (of_agent == (WHOSE[name] == "agent"))
    place = of_agent & (not same and not QUANTITIES[name].is_pooled)
    sides = np.column_stack([~place, place])
    return moved[:, None] * sides, (counts[:, 1] * counted)[:, None] * sides


def estimate_row(cohort, row, pooled):
    """Estimate the error of one quantity from its rows of verdicts."""
    table, name = cohort.tables.index((row["group_by"], row["group"])), row["quantity"]
    rows, same = cohort.find_rows(table, row["agent"]), cohort.choice or row["agent"] == "human"
    people = [] if same else cohort.find_rows(find_people_table(cohort, table, pooled), "human")
    of_agent = np.arange(len(people) + len(rows)) >= len(people)
    rows = np.concatenate([people, rows]).astype(int)
    counts = cohort.counts[rows] @ COUNTED[QUANTITIES[name].counts]
    sides = counts[of_agent if same else ~of_agent], counts[of_agent]
    slopes = differentiate_quantity(name, np.concatenate([side.sum(axis=0) for side in sides]))
    influence, trials = split_influence(counts, of_agent, slopes, name, same)
    seen = of_agent if WHOSE[name] != "pair" else np.ones(len(rows), bool)
    assert len(np.unique(cohort.judge[rows[seen]])) >= MIN_UNITS
    return estimate_crossed_error(
        influence[..., None],
        cohort.judge[rows],
        cohort.stimulus[rows],
        trials[..., None],
        both_roles=cohort.both_roles,
    )


@pytest.mark.parametrize("pooled", [(), ("variant",)])
@pytest.mark.parametrize("choice", [False, True])
def test_errors_are_those_of_each_quantity_by_itself(choice, pooled):
    cohort = draw_cohort(choice)
    assert len(cohort.both_roles[0]) == 6
    for row in estimate_recommended(cohort, pooled, 0.95).to_dict("records"):
        error = estimate_row(cohort, row, pooled)
        assert row["se"] == pytest.approx(error.se[0], rel=1e-9)
        assert row["df"] == pytest.approx(error.df[0], rel=1e-9)
