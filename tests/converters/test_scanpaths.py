"""Attention prediction: the raw formats of eye movements."""

import json

import pandas as pd
import pytest
from raw_records import HOST, make_record, read_records

from converters.zhang2025 import scanpaths
from turingstats.core.errors import InputError


@pytest.mark.parametrize(
    ("path", "variant", "stimulus"),
    [
        # Named after the other set, but in the folder of free viewing.
        (
            "naturalsaliency_conv_gbvs/fig_naturaldesign_conv_only_img83_nfix30.gif",
            *("free viewing", "naturalsaliency img83 nfix30"),
        ),
        (
            "naturaldesign_human/fig_naturaldesign_subj05-xy_img007_nfix4.gif",
            *("visual search", "naturaldesign subj5 img7 nfix4"),
        ),
        ("waldo_conv_IVSN/img54_nfix56.gif", "visual search", "waldo img54 nfix56"),
        ("chatgpt/freeviewing/bg_img077_scanpath_chatgpt.gif", "free viewing", "freeview img77"),
        (
            "freeview_swap/bg_img018_scanpath_subj10-jc_img083.gif",
            *("free viewing", "freeview img18 subj10 img83"),
        ),
        (
            "Ablated_VS/Ablated_Layer_GIF/bg_img122_scanpath_Layer4_5.gif",
            *("visual search", "ablated_vs img122"),
        ),
    ],
)
def test_address_tells_variant_and_stimulus(path, variant, stimulus):
    told = scanpaths.describe_address(HOST + path, "raw", "Trial_1")
    assert told == {"variant": variant, "stimulus": stimulus}


def test_key_tells_the_variant_where_the_folder_does_not():
    address = f"{HOST}gifs/img1.gif"
    told = scanpaths.describe_address(address, "raw", "Trial_VS_9")
    assert told["variant"] == "visual search"
    with pytest.raises(InputError, match="no known picture set") as error:
        scanpaths.describe_address(address, "raw", "Trial_9")
    assert "host.example" not in str(error.value)


def test_first_wave_sessions(tmp_path):
    first, second = make_record("attention"), make_record("attention", "AWORKERID00001:3OTHER")
    waldo = f"{HOST}waldo_conv_deepgaze/img5_nfix30.gif"
    search = make_record("attention", "AWORKERID00001:3THIRD", imageID=waldo)
    content = {"Trial_FV_1": first, "Trial_FV_13": second, "Trial_1": search}
    judgments, judges, _ = read_records(tmp_path, content, "attention")
    assert judges["judge"].tolist() == [f"attention.amt.w{n:03d}" for n in (1, 2, 3)]
    assert judgments["variant"].tolist() == ["free viewing", "free viewing", "visual search"]
    assert judgments["agent"].tolist() == ["deepgaze3"] * 3
    assert judgments["control_ok"].isna().all()


def expert_row():
    """A table with one session of one trial, and somebody who left."""
    data = {"rt": 9000, "trial": 1, "phase": "TEST"}
    data |= {"choose response": "Human", "correct response": "Machine"}
    data |= {"object response": "People", "correct object": "Sofa"}
    data["imageID"] = f"{HOST}naturalsaliency_conv_ivsn/img4_nfix15.gif"
    session = {
        "workerId": "AWORKERID00001",
        "useragent": "SECRETAGENT",
        "questiondata": {"age": "21-25", "gender": "male", "education": "master"},
        "data": [{"trialdata": {"phase": "INSTRUCTIONS"}}, {"trialdata": data}],
    }
    person = {"uniqueid": "AWORKERID00001:3ASSIGNMENT", "workerid": "AWORKERID00001"}
    person |= {"ipaddress": "203.0.113.1", "mode": "live"}
    rows = [
        person | {"uniqueid": "AWORKERID00002:3", "status": 1, "datastring": ""},
        person | {"status": 3, "datastring": json.dumps(session)},
    ]
    return pd.DataFrame(rows).to_csv(index=False)


def test_expert_table(tmp_path):
    file = {"task": "attention", "cohort": "expert", "form": "sessions.read_attention"}
    judgments, judges, _ = read_records(tmp_path, expert_row(), **file)
    row = judgments.iloc[0]
    assert row[["agent", "truth", "verdict"]].tolist() == ["ivsn", "machine", "human"]
    assert not row["control_ok"] and row["variant"] == "free viewing"
    assert judges["judge"].tolist() == ["attention.expert.w001"]
