"""`make check` fails when a number changed, names it, and passes once that is accepted."""

from types import SimpleNamespace

import pytest

from tools import check


@pytest.fixture
def project(observed, tmp_path, monkeypatch):
    """A copy of a finished run, in which the check works."""
    project = observed.copy(tmp_path / "project")
    settings = "resamples: {bootstrap: 500, permutation: 500}\npathvars: {results: results}\n"
    (project.folder / "check.yaml").write_text(settings)
    monkeypatch.chdir(project.folder)
    places = {"ROOT": "", "SUBSETS": "", "GOLDEN": "accepted", "CHANGED": "results/check/pictures"}
    for name, folder in places.items():
        monkeypatch.setattr(check, name, project.folder / folder)
    return project


@pytest.fixture
def run_check(project, monkeypatch, capsys):
    """A function that runs the check: its exit code and what it prints."""

    def run_and_read(*arguments):
        monkeypatch.setattr("sys.argv", ["check", "observed", *arguments])
        code, captured = check.main(), capsys.readouterr()
        return code, captured.out + captured.err

    return run_and_read


def test_a_changed_number_fails_until_it_is_accepted(project, run_check, monkeypatch):
    code, printed = run_check("--accept")
    assert code == 0, printed
    # The results stay as they are, so that no further rerun is needed.
    monkeypatch.setattr(check.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=0))
    code, printed = run_check()
    assert code == 0 and "are as accepted" in printed, printed
    path = project.folder / "accepted/observed/statistics/estimates.csv"
    before = path.read_text()
    row = next(line for line in before.splitlines() if line.startswith("color.amt.all.human.p_HH"))
    value = row.split(",")[10]
    path.write_text(before.replace(row, row.replace(value, "0.123")))
    code, printed = run_check()
    assert code == 1
    assert f"color.amt.all.human.p_HH, published: value 0.123 -> {value}" in printed
    assert "make accept" in printed
    assert run_check("--accept")[0] == 0
    assert path.read_text() == before
