"""The observed trials that come with the project: reading, damage, and equality with the public files."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from project import read_study

from turingstats.config.raw_files import load_sources
from turingstats.core.errors import InputError, SourceError
from turingstats.data import (
    adapters,
    bundling,
    data_package,
    observed,
    package_writer,
    record_checks,
)

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "data/observed/zhang2025"
STUDY = read_study("zhang2025")
SOURCES = load_sources(ROOT / "data/sources/zhang2025.yaml")


@pytest.fixture(scope="module")
def tables():
    """What the observed tables hold, before files complete each other."""
    return adapters.collect_tables(data_package.list_files(FOLDER, STUDY.tasks), FOLDER, STUDY)


def format_tables(tables, study):
    """The tables of a folder, as text."""
    made = bundling.make_tables(tables, study)
    return {name: package_writer.format_cells(table) for name, table in made.items()}


# --- equal to the public files ---------------------------------------------------------------------


def test_judgments_are_those_of_the_public_files_byte_for_byte(transcribed_tables, tmp_path):
    public = transcribed_tables
    bundled = adapters.read_raw_files(data_package.list_files(FOLDER, STUDY.tasks), FOLDER, STUDY)
    for name, one, other in zip(("judgments", "responses"), public[::2], bundled[::2], strict=True):
        paths = [tmp_path / f"{name}_{side}.parquet" for side in ("public", "bundled")]
        for table, path in zip((one, other), paths, strict=True):
            table.to_parquet(path, index=False)
        assert paths[0].read_bytes() == paths[1].read_bytes()
    # Who is the same person is not in the rebuilt files, whose ids are stand-ins.
    judges = [table.drop(columns="person", errors="ignore") for table in (public[1], bundled[1])]
    pd.testing.assert_frame_equal(*judges)


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


def test_tables_are_laid_out_as_they_are_read(tables):
    made = format_tables(tables, STUDY)
    listed = data_package.load_package(FOLDER)["resources"]
    assert list(made) == [described["name"] for described in listed]
    for described in listed:
        text = made[described["name"]].to_csv(index=False, lineterminator="\n")
        assert text == (FOLDER / described["path"]).read_text(encoding="utf-8")


# --- what they hold, and what not ------------------------------------------------------------------


def test_size_and_columns():
    files = [path for path in FOLDER.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 8_000_000
    allowed = {
        *"cohort judge person trial position phase stimulus variant topic domain exchanges agent".split(),
        *"verdict rt_ms control_ok defect gender age_band education response file reason rows".split(),
        *("responder", "tags"),
        *(f"{name}_{side}" for name in ("agent", *observed.BY_SPEAKER) for side in "ab"),
    }
    names = {
        field["name"]
        for described in data_package.load_package(FOLDER)["resources"]
        for field in described["schema"]["fields"]
    }
    assert names <= allowed
    assert not (FOLDER / "conversation_responses.csv").exists()


def test_every_column_is_described():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for described in data_package.load_package(FOLDER)["resources"]:
        assert f"`{described['path']}`" in text
        for field in described["schema"]["fields"]:
            assert f"`{field['name']}`" in text
            assert field["description"]


def test_trials_of_a_conversation_are_two_verdicts(tables):
    judgments = tables["judgments"]
    paired = judgments[judgments["side"].notna()]
    assert paired.groupby(["cohort", "judge", "trial"])["side"].agg("".join).eq("AB").all()


# --- damage ----------------------------------------------------------------------------------------


@pytest.fixture
def damaged(tmp_path):
    """A copy of the tables of one task, and a function that changes the lines of one."""
    shutil.copytree(FOLDER, tmp_path / "observed")

    def change(lines_to, name="color_trials.csv"):
        path = tmp_path / "observed" / name
        lines = path.read_text().splitlines()
        path.write_text("\n".join(lines_to(lines)) + "\n")
        with pytest.raises(InputError) as error:
            observed.load_table(tmp_path / "observed", name)
        assert str(path) in str(error.value)
        assert "git checkout" in str(error.value)
        return error.value

    return change


def edit(row, old, new):
    """A change of one line of a file, counted from 1."""

    def change(lines):
        assert old in lines[row - 1]
        return [*lines[: row - 1], lines[row - 1].replace(old, new, 1), *lines[row:]]

    return change


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        ("amt,", "amtt,", "cohort"),
        ("amt,", ",", "cohort"),
        (",test,", ",tset,", "phase"),
        (",human,", ",hunan,", "agent"),
        (",1,", ",-1,", "trial"),
        (",1,", ",1.5,", "trial"),
        (",1,", ",,", "trial"),
        (",20357,", ",203S7,", "rt_ms"),
    ],
)
def test_a_damaged_cell_is_named(damaged, old, new, column):
    error = damaged(edit(2, old, new))
    assert (error.row, error.column) == (2, column)


def test_a_short_row_is_named(damaged):
    error = damaged(lambda lines: [*lines[:9], lines[9].rsplit(",", 4)[0], *lines[10:]])
    assert error.row == 10


def test_a_long_row_is_named(damaged):
    assert "line 10" in str(damaged(lambda lines: [*lines[:9], lines[9] + ",more", *lines[10:]]))


def test_a_missing_column_is_named(damaged):
    error = damaged(lambda lines: [line.split(",", 1)[1] for line in lines])
    assert error.row == 1


def test_a_repeated_row_is_named_with_the_first(damaged):
    error = damaged(lambda lines: [*lines, lines[4]])
    assert error.row > 13_000
    assert "row 5" in str(error)


@pytest.mark.parametrize(
    "change", [lambda lines: lines[:-1], edit(2, ",20357,", ",20375,"), lambda lines: lines[:100]]
)
def test_what_no_cell_tells_is_found_by_the_checksum(damaged, change):
    assert "the content is not the one described" in str(damaged(change))


def test_a_table_that_is_gone_is_named(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "observed")
    (tmp_path / "observed/color_trials.csv").unlink()
    with pytest.raises(InputError, match="gone"):
        observed.load_table(tmp_path / "observed", "color_trials.csv")


@pytest.mark.parametrize("content", [None, "{", "[]x"])
def test_a_description_that_cannot_be_read_is_named(tmp_path, content):
    if content is not None:
        (tmp_path / data_package.PACKAGE).write_text(content)
    with pytest.raises(SourceError, match="datapackage"):
        data_package.load_package(tmp_path)


def test_cohorts_outside_the_run_are_passed_over():
    described = STUDY.tasks["color"]
    study = STUDY.model_copy(
        update={
            "tasks": {
                "color": described.model_copy(update={"cohorts": {"amt": described.cohorts["amt"]}})
            }
        }
    )
    judgments, judges, _ = adapters.read_raw_files(
        data_package.list_files(FOLDER, study.tasks), FOLDER, study
    )
    assert set(judgments["cohort"]) == set(judges["cohort"]) == {"amt"}
    assert (len(judgments), len(judges)) == (1416, 65)


def test_the_description_is_json_that_others_read():
    package = json.loads((FOLDER / data_package.PACKAGE).read_text())
    assert package["licenses"][0]["name"] == "MIT"
    for described in package["resources"]:
        assert set(described) >= {"name", "path", "schema", "hash", "bytes", "sources"}
    assert "Kreiman Lab" in (FOLDER / "LICENSE").read_text()


@pytest.mark.parametrize("name", ["color_trials", "color_judges", "caption_responses"])
@pytest.mark.parametrize("is_gone", [True, False])
def test_a_table_that_the_description_lacks_is_named(tmp_path, name, is_gone):
    folder = shutil.copytree(FOLDER, tmp_path / "observed")
    package = json.loads((folder / data_package.PACKAGE).read_text())
    package["resources"] = [table for table in package["resources"] if table["name"] != name]
    (folder / data_package.PACKAGE).write_text(json.dumps(package))
    if is_gone:
        (folder / f"{name}.csv").unlink()
    if is_gone and name == "caption_responses":
        # Responses are not public for every task.
        assert data_package.list_files(folder, STUDY.tasks)
        return
    with pytest.raises(SourceError, match=f"does not describe {name}.csv"):
        data_package.list_files(folder, STUDY.tasks)


# --- nothing real is refused ----------------------------------------------------------------------


@pytest.mark.parametrize("source", ["bundled", "public"])
def test_what_is_odd_and_real_is_a_warning_or_a_note(source, request):
    """All readers and checks, on all that was transcribed and on all that comes with the project."""
    if source == "bundled":
        files = data_package.list_files(FOLDER, STUDY.tasks)
        judgments, judges, responses = adapters.read_raw_files(files, FOLDER, STUDY)
    else:
        judgments, judges, responses = request.getfixturevalue("transcribed_tables")
    checks = record_checks.check_records(judgments, judges, responses, STUDY)
    assert set(checks["level"]) == {"note", "warning"}
    twice = checks[checks["check"] == "a person answered a stimulus more than once"]
    assert twice[["task", "number"]].to_numpy().tolist() == [["caption", 121]]


def test_every_transcribed_file_is_read(transcribed):
    """But the topics of conversations without one, which no format is needed for."""
    paths = [path.relative_to(transcribed) for path in transcribed.rglob("*") if path.is_file()]
    held = {path.as_posix() for path in paths if path.parts[0] != ".git"}
    unread = held - {file.path for file in SOURCES.files}
    assert {path.rpartition("/")[2] for path in unread} == {"compiled_nolabel.json"}
