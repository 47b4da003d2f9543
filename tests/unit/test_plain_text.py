"""Texts of unknown origin: control characters, formulas in spreadsheets, and labels that fit nowhere."""

import csv

import pandas as pd
import pytest

from turingstats.core import files
from turingstats.core.plain_text import escape_controls, guard_cell, unguard_cell
from turingstats.figures import pages


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, \N{LATIN SMALL LETTER E WITH ACUTE}, \U0001f468\u200d\U0001f469", None),
        ("two\nlines\tand more", None),
        ("\x1b[31mred\x07\r", "\\x1b[31mred\\x07\\x0d"),
        ("\u202ertl\u2069\u2028", "\\u202ertl\\u2069\\u2028"),
        ("\x9b\ufeff\ud800\U000e0041", "\\x9b\\ufeff\\ud800\\U000e0041"),
    ],
)
def test_control_characters_are_shown(text, shown):
    assert escape_controls(text) == (shown or text)


FORMULAS = ["=1+1", "+x", "-x", "@SUM(1)", "\tx", "\r=1", "\uff1d1", "'=1", "''@x"]


@pytest.mark.parametrize("text", [*FORMULAS, "-2+3*cmd|' /C calc'!A0"])
def test_formulas_are_guarded_and_come_back(text):
    assert guard_cell(text) == f"'{text}"
    assert unguard_cell(guard_cell(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "x", "-5", "+0.04", "-1e-16", "-0.08 to +0.04", "-0.13 (-0.20 to -0.06)", "'quoted'", "''", "a=b",
     "-0.41 [-1, 2]", "-5%"],
)  # fmt: skip
def test_numbers_and_other_texts_are_not(text):
    assert guard_cell(text) == text == unguard_cell(text)


@pytest.mark.parametrize("folder", ["tables", "statistics"])
def test_tables_come_back_as_they_were(folder, tmp_path):
    odd = ["=1", "'=1", "-x", "a\rb", "\r", '"', "a\nb", "\t", ",", None]
    frame = pd.DataFrame({"=x": odd, "n": [-1.5] * len(odd), "agent": [*odd[:-1], "NA"]})
    frame["level"] = frame["agent"].astype("category")
    path = tmp_path / folder / "t.csv"
    files.write_frame(frame, path)
    read = files.read_frame(path)
    assert list(read.columns) == list(frame.columns)
    for name in frame.columns:
        both = [list(table[name].astype(object).fillna("")) for table in (read, frame)]
        assert both[0] == both[1]
    rows = files.read_text_rows(path)
    assert rows[1][:3] == ["=1", "-1.5", "=1"] and len(rows) == len(odd) + 1
    with path.open(newline="") as stream:
        written = list(csv.reader(stream))
    assert [row[0] for row in written[:2]] == ["'=x", "'=1"]


def test_labels_that_fit_nowhere_are_shortened_and_stay_distinct():
    long = "word " * 50
    labels = pd.Series([long + "a", long + "b", "short", None, "two\nlines", long + "a"])
    shown = labels.map(pages.shorten_label, na_action="ignore")
    assert shown.nunique() == 4 and shown.str.len().max() <= pages.LONGEST_LABEL
    assert list(shown[2:3]) == ["short"] and shown[4] == "two lines" and shown[0] == shown[5]
    broken = pages.shorten_label("x" * 50)
    assert broken == "x" * 30 + " " + "x" * 20
