"""Raw files are outputs: a deleted one is made again when a job reads it, and no other is renewed."""

import pytest
from project import Project, git

import demo

# Made once the raw files are read.
LAST = "left_out.csv"


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


def test_a_deleted_file_is_fetched_again_when_it_is_read(project):
    data = {"source": "public", "repository": str(project.repository)}
    data["commit"] = git(project.repository, "rev-parse", "HEAD")
    config, asked = {"study": "jones2024", "data": data}, f"results/jones2024/data/{LAST}"
    project.make(asked, config=config)
    before = project.results("results/jones2024/data")
    games = project.folder / "data/raw/jones2024/public/games.csv"
    content = games.read_bytes()
    games.unlink()
    # What was fetched once needs no network.
    project.repository.rename(project.repository.with_suffix(".away"))
    assert "Nothing to be done" in project.make(asked, config=config)
    assert not games.exists()
    project.make(asked, "--forcerun", "read", config=config)
    assert games.read_bytes() == content
    assert project.results("results/jones2024/data") == before


def test_a_part_of_a_study_renews_no_file_of_the_whole_but_a_deleted_one(project):
    config, whole = {"study": "xturing"}, f"results/xturing/data/{LAST}"
    project.make(whole, config=config)
    before = project.results("results/xturing/data")
    folder = project.folder / "data/raw/xturing/demo"
    files = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}
    part = {"tasks": ["history"], "pathvars": {"results": "results/part"}}
    project.make(f"results/part/xturing/data/{LAST}", config=config | part)
    assert {path: path.stat().st_mtime_ns for path in files} == {
        path: time for path, (time, _) in files.items()
    }
    assert set(folder.iterdir()) == set(files)
    deleted, (_, content) = next((path, file) for path, file in files.items() if path.suffix)
    deleted.unlink()
    assert "Nothing to be done" in project.make(whole, config=config)
    assert not deleted.exists()
    project.make(whole, "--forcerun", "read", config=config)
    assert deleted.read_bytes() == content
    assert project.results("results/xturing/data") == before
