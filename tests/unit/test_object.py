"""Object detection: the generated raw files have the public formats and the design's counts."""

import json
import re
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from project import read_study

from demo import zhang2025
from demo.zhang2025.object import OBJECT_DICTIONARY, OBJECT_PATHS
from turingstats.config import raw_files
from turingstats.data import adapters

ROOT = Path(__file__).resolve().parents[2]
STUDY = read_study("zhang2025")
FILES = [
    f
    for f in raw_files.load_sources(ROOT / "data/sources/zhang2025.yaml").files
    if f.task == "object"
]
TABLES = [ROOT / f"data/published/zhang2025/{name}.csv" for name in ("design", "demographics")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("demo")
    zhang2025.write_demo(*TABLES, out, 1, ["object"])
    return out


@pytest.fixture(scope="module")
def judgments(folder):
    return adapters.read_raw_files(FILES, folder, STUDY)[0]


def content(folder, name):
    return json.loads((folder / OBJECT_PATHS[name]).read_text())


def test_files_are_those_of_the_sources(folder):
    assert {p.relative_to(folder).as_posix() for p in folder.rglob("*.json")} == {
        f.path for f in FILES
    }


def test_counts_are_those_of_the_design(judgments):
    design = pd.read_csv(TABLES[0])
    design = design[design["task"] == "object"]
    counted = Counter(
        zip(judgments["cohort"].astype(str), judgments["agent"].astype(str), strict=True)
    )
    assert counted == {(d.cohort, d.agent): d.n_trials for d in design.itertuples()}


def test_rates_are_near_the_design(judgments):
    design = pd.read_csv(TABLES[0])
    design = design[(design["task"] == "object") & (design["n_trials"] >= 800)]
    machine = (judgments["verdict"] == "machine").groupby(
        [judgments["cohort"], judgments["agent"]], observed=True
    )
    shares = machine.mean()
    for row in design.itertuples():
        wanted = row.judged_machine / row.n_trials
        assert shares[row.cohort, row.agent] == pytest.approx(wanted, abs=0.07)


def test_first_wave_format(folder):
    records = content(folder, "amt")["mturk"]
    assert len(records) == 1778 and list(content(folder, "expert")) == ["AIexperts"]
    for key, record in records.items():
        data = record["trialData"]
        assert data["page_name"] == f"{data['hit']}_{data['page_name'].split('_')[1]}_0.html/"
        assert (int(key.removeprefix("Trial_")) - 1) % 25 + 1 == data["trial"]
    letters = {
        (r["trialData"]["machine_groundtruth"], r["trialData"]["page_name"].split("_")[1])
        for r in records.values()
    }
    assert letters == {
        ("", "a"), ("azure", "b"), ("detectron", "c"), ("google", "d"), ("rekognition", "e"),
    }  # fmt: skip


def test_later_format(folder):
    feedback = content(folder, "feedback")
    assert list(feedback) == [f"Trial_Obj_{k}" for k in range(1, 2001)]
    trials = [r["trialData"] for r in feedback.values()]
    assert all(t["Aclass"] == t["response_speaker"].capitalize() for t in trials)
    assert min(t["trial"] for t in trials) > 40 and max(t["trial"] for t in trials) <= 90
    assert {t["machine_groundtruth"] for t in trials} == {
        "", "Azure", "Detectron", "Google", "Rekognition",
    }  # fmt: skip
    assert "hit" not in trials[39] and not any("imgtype" in t for t in trials)
    agents = Counter(
        (r["workerID"], r["trialData"]["machine_groundtruth"]) for r in feedback.values()
    )
    assert all(n == (5 if agent else 20) for (_, agent), n in agents.items())
    pages = {
        re.fullmatch(r"\d+_([a-f])_0\.html/", r["trialData"]["page_name"])[1]
        for r in content(folder, "gpt4o_agent").values()
    }
    assert pages == set("abcdef")


@pytest.mark.parametrize(("cohort", "accuracy"), [("feedback", 0.923), ("gpt4o_agent", 0.912)])
def test_control_questions(judgments, cohort, accuracy):
    own = judgments[judgments["cohort"] == cohort]
    assert own["control_ok"].mean() == pytest.approx(accuracy, abs=0.03)


def test_dictionary(folder):
    dictionary = json.loads((folder / OBJECT_DICTIONARY).read_text())
    assert len(dictionary) == 808 and "548.jpg" in dictionary
    for candidates in dictionary.values():
        assert sorted(c["machine_groundtruth"] for c in candidates) == [
            "", "azure", "detectron", "google", "rekognition",
        ]  # fmt: skip
        assert all(len(c["response"].split(", ")) == 3 for c in candidates)
    assert len(content(folder, "zeroshot")) == 807 * 5


def test_same_seed_same_bytes(folder, tmp_path):
    for path in zhang2025.write_demo(*TABLES, tmp_path, 1, ["object"]):
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes()
