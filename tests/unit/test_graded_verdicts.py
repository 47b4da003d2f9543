"""Ratings and scores become verdicts and keep their grade; scales and tables that cannot be read say why."""

import types

import pandas as pd
import pytest
from project import describe_texts, read_tables
from pydantic import ValidationError

from turingstats.config import graded, raw_files
from turingstats.config.graded import Rating, Score
from turingstats.core.errors import ConfigError, InputError
from turingstats.data.adapters.graded import check_scores

STUDY = describe_texts()
STUDY["tasks"]["pick"] = {
    "label": "Pick", "choice": True, "cohorts": {"people": {"label": "People"}}
}  # fmt: skip
TABLE = """\
who,by,said,text
anna,human,1,t1
anna,bot,4,t2
anna,bot,7,t3
bert,human,5,t1
bert,bot,2,t2
"""
COLUMNS = {"judge": "who", "agent": "by", "stimulus": "text"}
SCALE = {"column": "said", "human": "1-3", "unsure": 4, "machine": "5-7"}
REVERSED = {"column": "said", "human": "5-7", "unsure": 4, "machine": "1-3"}


def read(folder, text=TABLE, **keys):
    (folder / "trials.csv").write_text(text, encoding="utf-8")
    file = {"path": "trials.csv", "task": "texts", "cohort": "people", "columns": COLUMNS} | keys
    return read_tables(folder, STUDY, file)[1]


def test_ratings_become_verdicts_and_are_kept(tmp_path):
    found = read(tmp_path, rating=SCALE)
    assert found["verdict"].tolist() == ["human", "unsure", "machine", "machine", "human"]
    assert found["rating"].tolist() == [1, 4, 7, 5, 2]
    assert found["confidence"].tolist() == [3, 0, 3, 1, 2]
    found = read(tmp_path, rating=REVERSED)
    assert found["verdict"].tolist() == ["machine", "unsure", "human", "human", "machine"]
    assert found["rating"].tolist() == [7, 4, 1, 3, 6]


def test_confidence_of_the_table_is_kept(tmp_path):
    text = TABLE.replace("\n", ",80\n").replace("80", "sure", 1)
    columns = COLUMNS | {"confidence": "sure"}
    assert set(read(tmp_path, text, rating=SCALE, columns=columns)["confidence"]) == {80}
    # Words are points, and null leaves rows out.
    text = TABLE.replace(",7,", ",surely AI,").replace(",5,", ",99,")
    values = {"rating": {"Surely AI": "7", "99": None}}
    assert read(tmp_path, text, rating=SCALE, values=values)["rating"].tolist() == [1, 4, 7, 2]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (">= 5", ["human", "human", "machine", "machine", "human"]),
        (">5", ["human", "human", "machine", "human", "human"]),
        ("<= 2", ["machine", "human", "human", "human", "machine"]),
        ("< 2e0", ["machine", "human", "human", "human", "human"]),
    ],
)
def test_scores_become_verdicts_of_named_detectors(tmp_path, said, kept):
    score = {"column": "said", "machine": said}
    found = read(tmp_path, score=score, cohort="detectors")
    assert found["verdict"].tolist() == kept
    assert set(found["judge"]) == {"texts.detectors.anna", "texts.detectors.bert"}
    assert found["confidence"].isna().all()
    # Larger values always mean a machine.
    raw = [1, 4, 7, 5, 2]
    expected = raw if said.startswith(">") else [1 - number for number in raw]
    assert found["rating"].tolist() == expected


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("9", ("row:     4", "column:  said", "'9'", "1, 2, 3, 4, 5, 6, 7")),
        ("dunno", ("row:     4", "not a number", "'dunno'", "values: rating")),
        ("", ("row:     4", "no rating", '"": null')),
    ],
)
def test_a_value_outside_the_scale_is_named(tmp_path, cell, said):
    with pytest.raises(InputError) as error:
        read(tmp_path, TABLE.replace(",7,", f",{cell},"), rating=SCALE)
    assert all(words in str(error.value) for words in said), error.value


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"score": {"column": "said", "machine": ">= 4"}}, "scores belong to machine judges"),
        ({"rating": SCALE, "optional": ["rating"]}, "cannot be missing"),
        ({"rating": SCALE, "task": "pick"}, "a choice between two"),
        ({"rating": SCALE, "score": {"column": "said", "machine": ">= 4"}}, "rating and score"),
        (
            {"rating": SCALE, "columns": {"judge": "who", "verdict": "said", "agent": "by"}},
            "rating and verdict",
        ),
        ({"columns": {"judge": "who", "rating": "said"}}, "columns, values or limits for rating"),
    ],
)
def test_contradictions_are_refused(tmp_path, keys, said):
    with pytest.raises(ConfigError, match=said):
        read(tmp_path, **keys)


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        ({"human": "1-3", "machine": "5-7"}, "4 has no meaning"),
        ({"human": "1-4", "machine": "4-7"}, "4 has two meanings"),
        ({"human": [1, 7], "machine": "2-6"}, "do not go from human"),
        ({"human": "3-1", "machine": "4-7"}, "not a range"),
        ({"human": "low", "machine": "4-7"}, "neither a number nor a range"),
        ({"human": [], "machine": "2-3"}, "needs points"),
        ({"human": "0.6-1", "machine": "0-0.4"}, "meet at their ends"),
        ({"human": "0.5-1", "machine": "0-0.5", "unsure": "0.5"}, "meet at their ends"),
        *(
            ({"machine": said}, "not a comparison")
            for said in ("0.5", "= 0.5", "> half", "> 1 or so", "")
        ),
    ],
)
def test_scales_and_thresholds_without_one_meaning_are_refused(scale, said):
    with pytest.raises(ValidationError, match=said):
        (Rating if "human" in scale else Score)(column="said", **scale)


def test_cohorts_with_grades_are_listed():
    shared = {"path": "t.csv", "format": "verdict_table", "task": "texts"}
    files = [
        raw_files.RawFile(**shared, cohort="people", rating=SCALE),
        raw_files.RawFile(**shared, score={"column": "p", "machine": "> 1"}),
        raw_files.RawFile(**shared | {"task": "other"}, cohort="people"),
    ]
    listed = graded.list_grades(files)
    assert list(listed) == ["texts"]
    assert listed["texts"]["people"]["points"] == [1, 2, 3, 4, 5, 6, 7]
    assert listed["texts"]["all"]["kind"] == "score"
    other = {**SCALE, "machine": "5-6"}
    with pytest.raises(ConfigError, match="different scale"):
        graded.list_grades([*files, raw_files.RawFile(**shared, cohort="people", rating=other)])


def score_detectors(scores):
    rows = [(name, value) for name, own in scores.items() for value in own]
    table = pd.DataFrame(rows, columns=["judge", "score"])
    grade = Score(column="score", machine=">= 0.5")
    shaped = types.SimpleNamespace(path="t.csv", notes=[])
    check_scores(shaped, table["score"].astype(float), table, grade)
    return shaped.notes


def test_scores_of_two_scales_and_thresholds_never_reached():
    told = r"(?s)scores of B go up to 98, those of A.*column: +score"
    with pytest.raises(InputError, match=told):
        score_detectors({"A": [0.1, 0.9], "B": [3, 98]})
    assert score_detectors({"A": [0.1, 0.9], "B": [0.2, 0.7]}) == []
    (note,) = score_detectors({"A": [0.1, 0.9], "B": [0.2, 0.4]})
    assert (note["level"], note["examples"]) == ("warning", "B")


def test_sliders_keep_their_decimals():
    slider = Rating(column="x", human="0.5-1", machine="0-0.5")
    assert (slider.ends, slider.rises, len(slider.points)) == ((0, 1), False, 101)
    meant = {0.0: "machine", 0.49: "machine", 0.5: "unsure", 0.51: "human", 1.0: "human"}
    assert {value: slider.interpret(value) for value in meant} == meant
    # As parameters of a job.
    assert Rating(**slider.model_dump(mode="json")) == slider
    points = Rating(column="x", human="0-49", unsure=50, machine="51-100")
    assert [points.interpret(x) for x in (49.4, 49.5, 50.2, 50.6, 99.9)] == [
        "human", "unsure", "unsure", "machine", "machine",
    ]  # fmt: skip
