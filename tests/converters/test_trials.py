"""Trials of people: what is read of colors, words and captions, marked and refused."""

import pytest
from raw_records import make_record, read_records

from converters.zhang2025 import trials, word_trials
from turingstats.core.errors import InputError

HUMAN = {"groundtruth": "human", "machine_groundtruth": ""}


def test_first_wave_record(tmp_path):
    human = make_record("color", **HUMAN, page_name="985_a_0.html/", trial=2)
    content = {"mturk": {"Trial_1": make_record("color"), "Trial_7": human}}
    judgments, judges, _ = read_records(tmp_path, content, "color", key="mturk")
    read = ["judge", "agent", "truth", "verdict", "stimulus", "trial", "rt_ms"]
    expected = ["color.amt.w001", "mccq", "machine", "machine", "985", 1, 20357]
    assert judgments.iloc[0][read].tolist() == expected
    assert judgments["agent"].iloc[1] == "human"
    assert judges[["judge", "age_band"]].to_numpy().tolist() == [["color.amt.w001", "46-50"]]


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


@pytest.mark.parametrize(
    ("image", "domain"),
    [("0250", "COCO"), ("0251", "in-domain"), ("0728", "near-domain"), ("1000", "out-of-domain")],
)
def test_caption_domain_follows_from_the_image(tmp_path, image, domain):
    record = make_record("caption", imageID=f"/static/images/imgset/{image}.jpg")
    judgments, judges, _ = read_records(tmp_path, {"Trial_195": record}, "caption", "expert")
    row = judgments.iloc[0]
    assert row[["stimulus", "domain", "agent"]].tolist() == [image, domain, "git"]
    assert judges["education"].tolist() == ["bachelor"]
    assert len(trials.DOMAINS) * trials.PER_DOMAIN == 1000
