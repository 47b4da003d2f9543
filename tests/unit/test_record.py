"""Results that were edited after a run are named, and nothing else is."""

import os
import shutil
import time

import pytest

from turingstats.core.errors import ConfigError
from turingstats.workflow import record


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results/mine"
    for part in ("statistics", "logs"):
        (folder / part).mkdir(parents=True)
    (folder / "statistics/estimates.csv").write_text("value\n0.5\n")
    (folder / "logs/statistics.log").write_text("done")
    record.record_results(folder.parent, "mine")
    record.refuse_edited_results(folder.parent, "mine")
    return folder.parent


@pytest.mark.parametrize("age", [0, -3600])
def test_edited_result_is_named(results, age):
    path = results / "mine/statistics/estimates.csv"
    path.write_text("value\n0.6\n")
    os.utime(path, (time.time() + age,) * 2)
    with pytest.raises(ConfigError, match=r"estimates\.csv: edited or damaged(.|\n)*fix: .*remove"):
        record.refuse_edited_results(results, "mine")


def test_results_of_the_future_are_named_and_killed_runs_leave_no_record(results):
    os.utime(results / "mine/statistics/estimates.csv", (time.time() + 9999,) * 2)
    with pytest.raises(ConfigError, match="dated in the future"):
        record.refuse_edited_results(results, "mine")
    record.forget_results(results, "mine")
    (results / "mine/statistics/estimates.csv").write_text("value\n0.6\n")
    record.refuse_edited_results(results, "mine")


def test_touched_copied_and_removed_results_pass(results, tmp_path):
    os.utime(results / "mine/statistics/estimates.csv")
    (results / "mine/logs/statistics.log").write_text("another run")
    record.refuse_edited_results(results, "mine")
    shutil.copytree(results, tmp_path / "copy", copy_function=shutil.copyfile)
    record.refuse_edited_results(tmp_path / "copy", "mine")
    (results / "mine/statistics/estimates.csv").unlink()
    record.refuse_edited_results(results, "mine")


def test_results_of_another_study_concern_no_run(results):
    (results / "mine/statistics/estimates.csv").write_text("value\n0.6\n")
    for study in ("other", ""):
        record.refuse_edited_results(results, study)
        record.forget_results(results, study)
        record.record_results(results, study)
    with pytest.raises(ConfigError, match="edited or damaged"):
        record.refuse_edited_results(results, "all")
