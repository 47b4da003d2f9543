"""Generated files of the language tasks: formats, counts of the design, oddities of the source."""

import json
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from project import read_study

from demo import zhang2025
from demo.zhang2025 import caption, word
from turingstats.config import raw_files, settings
from turingstats.data import adapters, cleaning, counts

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "data" / "published" / "zhang2025"
TABLES = (PUBLISHED / "design.csv", PUBLISHED / "demographics.csv")
STUDY = read_study("zhang2025")
FILES = raw_files.load_sources(ROOT / "data/sources/zhang2025.yaml").files
TASKS = ("caption", "word")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("demo")
    zhang2025.write_demo(*TABLES, out, 1, TASKS)
    return out


@pytest.fixture(scope="module")
def tables(folder):
    return adapters.read_raw_files([file for file in FILES if file.task in TASKS], folder, STUDY)


@pytest.fixture(scope="module")
def marked(tables):
    return cleaning.mark_exclusions(tables[0], STUDY, settings.Cleaning())


def content(folder, path):
    return json.loads((folder / path).read_text())


def test_all_listed_files_are_written(folder):
    written = {str(path.relative_to(folder)) for path in folder.rglob("*.json")}
    assert written == {file.path for file in FILES if file.task in TASKS}


def test_published_reading_has_the_counts_of_the_design(marked):
    kept = marked[marked["kept_published"]]
    found = kept.groupby(["task", "cohort", "agent"], observed=True).size().to_dict()
    design = pd.read_csv(TABLES[0]).query("task in @TASKS and cohort != 'amt_shared'")
    assert found == {(d.task, d.cohort, d.agent): d.n_trials for d in design.itertuples()}


def test_demographics_add_up_to_the_judges():
    design, demographics = (pd.read_csv(path).query("task in @TASKS") for path in TABLES)
    judges = design.groupby(["task", "cohort"])["n_judges"].first()
    for (task, cohort, _), own in demographics.groupby(["task", "cohort", "variable"]):
        assert own["n_judges"].sum() == judges[task, cohort]


def test_cue_filter(folder, marked):
    online = marked[(marked["task"] == "word") & (marked["cohort"] == "amt")]
    assert len(online) == 3550
    assert online["kept_published"].sum() == 1930
    assert online["kept_recommended"].all()
    kept = online[online["kept_published"]]
    assert kept["stimulus"].nunique() == 83
    halves = kept.groupby(["variant", "truth"], observed=True).size().to_dict()
    assert halves == {
        ("free", "human"): 474,
        ("free", "machine"): 491,
        ("prompted", "human"): 474,
        ("prompted", "machine"): 491,
    }
    for words in content(folder, word.WORD_FLAGS).values():
        assert words["flag"] == bool(set(words["human"]) & set(words["AI"]))
        assert words["AI"][1] == words["AI"][4]


def test_compiled_words_hold_the_same_trials_several_times(folder):
    compiled = content(folder, word.WORD_COMPILED)
    size = {name: len(trials) for name, trials in compiled.items()}
    assert size["combined"] == size["inlab"] + size["mturk"] == 2773
    assert size["inlab_gender"] + size["inlab_nogender"] == size["inlab"] == 843
    assert size["machine"] == 2241
    assert len({r["workerID"] for r in compiled["inlab"].values()}) == 1
    own = Counter(
        (r["workerID"], r["trialData"]["machine_groundtruth"]) for r in compiled["machine"].values()
    )
    assert not {("word2vec", "word2vec"), ("gpt2", "gpt2"), ("gpt3", "gpt3 (embedding)")} & set(own)
    assert own["gpt2", "gpt3 (prompt davinvci)"] == 83


def test_raw_words_are_spelled_as_before_compilation(folder):
    raw = [r["trialData"] for r in content(folder, word.WORD_AMT).values()]
    assert {t["groundtruth"] for t in raw} == {"human", "AI"}
    assert {t["response_speaker"] for t in raw} == {"human", "AI"}
    assert " gpt3 (embedding)" in {t["machine_groundtruth"] for t in raw}
    assert all(t["machine_groundtruth"] for t in raw if t["groundtruth"] == "human")


def test_judges_of_each_cohort(tables):
    found = tables[1].groupby(["task", "cohort"], observed=True).size().to_dict()
    assert found == {
        ("caption", "amt"): 293,
        ("caption", "expert"): 11,
        ("caption", "feedback"): 51,
        ("caption", "gpt4o_agent"): 100,
        ("caption", "inlab"): 30,
        ("caption", "svm"): 1,
        ("caption", "svm_feedback"): 1,
        ("caption", "zeroshot"): 1,
        ("word", "amt"): 71,
        ("word", "expert"): 10,
        ("word", "feedback"): 50,
        ("word", "gpt4o_agent"): 50,
        ("word", "inlab"): 30,
        ("word", "svm"): 3,
        ("word", "svm_feedback"): 2,
        ("word", "zeroshot"): 1,
    }


def test_sessions_of_captions(tables):
    trials = tables[0].query("task == 'caption' and cohort == 'amt'")
    lengths = Counter(trials.groupby("judge", observed=True).size())
    assert lengths == {20: 176, 40: 117}


def test_responses(tables):
    responses = tables[2]
    size = responses.groupby(["task", "agent"]).size()
    # Of these 750 and 2,000 are in the public dictionaries.
    assert size["word", "human"] == 1150 and size["word", "gpt2"] == 150
    assert size["caption", "human"] == 2290 and size["caption", "git"] == 1000
    assert size["caption"].sum() == 9910 and size["word"].sum() == 2050
    words = responses.query("task == 'word' and agent != 'human'").set_index(["stimulus", "agent"])[
        "response"
    ]
    davinci = words.xs("gpt3_prompt_davinci", level="agent")
    assert davinci.equals(words.xs("gpt2", level="agent"))


def test_no_identifier_reaches_a_table(tables):
    text = "".join(table.to_csv() for table in tables)
    assert "AGENERATED" not in text and "http" not in text


def test_pools_join_cohorts_without_adding_to_them(marked):
    whole = counts.add_pooled_cohorts(marked, STUDY)
    size = whole.groupby(["task", "cohort"], observed=True)["kept_published"].sum()
    assert size["word", "combined"] == 2773
    assert size["caption", "combined"] == 9400
    assert size["caption", "merged"] == 16200
    assert size["word", "amt"] == 1930
    alone = marked[marked["cohort"] != "inlab"]
    assert "combined" not in set(counts.add_pooled_cohorts(alone, STUDY)["cohort"])
    assert len(marked) == (~whole["cohort"].isin(["combined", "merged"])).sum()


def test_same_seed_same_bytes(folder, tmp_path):
    zhang2025.write_demo(*TABLES, tmp_path, 1, ["word"])
    for path in tmp_path.rglob("*.json"):
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes()


def test_captions_name_one_domain_a_judge(folder):
    trials = content(folder, caption.CAPTION_COMPILED)["mturk"].values()
    kinds = {(r["workerID"], r["workerData"]["imagetype"]) for r in trials}
    assert len(kinds) == 293
    assert {kind for _, kind in kinds} == set(caption.DOMAINS)
