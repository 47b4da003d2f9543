"""Records of trials as the public files have them, and raw files made of them."""

import json

from project import read_study

from converters.zhang2025 import raw_files, reading
from turingstats.data import schema

STUDY = read_study("zhang2025")
SECRETS = ("AWORKERID", "3ASSIGNMENT", "SECRET", "203.0.113", "host.example", ".gif")
HOST = "https://host.example/"
ANSWERS = {"age": "45-50", "gender": "male", "education": "bachelor", "useragent": "203.0.113.9"}
TRIAL = {"rt": 20357, "trial": 1, "groundtruth": "machine", "response_speaker": "machine"}
OF_TASK = {
    "color": {"machine_groundtruth": "Histogram", "page_name": "985_c_0.html/"},
    "word": {"machine_groundtruth": " gpt3 (embedding)", "caption": "infrared"},
    "caption": {"machine_groundtruth": "git", "imageID": "/static/images/imgset/0728.jpg"},
    "attention": {
        "machine_groundtruth": "DeepGazeIII",
        "imageID": f"{HOST}naturalsaliency_conv_deepgaze/fig_naturaldesign_conv_only_img86_nfix30.gif",
    },
}


def read_raw_files(files, folder, study, parts=3):
    """Read raw files: judgments, judges, responses and, of more parts, what is left out."""
    return schema.complete_tables(reading.read_files(files, folder, study), study)[:parts]


def make_record(task, worker="AWORKERID00001:3ASSIGNMENT", **fields):
    """A record of a trial of a task, with other fields."""
    data = TRIAL | OF_TASK[task] | fields
    return {
        "workerID": worker,
        "workerData": ANSWERS,
        "ipaddress": "203.0.113.9",
        "trialData": data,
    }


def read_records(folder, content, task, cohort="amt", form="trials", companions=None, **file):
    """Read one file, JSON or text, that lies in a folder with its companions."""
    for name, held in {"raw": content, **(companions or {})}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(held if isinstance(held, str) else json.dumps(held))
    raw = raw_files.RawFile(path="raw", format=form, task=task, cohort=cohort, **file)
    tables = read_raw_files([raw], folder, STUDY)
    text = "".join(table.to_csv() for table in tables)
    assert not any(secret in text for secret in SECRETS)
    return tables
