"""What docs/extending.md adds to the project, one file each, is in the results of the next run."""

import json
import os
import random
import re
import subprocess
import sys

import pandas as pd
import pytest
from project import ROOT, Project
from whole_study import FEW

GUIDE = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
# Files that the guide shows, by path: the first line of a block names it.
FILES = {
    path: text
    for text in re.findall(r"```(?:python|yaml)\n(# \S+/.*?)```", GUIDE, re.DOTALL)
    for path in re.findall(r"^# (\S+)", text)[:1]
}
STUDY = "config/studies/doe2026.yaml"
TEST = "src/turingstats/analysis/comparisons/signs.py"
KIND = "src/turingstats/figures/kinds/numbers.py"
TABLE = "src/turingstats/analysis/positions.py"
NAMES = [
    ("src/turingstats/config/study/tests.py", '"crossed_t"', '"signs"'),
    ("src/turingstats/config/study/panels.py", '"stimuli"]', '"numbers"'),
]
"""Where names of tests and of kinds of panels are listed: file, a known name, the new one."""
LIST = "src/turingstats/workflow/results.py"
FIRST = '    "statistics": (\n', '    "tables": (\n'
"""Where the results of these rules begin in the list."""
FIGURE = """\
  fig2:
    title: Raters
    panels:
      A: {kind: matrix, title: Raters, task: texts, cohort: raters}
"""
BROKEN = "title: T\nagents: {bot: {lable: Bot}}\ntasks: {}\n"
CLAIMS = "data/published/doe2026/claims.csv"
ABOUT_TABLE = (
    "doe.first,12 of the first responses were judged human.,line 5,texts,human,raters,,count,k,,12,=,0,"
    'positions,"task=texts, cohort=raters, position=1",k,value,,,\n'
)
"""A claim on the added table."""


def write_sheets(path):
    draw = random.Random(1)
    agents = ("human", "human", "gpt4o", "llama3")
    sheets = {}
    for rater in range(30):
        answers = [
            {"text": f"t{n}", "by": agents[n % 4], "said": draw.choice(["human", "machine"])}
            for n in range(20)
        ]
        sheets[f"rater {rater}"] = {"age": draw.choice(["18-30", "31+"]), "answers": answers}
    path.write_text(json.dumps(sheets))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project to which a newcomer has added a paper, a test and a kind of panel, and its results."""
    project = Project(tmp_path_factory.mktemp("newcomer") / "project")
    write_sheets(project.folder / "sheets.json")
    (conversion,) = re.findall(r"```python\n(import json.*?)```", GUIDE, re.DOTALL)
    (claims,) = re.findall(r"```\n(claim_id.*?)```", GUIDE, re.DOTALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.folder)
        exec(conversion, {})
    (panel,) = re.findall(r"`(\{kind: numbers.*?\})`", GUIDE, re.DOTALL)
    panel = " ".join(panel.split())
    study = FILES[STUDY].replace("{test: wilcoxon}", "{test: signs}")
    study = study.replace("    panels:\n", f"    panels:\n      B: {panel}\n")
    study = study.replace("figures:\n", f"figures:\n{FIGURE}")
    for path, text in (FILES | {STUDY: study, CLAIMS: claims + ABOUT_TABLE}).items():
        (project.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (project.folder / path).write_text(text)
    entries = re.findall(r"```python\n(Result\(.*?)```", GUIDE, re.DOTALL)
    listed = (project.folder / LIST).read_text()
    for first, entry in zip(FIRST, entries, strict=True):
        listed = listed.replace(first, first + entry, 1)
    (project.folder / LIST).write_text(listed)
    for path, known, new in NAMES:
        text = (project.folder / path).read_text()
        (project.folder / path).write_text(text.replace(known, f"{new}, {known}", 1))
    results = ("statistics/tests.csv", "figures/fig1.png", "claims/claims.csv", "report/index.html")
    # A study that nobody asked for is not read.
    (project.folder / "config/studies/broken.yaml").write_text(BROKEN)
    made = [f"results/doe2026/{name}" for name in results]
    output = project.make(*made, config=FEW | {"study": "doe2026"})
    assert "broken" not in output
    return project


def test_each_addition_is_one_file():
    assert sorted(FILES) == sorted([STUDY, TEST, KIND, TABLE])


def read(project, name):
    return pd.read_csv(project.folder / "results/doe2026" / name)


def test_a_paper_a_test_a_panel_and_a_figure_are_a_file_or_an_entry(project):
    claims = read(project, "claims/claims.csv").set_index("claim_id")
    assert claims.loc["doe.n", "status"] == "reproduced"
    assert claims.loc["doe.pHH", "recomputed_exact"].endswith("/300")
    (test,) = read(project, "statistics/tests.csv").query("test == 'signs'").to_dict("records")
    assert test["statistic_name"] == "judges above" and 0 < test["n1"] <= 30
    shown = read(project, "figures/fig1.csv").query("kind == 'numbers'")
    assert set(shown["agent_label"]) >= {"GPT-4o", "Llama 3"}
    assert (project.folder / "results/doe2026/figures/fig1.png").stat().st_size > 1000
    assert (project.folder / "results/doe2026/figures/fig2.png").stat().st_size > 1000
    assert set(read(project, "figures/fig2.csv")["kind"]) == {"matrix"}


def test_a_table_is_an_entry_of_the_list_and_its_function(project):
    """It is in the run, the report and the page of all results, and claims may select from it."""
    table = read(project, "statistics/positions.csv")
    assert table["n"].sum() == 600 and set(table["data"]) == {"observed data"}
    claim = read(project, "claims/claims.csv").set_index("claim_id").loc["doe.first"]
    assert float(claim["recomputed"]) == table.query("position == 1")["k"].sum()
    report = (project.folder / "results/doe2026/report/index.html").read_text()
    assert "Verdicts by place in a session" in report
    write = "from tools.references import write_results_page; print(write_results_page())"
    environment = os.environ | {"PYTHONPATH": "src"}
    page = subprocess.check_output(
        [sys.executable, "-c", write], cwd=project.folder, env=environment, text=True
    )
    assert "- statistics/positions.csv: Verdicts by place in a session" in page


def test_a_table_is_asked_for(project):
    # Errors of the scripts and of Snakemake are shown even if nothing else is.
    run = project.snakemake("init", "--quiet", "all")
    assert run.code != 0
    assert "csv=trials.csv" in run.output
