"""What notebooks print: the models of conversations, catch trials, captions judged in two orders, people."""

from pathlib import Path

import pandas as pd
import pytest
from project import read_study

from converters.zhang2025 import printed, reading
from converters.zhang2025.raw_files import RawFile

FOLDER = Path(__file__).resolve().parents[2] / "data/observed/zhang2025"
STUDY = read_study("zhang2025")


def test_captions_are_read_as_they_are_bundled():
    place = {"task": "caption", "cohort": "zeroshot"}
    file = RawFile(path="a.ipynb", format="printed.read_captions", **place)
    judgments = printed.read_captions(file, "", STUDY)["judgments"]
    for version, right in (("published", 756), ("recommended", 1351)):
        own = judgments[judgments["reading"].isna() | (judgments["reading"] == version)]
        said = own.loc[own["truth"] == "human", "verdict"] == "human"
        assert (len(own), said.sum(), len(said)) == (7000, right, 2000)


@pytest.mark.parametrize(
    ("caught", "kept", "left"), [(0, True, 1), (341, False, 342), (500, True, 1)]
)
def test_catch_trials_are_those_that_the_notebook_counts(caught, kept, left):
    place = {"task": "color", "cohort": "feedback"}
    counted = RawFile(path="a.ipynb", format="printed.read_catch_trials", **place)
    read = {counted: printed.read_catch_trials(counted, "", STUDY)}
    other = RawFile(path="a.db", format="sessions.read_pages", **place)
    phases = ["test"] + ["catch"] * caught
    read[other] = {"judgments": pd.DataFrame({"phase": phases, "study": "zhang2025"})}
    reading.settle_catch_trials(read)
    assert (counted in read) == kept
    assert len(read[other]["judgments"]) == left
    if caught == 500:
        (row,) = read[other]["left_out"].to_dict("records")
        assert row["rows"] == 500 and "a notebook counts 341" in row["reason"]
