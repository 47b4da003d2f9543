"""Checksums and description of the results of a release."""

import json
import shutil
import subprocess

import pytest

from tools import release
from turingstats.core.errors import ConfigError, InputError

COMMIT = {"tag": "v1", "commit": "0" * 40}


def make_results(folder):
    """Write results of a study, with what a rerun makes anew and what it does not."""
    contents = {
        "data/provenance.json": json.dumps(
            {"source": {"kind": "observed", "sha256": {"a.csv": "1"}}}
        ),
        "tables/t.csv": "a\n1\n",
        "figures/a picture.svg": "<svg/>",
        "logs/t.log": "12:00",
        "benchmarks/t.tsv": "3 s",
        "tables/.t.draft.csv": "half",
    }
    for name, text in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_checksums_are_those_of_the_files(tmp_path):
    folder = make_results(tmp_path / "study")
    assert release.find_studies(tmp_path) == [folder]
    assert release.write_release(folder, COMMIT) == 4
    sums = release.read_checksums(folder / "SHA256SUMS")
    assert set(sums) == {
        "RELEASE.json", "data/provenance.json", "figures/a picture.svg", "tables/t.csv",
    }  # fmt: skip
    about = json.loads((folder / "RELEASE.json").read_text())
    assert about["commit"] == "0" * 40 and about["data"]["sha256"] == {"a.csv": "1"}
    # Writing it again changes nothing.
    before = (folder / "SHA256SUMS").read_bytes()
    release.write_release(folder, COMMIT)
    assert (folder / "SHA256SUMS").read_bytes() == before


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_the_usual_program_checks_them(tmp_path):
    folder = make_results(tmp_path / "study")
    release.write_release(folder, COMMIT)
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    assert subprocess.run(check, cwd=folder, capture_output=True).returncode == 0
    (folder / "tables/t.csv").write_text("a\n2\n")
    found = subprocess.run(check, cwd=folder, capture_output=True, text=True)
    assert found.returncode == 1 and "tables/t.csv: FAILED" in found.stdout


def test_differences_are_named(tmp_path, capsys):
    one, other = make_results(tmp_path / "one"), make_results(tmp_path / "other")
    (other / "tables/t.csv").write_text("a\n2\n")
    (other / "tables/u.csv").write_text("a\n")
    for folder in (one, other):
        release.write_release(folder, COMMIT)
    sums = [str(folder / "SHA256SUMS") for folder in (one, other)]
    assert release.main(["compare", *sums]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"only in {sums[1]}: tables/u.csv",
        "differs: tables/t.csv",
    ]
    assert release.main(["compare", sums[0], sums[0]]) == 0
    with pytest.raises(InputError, match=r"row: +1"):
        release.read_checksums(one / "tables/t.csv")
    assert release.main(["compare", sums[0], str(tmp_path / "none")]) == 1


def test_results_of_a_release_are_those_of_a_tag(tmp_path):
    def git(*arguments):
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        subprocess.run(
            ["git", "-C", tmp_path, *identity, *arguments], check=True, capture_output=True
        )

    with pytest.raises(ConfigError, match="there are no results"):
        release.find_studies(tmp_path)
    with pytest.raises(ConfigError, match="no git repository"):
        release.describe_commit(tmp_path / "nowhere")
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    with pytest.raises(ConfigError, match="has no tag"):
        release.describe_commit(tmp_path)
    git("tag", "v1")
    assert release.describe_commit(tmp_path)["tag"] == "v1"
    (tmp_path / "new").write_text("x")
    with pytest.raises(ConfigError, match="files have changed"):
        release.describe_commit(tmp_path)
