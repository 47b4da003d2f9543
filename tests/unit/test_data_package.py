"""The observed trials that come with the project: what they hold, and damage."""

import json
import shutil

import pandas as pd
import pytest
from project import ROOT, read_study

from turingstats.core.errors import InputError, SourceError
from turingstats.data import data_package, package_reader, package_writer

FOLDER = ROOT / "data/observed/zhang2025"
STUDY = read_study("zhang2025")


def test_size_and_columns():
    files = [path for path in FOLDER.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 10_000_000
    allowed = {
        *"cohort judge person trial position phase stimulus variant topic domain exchanges agent".split(),
        *"verdict rt_ms control_ok defect gender age_band education response file reason rows".split(),
        *("responder", "tags", "published_agent"),
        *(f"{name}_{side}" for name in ("agent", *data_package.BY_SPEAKER) for side in "ab"),
    }
    names = {
        field["name"]
        for described in json.loads((FOLDER / data_package.PACKAGE).read_text())["resources"]
        for field in described["schema"]["fields"]
    }
    assert names <= allowed
    assert not (FOLDER / "conversation_responses.csv").exists()


@pytest.fixture
def copied(tmp_path):
    """A copy of the description, and of the table of trials of one task."""
    folder = tmp_path / "observed"
    folder.mkdir()
    for name in (data_package.PACKAGE, "color_trials.csv"):
        shutil.copy(FOLDER / name, folder)
    return folder


@pytest.mark.parametrize(
    "change", [("amt,", "amtt,"), (",20357,", ",20375,"), ("\namt,w001,1", "")]
)
def test_a_changed_table_is_found_by_its_checksum(copied, change):
    path = copied / "color_trials.csv"
    assert change[0] in path.read_text()
    path.write_text(path.read_text().replace(*change, 1))
    with pytest.raises(InputError, match="git checkout") as error:
        package_reader.load_table(copied, path.name)
    assert str(path) in str(error.value) and "checksum mismatch" in str(error.value)


def test_a_trial_that_is_listed_twice_is_named(tmp_path):
    trial = {"cohort": "raters", "judge": "w001", "trial": 1, "agent": "human", "verdict": "human"}
    tables = {"texts_trials": pd.DataFrame([trial, trial | {"trial": 2}, trial])}
    contents = package_writer.format_package(tables, {}, {"texts": []})
    package_writer.save_package(contents, tmp_path)
    with pytest.raises(InputError, match="as in row 2") as error:
        package_reader.load_table(tmp_path, "texts_trials.csv")
    assert error.value.row == 4


@pytest.mark.parametrize("content", [None, "{", "[]x"])
def test_a_description_that_cannot_be_read_is_named(tmp_path, content):
    if content is not None:
        (tmp_path / data_package.PACKAGE).write_text(content)
    with pytest.raises(SourceError, match="datapackage"):
        data_package.load_package(tmp_path)


def test_cohorts_outside_the_run_are_passed_over():
    task = STUDY.tasks["color"]
    task = task.model_copy(update={"cohorts": {"amt": task.cohorts["amt"]}})
    study = STUDY.model_copy(update={"tasks": {"color": task}})
    judgments, judges, _ = package_reader.read_package(FOLDER, study)[:3]
    assert set(judgments["cohort"]) == set(judges["cohort"]) == {"amt"}
    assert (len(judgments), len(judges)) == (1625, 65)


def test_notes_of_those_who_made_the_tables_are_kept_for_the_tasks_of_the_run(copied):
    package = json.loads((copied / data_package.PACKAGE).read_text())
    package["notes"] = [{"level": "note", "task": task} for task in ("color", "word")]
    for path in FOLDER.glob("color_*.csv"):
        shutil.copy(path, copied)
    (copied / data_package.PACKAGE).write_text(json.dumps(package))
    study = STUDY.model_copy(update={"tasks": {"color": STUDY.tasks["color"]}})
    assert list(package_reader.read_package(copied, study)[4]["task"]) == ["color"]


def test_tables_that_are_gone_or_not_described_are_named(copied):
    (copied / "color_trials.csv").unlink()
    with pytest.raises(InputError, match="gone"):
        package_reader.load_table(copied, "color_trials.csv")
    package = json.loads((copied / data_package.PACKAGE).read_text())
    package["resources"] = [own for own in package["resources"] if own["name"] != "color_trials"]
    (copied / data_package.PACKAGE).write_text(json.dumps(package))
    with pytest.raises(SourceError, match=r"does not describe color_trials\.csv"):
        data_package.list_tables(copied, STUDY.tasks)
