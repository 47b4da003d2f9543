"""Who judged: people found again across the files of a study, and no id that reaches a table."""

import copy
import csv
import json
from pathlib import Path

import pytest
from test_adapters import FIRST, STUDY
from test_scanpaths import FIRST as FREE

from turingstats.config import raw_files
from turingstats.config.study import Study
from turingstats.core.yaml_models import build_model
from turingstats.data import adapters
from turingstats.data.adapters import persons

ROOT = Path(__file__).parents[2]


def file_of(path, task, cohort, form="zhang2025.trial_dictionary", **more):
    return raw_files.RawFile(path=path, format=form, task=task, cohort=cohort, **more)


def write(folder, name, workers, record=FIRST, key="Trial"):
    """A dictionary of trials, one of each worker."""
    content = {}
    for number, worker in enumerate(workers, start=1):
        one = copy.deepcopy(record) | {"workerID": worker}
        one["trialData"]["machine_groundtruth"] = "DeepGazeIII" if record is FREE else "google"
        one["trialData"] |= {"groundtruth": "machine", "rt": 5000 + number}
        content[f"{key}_{number}"] = one
    (folder / name).write_text(json.dumps(content))


def people(judges):
    known = judges["person"].astype(object).where(judges["person"].notna(), None)
    return dict(zip(judges["judge"], known, strict=True))


def test_a_worker_has_one_number_in_all_files_of_a_register(tmp_path):
    write(tmp_path, "a.json", ["ASECRET1", "ASECRET2"])
    write(tmp_path, "b.json", ["ASECRET3", "ASECRET2"])
    write(tmp_path, "c.json", ["ASECRET2"])
    write(tmp_path, "d.json", ["ASECRET1"])
    files = [
        file_of("a.json", "color", "amt", workers="mturk"),
        file_of("b.json", "object", "amt", workers="mturk"),
        file_of("c.json", "color", "feedback", workers="prolific"),
        file_of("d.json", "color", "expert"),
    ]
    judgments, judges, _ = adapters.read_raw_files(files, tmp_path, STUDY)
    assert people(judges) == {
        "color.amt.w001": "mturk.p001",
        "color.amt.w002": "mturk.p002",
        "object.amt.w001": "mturk.p003",
        "object.amt.w002": "mturk.p002",
        # The same letters in another register say nothing.
        "color.feedback.w001": "prolific.p001",
        "color.expert.w001": None,
    }
    for table in (judgments, judges):
        assert "worker" not in table
        assert "SECRET" not in table.to_csv()


def test_sessions_of_a_worker_are_judges_of_one_person(tmp_path):
    sessions = ["ASECRET1:3A", "ASECRET2:3B", "ASECRET1:3C"]
    write(tmp_path, "first.json", sessions, FREE, key="Trial_FV")
    own = file_of(
        "first.json", "attention", "amt", "zhang2025.scanpath_dictionary", workers="mturk"
    )
    _, judges, _ = adapters.read_raw_files([own], tmp_path, STUDY)
    assert list(people(judges).values()) == ["mturk.p001", "mturk.p002", "mturk.p001"]


def test_people_behind_a_shared_account_are_not_known(tmp_path):
    write(tmp_path, "a.json", ["ASECRET1", "ASECRET1"])
    shared = STUDY.model_dump(mode="json")
    shared["tasks"]["color"]["cohorts"]["amt"]["shared_ids"] = True
    own = file_of("a.json", "color", "amt", workers="mturk")
    _, judges, _ = adapters.read_raw_files([own], tmp_path, build_model(Study, shared, "study"))
    assert judges["person"].isna().all()


@pytest.mark.parametrize(
    ("cells", "worker"),
    [
        ({"workerid": "P1", "uniqueid": "P2:A"}, "P1"),
        ({"workerid": "", "uniqueid": "P2:A"}, "P2"),
        ({"uniqueid": "P2"}, "P2"),
        ({}, None),
    ],
)
def test_worker_of_a_session_of_psiturk(cells, worker):
    known = file_of(
        "a.csv", "conversation", "feedback", "zhang2025.psiturk_table", workers="prolific"
    )
    assert persons.find_worker_id(cells, known) == worker
    assert persons.find_worker_id(cells, known.model_copy(update={"workers": None})) is None


OWN = {
    "study": "own",
    "title": "Two tasks",
    "agents": {"bot": {"label": "Bot"}},
    "demographics": {"chatbot_use": {"seldom": ["0-3"], "often": ["4+"]}},
    "tasks": {
        name: {
            "label": name,
            "agents": ["bot"],
            "cohorts": {
                "online": {"label": "Online", "judge_kind": "human", "agents": ["bot"]},
                "svm": {"label": "SVM", "judge_kind": "svm", "agents": ["bot"]},
            },
        }
        for name in ("poems", "jokes")
    },
}


def read_own(folder, rows, header, **columns):
    with open(folder / "own.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    files = [
        file_of(
            "own.csv", task, None, "verdict_table", where={"task": [task]},
            columns={name: name for name in header if name != "task"} | columns,
        )
        for task in OWN["tasks"]
    ]  # fmt: skip
    return adapters.read_raw_files(files, folder, build_model(Study, OWN, "study"))[1]


def test_the_same_id_in_two_tasks_of_own_data_is_one_person(tmp_path):
    header = ["task", "cohort", "judge", "agent", "verdict", "chatbot_use"]
    rows = [
        ("poems", "online", "SECRET1", "bot", "human", 2),
        ("poems", "online", "SECRET2", "bot", "human", 5),
        ("poems", "svm", "SECRET1", "bot", "human", ""),
        ("jokes", "online", "SECRET2", "bot", "machine", 5),
    ]
    judges = read_own(tmp_path, rows, header)
    assert people(judges) == {
        "poems.online.w001": "own.p001",
        "poems.online.w002": "own.p002",
        "poems.svm.w001": None,
        "jokes.online.w001": "own.p002",
    }
    assert "SECRET" not in judges.to_csv()
    assert judges["chatbot_use"].dropna().tolist() == ["2", "5", "5"]


def test_a_column_may_say_who_a_judge_is(tmp_path):
    header = ["task", "cohort", "judge", "person", "agent", "verdict", "chatbot_use"]
    rows = [
        ("poems", "online", "session1", "lab.p007", "bot", "human", 2),
        ("poems", "online", "session2", "Jane", "bot", "human", 2),
        ("jokes", "online", "session3", "lab.p007", "bot", "human", 2),
        ("jokes", "online", "lab.p009", "", "bot", "human", 2),
    ]
    judges = read_own(tmp_path, rows, header)
    # Numbers stay as they are, names do not, and an empty cell means that it is not known.
    assert list(people(judges).values()) == ["lab.p007", "own.p001", "lab.p007", None]
