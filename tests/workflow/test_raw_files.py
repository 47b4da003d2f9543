"""Raw files are outputs: a deleted one is made again when a job reads it, and no other is renewed."""

import pytest
from project import Project, git

import demo

ASKED = {"study": "jones2024"}
RESULTS = "results/jones2024/data"
# Made once the raw files are read.
LAST = "provenance.json"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project and a repository with the games of the study."""
    folder = tmp_path_factory.mktemp("raw")
    made = Project(folder / "project")
    published = made.folder / "data/published/jones2024"
    tables = [published / f"{name}.csv" for name in "counts witnesses strategies reasons".split()]
    made.repository = folder / "games.git"
    demo.write_study("jones2024.games", tables, made.repository, 7)
    git(made.repository, "init", "-q")
    git(made.repository, "add", "-A")
    git(made.repository, "commit", "-qm", "games")
    return made


@pytest.mark.parametrize("source", ["public", "demo"])
def test_a_deleted_file_comes_again_when_it_is_read(project, source):
    data = {"source": source}
    if source == "public":
        commit = git(project.repository, "rev-parse", "HEAD")
        data |= {"repository": str(project.repository), "commit": commit}
    config = ASKED | {"data": data}
    project.make(f"{RESULTS}/{LAST}", config=config)
    before = project.results(RESULTS)
    games = project.folder / f"data/raw/jones2024/{source}/games.csv"
    content = games.read_bytes()
    games.unlink()
    # What was fetched once needs no network.
    away = project.repository.rename(project.repository.with_suffix(".away"))
    try:
        assert "Nothing to be done" in project.make(f"{RESULTS}/{LAST}", config=config)
        assert not games.exists()
        project.make(f"{RESULTS}/{LAST}", "--forcerun", "ingest", config=config)
    finally:
        away.rename(project.repository)
    assert games.read_bytes() == content
    assert project.results(RESULTS) == before


def test_a_part_of_a_study_renews_no_file_of_the_whole(project):
    config, whole = {"study": "xturing"}, f"results/xturing/data/{LAST}"
    project.make(whole, config=config)
    folder = project.folder / "data/raw/xturing/demo"
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    part = {"tasks": ["history"], "pathvars": {"results": "results/part"}}
    project.make(f"results/part/xturing/data/{LAST}", config=config | part)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == times
    assert "Nothing to be done" in project.make(whole, config=config)
