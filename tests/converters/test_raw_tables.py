"""Raw files of every format give the tables that they gave when they were compared with the public ones.

`raw_tables.json` holds the tables of the samples, without empty columns.
"""

import copy
import dataclasses
import json
from pathlib import Path

import pytest
from raw_samples import list_samples

from turingstats.core.errors import InputError

SAMPLES = {sample.name: sample for sample in list_samples()}
EXPECTED = json.loads(Path(__file__).with_name("raw_tables.json").read_text(encoding="utf-8"))


def read_tables(sample, folder):
    sample.write(folder)
    tables = sample.read(folder).items()
    return {
        name: table.dropna(axis=1, how="all").to_csv(index=False).splitlines()
        for name, table in tables
        if len(table)
    }


@pytest.mark.parametrize("number", range(len(EXPECTED)))
def test_sample_gives_its_tables(number, tmp_path):
    assert read_tables(list_samples()[number], tmp_path) == EXPECTED[number]


def read_changed(name, folder, trial, change, key=None, **about):
    """Read a sample of which one trial, and what the list of files says, are others."""
    sample = SAMPLES[name]
    trees = copy.deepcopy(sample.trees)
    records = trees[sample.file.path]
    (records[key] if key else records)[trial]["trialData"] |= change
    file = sample.file.model_copy(update=about)
    changed = dataclasses.replace(sample, file=file, trees=trees)
    changed.write(folder)
    return changed.read(folder)


def test_agent_that_contradicts_the_truth_is_refused(tmp_path):
    change = {"groundtruth": "human"}
    with pytest.raises(InputError, match="ground truth is human but the agent is ofa"):
        read_changed("trials-caption-expert", tmp_path, "Trial_1", change, "AIexperts")


def test_judges_with_one_id_begin_where_the_counter_does_not_increase(tmp_path):
    name, change = "word_trials-word-inlab", {"trial": 2}
    tables = read_changed(name, tmp_path, "Trial_2", change, "inlab")
    assert tables["judgments"]["judge"].str[-4:].tolist()[:2] == ["w001", "w002"]


def test_trials_at_the_start_are_training_and_others_special(tmp_path):
    name, change = "trials-attention-feedback", {"groundtruth": "swapped"}
    judgments = read_changed(name, tmp_path, "Trial_FV_2", change, training=1)["judgments"]
    assert judgments["phase"].tolist()[:2] == ["train", "swapped"]
    assert judgments["agent"].tolist()[1] == "human"
