"""The command line, in a folder with a table and no clone."""

import json
from pathlib import Path

import pandas as pd
import pytest

from turingstats import cli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_keys_and_options_reach_the_run(exported, monkeypatch, capfd):
    monkeypatch.chdir(exported.folder)
    assert cli.main(["run", "trials", "seed=7", "-n", "--quiet", "rules"]) == 0
    assert "report" in capfd.readouterr().out


def test_paper_brings_its_data_and_keeps_files_that_are_there(folder):
    kept = folder / "data/published/zhang2022/claims.csv"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine")
    assert cli.main(["paper", "zhang2025", "tasks=[color]", "-n", "--quiet", "all"]) == 0
    assert kept.read_text() == "mine"
    assert len(pd.read_csv(folder / "data/observed/zhang2025/color_trials.csv")) > 1000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["paper", "zhang1925"], "allowed: jones2024, turingrsa, xturing, zhang2022, zhang2025"),
        (["run", "absent"], "turingstats init absent.csv"),
        (["run", "absent", "seed"], "as key=value"),
        (["run", "absent", "seed=1", "seed=2"], "seed: given twice"),
        (["paper", "zhang2025", "--config", "seed=7"], "before the first option"),
        (["verify", "absent.zip"], "does not exist"),
        (["verify", "--rerun", "absent.zip"], "does not exist"),
        (["verify", "absent.zip", "seed=7"], "as it is"),
        (["verify", "absent.zip", "-c4"], "only with --rerun"),
    ],
)
def test_what_is_not_understood_is_said(folder, capsys, words, message):
    assert cli.main(words) == 2
    assert message in capsys.readouterr().err


def test_exported_study_is_described(exported):
    results, table = exported.folder / "results/trials", exported.folder / "trials.csv"
    # What a table of verdicts with ages, conditions and confidence gives, and nothing personal.
    names = "matrices agents stimuli confidence groups conditions judge_spread"
    expected = {*names.split(), "agents_by_condition", "forest", "equivalence"}
    assert {path.stem for path in results.glob("figures/*.svg")} == expected
    assert not (results / "claims").exists()
    people = {person.encode() for person in pd.read_csv(table)["participant"]}
    for path in filter(Path.is_file, results.rglob("*.*")):
        content = path.read_bytes()
        assert not [s for s in (*people, b"192.0.2.", b"Mozilla") if s in content], path
    crate = json.loads((exported.folder / "trials-export/ro-crate-metadata.json").read_text())
    (run,) = [part for part in crate["@graph"] if part["@type"] == "CreateAction"]
    described = {part["@id"] for part in crate["@graph"]}
    assert {part["@id"] for part in run["result"]} <= described
    assert "results/trials/statistics/estimates.csv" in described


def test_every_byte_is_the_same_in_another_folder_with_other_settings(exported):
    here, there = (exported.folder / place for place in ("results", "trials-export/results"))
    parts = ("statistics", "figures", "tables")
    made = [path for part in parts for path in (here / "trials" / part).rglob("*.*")]
    assert {path.suffix for path in made} >= {".csv", ".pdf", ".svg", ".png", ".html", ".tex"}
    for path in made:
        assert path.read_bytes() == (there / path.relative_to(here)).read_bytes(), path


def test_manuscript_with_a_wrong_number_fails(folder, capsys):
    statistics = folder / "results/mine/statistics"
    statistics.mkdir(parents=True)
    tests = pd.DataFrame({"test_id": ["one"], "statistic": [2.0], "p": [0.04]})
    tests.to_csv(statistics / "tests.csv")
    (folder / "draft.md").write_text("p = .04 {{ claim: tests.p test_id=one }}")
    assert cli.main(["claims", "draft.md"]) == 0
    (folder / "draft.md").write_text("p = .05 {{ claim: tests.p test_id=one }}")
    assert cli.main(["claims", "draft.md"]) == 1
    assert "DIFFERS; the result is 0.04" in capsys.readouterr().out
