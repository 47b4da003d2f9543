"""`make check` fails when a number changed, names it, and passes once that is accepted."""

import shutil
from types import SimpleNamespace

import pandas as pd
import pytest
from project import GOLDEN

from tools import check


@pytest.fixture
def accepted(jones2024, tmp_path, monkeypatch):
    """Folder of accepted results in a place where the check finds results that are made already."""
    results = "results/studies/jones2024"
    shutil.copytree(jones2024.folder / results, tmp_path / results)
    for name, folder in {"ROOT": "", "GOLDEN": "accepted", "CHANGED": "changed"}.items():
        monkeypatch.setattr(check, name, tmp_path / folder)
    return tmp_path / "accepted/jones2024"


@pytest.fixture
def run_check(accepted, monkeypatch, capsys):
    """A function that runs the check: its exit code, what it prints, and what it runs."""
    commands = []

    def run(command, cwd):
        commands.append(command)
        return SimpleNamespace(returncode=0)

    def run_and_read(*arguments):
        monkeypatch.setattr(check.subprocess, "run", run)
        monkeypatch.setattr("sys.argv", ["check", "jones2024", *arguments])
        code, captured = check.main(), capsys.readouterr()
        return code, captured.out + captured.err, commands[-1]

    return run_and_read


def test_a_changed_number_fails_until_it_is_accepted(accepted, run_check):
    code, printed, command = run_check("--accept")
    assert code == 0, printed
    assert "snakemake" in command and command[-1] == "study=jones2024"
    code, printed, _ = run_check()
    assert code == 0 and "are as accepted" in printed, printed
    path = accepted / "statistics/estimates.csv"
    before = path.read_text()
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    row = table.iloc[0]
    table.assign(value=["0.123", *table["value"][1:]]).to_csv(path, index=False)
    code, printed, _ = run_check()
    assert code == 1
    assert f"{row['estimate_id']}, {row['reading']}: value 0.123 -> {row['value']}" in printed
    assert "make accept" in printed
    assert run_check("--accept")[0] == 0
    assert path.read_text() == before


def test_accepted_tables_are_small():
    assert sum(path.stat().st_size for path in GOLDEN.rglob("*.csv")) < 8_500_000
