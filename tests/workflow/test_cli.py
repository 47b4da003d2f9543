"""The command line, in a folder that holds a table and nothing else."""

import json
import shutil

import pandas as pd
import pytest

from demo.own_data import generate_trials
from turingstats import cli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    generate_trials().to_csv("trials.csv", index=False)
    return tmp_path


def test_table_becomes_a_study_that_can_be_run(folder, capfd):
    assert cli.main(["init", "trials.csv", "name=mine"]) == 0
    assert (folder / "config/studies/mine.yaml").exists()
    assert cli.main(["run", "mine", "seed=7", "-n", "--quiet", "rules"]) == 0
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
        (["paper", "zhang2025", "--config", "seed=7"], "before the first option"),
    ],
)
def test_what_is_not_understood_is_said(folder, capsys, words, message):
    assert cli.main(words) == 2
    assert message in capsys.readouterr().err


def expect_all_figures_and_nothing_personal(results, table):
    """Expect what a table of verdicts with ages, conditions and confidence gives."""
    names = "matrices agents judges stimuli confidence groups conditions judge_spread signal"
    expected = {*names.split(), "agents_by_condition", "forest", "abilities", "equivalence"}
    assert {path.stem for path in results.glob("figures/*.svg")} == expected
    assert not (results / "claims").exists()
    secrets = {line.split(",")[0].encode() for line in table.read_text().splitlines()[1:]}
    for path in results.rglob("*.*"):
        if path.is_file():
            content = path.read_bytes()
            assert not [s for s in (*secrets, b"192.0.2.", b"Mozilla") if s in content], path


def test_exported_study_can_be_verified(folder, capfd):
    assert cli.main(["init", "trials.csv"]) == 0
    settings = ["figures={formats: [svg]}", "resamples={bootstrap: 100, permutation: 100}"]
    assert cli.main(["export", "trials", *settings, "--quiet", "all"]) == 0
    expect_all_figures_and_nothing_personal(folder / "results/trials", folder / "trials.csv")
    crate = json.loads((folder / "trials-export/ro-crate-metadata.json").read_text())["@graph"]
    (run,) = [part for part in crate if part["@type"] == "CreateAction"]
    described = {part["@id"] for part in crate}
    assert {part["@id"] for part in run["result"]} <= described
    assert "results/trials/statistics/estimates.csv" in described
    table = folder / "trials-export/results/trials/statistics/estimates.csv"
    table.write_text(table.read_text().replace("0.5", "0.6", 1))
    shutil.make_archive("changed", "zip", folder, "trials-export")
    capfd.readouterr()
    assert cli.main(["verify", "changed.zip", "--quiet", "all"]) == 1
    out = capfd.readouterr().out
    assert "1 files changed" in out and "1 files computed differently" in out
    assert out.count("statistics/estimates.csv") == 2


def test_manuscript_with_a_wrong_number_fails(folder, capsys):
    statistics = folder / "results/mine/statistics"
    statistics.mkdir(parents=True)
    pd.DataFrame({"test_id": ["one"], "statistic": [2.0], "p": [0.04]}).to_csv(
        statistics / "tests.csv"
    )
    (folder / "draft.md").write_text("p = .04 {{ claim: tests.p test_id=one }}")
    assert cli.main(["claims", "draft.md"]) == 0
    (folder / "draft.md").write_text("p = .05 {{ claim: tests.p test_id=one }}")
    assert cli.main(["claims", "draft.md"]) == 1
    assert "DIFFERS; the result is 0.04" in capsys.readouterr().out
