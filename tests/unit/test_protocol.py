"""Constants of the protocol: what the trials tell, and what the study file declares."""

from types import SimpleNamespace

import pandas as pd

from turingstats.config.study import Response
from turingstats.data import protocol

TASKS = {
    "talk": SimpleNamespace(response=Response(form="conversation"), texts=None),
    "cap": SimpleNamespace(response=None, texts=None),
    "path": SimpleNamespace(response=Response(form="scan path"), texts=None),
    "word": SimpleNamespace(response=Response(), texts=SimpleNamespace(unit="word")),
}
STUDY = SimpleNamespace(study="made", tasks=TASKS)


def trial(**fields):
    blank = dict.fromkeys(("stimulus", "topic", "exchanges", "domain", "rt_ms", "position"))
    row = {"task": "talk", "cohort": "amt", "judge_kind": "human", "judge": "j1", "phase": "test"}
    return row | {"truth": "human"} | blank | fields


def measured(trials, responses=()):
    columns = ["task", "stimulus", "agent", "response", "turn"]
    rows = [dict(zip(columns, row, strict=False)) for row in responses]
    answers = pd.DataFrame(rows, columns=columns)
    table = protocol.measure_protocol(pd.DataFrame(trials), answers, STUDY)
    return table.set_index("protocol_id")["value"].to_dict()


def test_share_of_people_is_of_test_trials_of_human_judges():
    rows = [{}, *[{"truth": "machine"}] * 2, {"truth": "machine", "phase": "catch"}]
    rows += [{"judge_kind": "svm"}, {"task": "color"}]
    found = measured([trial(**row) for row in rows])
    assert found["talk.amt.share_human"] == 1 / 3
    assert found["all.all.share_human"] == 2 / 4


def test_lengths_topics_training_and_speed():
    found = measured(
        [
            trial(exchanges=3, topic="food", stimulus="a", rt_ms=2500, position=8),
            trial(exchanges=24, topic="books", stimulus="a", rt_ms=900, position=7, phase="train"),
            trial(exchanges=24, topic="books", stimulus="b", rt_ms=900, position=2, phase="train"),
        ]
    )
    expected = {"n_lengths": 2, "max_exchanges": 24, "n_topics": 2, "min_rt_s": 0.9}
    expected |= {"n_train": 7, "n_stimuli_3": 1, "n_stimuli_24": 2}
    assert {name: found[f"talk.amt.{name}"] for name in expected} == expected


def test_answers_of_people_alone_count():
    captions = ["a big dog", "one very big dog runs", "a dog, a cat and a very big bird"]
    shown = [("cap", at, "human", text) for at, text in zip("112", captions, strict=True)]
    paths = [[[n, n + 1] for n in range(length)] for length in (2, 3, 4)]
    agents = ("human", "human", "gbvs")
    shown += [("path", "1", who, str(path)) for who, path in zip(agents, paths, strict=True)]
    found = measured([trial()], [*shown, ("cap", "2", "git", "dog")])
    names = ("min_words_human", "min_answers_human", "max_labels_human")
    assert [found[f"cap.responses.{name}"] for name in names] == [3, 1, 2]
    assert [found[f"path.responses.{end}_fixations"] for end in ("max", "min")] == [3, 2]


def test_conversations_are_counted_by_their_last_turn():
    spoken = [("talk", "a", "human", "hi", 1), ("talk", "a", "bot", "ho", 2)]
    spoken += [("talk", "b", "bot", "hm", n) for n in (1, 2)]
    spoken += [("talk", "c", "human", "well", n) for n in (1, 2, 3)]
    found = measured([trial()], spoken)
    assert found["talk.responses.n_stimuli_2"] == 2
    assert found["talk.responses.n_stimuli_3"] == 1


def test_settings_are_declared_numbers_by_their_place():
    judges = {"folds": 4, "seeds": 3, "train": True}
    table = protocol.list_settings({}, 0.95, judges).set_index("setting_id")["value"]
    assert table["judges.folds"] == 4
    assert table["judges.train_fraction"] == 0.75
    assert table["judges.fixations.published"] == 15
    assert table["judges.fixations.recommended"] == 10
    assert "judges.train" not in table
    study = {"tasks": {"talk": {"control": (7, 12), "label": "Talk", "on": True}, "color": {}}}
    table = protocol.list_settings(study, 0.95).set_index("setting_id")["value"]
    assert table.to_dict() == {
        "confidence": 0.95,
        "tasks.count": 2,
        "tasks.talk.count": 3,
        "tasks.talk.control.count": 2,
        "tasks.talk.control.0": 7,
        "tasks.talk.control.1": 12,
        "tasks.color.count": 0,
    }


def test_scan_paths_and_conversations_are_counted_by_name_and_length():
    names = ["waldo subj3 img7 nfix91", "waldo subj3 img8 nfix4", "waldo subj12 img7 nfix4"]
    # A model's path is of nobody.
    names += ["waldo img9 nfix30", "ablated_vs img210"]
    found = measured([trial(task="path", stimulus=name) for name in names])
    told = ("n_people_waldo", "n_images_waldo", "max_fixations")
    assert [found[f"path.all.{name}"] for name in told] == [2, 3, 91]
    assert not any("ablated" in name for name in found)
    assert "talk.all.max_fixations" not in measured([trial(stimulus="a subj")])
    rows = [("a", 3), ("a", 24), ("b", 24), ("c", 48)]
    found = measured([trial(stimulus=name, exchanges=length) for name, length in rows])
    assert [found[f"talk.amt.n_stimuli_to_{n}"] for n in (3, 24, 48)] == [1, 2, 3]


def test_words_that_hold_their_cue():
    pairs = [("grand", "grandiose"), ("Kindle", "kindle"), ("brighton", "bright"), ("sun", "moon")]
    found = measured([trial(task="word")], [("word", *pair[:1], "bot", pair[1]) for pair in pairs])
    assert found["word.responses.max_overlap"] == 1
    # Five of nine letters are no more than 60 %.
    assert found["word.responses.n_overlap_above_60"] == 2
