"""Marks of numbers in figures: error bars that can be seen, rounding, and what is marked as best."""

import pandas as pd
import pytest

from turingstats.figures.kinds import examples, matrix


def rate(agent, value, se, group=None):
    return {"quantity": "p_HM", "agent": agent, "group": group, "value": value, "se": se}


def test_rates_of_a_row_add_to_one_after_rounding():
    rows = pd.DataFrame({"quantity": ["p_HM", "p_MM"], "value": [0.295, 0.705]})
    assert matrix.format_rates(rows) == {"p_HM": "0.30", "p_MM": "0.70"}


def test_agents_within_the_error_of_the_best_are_marked_as_alike():
    rows = [
        rate(agent, value, 0.016) for agent, value in zip("abc", (0.64, 0.63, 0.5), strict=True)
    ]
    rows.append(rate("all", 0.9, 0))
    matrix.mark_best_imitators(rows)
    assert [row.get("mark") for row in rows] == ["best imitator", "alike", None, None]
    # One has the frame, and an agent alone none.
    rows = [rate("a", 0.33, 0), rate("b", 0.33, 0), rate("c", 0.2, 0)]
    for row in rows:
        del row["se"]
    matrix.mark_best_imitators(rows)
    assert [row.get("mark") for row in rows] == ["best imitator", "alike", None]
    for rows in ([rate("a", 0.6, 0.01)], []):
        matrix.mark_best_imitators(rows)
        assert not any(row.get("mark") for row in rows)


def test_the_best_is_marked_in_each_kind_of_conversation():
    rows = [rate("a", 0.6, 0.01, "M-M"), rate("b", 0.5, 0.01, "M-M")]
    rows += [rate("a", 0.4, 0.01, "H-M"), rate("b", 0.5, 0.01, "H-M")]
    matrix.mark_best_imitators(rows)
    assert [bool(row.get("mark")) for row in rows] == [True, False, False, True]


@pytest.mark.parametrize(
    ("stimulus", "name"),
    [("1098", "Image 1098"), ("0001", "Image 1"), ("img002", "Image 2"), ("cat", "cat")],
)
def test_images_are_named_alike(stimulus, name):
    assert examples.name_stimulus(stimulus) == name
