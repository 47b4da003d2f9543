"""Numbers that the authors' notebooks print, against what comes out of the real trials, one by one.

`spec/expected-*.csv` lists them with their figure, quantity and group. `PLACES` says where a group's
numbers stand in the results, `QUANTITIES` how a quantity is found there. The trials and the list are not
part of the repository; without them the tests are skipped.
"""

import csv
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from turingstats import adapters, cleaning, config, counts, estimates, sizes

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
BUILD = SHARED / "tools/build_checkout.py"
LISTS = sorted((SHARED / "spec").glob("expected-*.csv"))
OPTIONS = {"seed": 1, "n_bootstrap": 100, "confidence": 0.95}

# Task and figure to cohort and level; a text beside a figure is about the same cohort.
PLACES = {
    ("color estimation", "Fig 6A"): ("color.amt", "all"),
    ("color estimation", "text / Fig 6A"): ("color.amt", "all"),
    ("color estimation", "Fig 4G / Fig 6A"): ("color.amt", "all"),
    ("color estimation", "Fig S2M-P"): ("color.amt", None),
    ("color estimation", "Fig S4P"): ("color.expert", "all"),
    ("attention prediction", "Fig 6E"): ("attention.amt", "all"),
    ("attention prediction", "text / Fig 6E"): ("attention.amt", "all"),
    ("attention prediction", "Fig S9A"): ("attention.amt", "free viewing"),
    ("attention prediction", "Fig S9C"): ("attention.amt", "visual search"),
    ("attention prediction", "Fig 7U"): ("attention.amt", "free viewing"),
    ("attention prediction", "Fig S2U-X"): ("attention.amt", None),
    ("word association", "Fig S4H"): ("word.expert", "all"),
    ("conversation", "Fig S7D"): ("conversation.online", None),
}
AGENTS = {
    "human": "human", "all models": "all", "machine (all)": "all", "azure": "azure", "mccq": "mccq",
    "google": "google", "gbvs": "gbvs", "ivsn": "ivsn", "deepgazeiii": "deepgaze3",
    "word2vec": "word2vec", "gpt2": "gpt2", "gpt3 (embedding)": "gpt3_embedding",
    "gpt3 (prompt curie)": "gpt3_prompt_curie", "gpt3 (prompt davinci)": "gpt3_prompt_davinci",
    'catch ("other")': "catch",
}  # fmt: skip
GROUPS = {
    "age 18-35": "18-35", "age 36-45": "36-45", "age 45-50/46-50 (51+ not in any bin)": "46 and over",
    "female": "female", "male": "male", "middle/high school": "school", "bachelor": "bachelor",
    "master or pg": "postgraduate", "age bin 1": "18-35", "age bin 2": "36-45",
    "age bin 3": "46 and over", "education bin 1": "school", "education bin 2": "bachelor",
    "education bin 3": "postgraduate", "all": "all",
}  # fmt: skip
# How a quantity is called in the lists, and where it stands: table, ending of the id, column.
QUANTITIES = (
    (r"p\(h\|h\)", "estimate", "human.p_HH", "value"),
    (r"p\(m\|m\)$", "estimate", "{agent}.p_MM", "value"),
    (r"p\(h\|m\), fooling rate", "estimate", "{agent}.p_HM", "value"),
    (r"p\(h\|m\) \(= 1-accuracy\)|mean over the 4 check-points p\(h\|m\)", "estimate", "all.p_HM", "value"),
    (r"mean over the 4 check-points p\(h\|h\)", "estimate", "human.p_HH", "value"),
    (r"correct forced-choice judgments", "estimate", "human.p_HH", "k"),
    (r"imitation detectability \(printed mean\)", "estimate", "{agent}.detectability", "value"),
    (r"half-sampl", "estimate", "{agent}.detectability", "se"),
    (r"trials by ground truth", "estimate", "{agent}.{rate}", "n"),
    (r"kept trials|trials$|number of trials|trials in demographic bin", "size", "n_trials", "value"),
    (r"judges \(trials / 12\)|conversations retained", "size", "n_judges", "value"),
)  # fmt: skip
# Numbers of these figures that are no cell, count or error of this project, or known not to fit.
NOT_COMPARED = {
    "COL-005": "least of several rates, which are compared one by one",
    "COL-006": "greatest of several rates, which are compared one by one",
    "COL-215": "trials and their kinds are told apart by the group",
    "WRD-215": "a test against the online judges, whose trials are not among the real ones",
    "WRD-216": "a test against the online judges, whose trials are not among the real ones",
    "ATT-123": "counts high school; the group here has a judge of middle school, too",
    **dict.fromkeys(
        ("ATT-073", "ATT-074", "ATT-075", "ATT-076", "ATT-077"),
        "not printed but derived; the list says that 0.01 more or less cannot be excluded",
    ),
    "conv-016": "people of the online test are not in its file",
    "conv-017": "files of a folder that is not public",
    "conv-019": "speakers, not judgments",
    "conv-020": "counts of one side; the project judges both",
    "conv-021": "counts of one side; the project judges both",
    "conv-022": "counts of one side; the project judges both",
    "conv-023": "counts of one side; the project judges both",
    "conv-024": "counts of one side; the project judges both",
}


def expected():
    """Rows of the lists that belong to a place, without those that are not compared."""
    rows = [row for path in LISTS for row in csv.DictReader(path.open(encoding="utf-8"))]
    return [
        row
        for row in rows
        if (row["task"], row["figure_or_section"]) in PLACES and row["id"] not in NOT_COMPARED
    ]


@cache
def results(folder):
    """Estimates and sizes of the published reading, of the cohorts in `PLACES`, by id."""
    study = config.load_study(ROOT / "config/studies/zhang2025.yaml")
    cohorts = {tuple(place.split(".")) for place, _ in PLACES.values()}
    asked = config.Config(
        tasks=sorted({task for task, _ in cohorts}), cohorts=sorted({name for _, name in cohorts})
    )
    study = config.subset(study, asked)
    listed = config.load_sources(ROOT / "data/sources/zhang2025.yaml").files
    files = [f for f in listed if (f.task, f.cohort) in cohorts and (folder / f.path).is_file()]
    judgments, judges, responses = adapters.read(files, folder, study)
    marked = cleaning.clean(judgments, study, config.Cleaning())
    groups = counts.groups_of(judges, study.demographics)
    tables = {
        "estimate": estimates.estimate(counts.count(marked, study), groups, study, OPTIONS),
        "size": sizes.measure(marked, groups, responses, study),
    }
    return {
        name: table[table["reading"] == "published"].set_index(f"{name}_id")
        for name, table in tables.items()
    }


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    if not BUILD.is_file() or not LISTS:
        pytest.skip(f"the real trials or the expected numbers are not on this computer ({SHARED})")
    folder = tmp_path_factory.mktemp("checkout")
    subprocess.run([sys.executable, BUILD, folder], check=True, capture_output=True)
    return folder


def found(row, tables):
    """The number of this project that a row of the lists is about."""
    place, level = PLACES[row["task"], row["figure_or_section"]]
    quantity = row["quantity"].lower()
    name = row["group"].lower().split("; ")[-1]
    table, ending, column = next(
        rest for pattern, *rest in QUANTITIES if re.match(pattern, quantity)
    )
    agent = AGENTS.get(name, "all")
    ending = ending.format(agent=agent, rate="p_HH" if agent == "human" else "p_MM")
    if level is None:
        exchanges = re.match(r"(\d+) exchanges", name)
        level = exchanges[1] if exchanges else GROUPS[name]
    if table == "size" and place == "attention.amt" and level in ("free viewing", "visual search"):
        # Sizes are those of groups of judges; trials of a variant are those of its two truths.
        of = tables["estimate"]["n"]
        return of[f"{place}.{level}.human.p_HH"] + of[f"{place}.{level}.all.p_MM"]
    return tables[table].loc[f"{place}.{level}.{ending}", column]


@pytest.mark.parametrize("row", expected() or [None], ids=lambda row: row["id"] if row else "none")
def test_number_is_the_printed_one(row, checkout):
    value = found(row, results(checkout))
    printed = row["value"]
    if row["quantity"].startswith("half-sampl"):
        # The authors' draws had no seed: two standard deviations of B draws, B the smaller number of
        # trials, differ by a normal variable with the relative spread 1 / root(B - 1).
        machine = row | {"quantity": "trials by ground truth"}
        people = machine | {"group": "human"}
        draws = min(found(kind, results(checkout)) for kind in (people, machine))
        assert value == pytest.approx(float(printed), rel=4 / (draws - 1) ** 0.5)
        return
    decimals = min(len(printed.partition(".")[2]), 9)
    assert float(value) == pytest.approx(float(printed), abs=0.5 * 10**-decimals + 1e-9)


def test_how_many_numbers_are_compared(checkout):
    """A number that no longer finds its place must not drop out of the comparison unseen."""
    number = Counter(row["task"] for row in expected())
    assert number == {
        "color estimation": 47,
        "attention prediction": 56,
        "word association": 14,
        "conversation": 16,
    }
