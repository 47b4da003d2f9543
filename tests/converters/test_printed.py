"""What notebooks print: the models of conversations, catch trials, captions judged in two orders, people."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from project import OBSERVED, read_study

from converters.zhang2025 import printed, reading
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.records import Source
from turingstats.config import settings
from turingstats.data import cleaning, package_reader, sample_sizes

STUDY = read_study("zhang2025")
PRINTED = {
    ("M-M", "blenderbot"): (1038, 0.3372),
    ("H-M", "blenderbot"): (505, 0.4990),
    ("M-M", "davinci"): (998, 0.3958),
    ("H-M", "davinci"): (542, 0.5314),
    ("M-M", "curie"): (962, 0.5738),
    ("H-M", "curie"): (539, 0.5955),
}
"""Verdicts of the online judges on each model, and the share that are right, as the notebook prints them."""
BLOCK = 20


def read_marked(task):
    """Judgments of a task of the bundled tables, marked as kept or left out."""
    study = STUDY.model_copy(update={"tasks": {task: STUDY.tasks[task]}})
    judgments, judges, *_ = package_reader.read_package(OBSERVED, study)
    return study, cleaning.mark_exclusions(judgments, study, settings.Cleaning()), judges


@pytest.fixture(scope="module")
def verdicts():
    """Kept verdicts of the online judges on machines of the first collection."""
    _, marked, _ = read_marked("conversation")
    own = marked[(marked["cohort"] == "amt") & marked["kept_published"]]
    own = own[own["truth"] == "machine"]
    number = own["stimulus"].astype(str).str.removeprefix("first.").astype(int)
    return own.assign(block=(number - 1) // BLOCK, right=own["verdict"] == "machine")


def test_models_of_conversations_give_the_printed_numbers_of_verdicts_and_shares(verdicts):
    for (variant, agent), (number, share) in PRINTED.items():
        own = verdicts[(verdicts["variant"] == variant) & (verdicts["agent"] == agent)]
        assert (len(own), round(own["right"].mean(), 4)) == (number, share)


def test_no_other_blocks_give_a_printed_number_and_share(verdicts):
    """Of all sets of up to four blocks of either type."""
    sums = verdicts.groupby(["variant", "block"], observed=True)["right"].agg(["sum", "size"])
    agent = verdicts.groupby(["variant", "block"], observed=True)["agent"].agg(set)
    assert (agent.str.len() == 1).all()
    for variant, blocks in sums.groupby(level="variant", observed=True):
        found = set()
        for size in range(1, 5):
            for chosen in combinations(range(len(blocks)), size):
                right, number = blocks.iloc[list(chosen)].sum()
                for (kind, name), told in PRINTED.items():
                    if (number, round(right / number, 4)) == told:
                        found.add((variant, kind, name, chosen))
        given = {
            (variant, variant, next(iter(group)), tuple(np.flatnonzero(agent[variant] == group)))
            for group in agent[variant]
        }
        assert found == given


def test_four_conversations_without_a_label_are_between_machines():
    stimuli = pd.read_csv(OBSERVED / "conversation_stimuli.csv").set_index("stimulus")
    models = {"first.090": "davinci", "first.247": "davinci"}
    models |= {"first.273": "curie", "first.286": "blenderbot"}
    for stimulus, model in models.items():
        row = stimuli.loc[stimulus, ["agent_a", "agent_b", "variant"]]
        assert row.tolist() == [model, model, "M-M"]


@pytest.mark.parametrize(
    ("task", "number", "machine"), [("color", 341, 271), ("object", 345, 306), ("word", 357, 266)]
)
def test_catch_trials_are_as_many_as_printed(task, number, machine):
    _, marked, _ = read_marked(task)
    caught = marked[marked["phase"] == "catch"]
    assert set(caught["cohort"]) == {"feedback"}
    counts = sample_sizes.count_catch_trials(caught)
    assert (counts["n_catch_judges"], counts["n_catch_trials"]) == (50, number)
    assert counts["n_catch_right"] == machine
    assert not caught["kept_published"].any()


def test_captions_are_read_as_they_are_bundled():
    place = {"task": "caption", "cohort": "zeroshot"}
    file = RawFile(path="a.ipynb", format="printed.read_captions", **place)
    judgments = printed.read_captions(Source(file, "", STUDY))["judgments"]
    for version, right in (("published", 756), ("recommended", 1351)):
        own = judgments[judgments["reading"].isna() | (judgments["reading"] == version)]
        said = own.loc[own["truth"] == "human", "verdict"] == "human"
        assert (len(own), said.sum(), len(said)) == (7000, right, 2000)


@pytest.mark.parametrize(
    ("caught", "kept", "left"), [(0, True, 1), (341, False, 342), (500, True, 1)]
)
def test_catch_trials_are_those_that_the_notebook_counts(caught, kept, left):
    place = {"task": "color", "cohort": "feedback"}
    counted = RawFile(path="a.ipynb", format="printed.read_catch_trials", **place)
    read = {counted: printed.read_catch_trials(Source(counted, "", STUDY))}
    other = RawFile(path="a.db", format="sessions.read_pages", **place)
    phases = ["test"] + ["catch"] * caught
    read[other] = {"judgments": pd.DataFrame({"phase": phases, "study": "zhang2025"})}
    reading.settle_catch_trials(read)
    assert (counted in read) == kept
    assert len(read[other]["judgments"]) == left
    if caught == 500:
        (row,) = read[other]["left_out"].to_dict("records")
        assert row["rows"] == 500 and "a notebook counts 341" in row["reason"]
