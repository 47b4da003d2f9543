"""Every design in every poor shape, from its table to its report, in one process.

No step fails, every row is in the analysis or in the log, and the first screen has an answer or the reason
why there is none.
"""

import shutil
from pathlib import Path

import pytest
from project import ROOT, read_said
from shapes import list_studies, make_study
from whole_study import take_to_report

from tools import check
from turingstats.core import files

STUDIES = list(list_studies())
QUICK = 12
"""One study of so many is among the quick tests, and has its figures drawn and all its tables written."""
ANSWERS = ('class="summary"', 'class="points"', 'id="chart"')
"""What the first screen has where it says something."""
SHARES = r"p_\w+|detectability|accuracy|called human|identified|roc_area"


def list_params():
    """The studies, of which few are quick."""
    for number, study in enumerate(STUDIES):
        marks = [] if number % QUICK == 0 else [pytest.mark.thorough]
        yield pytest.param(number, id="-".join(study), marks=marks)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", list(list_params()))
def test_every_shape_reaches_its_report(tmp_path, number):
    shaped = make_study(*STUDIES[number])
    shaped.write(tmp_path / "table.csv")
    run = take_to_report(tmp_path, "table.csv", draw_all=number % QUICK == 0, **shaped.said)
    assert "a run would stop" not in run.told
    assert count_rows(run.folder) == len(shaped.rows)
    page = (run.folder / "report/index.html").read_text()
    assert any(part in page for part in ANSWERS)
    check_limits(run.folder)


@pytest.mark.filterwarnings("ignore")
def test_pairs_of_several_aspects_reach_their_report(tmp_path):
    """Their figure has no single finding to be named after."""
    shaped = make_study("pairs", "complete", "plain")
    for number, row in enumerate(shaped.rows):
        row["aspect"] = ("fluency", "meaning")[number % 2]
    shaped.write(tmp_path / "table.csv")
    run = take_to_report(tmp_path, "table.csv", **shaped.said)
    assert "Fluency" in (run.folder / "report/index.html").read_text().title()


def count_rows(folder):
    """Rows that the account of a study has, analyzed and left out."""
    account = files.read_frame(folder / "data/exclusions.csv")
    if "trials" in account:
        return account["trials"].sum()
    whole = account[account["judge"] == "all"]
    analyzed = whole.loc[whole["step"] == "analyzed", "rows_out"].sum()
    return analyzed + whole["excluded"].sum()


def check_limits(folder):
    """Intervals stay within what is possible."""
    for path in sorted((folder / "statistics").glob("*.csv")):
        table = files.read_frame(path)
        if not {"ci_low", "ci_high"} <= set(table):
            continue
        ends = table[["ci_low", "ci_high"]].astype(float)
        if "quantity" in table:
            shares = table["quantity"].astype(str).str.fullmatch(SHARES).astype(bool)
            of_shares = ends[shares & (path.stem in ("estimates", "breakdowns", "ratings"))]
            assert of_shares.stack().dropna().between(0, 1).all(), path.stem
        if path.stem == "equivalence":
            assert ends.stack().dropna().between(-1, 1).all()
            assert table["smallest_margin"].dropna().le(1).all()
        both = ends.dropna()
        assert (both["ci_low"] <= both["ci_high"]).all(), path.stem


EXAMPLES = [f"docs/example/{name}.csv" for name in ("trials", *check.EXAMPLES)]
EXAMPLES += [f"tests/real_tables/{name}/trials.csv" for name in ("vk-bots", "brainbench-2afc")]


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", EXAMPLES)
def test_examples_reach_their_report(tmp_path, path):
    table = Path(shutil.copy(ROOT / path, tmp_path))
    run = take_to_report(tmp_path, table.name, **read_said(table.stem))
    assert "a run would stop" not in run.told
    page = (run.folder / "report/index.html").read_text()
    assert any(part in page for part in ANSWERS)
    generated = "generated data" in table.read_text()
    assert ("Generated data say nothing of judges" in page) == (
        generated and 'id="chart"' not in page
    )
