"""Tables of one's own in a folder with nothing of this project, whose workflow uses the rules as a module."""

import re
import shutil

import pandas as pd
import pytest
from project import ROOT, Project, read_said

from turingstats.new_study import starting_study

SNAKEFILE = f"""
configfile: "own.yaml"


module turing:
    snakefile:
        "{ROOT}/Snakefile"
    config:
        config["turing"]


use rule * from turing as turing_*


rule all:
    default_target: True
    input:
        "results/ranking.csv",


rule keep_ranking:
    input:
        ranking="results/turing/pairs/tables/ranking.csv",
        page="results/turing/index.html",
    output:
        "results/ranking.csv",
    shell:
        "cp {{input.ranking}} {{output}}"
"""
OWN = """
turing:
  study: all
  resamples: {bootstrap: 100, permutation: 100}
  figures: {formats: [png], dpi: 72}
  pathvars: {results: results/turing}
"""


class Scratch(Project):
    """A folder with tables, their study files, and a workflow that uses the rules."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("pairs", "scores"):
            shutil.copy(ROOT / f"docs/example/{name}.csv", folder)
        # Paths in what is written are relative to the folder.
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            for name in ("pairs", "scores"):
                starting_study.write_study(f"{name}.csv", name, **read_said(name))
        (folder / "Snakefile").write_text(SNAKEFILE)
        (folder / "own.yaml").write_text(OWN)

    def read(self, path):
        return pd.read_csv(self.folder / f"results/turing/{path}.csv", keep_default_na=False)

    def read_report(self, study):
        return (self.folder / f"results/turing/{study}/report/index.html").read_text()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    made = Scratch(tmp_path_factory.mktemp("scratch"))
    made.printed = made.make("--cores", "2")
    return made


def test_rules_are_used_from_another_folder(scratch):
    ranking = scratch.folder / "results/turing/pairs/tables/ranking.csv"
    assert (scratch.folder / "results/ranking.csv").read_bytes() == ranking.read_bytes()
    # Snakemake shows the run of that workflow as ever.
    assert "rule turing_pairs_statistics:" in scratch.printed
    assert not (scratch.folder / "results/pairs").exists()
    assert "Nothing to be done" in scratch.make("--dry-run")


def test_pairs_become_ranks_and_left_out_studies_say_why(scratch):
    assert (scratch.folder / "results/turing/pairs/figures/ranking.png").stat().st_size > 5000
    agents = ["Alder", "People", "Cedar", "Birch", "Dogwood", "Markov chain"]
    assert list(scratch.read("pairs/tables/ranking")["Agent"]) == agents
    page = scratch.read_report("pairs")
    assert re.search(r"rank 1 \(1 to 5\)\s*<small>not told apart from People, Cedar", page)
    # The table says of each of its 480 choices that it is generated.
    assert "Generated data" in page and "480 choices of 30 human judges" not in page
    reasons = scratch.read("all-studies/statistics/left_out").set_index("study")["reason"]
    assert reasons["pairs"] == "judges compared agents with each other"
    assert reasons["scores"].startswith("no observed or printed verdicts of people")
