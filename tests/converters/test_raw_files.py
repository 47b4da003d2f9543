"""The lists of raw files: which are read, and which are missing."""

import pytest

from converters.zhang2025 import raw_files
from turingstats.core.errors import SourceError


def test_a_file_that_is_not_public_may_be_absent(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    shared = {"format": "trials", "task": "caption"}
    files = [
        raw_files.RawFile(path="a.json", cohort="expert", **shared),
        raw_files.RawFile(
            path="b.json", cohort="amt", public=False, would_supply="Fig 5A", **shared
        ),
    ]
    raw_files.refuse_missing(files, tmp_path)
    present = raw_files.list_present(files, tmp_path)
    (missing,) = raw_files.list_missing(files, present, bundled=False)
    assert (missing["path"], missing["would_supply"], missing["why"]) == (
        "b.json",
        "Fig 5A",
        "not public",
    )
    with pytest.raises(SourceError, match=r"c\.json \(responses\)(.|\n)*allow_missing"):
        raw_files.refuse_missing([raw_files.RawFile(path="c.json", **shared)], tmp_path)


def test_a_file_that_stands_in_is_read_where_the_other_lacks(tmp_path):
    shared = {"format": "f", "task": "t", "cohort": "c"}
    files = [
        raw_files.RawFile(path="whole.json", **shared),
        raw_files.RawFile(path="part.json", stands_in_for="whole.json", **shared),
    ]
    (tmp_path / "part.json").write_text("{}")
    assert [file.path for file in raw_files.list_present(files, tmp_path)] == ["part.json"]
    (tmp_path / "whole.json").write_text("{}")
    present = raw_files.list_present(files, tmp_path)
    assert [file.path for file in present] == ["whole.json"]
    assert raw_files.list_missing(files, present, bundled=True) == []
