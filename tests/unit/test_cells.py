"""What cells mean: nothing, numbers, yes and no, codes for no answer."""

import pandas as pd
import pytest

from turingstats.core.errors import InputError
from turingstats.data import cells
from turingstats.data.adapters.identifiers import reduce_id


def write_plainly(texts, whole=False):
    column = pd.Series(texts, dtype="category")
    return cells.write_plainly(column, "t.csv", "x", whole).tolist()


@pytest.mark.parametrize(
    ("texts", "whole", "expected"),
    [
        (["0,463", "1", "0,2"], False, ["0.463", "1", "0.2"]),
        (["3,125", "2,875", "3"], False, ["3.125", "2.875", "3"]),
        *(([f"1{mark}234", "975"], True, ["1234", "975"]) for mark in ",' ."),
        (["523.123", "612", "498.7"], True, ["523.123", "612", "498.7"]),
        (["523.123", "612"], True, ["523.123", "612"]),
        (["1.234,5", "2"], False, ["1234.5", "2"]),
        (["1,234.5", "1,000"], False, ["1234.5", "1000"]),
        (["1,234,567", "2000"], False, ["1234567", "2000"]),
        (['"12"', "13"], False, ["12", "13"]),
        (["1e3", "7", "inf", "word, and word"], False, ["1e3", "7", "inf", "word, and word"]),
        (["-3,5", "2"], False, ["-3.5", "2"]),
    ],
)
def test_numbers_are_written_with_points_alone(texts, whole, expected):
    assert write_plainly(texts, whole) == expected
    # Decimal commas and points in one column are refused.
    with pytest.raises(InputError, match=r"row: +1\n"):
        write_plainly(["0,5", "0.5"])


@pytest.mark.parametrize(
    ("numbers", "codes"),
    [
        ([1, 2, 3, 4, 5, 99], [99]),
        ([1, 2, 3, 4, 5, 99, 999, -1], [-1, 99, 999]),
        ([0.1, 0.95, -1], [-1]),
        ([1, 4, 7, 9], []),
        ([-1, 0, 1], []),
        ([-3, -1, 2, 3], []),
        ([10, 50, 87, 99], []),
        ([0, 50, 100, 999], [999]),
        ([100, 350, 600, 999], []),
        ([99], []),
    ],
)
def test_codes_for_no_answer_are_off_the_scale_of_the_others(numbers, codes):
    assert cells.find_no_answers(map(float, numbers)) == codes


def test_words_for_nothing_are_empty_and_noted():
    notes = []
    texts = ["x", "NA", " n/a", "?", "-", "None", "unknown", "-99", "human"]
    column = pd.Series(texts, dtype="category")
    found = cells.empty_nothing(column, "c", notes, names=True)
    assert found.tolist() == ["x", *[""] * 7, "human"]
    assert notes[0]["number"] == 7
    # A level of a condition may be called none; what the user explains is kept; low numbers are numbers.
    assert cells.empty_nothing(column, "c", notes).tolist()[5:7] == ["None", "unknown"]
    assert cells.empty_nothing(column, "c", notes, kept=["na"]).tolist()[1] == "NA"
    low = pd.Series(["-99", "-50", "12"], dtype="category")
    assert cells.empty_nothing(low, "c", notes).tolist() == ["-99", "-50", "12"]


def test_ids_that_look_alike_and_those_that_differ():
    for pair in ("s07 s7", "p1 p01", "1e5 100000", "007 7", "1 1.0", "P01 p1"):
        assert len(set(map(reduce_id, pair.split()))) == 1, pair
    for pair in ("p10 p1", "gpt-4.1 gpt-4", "v1.10 v1.1", "100 10", "a b"):
        assert len(set(map(reduce_id, pair.split()))) == 2, pair
