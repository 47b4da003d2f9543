"""The Conversation task: adapters, and topic filter."""

import csv
import io
import json

import pytest
import raw_records
from project import read_study

from converters.zhang2025 import conversations, raw_files
from turingstats.config import settings
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import READINGS
from turingstats.data import cleaning, counts, exclusion_log, sample_sizes

STUDY = read_study("zhang2025")
ASKED = {"gender": "female", "age": "45-50", "native": "yes", "education": "pg", "country": "Peru"}

DUMMY = {"trialdata": {"hit": 0, "topic": 0, "hit_len": 0, "Aclass": 0, "rt": 0}}


def trial(hit, verdict, topic="1", **others):
    record = {"hit": hit, "hit_len": 9, "Aclass": verdict, "topic": topic, "rt": 60156}
    record |= {"Agender": 0, "Bgender": 0} | others
    page = {"conversationID": f"static/dataset/conv{hit}_len{record['hit_len']}.html"}
    return {"trialdata": page | record}


def psiturk(*sessions):
    """A table of psiTurk from (status, trials) pairs, with identifiers that must not come out."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["uniqueid", "workerid", "ipaddress", "status", "datastring"])
    for session, (status, trials) in enumerate(sessions):
        data = [{"trialdata": {"phase": "INSTRUCTIONS"}}]
        for number, given in enumerate(trials or [], 1):
            own = {"phase": "TEST", "trial": number} | given["trialdata"]
            own["rt"] += 100 * session
            if "trueLabel" in own:
                own = {"isCatch": own["hit"] > 300, "hasFeedback": False} | own
            said = (own[name] for name in ("Aclass", "Agender", "Bgender", "topic"))
            data.append({"trialdata": own | {"response": "___".join(map(str, said))}})
        held = {"workerId": "SECRET", "data": data, "questiondata": ASKED}
        told = "" if trials is None else json.dumps(held)
        table.writerow([f"SECRET:{session}", "SECRET", "203.0.113.9", status, told])
    return text.getvalue()


def read(folder, *files):
    raw = []
    for number, (content, form, cohort, key) in enumerate(files):
        (folder / f"raw{number}").write_text(content)
        place = {"task": "conversation", "cohort": cohort, "key": key}
        raw.append(raw_files.RawFile(path=f"raw{number}", format=form, **place))
    return raw_records.read_raw_files(raw, folder, STUDY)


def amt(*trials, **person):
    """A file of the first collection."""
    judge = {"questiondata": ASKED | person, "data": [DUMMY, *trials]}
    return json.dumps({"mturk": {"datastring": [judge]}}), "conversations", "amt", "mturk"


def labelled(*pairs):
    trials = [trial(hit, "HH", trueLabel=code, trial=i) for i, (hit, code) in enumerate(pairs, 1)]
    return psiturk((3, trials)), "sessions.read_labels", None, None


def test_a_trial_gives_two_judgments(tmp_path):
    judgments, judges, _ = read(tmp_path, amt(trial(7, "HAI")), labelled((7, "AIH")))
    assert judgments[["side", "truth", "verdict", "agent"]].to_numpy().tolist() == [
        ["A", "machine", "human", "machine"],
        ["B", "human", "machine", "human"],
    ]
    row = judgments.iloc[0]
    assert row[["stimulus", "variant", "exchanges", "rt_ms"]].tolist() == [
        "first.007", "H-M", 9, 60156,
    ]  # fmt: skip
    assert judges[["judge", "age_band"]].to_numpy().tolist() == [["conversation.amt.w001", "46-50"]]


@pytest.mark.parametrize(("right", "kept"), [(15, 14), (14, 0)])
def test_topics_of_conversations_without_a_label_count_for_the_judge(tmp_path, right, kept):
    trials = [trial(n, "HH", "1" if n <= right else "2") for n in range(1, 21)]
    labels = [(n, "HH") for n in range(2, 21)]
    judgments, _, _ = read(tmp_path, amt(*trials), labelled(*labels))
    marked = cleaning.mark_exclusions(judgments, STUDY, settings.Cleaning())
    for reading in READINGS:
        assert marked[f"kept_{reading}"].sum() == 2 * kept
        unknown = marked.loc[marked["stimulus"] == "first.001", f"excluded_{reading}"]
        assert unknown.tolist() == ["no file says who was judged"] * 2


def test_contradicting_files_are_named(tmp_path):
    with pytest.raises(InputError, match="contradict") as error:
        read(tmp_path, amt(trial(7, "HH")), labelled((7, "AIH")), labelled((7, "HH")))
    assert "first.007" in str(error.value)


def test_sessions_of_psiturk(tmp_path):
    """Phases, long conversations, restarts, unfinished sessions, and no identifier."""

    def shown(hit, verdict, number, feedback, label="AIAI", length=9):
        folder = "24long_AIAI/" if length == 24 else ""
        page = f"/static/dataset_new/{folder}conv{hit}_len{length}.html"
        more = {"trueLabel": label, "hasFeedback": feedback, "isFixed": length == 24}
        more |= {"hit_len": length, "conversationID": page, "trial": number}
        return trial(hit, verdict, "3", **more)

    run = [
        shown(190, "HH", 1, True),
        shown(301, "HAI", 2, True, "HAI"),
        shown(270, "AIAI", 3, False, length=24),
    ]
    begun = [shown(199, "HH", 1, True), shown(198, "HH", 2, True)]
    table = psiturk((1, None), (1, begun), (3, begun + run))
    tables = read(tmp_path, (table, "sessions", "feedback", None))
    judgments = tables[0]
    assert judgments["phase"].tolist() == ["train"] * 2 + ["catch"] * 2 + ["test"] * 2
    assert judgments["exchanges"].tolist() == [9, 9, 9, 9, 48, 48]
    assert set(judgments["judge"]) == {"conversation.feedback.w001"}
    text = "".join(t.to_csv() for t in tables)
    assert "SECRET" not in text and "203.0.113" not in text
    both_halves, _, _ = read(tmp_path, (table, "sessions", "prolific2025", None))
    assert both_halves["phase"].tolist() == ["test"] * 2 + ["catch"] * 2 + ["test"] * 2


def test_an_entry_of_another_session_is_named(tmp_path):
    table = psiturk((3, [trial(7, "HH")]))
    entry = '{""trialdata"": {""phase"": ""INSTRUCTIONS""}}'
    for session, stops in (("SECRET:0", False), ("SECRET:1", True)):
        assert entry in table
        own = f'{{""uniqueid"": ""{session}"", {entry[1:]}'
        given = table.replace(entry, own), "sessions", "expert", None
        if not stops:
            assert len(read(tmp_path, given)[0]) == 2
            continue
        with pytest.raises(InputError, match=r"(?s)another session.*row 2.*data\[0\]") as error:
            read(tmp_path, given)
        assert "SECRET" not in str(error.value)


def feedback_sessions(*judges):
    """Sessions of (right test answers, right catch answers): 29 test and 3 catch trials each."""
    sessions = []
    for right, caught in judges:
        options = [conversations.find_topic_option("first", 1 + i) for i in range(29)]
        said = [str(option if i < right else 4) for i, option in enumerate(options)]
        trials = [trial(1 + i, "HH", one, trueLabel="HH") for i, one in enumerate(said)]
        said = ["3" if i < caught else "2" for i in range(3)]
        trials += [trial(301 + i, "HAI", one, trueLabel="HAI") for i, one in enumerate(said)]
        sessions.append((3, trials))
    return psiturk(*sessions), "sessions", "feedback", None


def test_a_complete_session_of_another_status_counts_in_the_recommended_reading_alone(tmp_path):
    content, form, cohort, key = feedback_sessions((29, 3), (29, 3))
    rows = content.splitlines()
    unfinished = rows[2].replace("203.0.113.9,3", "203.0.113.9,1").replace("SECRET:1", "SECRET:2")
    rows[2] = rows[2].replace("203.0.113.9,3", "203.0.113.9,4")
    content = "\n".join([*rows, unfinished]) + "\n"
    (tmp_path / "raw").write_text(content)
    file = raw_files.RawFile(path="raw", format=form, task="conversation", cohort=cohort, key=key)
    tables = raw_records.read_raw_files([file], tmp_path, STUDY, parts=5)
    judgments, judges, responses, left_out, _ = tables
    assert left_out[["cohort", "reason", "rows"]].to_numpy().tolist() == [
        ["feedback", "1 session not finished", 32]
    ]
    marked = cleaning.mark_exclusions(judgments, STUDY, settings.Cleaning())
    account = exclusion_log.log_exclusions(marked, STUDY, left_out)
    out = account[account["reason"] == "complete session whose status is not 3 (completed)"]
    assert set(out["reading"]) == {"published"}
    assert out.loc[out["judge"] == "all", "excluded"].tolist() == [29]
    assert set(out["judge"]) == {"all", "conversation.feedback.w002"}
    groups = counts.assign_groups(judges, STUDY.demographics)
    table = sample_sizes.count_samples(marked, groups, responses, STUDY)
    table = table.set_index(["size_id", "reading"])
    for reading, number in (("published", 1), ("recommended", 2)):
        kept = cleaning.keep_one_per_trial(marked[marked[f"kept_{reading}"]])
        assert table.loc[("conversation.feedback.all.n_trials", reading), "value"] == len(kept) > 1
        for quantity, each in (("n_judges_in_source", 1), ("n_catch_judges", 1), ("n_shown", 32)):
            found = table.loc[(f"conversation.feedback.all.{quantity}", reading), "value"]
            assert found == number * each
