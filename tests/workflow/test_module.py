"""The rules as a module of somebody's own workflow, in a folder with nothing of this project."""

import pandas as pd
import pytest
from project import ROOT, Project

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
        "results/odds.csv",


rule keep_odds:
    input:
        odds="results/turing/all-studies/statistics/effects.csv",
        estimates="results/turing/mine/statistics/estimates.csv",
    output:
        "results/odds.csv",
    shell:
        "cp {{input.odds}} {{output}}"
"""
OWN = """
turing:
  study: all
  pathvars: {results: results/turing}
"""
VERDICTS = {"human": "hhmhhm", "parrot": "hhmhmm", "eliza": "mmmhmm"}


class Scratch(Project):
    """A folder with a table, its study files, and a workflow that uses the rules."""

    def __init__(self, folder):
        self.folder = folder
        meanings = {"h": "human", "m": "machine"}
        rows = [
            (f"judge {judge}", f"text {text}", agent, meanings[said[(text + judge) % 6]])
            for agent, said in VERDICTS.items()
            for judge in range(6)
            for text in range(6)
        ]
        columns = ["judge", "stimulus", "agent", "verdict"]
        pd.DataFrame(rows, columns=columns).to_csv(folder / "trials.csv", index=False)
        # Paths in what is written are relative to the folder.
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            starting_study.write_study("trials.csv", "mine")
        (folder / "Snakefile").write_text(SNAKEFILE)
        (folder / "own.yaml").write_text(OWN)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return Scratch(tmp_path_factory.mktemp("scratch"))


def test_rules_are_used_from_another_folder(scratch):
    shown = scratch.make("--cores", "1")
    odds = pd.read_csv(scratch.folder / "results/odds.csv").set_index("agent")["odds_ratio"]
    assert odds["eliza"] < odds["parrot"] < 1
    # Snakemake shows the run of that workflow as ever.
    assert "rule turing_mine_statistics:" in shown
    assert not (scratch.folder / "results/mine").exists()
    # Nothing is left to do; the page over all studies has one report per study.
    assert "Nothing to be done" in scratch.make("--dry-run", "results/turing/index.html")
    assert (scratch.folder / "results/turing/mine/report/index.html").exists()
