"""Which raw files or tables are there, and which are missing."""

import pytest
from project import ROOT

from turingstats.config import raw_files
from turingstats.core.errors import SourceError
from turingstats.data import sources


def test_inventory_names_what_is_missing(tmp_path):
    (tmp_path / "a.csv").write_text("x")
    files = [
        raw_files.RawFile(path=name, format="verdict_table", task="color", cohort=name[0])
        for name in ("a.csv", "b.csv")
    ]
    absent = [raw_files.AbsentFile(path="c.db", task="color", would_supply="catch trials")]
    with pytest.raises(SourceError, match=r"b\.csv(.|\n)*allow_missing"):
        sources.list_raw_files(tmp_path, files, absent, False, "the test")
    present, missing = sources.list_raw_files(tmp_path, files, absent, True, "the test")
    assert present["path"].tolist() == ["a.csv"]
    assert missing["why"].tolist() == ["not in this source", "not public"]
    with pytest.raises(SourceError, match="none of the 1 raw files"):
        sources.list_raw_files(tmp_path, files[1:], absent, True, "the test")


def test_a_package_tells_what_it_lacks_of_the_tasks_and_cohorts_asked_for():
    folder = ROOT / "data/observed/zhang2025"
    present, missing = sources.list_package(folder, {"caption": ["amt"]}, [])
    assert present["path"].tolist() == [
        f"caption_{kind}.csv" for kind in ("trials", "judges", "responses")
    ]
    assert present["trials"].tolist()[0] == 0
    assert {"imageCaptioning/savedResults/compiled.json"} < set(missing["path"])
    assert set(missing["cohort"].dropna()) == {"amt"} and set(missing["why"]) == {"not public"}
