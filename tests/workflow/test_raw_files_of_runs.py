"""Raw files are outputs: a deleted one is made again when a job reads it."""

import pytest
from project import Project, git

import demo


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
    config, asked = {"study": "jones2024", "data": data}, "results/jones2024/data/left_out.csv"
    project.make(asked, config=config)
    before = project.results("results/jones2024/data")
    games = project.folder / "data/raw/jones2024/public/games.csv"
    content = games.read_bytes()
    games.unlink()
    # What was fetched once needs no network.
    project.repository.rename(project.repository.with_suffix(".away"))
    project.make(asked, "--forcerun", "read", config=config)
    assert games.read_bytes() == content
    assert project.results("results/jones2024/data") == before
