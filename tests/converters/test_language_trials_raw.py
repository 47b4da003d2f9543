"""Adapters of Word association and Image captioning: what they read, mark and refuse."""

import copy
import json

import pytest
import raw_reading
from project import read_study

from converters.zhang2025 import raw_files, trials, word_trials
from turingstats.core.errors import InputError

STUDY = read_study("zhang2025")
ANSWERS = {"country": "United States", "age": "21-25", "engagement": "3", "difficulty": "2"}
ANSWERS |= {"mode": "live", "gender": "female", "education": "bachelor", "condition": 0}
ANSWERS["native"] = "yes"
WORD = {
    "workerID": "AWORKERID00001",
    "workerData": ANSWERS,
    "trialData": {
        **{"rt": 4225, "hit": "participant_114", "trial": 17, "response_speaker": "human"},
        **{"machine_groundtruth": " gpt3 (embedding)", "imageID": 114, "caption": "infrared"},
        **{"counterbalance": 0, "groundtruth": "AI", "phase": "TEST", "human_groundtruth": ""},
        **{"real_gender": "AI", "guess_gender": "female"},
    },
}
CAPTION = {
    "workerID": "debugAWORKERID",
    "workerData": {k: v for k, v in ANSWERS.items() if k not in ("mode", "condition")}
    | {"imagetype": "COCO"},
    "trialData": {
        **{"phase": "TEST", "imageID": "/static/images/imgset/0728.jpg"},
        **{"caption": "a man paddling a red kayak on a lake", "groundtruth": "machine"},
        **{"machine_groundtruth": "git", "human_groundtruth": "", "response_speaker": "machine"},
        **{"response_gender": "female", "hit": True, "counterbalance": 398},
        **{"rt": 6992, "trial": 15},
    },
}


def changed(record, answers=None, **fields):
    """A record with other trial data, and other answers of the judge."""
    record = copy.deepcopy(record)
    record["trialData"] |= fields
    record["workerData"] |= answers or {}
    return record


def read(folder, content, cohort, task="word", form="word_trials", companions=None, **file):
    """Read one file that lies in a folder with its companions."""
    for name, held in {"raw.json": content, **(companions or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(held))
    raw = raw_files.RawFile(path="raw.json", format=form, task=task, cohort=cohort, **file)
    return raw_reading.read_raw_files([raw], folder, STUDY)


def companions(flag=True):
    """Flags of two cues, of which one shares a word, and the version of one trial."""
    return {
        word_trials.FLAGS: {
            "infrared": {"human": ["light"] * 5, "AI": ["heat"] * 5, "flag": not flag},
            "heavy": {"human": ["light"] * 5, "AI": ["heat", "light", "a", "b", "c"], "flag": flag},
        },
        word_trials.VERSIONS: {"mturk-free": {"Trial_1": WORD}, "mturk-prompted": {"Trial_1": WORD}}
        | {"mturk-prompted": {"Trial_1": changed(WORD, trial=40)}},
    }


@pytest.mark.parametrize("flag", [True, False])
def test_online_words_before_the_cue_filter(tmp_path, flag):
    """Whichever value of the flag means what, the words tell."""
    said = {"groundtruth": "human", "response_speaker": "AI", "real_gender": "male"}
    human = changed(WORD, trial=18, caption="heavy", **said)
    content = {"Trial_1": WORD, "Trial_2": human}
    judgments, judges, _ = read(tmp_path, content, "amt", companions=companions(flag))
    found = judgments[["stimulus", "variant", "agent", "truth", "verdict", "defect"]]
    assert found.astype(object).where(found.notna(), None).to_numpy().tolist() == [
        ["infrared", "free", "gpt3_embedding", "machine", "human", None],
        ["heavy", None, "human", "human", "machine", "shared word"],
    ]
    assert judges["judge"].tolist() == ["word.amt.w001"]
    assert "AWORKERID" not in judgments.to_csv() + judges.to_csv()


def test_test_phase_names_the_cue_by_number(tmp_path):
    record = changed(WORD, groundtruth="machine", machine_groundtruth="GPT3(pr, Curie)")
    del record["trialData"]["caption"]
    record["trialData"]["page_name"] = "https://host.example/words/95_e_0.html"
    judgments, _, _ = read(tmp_path, {"Trial_Word_985": record}, "feedback")
    row = judgments.iloc[0]
    assert row[["stimulus", "agent", "trial"]].tolist() == ["95", "gpt3_prompt_curie", 985]
    assert "host.example" not in judgments.to_csv()
    record["trialData"]["page_name"] = "somewhere.html"
    with pytest.raises(InputError, match="page_name"):
        read(tmp_path, {"Trial_Word_985": record}, "feedback")


@pytest.mark.parametrize(
    ("image", "domain"),
    [("0250", "COCO"), ("0251", "in-domain"), ("0728", "near-domain"), ("1000", "out-of-domain")],
)
def test_caption_domain_follows_from_the_image(tmp_path, image, domain):
    record = changed(CAPTION, imageID=f"/static/images/imgset/{image}.jpg")
    options = {"task": "caption", "form": "trials"}
    judgments, judges, _ = read(tmp_path, {"Trial_195": record}, "expert", **options)
    row = judgments.iloc[0]
    assert row[["stimulus", "domain", "agent"]].tolist() == [image, domain, "git"]
    assert judges["education"].tolist() == [CAPTION["workerData"]["education"]]
    assert len(trials.DOMAINS) * trials.PER_DOMAIN == 1000
