"""Fetching and verifying files of a repository, against git repositories made on the spot."""

import subprocess

import pytest

from turingstats.config import raw_files, settings
from turingstats.core.errors import ConfigError, SourceError
from turingstats.core.yaml_models import build_model
from turingstats.data import repository

GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.hooksPath="]
WANTED = "folder with spaces/raw.json"
LATER = "benchmarking/answers.json"
NOBODY = "0" * 40


def commit(folder, *paths):
    """Replace all files of a repository by others, each with its path as content; the new commit."""
    for path in [*folder.rglob("*")]:
        if path.is_file() and ".git" not in path.parts:
            path.unlink()
    for name in paths:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    git = [*GIT, "-C", str(folder)]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "data"], check=True)
    return repository.find_commit(folder)


@pytest.fixture
def origin(tmp_path):
    """A repository that serves parts, as the public server does."""
    folder = tmp_path / "origin"
    subprocess.run([*GIT, "init", "-q", str(folder)], check=True)
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        subprocess.run([*GIT, "-C", str(folder), "config", key, "true"], check=True)
    return folder


@pytest.fixture
def checkout(origin):
    """A checkout with a wanted and two unwanted files; (path, commit)."""
    return origin, commit(origin, WANTED, "large.bin", "folder with spaces/other.json")


@pytest.fixture
def clone(checkout, tmp_path):
    """A folder with the wanted file of the checkout."""
    origin, head = checkout
    repository.fetch_files(str(origin), {"": head}, [WANTED], tmp_path / "clone")
    return tmp_path / "clone"


def list_files(folder):
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if path.parts[0] != ".git"}


def test_only_the_wanted_files_are_fetched(clone):
    assert list_files(clone) == {WANTED}
    kept = repository.run_git(clone, "cat-file", "--batch-all-objects", "--batch-check")
    assert kept.decode().count(" blob ") == 1


@pytest.mark.parametrize("mend", ["change", "delete", "add"])
def test_a_changed_file_is_mended(checkout, clone, tmp_path, mend):
    if mend == "delete":
        (clone / WANTED).unlink()
    else:
        (clone / (WANTED if mend == "change" else "stale.json")).write_text("changed")
    # What is there is enough: the network is not needed again.
    origin, head = checkout
    origin.rename(tmp_path / "away")
    repository.fetch_files(str(origin), {"": head}, [WANTED], clone)
    assert list_files(clone) == {WANTED}
    assert (clone / WANTED).read_text() == WANTED


def test_each_group_of_files_comes_from_its_own_commit(origin, tmp_path):
    """Neither commit holds the files of the other, and one file is in none."""
    first = commit(origin, WANTED, "data/one.db", "data/deep/two.db")
    second = commit(origin, LATER)
    commits = {"": first, "benchmarking/": second}
    paths = [WANTED, LATER, "data/**/*.db", "benchmarking/gone.json", "gone.csv"]
    folder = tmp_path / "clone"
    for _ in range(2):
        repository.fetch_files(str(origin), commits, paths, folder)
        assert list_files(folder) == {WANTED, LATER, "data/one.db", "data/deep/two.db"}
    # As if one commit held both, nothing of the other is found.
    repository.fetch_files(str(origin), {"": first}, paths, folder)
    assert list_files(folder) == {WANTED, "data/one.db", "data/deep/two.db"}


@pytest.mark.parametrize("address", ["file:///no/such/repository.git", None])
def test_unreachable_repository_or_commit(checkout, tmp_path, address):
    origin, _ = checkout
    with pytest.raises(SourceError, match=r"data\.source: observed"):
        repository.fetch_files(address or str(origin), {"": NOBODY}, [WANTED], tmp_path / "clone")


def test_wrong_commit(checkout):
    origin, head = checkout
    with pytest.raises(SourceError, match=f"is at commit {head}, expected {NOBODY}"):
        repository.verify_checkout(origin, [NOBODY], [WANTED])
    for expected in (["any"], [NOBODY, head]):
        assert repository.verify_checkout(origin, expected, [WANTED]) == head


@pytest.mark.parametrize("change", ["write", "delete"])
def test_changed_file(checkout, change):
    origin, head = checkout
    (origin / "large.bin").write_text("changed elsewhere")
    assert repository.verify_checkout(origin, [head], [WANTED]) == head
    (origin / WANTED).write_text("changed") if change == "write" else (origin / WANTED).unlink()
    with pytest.raises(SourceError, match=f"has changed files(.|\n)*{WANTED}"):
        repository.verify_checkout(origin, [head], [WANTED])
    assert repository.verify_checkout(origin, ["any"], [WANTED]) == f"{head}-dirty"


def test_folder_that_is_no_checkout(tmp_path):
    with pytest.raises(SourceError, match="not a git checkout"):
        repository.verify_checkout(tmp_path, [NOBODY], [])
    assert repository.verify_checkout(tmp_path, ["any"], []) == "unverified"
    with pytest.raises(SourceError, match="not a folder"):
        repository.verify_checkout(tmp_path / "nowhere", ["any"], [])


def test_the_settings_of_a_checkout_run_no_command(checkout, tmp_path):
    origin, _ = checkout
    ran = tmp_path / "ran"
    for key in ("core.fsmonitor", "filter.x.clean", "core.sshCommand", "remote.origin.uploadpack"):
        subprocess.run([*GIT, "-C", origin, "config", key, f"touch {ran}"], check=True)
    subprocess.run([*GIT, "-C", origin, "config", "remote.origin.url", f"ext::touch {ran}"])
    subprocess.run([*GIT, "-C", origin, "config", "remote.origin.promisor", "true"])
    (origin / ".gitattributes").write_text("* filter=x\n")
    (origin / WANTED).write_text("changed")
    repository.verify_checkout(origin, ["any"], [WANTED])
    assert not repository.has_commit(origin, NOBODY)
    assert not ran.exists()


def test_a_link_in_a_repository_is_not_followed(origin, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    commit(origin, "other.json")
    (origin / "raw.json").symlink_to(secret)
    subprocess.run([*GIT, "-C", origin, "add", "-A"], check=True)
    subprocess.run([*GIT, "-C", origin, "commit", "-qm", "link"], check=True)
    head = repository.find_commit(origin)
    repository.fetch_files(str(origin), {"": head}, ["raw.json"], tmp_path / "clone")
    assert list_files(tmp_path / "clone") == set()


@pytest.mark.parametrize("wrong", ["--upload-pack=touch PWN; git-upload-pack", "main", "a" * 39])
def test_a_commit_is_a_hash_or_any(wrong):
    for model, keys in (
        (settings.Data, {"commit": wrong}),
        (raw_files.Sources, {"commit": wrong}),
        (raw_files.Sources, {"commits": {"folder/": wrong}}),
    ):
        with pytest.raises(ConfigError, match="full hash, 40 digits"):
            build_model(model, keys, "test")
