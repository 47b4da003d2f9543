"""Constants of the protocol: what the trials tell, and what the study file declares."""

from turingstats.data import protocol


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
