"""The observed trials that come with the project are those of the public files."""

import json

import pandas as pd
import pytest
from project import OBSERVED, read_study

from converters.zhang2025 import bundling, raw_files
from turingstats.data import data_package, package_reader, package_writer, record_checks

STUDY = read_study("zhang2025")


@pytest.fixture(scope="module")
def tables():
    """What the observed tables hold, before they complete each other."""
    return package_reader.collect_tables(OBSERVED, STUDY)


def format_tables(tables, study):
    made = bundling.make_tables(tables, study)
    return {name: package_writer.format_cells(table) for name, table in made.items()}


def test_altered_rows_are_listed(tables):
    study = STUDY.model_copy(update={"tasks": {t: STUDY.tasks[t] for t in ("color", "object")}})
    ours = format_tables(tables, study)
    theirs = {name: table.copy() for name, table in ours.items()}
    trials = theirs["color_trials"]
    trials.loc[3, "verdict"] = {"human": "machine", "machine": "human"}[trials.loc[3, "verdict"]]
    theirs["object_trials"] = theirs["object_trials"].drop(index=7)
    theirs["color_judges"].loc[0, "judge"] = "somebody else"
    found = bundling.compare_tables(ours, theirs)
    assert bundling.compare_tables(ours, ours).empty
    assert found["table"].tolist().count("color_trials") == 1
    told = found.set_index("table")
    assert told.loc["color_trials", "row"] == "amt w001 4"
    assert told.loc["color_trials", "column"] == "verdict"
    assert told.loc["object_trials", ["bundled", "public"]].tolist() == ["there", "no such row"]
    assert set(told.loc["color_judges", "bundled"]) == {"there", "no such row"}


def test_people_are_compared_by_who_is_the_same_not_by_number():
    ours = pd.Series(["a.p001", "a.p002", "a.p001", ""])
    for public, different in (("9494", [0, 0, 0, 0]), ("9441", [0, 0, 1, 0])):
        one, other = bundling.match_people(ours, pd.Series(list(public)))
        assert (one != other).tolist() == [bool(is_different) for is_different in different]


def test_tables_are_laid_out_as_they_are_read_and_lacking_files_listed(tables):
    made = format_tables(tables, STUDY)
    listed = json.loads((OBSERVED / data_package.PACKAGE).read_text())["resources"]
    assert list(made) == [described["name"] for described in listed]
    for described in listed:
        text = made[described["name"]].to_csv(index=False, lineterminator="\n")
        assert text == (OBSERVED / described["path"]).read_text(encoding="utf-8")
    held, listed = data_package.list_public_paths(OBSERVED), raw_files.list_files()
    missing = raw_files.list_missing(listed, [file for file in listed if file.path in held])
    assert [row.model_dump() for row in data_package.load_package(OBSERVED).missing] == missing


@pytest.mark.thorough
@pytest.mark.parametrize("source", ["bundled", "public"])
def test_what_is_odd_and_real_is_a_warning_or_a_note(source, request):
    """All readers and checks, on all that was transcribed and on all that comes with the project."""
    if source == "bundled":
        judgments, judges, responses, *_ = package_reader.read_package(OBSERVED, STUDY)
    else:
        judgments, judges, responses = request.getfixturevalue("transcribed_tables")
    checks = record_checks.check_records(judgments, judges, responses, STUDY)
    assert set(checks["level"]) == {"note", "warning"}
    labels = checks[checks["check"].str.contains("is a label of the stimulus")]
    told = labels.set_index(["task", "cohort"])[["number", "of"]]
    assert told.T.to_dict("list") == {
        ("attention", "ablated"): [263, 269],
        ("attention", "expert"): [142, 146],
        ("attention", "feedback"): [118, 120],
        ("attention", "gpt4o_agent"): [304, 308],
    }
    single = checks[checks["check"].str.contains("gave a single verdict")]
    examples = single.set_index(["task", "cohort"])["examples"]
    for place, judges_of in {"color": ("w035", "w036"), "object": ("w031", "w054")}.items():
        found = examples[place, "amt"].split("; ")
        assert {f"{place}.amt.{name}" for name in judges_of} <= {*found}
    twice = checks[checks["check"] == "a person answered a stimulus more than once"]
    assert twice[["task", "number"]].to_numpy().tolist() == [["caption", 121]]


@pytest.mark.thorough
def test_every_transcribed_file_is_read(transcribed):
    """But the topics of conversations without one, which no format is needed for."""
    paths = [path.relative_to(transcribed) for path in transcribed.rglob("*") if path.is_file()]
    held = {path.as_posix() for path in paths if path.parts[0] != ".git"}
    unread = held - {file.path for file in raw_files.list_files()}
    assert {path.rpartition("/")[2] for path in unread} == {"compiled_nolabel.json"}
