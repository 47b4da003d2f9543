"""Adapters: what they read, what they drop, and how they refuse."""

import copy
import json

import raw_reading
from project import read_study

from converters.zhang2025 import raw_files

STUDY = read_study("zhang2025")
FIRST = {
    "workerID": "AWORKERID00001",
    "workerData": {
        "country": "United States",
        "age": "45-50",
        "engagement": "6",
        "difficulty": "8",
        "mode": "live",
        "gender": "male",
        "education": "bachelor",
        "condition": 0,
        "native": "yes",
    },
    "trialData": {
        "rt": 20357,
        "hit": "985",
        "trial": 1,
        "response_speaker": "machine",
        "machine_groundtruth": "Histogram",
        "imageID": "static/dataset/coco_val_set/985.jpg",
        "page_name": "985_c_0.html/",
        "counterbalance": 0,
        "groundtruth": "machine",
        "human_groundtruth": "",
        "response_gender": "male",
    },
}


def changed(**fields):
    """The first record with other trial data."""
    record = copy.deepcopy(FIRST)
    record["trialData"] |= fields
    return record


def read(folder, content, cohort="amt", key="mturk", form="trials"):
    path = folder / "raw.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    file = raw_files.RawFile(path="raw.json", format=form, key=key, task="color", cohort=cohort)
    return raw_reading.read_raw_files([file], folder, STUDY)


def test_first_wave_record(tmp_path):
    human = changed(groundtruth="human", machine_groundtruth="", page_name="985_a_0.html/", trial=2)
    judgments, judges, _ = read(tmp_path, {"mturk": {"Trial_1": FIRST, "Trial_7": human}})
    first = judgments.iloc[0]
    assert first[["judge", "agent", "truth", "verdict", "stimulus"]].tolist() == [
        "color.amt.w001",
        "mccq",
        "machine",
        "machine",
        "985",
    ]
    assert first["trial"] == 1
    assert first["rt_ms"] == 20357
    assert judgments["agent"].iloc[1] == "human"
    assert judges["age_band"].tolist() == ["46-50"]
    assert judges["judge"].tolist() == ["color.amt.w001"]


def test_identifiers_are_dropped(tmp_path):
    record = copy.deepcopy(FIRST) | {"ipaddress": "203.0.113.9"}
    record["trialData"]["imageID"] = "https://host.example/985.jpg"
    record["workerData"]["useragent"] = "203.0.113.9"
    tables = read(tmp_path, {"mturk": {"Trial_1": record}})
    text = "".join(table.to_csv() for table in tables)
    for secret in ("AWORKERID", "203.0.113", "host.example"):
        assert secret not in text
