"""The lists of raw files: which are read, and which are missing."""

import pytest

from converters.zhang2025 import raw_files
from turingstats.core.errors import SourceError


def test_a_file_that_is_not_public_may_be_absent(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    shared = {"format": "trials", "task": "caption"}
    known = raw_files.RawFile(path="a.json", cohort="expert", **shared)
    about = {"path": "b.json", "cohort": "amt", "would_supply": "Fig 5A"}
    files = [known, raw_files.RawFile(public=False, **about, **shared)]
    raw_files.refuse_missing(files, tmp_path)
    present = raw_files.list_present(files, tmp_path)
    (missing,) = raw_files.list_missing(files, present, unread=())
    assert missing.items() >= {**about, "why": "not public"}.items()
    with pytest.raises(SourceError, match=r"c\.json \(responses\)(.|\n)*allow_missing"):
        raw_files.refuse_missing([raw_files.RawFile(path="c.json", **shared)], tmp_path)


def test_a_file_that_stands_in_is_enough(tmp_path):
    shared = {"format": "f", "task": "t", "cohort": "c"}
    files = [
        raw_files.RawFile(path="whole.json", **shared),
        raw_files.RawFile(path="part.json", stands_in_for="whole.json", **shared),
        raw_files.RawFile(path="deep/**/*.db", would_supply="Table S3", **shared),
    ]
    with pytest.raises(SourceError, match=r"2 of 3(.|\n)*whole\.json(.|\n)*part\.json"):
        raw_files.refuse_missing(files, tmp_path)
    for name in ("whole.json", "deep/a.db", "deep/er/b.db", "deep/er/c.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    raw_files.refuse_missing(files, tmp_path)
    present = raw_files.list_present(files, tmp_path)
    assert [file.path for file in present] == ["whole.json", "deep/a.db", "deep/er/b.db"]
    assert raw_files.list_missing(files, present) == []
    missing = raw_files.list_missing(files, present[:1], unread={"deep/er/b.db"})
    assert [(row["path"], row["why"]) for row in missing] == [("deep/**/*.db", "not as expected")]
