"""Who judged: people found again across the files of a study, and no id that reaches a table."""

import json
from types import SimpleNamespace

import pytest
import raw_records
from project import list_people
from raw_records import STUDY, make_record

from converters.zhang2025 import raw_files, sessions, trials


def file_of(path, task, cohort, form="trials", **more):
    return raw_files.RawFile(path=path, format=form, task=task, cohort=cohort, **more)


def write(folder, name, workers, task="color", key="Trial"):
    """A dictionary of trials, one of each worker."""
    named = {} if task == "attention" else {"machine_groundtruth": "google"}
    content = {
        f"{key}_{number}": make_record(task, worker, rt=5000 + number, **named)
        for number, worker in enumerate(workers, start=1)
    }
    (folder / name).write_text(json.dumps(content))


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
    judgments, judges, _ = raw_records.read_raw_files(files, tmp_path, STUDY)
    assert list_people(judges) == {
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
    workers = ["ASECRET1:3A", "ASECRET2:3B", "ASECRET1:3C"]
    write(tmp_path, "first.json", workers, "attention", "Trial_FV")
    own = file_of("first.json", "attention", "amt", "trials", workers="mturk")
    _, judges, _ = raw_records.read_raw_files([own], tmp_path, STUDY)
    assert list(list_people(judges).values()) == ["mturk.p001", "mturk.p002", "mturk.p001"]


def test_people_behind_a_shared_account_are_not_known(tmp_path, monkeypatch):
    write(tmp_path, "a.json", ["ASECRET1", "ASECRET1"])
    monkeypatch.setattr(trials, "SHARED_IDS", {("color", "amt")})
    own = file_of("a.json", "color", "amt", workers="mturk")
    _, judges, _ = raw_records.read_raw_files([own], tmp_path, STUDY)
    assert judges["person"].isna().all()


@pytest.mark.parametrize(
    ("cells", "known"),
    [({"workerid": "P1", "uniqueid": "P2:A"}, True), ({"uniqueid": "P2:A"}, True), ({}, False)],
)
def test_worker_of_a_session_of_psiturk(cells, known):
    file = file_of("a.csv", "conversation", "feedback", "sessions", workers="prolific")
    row = SimpleNamespace(**{"workerid": "", "uniqueid": ""} | cells)
    assert sessions.find_worker_id(row, file) == (
        ("P1" if "workerid" in cells else "P2") if known else None
    )
    unknown = file.model_copy(update={"workers": None})
    assert sessions.find_worker_id(row, unknown) is None
