"""A package of somebody else is compared, and nothing in it is obeyed."""

import os
import sys
import time
import zipfile

import pytest
import yaml

from turingstats.config.settings import Config
from turingstats.core import templating
from turingstats.core.errors import ConfigError
from turingstats.export import package, verify
from turingstats.judges.llm import prompts

STUDY = {
    "study": "mine", "title": "Mine", "agents": {"gpt": {"label": "GPT"}},
    "tasks": {"texts": {"label": "Texts", "cohorts": {"raters": {"label": "Raters"}}}},
}  # fmt: skip
COPY = """
import pathlib, shutil, sys
print(sys.argv[1:], sorted(map(str, pathlib.Path().rglob("*"))))
print(pathlib.Path("config/config.yaml").read_text(), pathlib.Path("data/sources/mine.yaml").read_text())
shutil.copytree({results!r}, "results/mine")
"""
FILE = {"path": "t.csv", "format": "verdict_table", "task": "texts"}
SOURCES = {"folder": "data", "commit": "any", "files": [FILE]}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "mine-export"
    write(folder / "config/studies/mine.yaml", STUDY)
    write(folder / "config/config.yaml", {"seed": 7})
    write(folder / "data/sources/mine.yaml", SOURCES)
    write(folder / "data/t.csv", "a\n1\n")
    write(folder / "results/mine/statistics/estimates.csv", "value\n0.5\n")
    write(folder / "results/mine/report/index.html", "<p>0.5</p>")
    package.write_sums(folder)
    return folder


@pytest.fixture
def rerun(folder):
    """The command of a rerun that makes the same results, and shows what it was given."""
    return [sys.executable, "-c", COPY.format(results=str(folder / "results/mine"))]


def alter(path):
    path.write_text(path.read_text().replace("0.5", "0.6"))


def test_unchanged_package_passes_and_nothing_is_run(folder, capsys):
    assert verify.verify_package(folder) == 0
    out = capsys.readouterr().out
    assert "6 files as their checksums say" in out and "Nothing was run" in out


def test_changed_missing_and_unlisted_files_are_listed(folder, capsys):
    alter(folder / "results/mine/statistics/estimates.csv")
    (folder / "data/t.csv").unlink()
    sums = folder / package.SUMS
    kept = [line for line in sums.read_text().splitlines() if "index.html" not in line]
    sums.write_text("\n".join(kept) + "\n")
    alter(folder / "results/mine/report/index.html")
    assert verify.verify_package(folder) == 1
    out = capsys.readouterr().out
    assert "1 files changed since the export\n  results/mine/statistics/estimates.csv" in out
    assert "1 files missing\n  data/t.csv" in out
    assert "1 files without a checksum\n  results/mine/report/index.html" in out


@pytest.mark.parametrize("state", ["missing", "without a checksum"])
def test_one_kind_of_difference_is_enough(folder, state):
    target = folder / "data/t.csv"
    target.unlink() if state == "missing" else write(folder / "data/more.csv", "a\n")
    assert verify.verify_package(folder) == 1


def test_package_without_checksums_fails(tmp_path, capsys):
    (tmp_path / package.SUMS).touch()
    assert verify.verify_package(tmp_path) == 1
    assert "Nothing was compared" in capsys.readouterr().out


def test_rerun_compares_every_file_of_results(folder, rerun, capsys):
    assert verify.verify_package(folder, rerun) == 0
    alter(folder / "results/mine/report/index.html")
    package.write_sums(folder)
    change = "open('results/mine/report/index.html', 'w').write('0.5')"
    assert verify.verify_package(folder, [*rerun[:2], rerun[2] + change]) == 1
    told = "0 tables computed differently\n1 pictures and pages made differently\n  report/index"
    assert told in capsys.readouterr().out


def test_rerun_follows_only_keys_that_say_what_is_computed(folder, rerun, capfd):
    llm = {"base_url": "https://evil.example", "key_variable": "SECRET", "prompts": "p"}
    data = {"source": "data/evil", "commit": "--upload-pack=touch PWN; git-upload-pack"}
    config = {"seed": 7, "pathvars": {"results": str(folder.parent / "elsewhere")}}
    write(folder / "config/config.yaml", config | {"llm": llm, "data": data})
    write(folder / "config/prompts/caption.txt", "{{ 1 }}")
    write(folder / "profiles/default/config.yaml", {"conda": True})
    sources = {**SOURCES, "repository": "https://evil.example", "converter": "x", "generator": "y"}
    write(folder / "data/sources/mine.yaml", sources)
    package.write_sums(folder)
    assert verify.verify_package(folder, rerun) == 0
    out = capfd.readouterr().out
    assert "seed: 7" in out
    assert not [word for word in ("evil", "prompts", "profiles", "pathvars", "llm") if word in out]


def test_rerun_trains_judges_anew(folder, rerun, capfd):
    """What a package has kept of them may be anything, and may be anywhere."""
    write(folder / "config/config.yaml", {"judges": {"folds": 5, "cache": "/elsewhere"}})
    write(folder / "data/cache/judges/one/evaluation.parquet", "made up")
    package.write_sums(folder)
    assert verify.verify_package(folder, rerun) == 0
    shown = capfd.readouterr().out
    assert "folds: 5" in shown and "cache" not in shown and "data/t.csv" in shown


def test_every_key_is_followed_or_left_on_purpose():
    left = set("data llm responses task pathvars csv name columns values table".split())
    assert set(verify.COMPUTING_KEYS) | left == set(Config.model_fields)
    assert not set(verify.COMPUTING_KEYS) & left


@pytest.mark.parametrize("place", ["/etc", "data/../..", "config", None])
def test_tables_elsewhere_are_refused(folder, rerun, place):
    write(folder / "data/sources/mine.yaml", {**SOURCES, "folder": place})
    package.write_sums(folder)
    with pytest.raises(ConfigError, match="below data/"):
        verify.verify_package(folder, rerun)


def test_claims_elsewhere_are_refused(folder, rerun):
    write(folder / "config/studies/mine.yaml", {**STUDY, "claims": ["../../../etc"]})
    with pytest.raises(ConfigError, match="claims"):
        verify.verify_package(folder, rerun)


def test_links_and_repositories_are_refused(folder):
    (folder / "data/link.csv").symlink_to("/etc/passwd")
    with pytest.raises(ConfigError, match="neither links nor repositories"):
        verify.verify_package(folder)
    (folder / "data/link.csv").unlink()
    write(folder / "data/.git/config", "[core]\n\tfsmonitor = touch PWN\n")
    with pytest.raises(ConfigError, match="neither links nor repositories"):
        verify.verify_package(folder)


def test_rerun_ends_in_time_with_its_jobs(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(verify, "RERUN_SECONDS", 1)
    late = tmp_path / "late"
    job = f"import time; time.sleep(2); open({str(late)!r}, 'w')"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {job!r}])"
    with pytest.raises(ConfigError, match="ended after 1 s"):
        verify.verify_package(folder, [sys.executable, "-c", code])
    time.sleep(1.5)
    assert not late.exists()


@pytest.mark.skipif(os.name != "posix", reason="memory is limited on POSIX systems")
def test_rerun_has_limited_memory(folder, monkeypatch):
    monkeypatch.setattr(verify, "RERUN_BYTES", 2**30)
    assert verify.verify_package(folder, [sys.executable, "-c", "bytearray(2**31)"]) != 0


def test_zip_files_are_unpacked_or_refused(folder, tmp_path, monkeypatch):
    archive = tmp_path / "mine.zip"
    with pytest.raises(ConfigError, match="does not exist"):
        verify.verify_package(archive)
    with zipfile.ZipFile(archive, "w") as made:
        for path in folder.rglob("*"):
            made.write(path, path.relative_to(tmp_path))
    assert verify.verify_package(archive) == 0
    monkeypatch.setattr(verify, "MOST_BYTES", 10)
    with pytest.raises(ConfigError, match="at most 20,000 files of 10 bytes"):
        verify.verify_package(archive)
    monkeypatch.setattr(verify, "MOST_BYTES", 2**20)
    for content, message in ((b"", "cannot be unpacked"), (archive.read_bytes()[:200], "cannot")):
        archive.write_bytes(content)
        with pytest.raises(ConfigError, match=message):
            verify.verify_package(archive)
    with zipfile.ZipFile(archive, "w"):
        pass
    with pytest.raises(ConfigError, match="no SHA256SUMS"):
        verify.verify_package(archive)


def test_templates_call_nothing(tmp_path):
    marked = tmp_path / "PWN"
    text = "{{ cycler.__init__.__globals__.os.popen('touch " + str(marked) + "').read() }}"
    write(tmp_path / "prompts/caption.txt", text)
    templates = templating.make_environment(tmp_path / "prompts", escape=False)
    with pytest.raises(ConfigError, match=r"caption\.txt"):
        prompts.fill_template(templates, "caption")
    assert not marked.exists()
