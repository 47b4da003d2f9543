"""Trials of people: what is read of colors, words and captions, marked and refused."""

import pytest
from raw_records import make_record, read_records

from converters.zhang2025 import word_trials
from turingstats.core.errors import InputError


def list_companions(flag=True):
    """Flags of two cues, of which one shares a word, and the version of one trial."""
    prompted = {"Trial_1": make_record("word", trial=40)}
    return {
        word_trials.FLAGS: {
            "infrared": {"human": ["light"] * 5, "AI": ["heat"] * 5, "flag": not flag},
            "heavy": {"human": ["light"] * 5, "AI": ["heat", "light", "a", "b", "c"], "flag": flag},
        },
        word_trials.VERSIONS: {
            "mturk-free": {"Trial_1": make_record("word", trial=17)},
            "mturk-prompted": prompted,
        },
    }


@pytest.mark.parametrize("flag", [True, False])
def test_online_words_before_the_cue_filter(tmp_path, flag):
    """Whichever value of the flag means what, the words tell."""
    machine = make_record("word", groundtruth="AI", response_speaker="human", trial=17)
    fields = {"groundtruth": "human", "response_speaker": "AI", "caption": "heavy", "trial": 18}
    content = {"Trial_1": machine, "Trial_2": make_record("word", **fields)}
    companions = list_companions(flag)
    judgments, judges, _ = read_records(
        tmp_path, content, "word", form="word_trials", companions=companions
    )
    found = judgments[["stimulus", "variant", "agent", "truth", "verdict", "defect"]]
    assert found.astype(object).where(found.notna(), None).to_numpy().tolist() == [
        ["infrared", "free", "gpt3_embedding", "machine", "human", None],
        ["heavy", None, "human", "human", "machine", "shared word"],
    ]
    assert judges["judge"].tolist() == ["word.amt.w001"]


def test_test_phase_names_the_cue_by_number(tmp_path):
    record = make_record("word", machine_groundtruth="GPT3(pr, Curie)")
    del record["trialData"]["caption"]
    file = {"task": "word", "cohort": "feedback", "form": "word_trials"}
    record["trialData"]["page_name"] = "https://host.example/words/95_e_0.html"
    judgments, _, _ = read_records(tmp_path, {"Trial_Word_985": record}, **file)
    row = judgments.iloc[0]
    assert row[["stimulus", "agent", "trial"]].tolist() == ["95", "gpt3_prompt_curie", 985]
    record["trialData"]["page_name"] = "somewhere.html"
    with pytest.raises(InputError, match="page_name"):
        read_records(tmp_path, {"Trial_Word_985": record}, **file)
