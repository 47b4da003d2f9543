"""Fetching and verifying raw data, against git repositories made on the spot."""

import subprocess

import pytest
from project import ROOT

from turingstats.config import raw_files
from turingstats.core.errors import SourceError
from turingstats.data import sources

GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.hooksPath="]
WANTED = "folder with spaces/raw.json"


@pytest.fixture
def repository(tmp_path):
    """A repository with a wanted and an unwanted file; (path, commit)."""
    folder = tmp_path / "origin"
    for name in (WANTED, "large.bin", "folder with spaces/other.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    subprocess.run([*GIT, "init", "-q", str(folder)], check=True)
    subprocess.run([*GIT, "-C", str(folder), "add", "-A"], check=True)
    subprocess.run([*GIT, "-C", str(folder), "commit", "-qm", "data"], check=True)
    return folder, sources.run_git(folder, "rev-parse", "HEAD")


def test_clone_brings_only_the_wanted_files(repository, tmp_path):
    folder, commit = repository
    sources.clone_files(str(folder), commit, [WANTED], tmp_path / "clone")
    found = [p for p in (tmp_path / "clone").rglob("*") if p.is_file() and ".git" not in p.parts]
    assert [str(p.relative_to(tmp_path / "clone")) for p in found] == [WANTED]
    assert sources.verify_checkout(tmp_path / "clone", commit, [WANTED]) == commit


def test_clone_mends_a_changed_file(repository, tmp_path):
    folder, commit = repository
    sources.clone_files(str(folder), commit, [WANTED], tmp_path / "clone")
    (tmp_path / "clone" / WANTED).write_text("changed")
    sources.clone_files(str(folder), commit, [WANTED], tmp_path / "clone")
    assert sources.verify_checkout(tmp_path / "clone", commit, [WANTED]) == commit


@pytest.mark.parametrize("address", ["file:///no/such/repository.git", None])
def test_unreachable_repository_or_commit(repository, tmp_path, address):
    folder, _ = repository
    with pytest.raises(SourceError, match=r"data\.source: observed"):
        sources.clone_files(address or str(folder), "0" * 40, [WANTED], tmp_path / "clone")


def test_wrong_commit(repository):
    folder, commit = repository
    with pytest.raises(SourceError, match=f"is at commit {commit}, expected {'0' * 40}"):
        sources.verify_checkout(folder, "0" * 40, [WANTED])
    assert sources.verify_checkout(folder, "any", [WANTED]) == commit


def test_changed_file(repository):
    folder, commit = repository
    (folder / "large.bin").write_text("changed elsewhere")
    assert sources.verify_checkout(folder, commit, [WANTED]) == commit
    (folder / WANTED).write_text("changed")
    with pytest.raises(SourceError, match="has changed files"):
        sources.verify_checkout(folder, commit, [WANTED])
    assert sources.verify_checkout(folder, "any", [WANTED]) == f"{commit}-dirty"


def test_folder_that_is_no_checkout(tmp_path):
    with pytest.raises(SourceError, match="not a git checkout"):
        sources.verify_checkout(tmp_path, "0" * 40, [])
    assert sources.verify_checkout(tmp_path, "any", []) == "unverified"
    with pytest.raises(SourceError, match="not a folder"):
        sources.verify_checkout(tmp_path / "nowhere", "any", [])


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
