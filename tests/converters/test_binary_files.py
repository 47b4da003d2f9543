"""Databases and zips of pages: read as text files are, or left out with a note, never an error."""

import io
import json
import os
import sqlite3
import struct
import zipfile
from functools import partial

import binary_files as made
import pandas as pd
import pytest
from project import read_study

from converters.zhang2025 import raw_files, reading
from turingstats.data import package_reader

STUDY = read_study("zhang2025")
LISTED = [file for file in raw_files.list_files() if not file.is_printed]
JUDGES = ("w001", "w002", "w003")
PART = "colorDetection/Plot/Data_all/humanjudge_Color_Feedback_testphase.json"
DATABASE = "colorDetection/Feedback_Color/ec2_db/turing_feedback_color.db"
ANSWERS = "benchmarking/groundtruth_dictionaries/color.json"
PAGES = "colorDetection/Color_ChatGPT/static/responses_color_chatgpt.zip"
RAW = {"azure": "Azure", "mccq": "Histogram", "google": "Google", "human": ""}


SPOKEN = {"hit": 7, "hit_len": 9, "conversationID": "static/dataset/conv7_len9.html", "rt": 8000}
SPOKEN |= {"Aclass": "HAI", "Agender": "F", "Bgender": 0, "topic": "1", "phase": "TEST", "trial": 1}
SEEN = {"imageID": "https://SECRET.example/Ablated_VS/Ablated_EccNet_GIF/bg_img210_x.gif"}
SEEN |= {"phase": "TEST", "trial": 1, "rt": 9000, "correct response": "Machine"}
SEEN |= {"choose response": "Human", "object response": "sofa", "correct object": "sofa"}


def read(folder):
    return reading.read_files(raw_files.list_present(LISTED, folder), folder, STUDY)


def write_part(folder, judges=JUDGES):
    """Write the compiled test trials of judges, as the public file has them."""
    agents = {letter: agent for agent, letter in made.LETTERS.items()}
    records = {}
    for judge, trials in made.list_trials(*judges).items():
        for trial in trials.values():
            agent = agents[trial["page_name"].split("_")[1]]
            data = {name: trial[name] for name in ("rt", "trial", "page_name")}
            data |= {"response_speaker": trial["Aclass"], "response_object": trial["topic"]}
            data |= {"object_groundtruth": "1", "machine_groundtruth": RAW[agent]}
            data["groundtruth"] = "human" if agent == "human" else "machine"
            records[f"Trial_Color_{len(records) + 1}"] = {
                "workerID": f"SECRET{judge}",
                "workerData": made.ASKED,
                "trialData": data,
            }
    write(folder, PART, records)


def write(folder, name, content):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(content))


def write_answers(folder, answers, name=ANSWERS):
    records = {}
    for stimulus, agent, answer in answers:
        truth = "human" if agent == "human" else "machine"
        record = {"response": answer, "groundtruth": truth, "human_groundtruth": ""}
        record["machine_groundtruth"] = RAW.get(agent, agent)
        records.setdefault(stimulus, []).append(record)
    write(folder, name, records)


def get_notes(tables):
    """The notes as text, in which nobody is named."""
    text = " ".join(tables["notes"]["examples"])
    assert not any(secret in text for secret in made.SECRETS)
    return text


@pytest.mark.parametrize(
    ("form", "task", "cohort", "trial"),
    [
        ("sessions.read_pages", "color", "feedback", made.make_trial(1, 7, "azure", "human", 900)),
        ("sessions", "conversation", "expert", SPOKEN),
        ("sessions.read_attention", "attention", "ablated", SEEN),
    ],
)
def test_a_database_is_read_as_its_export(tmp_path, form, task, cohort, trial):
    sessions = [made.make_session(number, [trial]) for number in range(3)]
    sessions += [made.make_session(3, [trial], status=1), made.make_session(4, [], status=1)]
    made.write_csv(tmp_path / "raw.csv", sessions)
    made.write_database(tmp_path / "raw.db", sessions)
    listed = {"format": form, "task": task, "cohort": cohort, "workers": "x"}
    listed["letters"] = ("human", "azure")
    tables = [
        reading.read_file(raw_files.RawFile(path=f"raw.{ending}", **listed), tmp_path, STUDY)
        for ending in ("csv", "db")
    ]
    assert len(tables[0]["judges"]) == 3 and tables[0]["left_out"]["rows"].tolist() == [1]
    for name, table in tables[0].items():
        both = (own.drop(columns="file", errors="ignore") for own in (table, tables[1][name]))
        pd.testing.assert_frame_equal(*both)
    shown = (table.drop(columns="worker", errors="ignore") for table in tables[1].values())
    text = "".join(table.to_csv() for table in shown)
    assert not any(secret in text for secret in made.SECRETS)


def test_a_database_completes_the_trials_of_the_compiled_file(tmp_path):
    write_part(tmp_path)
    compiled = read(tmp_path)["judgments"]
    # A database of this mode is opened for reading only as one that does not change.
    more = "PRAGMA journal_mode = WAL"
    made.write_database(tmp_path / DATABASE, made.make_sessions(*JUDGES), more=more)
    before = (tmp_path / DATABASE).read_bytes()
    tables = read(tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before
    assert sorted(os.listdir((tmp_path / DATABASE).parent)) == [(tmp_path / DATABASE).name]
    judgments = tables["judgments"]
    assert get_notes(tables) == ""
    counted = judgments["phase"].value_counts().to_dict()
    assert counted == {"train": 120, "test": len(compiled), "catch": 180 - len(compiled)}
    columns = [*reading.TRIAL, "truth", "control_ok", "judge_kind"]
    test = judgments[judgments["phase"] == "test"].reset_index(drop=True)
    pd.testing.assert_frame_equal(test[columns], compiled[columns], check_dtype=False)
    bundled = package_reader.load_table(made.OBSERVED, "color_trials.csv")
    bundled = bundled[(bundled["cohort"] == "feedback") & bundled["judge"].isin(JUDGES)]
    bundled = bundled[bundled["phase"] == "test"]
    assert test["verdict"].tolist() == bundled["verdict"].tolist()
    catch = judgments[judgments["phase"] == "catch"]
    assert set(catch["agent"]) == {"catch"} and set(catch["truth"]) == {"machine"}


def test_a_database_that_contradicts_the_compiled_file_is_not_used(tmp_path):
    def change(judge, trials):
        if judge == "w002":
            trials[60]["rt"] += 1
        return trials

    write_part(tmp_path)
    made.write_database(tmp_path / DATABASE, made.make_sessions(*JUDGES, change=change))
    tables = read(tmp_path)
    assert set(tables["judgments"]["phase"]) == {"test"}
    assert f"{DATABASE}: 1 of" in get_notes(tables) and PART in get_notes(tables)


def test_judges_who_fail_control_questions_or_were_not_live_leave(tmp_path):
    def fail(right, judge, trials):
        for place, trial in enumerate(trials if judge == "w002" else []):
            trial["topic"] = "2" if place < right else "1"
        return trials

    for right, judges, said in (
        (58, 2, ["1 session with less than 7/12 of the control answers right"]),
        (59, 3, []),
    ):
        sessions = made.make_sessions(*JUDGES, change=partial(fail, right))
        trials = [made.make_trial(1, 5, "azure", "human", 900)]
        sessions.append(made.make_session(5, trials, mode="debug"))
        (tmp_path / DATABASE).unlink(missing_ok=True)
        made.write_database(tmp_path / DATABASE, sessions)
        tables = read(tmp_path)
        assert len(tables["judges"]) == judges
        rows = tables["left_out"].set_index("reason")["rows"].to_dict()
        assert list(rows) == ["1 session not live", *said]
        assert all(rows[reason] == 100 for reason in said)


@pytest.mark.parametrize(("right", "judges"), [(7, 1), (6, 0)])
def test_a_share_of_exactly_the_minimum_passes(tmp_path, right, judges):
    trials = [made.make_trial(place, 5, "azure", "human", 900) for place in range(1, 13)]
    for trial in trials[right:]:
        trial["topic"] = "1"
    made.write_database(tmp_path / DATABASE, [made.make_session(0, trials)])
    assert len(read(tmp_path)["judges"]) == judges


COLUMNS = made.psiturk.SESSION_COLUMNS


def set_cells(cells):
    return {"more": f"UPDATE tablechairDB SET {cells}"}


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda content: b"", "no tables with the columns"),
        (lambda content: b"no database\n" * 200, "not a database"),
        (lambda content: content[:30000], "not a database"),
        ({"columns": ["id", "name"]}, "one table with the columns uniqueid"),
        ({"columns": [name for name in COLUMNS if name != "status"]}, "no tables"),
        ({"columns": COLUMNS[::-1]}, "no tables"),
        ({"tables": ("one", "two")}, "2 tables"),
        (set_cells("datastring = x'00ff'"), "not text"),
        (set_cells("datastring = CAST(x'ff' AS TEXT)"), "Could not decode"),
        (set_cells("datastring = 'x'"), "not valid JSON"),
        (set_cells("status = 9"), "row 2, status"),
        (set_cells("datastring = replace(datastring, '_b_', '_g_')"), "expected: a, b, c"),
    ],
)
def test_a_poor_database_is_a_note(tmp_path, damage, said):
    write_part(tmp_path)
    path, keys = tmp_path / DATABASE, damage if isinstance(damage, dict) else {}
    made.write_database(path, made.make_sessions(*JUDGES), **keys)
    if not keys:
        path.write_bytes(damage(path.read_bytes()))
    tables = read(tmp_path)
    assert set(tables["judgments"]["phase"]) == {"test"}
    (row,) = tables["notes"].to_dict("records")
    assert (row["level"], row["task"], row["path"]) == ("note", "color", DATABASE)
    assert DATABASE in get_notes(tables) and said in get_notes(tables)


def test_only_named_columns_of_a_database_are_read(tmp_path, monkeypatch):
    """Addresses, browsers and other ids are not asked for."""
    asked = []
    connect = sqlite3.connect

    def watch(address, **options):
        assert address.endswith("?mode=ro&immutable=1")
        database = connect(address, **options)
        database.set_authorizer(
            lambda act, *about: asked.append((act, *about)) or sqlite3.SQLITE_OK
        )
        return database

    made.write_database(tmp_path / DATABASE, made.make_sessions(*JUDGES))
    # For the time of reading alone: the measurement of coverage has a database, too.
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", watch)
        read(tmp_path)
    columns = {about[1] for act, *about in asked if act == sqlite3.SQLITE_READ}
    assert columns.isdisjoint({"ipaddress", "browser", "platform", "hitid", "assignmentid"})


COLORS = [("1017", "human", "red"), ("1017", "mccq", "gray"), ("1017", "azure", "green")]
COLORS += [("22", "human", "blue"), ("22", "google", "none")]
SHOWN = [("1017", "a", "Red "), ("1017", "c", "gray"), ("1017", "b", "green")]
SHOWN += [("1017", "e", "dark &amp; red"), ("22", "d", "none"), ("22", "a", "purple")]


def test_pages_give_the_answers_that_the_dictionary_lacks(tmp_path):
    write_part(tmp_path)
    write_answers(tmp_path, [(f"{n}.jpg", *rest) for n, *rest in COLORS])
    known = read(tmp_path)["responses"]
    made.write_pages(tmp_path / PAGES, SHOWN)
    # The same pages in another zip, where the fifth letter is that of catch trials.
    first = PAGES.replace("Color_ChatGPT", "Feedback_Color").replace("_chatgpt", "")
    made.write_pages(tmp_path / first, SHOWN)
    tables = read(tmp_path)
    columns = ["stimulus", "agent", "response"]
    assert get_notes(tables) == ""
    pd.testing.assert_frame_equal(tables["responses"][: len(known)], known)
    assert tables["responses"][columns].to_numpy().tolist()[len(known) :] == [
        ["22", "human", "purple"],
        ["1017", "chatgpt", "dark & red"],
    ]


def test_pages_of_cues_are_named_by_the_answers_on_them(tmp_path):
    words = {"7": ("heavy", "light", "weight", "load"), "31": ("risky", "safe", "danger", "bet")}
    known = []
    for cue, *answers in words.values():
        known += zip([cue] * 3, ["human", "word2vec", "gpt2"], answers, strict=True)
    write_part(tmp_path)
    write_answers(tmp_path, known, ANSWERS.replace("color", "word"))
    zipped = "wordAssociation/Word_ChatGPT/static/responses_wordassoc_chatgpt.zip"
    pages = [
        (n, letter, word)
        for n, (_, *own) in words.items()
        for letter, word in zip("abc", own, strict=True)
    ]
    made.write_pages(tmp_path / zipped, [*pages, ("7", "g", "metal"), ("31", "g", "stock")])
    new = read(tmp_path)["responses"].query("agent == 'chatgpt'")
    assert new[["stimulus", "response"]].to_numpy().tolist() == [
        ["heavy", "metal"],
        ["risky", "stock"],
    ]
    (tmp_path / zipped).unlink()
    made.write_pages(tmp_path / zipped, [*pages, ("99", "g", "metal")])
    assert "number of a cue" in get_notes(read(tmp_path))


def lie_about_size(content):
    """State a small size of the first page, in both headers."""
    with zipfile.ZipFile(io.BytesIO(content)) as zipped:
        size = struct.pack("<I", zipped.infolist()[-1].file_size)
    return content.replace(size, struct.pack("<I", 300))


@pytest.mark.parametrize(
    ("answers", "damage", "said"),
    [
        (SHOWN, lambda content: b"", "not a zip"),
        (SHOWN, lambda content: content[:200], "not a zip"),
        (SHOWN, lambda content: content.replace(b"PK\x01\x02", b"PK\x01\x03"), "not a zip"),
        ([], None, "members such as 1017_d_0.html"),
        ([("1", "a", " ")], None, "a page without an answer"),
        ([("1", "g", "red")], None, "a, b, c, d, e"),
        ([("1", "a", "x" * 10**6)], None, "more than 100,000 bytes"),
        ([("1", "a", "x" * 10**6)], lie_about_size, "zip"),
        # Letters of other agents.
        ([("1017", "b", "gray"), ("1017", "c", "green")], None, "2 of 2"),
    ],
)
def test_poor_pages_are_a_note(tmp_path, answers, damage, said):
    write_part(tmp_path)
    write_answers(tmp_path, [(f"{n}.jpg", *rest) for n, *rest in COLORS])
    made.write_pages(tmp_path / PAGES, answers)
    if damage:
        (tmp_path / PAGES).write_bytes(damage((tmp_path / PAGES).read_bytes()))
    tables = read(tmp_path)
    assert len(tables["responses"]) == len(COLORS)
    assert PAGES in get_notes(tables) and said in get_notes(tables)


def test_pages_are_bounded_and_utf_8_and_have_a_heading(tmp_path, monkeypatch):
    write_part(tmp_path)
    made.write_pages(tmp_path / PAGES, SHOWN, "<b>{answer} {n}</b>")
    assert "'Speaker Response:'" in get_notes(read(tmp_path))
    with_accent = made.PAGE.encode().replace(b"{answer}", b"caf\xe9")
    made.write_pages(tmp_path / PAGES, [])
    with zipfile.ZipFile(tmp_path / PAGES, "a") as zipped:
        zipped.writestr("1_a_0.html", with_accent)
    assert "not UTF-8" in get_notes(read(tmp_path))
    made.write_pages(tmp_path / PAGES, SHOWN)
    monkeypatch.setattr("converters.zhang2025.pages.MOST_PAGES", len(SHOWN) - 1)
    assert "more than 5 pages" in get_notes(read(tmp_path))
