"""Attention prediction: adapters of eye movements, generated files, and what the study does with them."""

import copy
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from project import read_study

from demo import zhang2025
from demo.zhang2025 import attention
from turingstats.analysis.comparisons.samples import Source
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import raw_files, settings
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import READINGS
from turingstats.data import adapters, cleaning, counts, schema
from turingstats.data import sample_sizes as sizes
from turingstats.data.adapters.zhang2025 import scanpaths

ROOT = Path(__file__).resolve().parents[2]
STUDY = read_study("zhang2025")
SOURCES = raw_files.load_sources(ROOT / "data/sources/zhang2025.yaml")
# A part of one of these is read only where that one is absent.
WHOLE = [f for f in SOURCES.files if f.task == "attention" and not f.stands_in_for]
TABLES = [ROOT / f"data/published/zhang2025/{name}.csv" for name in ("design", "demographics")]
HOST = "https://host.example/"
FIRST = {
    "workerID": "AWORKERID00001:3ASSIGNMENT",
    "workerData": {
        "country": "United States",
        "age": "36-40",
        "education": "high school",
        "native": "yes",
        "gender": "male",
    },
    "trialData": {
        "response_gender": "Male",
        "rt": 13433,
        "response_speaker": "machine",
        "trial": 1,
        "imgtype": "naturaldesign",
        "groundtruth": "machine",
        "machine_groundtruth": "DeepGazeIII",
        "imageID": f"{HOST}naturalsaliency_conv_deepgaze/fig_naturaldesign_conv_only_img86_nfix30.gif",
    },
}


def changed(**fields):
    """The first record with other trial data."""
    record = copy.deepcopy(FIRST)
    record["trialData"] |= fields
    return record


def read(folder, content, cohort="amt", form="zhang2025.scanpath_dictionary", variant=None):
    path = folder / "raw"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    file = raw_files.RawFile(
        path="raw", format=form, task="attention", cohort=cohort, variant=variant
    )
    return adapters.read_raw_files([file], folder, STUDY)


# --- adapters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "file", "variant", "stimulus"),
    [
        # Named after the other set, but in the folder of free viewing.
        (
            "naturalsaliency_conv_gbvs",
            "fig_naturaldesign_conv_only_img83_nfix30.gif",
            "free viewing",
            "naturalsaliency img83 nfix30",
        ),
        (
            "naturaldesign_human",
            "fig_naturaldesign_subj05-xy_img007_nfix4.gif",
            "visual search",
            "naturaldesign subj5 img7 nfix4",
        ),
        ("waldo_conv_IVSN", "img54_nfix56.gif", "visual search", "waldo img54 nfix56"),
        (
            "chatgpt/freeviewing",
            "bg_img077_scanpath_chatgpt.gif",
            "free viewing",
            "freeview img77",
        ),
        (
            "freeview_swap",
            "bg_img018_scanpath_subj10-jc_img083.gif",
            "free viewing",
            "freeview img18 subj10 img83",
        ),
        (
            "Ablated_VS/Ablated_Layer_GIF",
            "bg_img122_scanpath_Layer4_5.gif",
            "visual search",
            "ablated_vs img122",
        ),
    ],
)
def test_address_tells_variant_and_stimulus(folder, file, variant, stimulus):
    address = f"{HOST}{folder}/{file}"
    assert scanpaths.identify_variant(address, path="raw", row="Trial_1") == variant
    assert scanpaths.name_stimulus(address) == stimulus


def test_key_tells_the_variant_where_the_folder_does_not():
    address = f"{HOST}gifs/img1.gif"
    assert scanpaths.identify_variant(address, path="raw", row="Trial_VS_9") == "visual search"
    with pytest.raises(InputError, match="no known picture set") as error:
        scanpaths.identify_variant(address, path="raw", row="Trial_9")
    assert "host.example" not in str(error.value)


def test_first_wave_sessions(tmp_path):
    second = changed(trial=2) | {"workerID": "AWORKERID00001:3OTHER"}
    search = changed(imageID=f"{HOST}waldo_conv_deepgaze/img5_nfix30.gif") | {
        "workerID": "AWORKERID00001:3THIRD"
    }
    content = {"Trial_FV_1": FIRST, "Trial_FV_13": second, "Trial_1": search}
    judgments, judges, _ = read(tmp_path, content)
    assert judges["judge"].tolist() == [f"attention.amt.w{n:03d}" for n in (1, 2, 3)]
    assert judgments["variant"].tolist() == ["free viewing", "free viewing", "visual search"]
    assert judgments["agent"].tolist() == ["deepgaze3"] * 3
    assert judgments["control_ok"].isna().all()
    text = "".join(table.to_csv() for table in (judgments, judges))
    for secret in ("AWORKERID", "3ASSIGNMENT", "host.example", ".gif"):
        assert secret not in text


def later(number, **fields):
    page = FIRST["trialData"]["imageID"].replace("img86", f"img{number}")
    fields = {"object_groundtruth": "Lion", "trial": number, "imageID": page} | fields
    fields = {"response_object": "lion"} | fields
    return changed(phase="TEST", **fields) | {"workerID": "AWORKERID00001"}


def test_training_catch_and_swapped_trials(tmp_path):
    content = {f"Trial_FV_{n}": later(n) for n in range(1, 26)}
    # Both keep the model of an earlier trial.
    content["Trial_FV_26"] = later(26, groundtruth="Catch", object_groundtruth="toys")
    content["Trial_FV_27"] = later(27, groundtruth="swapped")
    judgments, _, _ = read(tmp_path, content, cohort="feedback")
    assert Counter(judgments["phase"]) == {"train": 24, "test": 1, "catch": 1, "swapped": 1}
    last = judgments.iloc[-2:]
    assert last[["agent", "truth"]].to_numpy().tolist() == [
        ["catch", "machine"],
        ["human", "human"],
    ]
    assert judgments["control_ok"].tolist() == [True] * 25 + [False, True]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"groundtruth": "robot"}, ["groundtruth", "robot", "swapped"]),
        ({"groundtruth": "human"}, ["the ground truth is human", "naturalsaliency_conv_deepgaze"]),
        ({"machine_groundtruth": "siri"}, ["machine_groundtruth", "siri", "gbvs"]),
        ({"response_speaker": ""}, ["response_speaker", "human, machine"]),
        ({"imageID": f"{HOST}elsewhere/img1.gif"}, ["imageID", "elsewhere", "naturalsaliency"]),
    ],
)
def test_bad_records_are_named(tmp_path, fields, words):
    with pytest.raises(InputError) as error:
        read(tmp_path, {"Trial_7": changed(**fields)})
    for word in ["raw", "Trial_7", *words]:
        assert word in str(error.value)


def test_predictions_of_one_variant(tmp_path):
    data = {"response_speaker": "human", "groundtruth": "machine", "machine_groundtruth": "GBVS"}
    content = {"Trial_1_42": {"trialData": data}}
    judgments, judges, _ = read(
        tmp_path, content, "svm", "zhang2025.prediction_dictionary", variant="free viewing"
    )
    assert judgments["variant"].tolist() == ["free viewing"]
    assert judges["judge"].tolist() == ["attention.svm.free-viewing.w001"]


def expert_row(**trial):
    """A table with one session of one trial, and somebody who left."""
    from demo.zhang2025.attention import COLUMNS, make_session_row

    data = {
        "rt": 9000,
        "choose response": "Human",
        "correct response": "Machine",
        "trial": 1,
        "object response": "People",
        "phase": "TEST",
        "imageID": f"{HOST}naturalsaliency_conv_ivsn/img4_nfix15.gif",
        "correct object": "Sofa",
    } | trial
    session = {
        "workerId": "AWORKERID00001",
        "useragent": "SECRETAGENT",
        "questiondata": {"age": "21-25", "gender": "male", "education": "master"},
        "data": [{"trialdata": {"phase": "INSTRUCTIONS"}}, {"trialdata": data}],
    }
    rows = [
        make_session_row("AWORKERID00002", 1, 1, ""),
        make_session_row("AW", 2, 3, json.dumps(session)),
    ]
    return pd.DataFrame(rows, columns=COLUMNS).to_csv(index=False)


def test_expert_table(tmp_path):
    judgments, judges, _ = read(tmp_path, expert_row(), "expert", "zhang2025.psiturk_attention")
    row = judgments.iloc[0]
    assert row[["agent", "truth", "verdict"]].tolist() == ["ivsn", "machine", "human"]
    assert not row["control_ok"] and row["variant"] == "free viewing"
    assert judges["judge"].tolist() == ["attention.expert.w001"]
    text = judgments.to_csv() + judges.to_csv()
    for secret in ("AWORKERID", "SECRETAGENT", "203.0.113", "host.example"):
        assert secret not in text


@pytest.mark.parametrize(
    ("trial", "words"),
    [
        (
            {"correct response": "Human"},
            ["row 3, trial 1", "human, but the folder is naturalsaliency_conv_ivsn"],
        ),
        ({"choose response": "x"}, ["choose response", "'x'", "human, machine"]),
        (
            {"imageID": f"{HOST}naturalsaliency_conv_siri/img4.gif"},
            ["folder in imageID", "siri", "gbvs"],
        ),
    ],
)
def test_bad_expert_trials_are_named(tmp_path, trial, words):
    with pytest.raises(InputError) as error:
        read(tmp_path, expert_row(**trial), "expert", "zhang2025.psiturk_attention")
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("status,mode\n3,live\n", "datastring"),
        ("status,datastring\n1,\n", "no finished session"),
        ('status,datastring\n3,{"data\n', "not valid JSON"),
        ('status,datastring\n3,"{\n', "not valid CSV"),
        ("status,datastring\nx,\n", "outside the vocabulary"),
    ],
)
def test_bad_expert_tables_are_named(tmp_path, content, word):
    with pytest.raises(InputError, match=word):
        read(tmp_path, content, "expert", "zhang2025.psiturk_attention")


# --- generated files ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("demo")
    zhang2025.write_demo(*TABLES, out, 1, ["attention"])
    return out


@pytest.fixture(scope="module")
def tables(folder):
    """The generated files, read by the adapters."""
    return adapters.read_raw_files(WHOLE, folder, STUDY)


def test_generated_files_are_those_of_the_sources(folder):
    written = {p.relative_to(folder).as_posix() for p in folder.rglob("*.*")}
    assert written == {f.path for f in WHOLE}


def test_counts_are_those_of_the_design(tables):
    design = pd.read_csv(TABLES[0])
    design = design[design["task"] == "attention"]
    expected = {(d.cohort, d.agent): d.n_trials for d in design.itertuples()}
    judgments = tables[0][tables[0]["phase"] != "train"]
    cohort = judgments["cohort"].astype(str)
    split = cohort.isin(["amt", "svm"])
    name = cohort.where(~split, cohort + " " + judgments["variant"].astype(str))
    agent = judgments["agent"].astype(str).where(judgments["phase"] != "swapped", "swapped")
    assert Counter(zip(name, agent, strict=True)) == expected


def test_generated_sessions(tables):
    judgments, judges, _ = tables
    people = judgments[judgments["judge_kind"] == "human"]
    length = people.groupby(["cohort", "judge"], observed=True).size().groupby("cohort").unique()
    assert {name: sizes.tolist() for name, sizes in length.items() if len(sizes)} == {
        "ablated": [40], "amt": [12], "expert": [42], "feedback": [60], "gpt4o_agent": [40],
    }  # fmt: skip
    feedback = people[people["cohort"] == "feedback"]
    assert (feedback.loc[feedback["phase"] == "train", "position"] <= 24).all()
    right = people.groupby(["cohort", "judge"], observed=True)["control_ok"].mean().dropna()
    assert (right >= 7 / 12).all()
    accuracy = right.groupby("cohort", observed=True).mean()
    assert accuracy["feedback"] == pytest.approx(0.704, abs=0.03)
    assert accuracy["ablated"] == pytest.approx(0.749, abs=0.03)
    assert not any("GENERATED" in table.to_csv() for table in (judgments, judges))


def test_generated_first_wave_has_the_quirks(folder):
    records = json.loads((folder / attention.PATHS["amt"]).read_text())
    assert list(records)[:2] == ["Trial_FV_1", "Trial_FV_2"] and "Trial_1" in records
    free = [r["trialData"] for key, r in records.items() if "_FV_" in key]
    kinds = {(t["machine_groundtruth"], t["imgtype"]) for t in free}
    assert kinds == {
        ("", ""),
        ("IVSN", ""),
        ("GBVS", "naturaldesign"),
        ("DeepGazeIII", "naturaldesign"),
    }
    length = {
        agent: [
            int(t["imageID"].split("nfix")[1].split(".")[0])
            for t in free
            if t["machine_groundtruth"] == agent
        ]
        for agent in ("", "GBVS", "IVSN", "DeepGazeIII")
    }
    assert set(length["IVSN"]) == {15} and set(length["GBVS"] + length["DeepGazeIII"]) == {30}
    assert min(length[""]) >= 1 and max(length[""]) <= 21 and len(set(length[""])) > 5
    workers = {r["workerID"].split(":")[0] for r in records.values()}
    assert len({r["workerID"] for r in records.values()}) == 192 and len(workers) == 150
    search = [r["trialData"]["imgtype"] for key, r in records.items() if "_FV_" not in key]
    assert Counter(search) == {"naturaldesign": 618, "waldo": 618}


def test_generated_scan_paths(tables, folder):
    dictionary = json.loads((folder / attention.DICTIONARY).read_text())
    assert len(dictionary) == 240 and all(len(c) == 13 for c in dictionary.values())
    paths = {}
    for candidates in dictionary.values():
        for c in candidates:
            paths.setdefault(c["machine_groundtruth"], []).append(np.array(c["response"]))
    assert {len(p) for p in paths["ivsn"]} == {15} and {len(p) for p in paths["gbvs"]} == {30}
    assert np.mean([len(p) for p in paths[""]]) < 15
    models = np.concatenate(paths["ivsn"] + paths["gbvs"] + paths["deepgaze"])
    assert (models >= 0).all() and (models < (1280, 1024)).all()
    assert set(tables[2]["agent"]) == {"human", "gbvs", "ivsn", "deepgaze3", "chatgpt"}
    assert tables[2]["responder"].nunique() == 40


def test_generated_rates_are_near_the_design(tables):
    design = pd.read_csv(TABLES[0])
    design = design[(design["task"] == "attention") & (design["cohort"] == "feedback")]
    own = tables[0][(tables[0]["cohort"] == "feedback") & (tables[0]["phase"] == "catch")]
    wanted = design[design["agent"] == "catch"].iloc[0]
    share = wanted["judged_machine"] / wanted["n_trials"]
    assert (own["verdict"] == "machine").mean() == pytest.approx(share, abs=0.12)


# --- cleaning, estimates, comparisons ----------------------------------------------------------


def judgments_of(judge, right, cohort="gpt4o_agent", verdict="machine", variant="free viewing"):
    """One judgment on people and one on GBVS for each control answer."""
    rows = [
        {
            "study": "zhang2025",
            "task": "attention",
            "cohort": cohort,
            "judge_kind": "human",
            "judge": f"attention.{cohort}.{judge}",
            "phase": "test",
            "variant": variant,
            "agent": agent,
            "truth": "human" if agent == "human" else "machine",
            "verdict": verdict,
            "control_ok": ok,
        }
        for ok in right
        for agent in ("human", "gbvs")
    ]
    return pd.DataFrame(rows, columns=list(schema.JUDGMENTS))


def checked(*parts):
    joined = pd.concat([p.astype(object) for p in parts], ignore_index=True)
    return schema.check_contract(schema.build_judgments_schema(), joined, "test")


def test_judges_who_fail_the_control_are_left_out_in_both_readings():
    just = [True] * 7 + [False] * 5
    below = [True] * 6 + [False] * 6
    table = checked(judgments_of("w001", just), judgments_of("w002", below))
    marked = cleaning.mark_exclusions(table, STUDY, settings.Cleaning())
    for reading in READINGS:
        assert marked.groupby("judge", observed=True)[f"kept_{reading}"].sum().tolist() == [24, 0]
        reason = marked[f"excluded_{reading}"].iloc[-1]
        assert reason == "judge with less than 7/12 of the control answers right"


def test_judges_without_control_answers_stay():
    marked = cleaning.mark_exclusions(
        checked(judgments_of("w001", [None] * 12, cohort="amt")), STUDY, settings.Cleaning()
    )
    assert marked["kept_published"].all() and marked["kept_recommended"].all()


def test_published_matrix_is_the_mean_of_the_variants():
    people = {"free viewing": (81, 19, 5, 95), "visual search": (154, 46, 14, 186)}
    parts = []
    for variant, (hh, mh, hm, mm) in people.items():
        cells = [("human", "human", hh), ("human", "machine", mh)]
        cells += [("gbvs", "human", hm), ("gbvs", "machine", mm)]
        for agent, verdict, n in cells:
            part = judgments_of("w001", [None] * n, "svm", verdict, variant)
            parts.append(part[part["agent"] == agent].assign(judge_kind="svm"))
    counted = counts.count_verdicts(
        cleaning.mark_exclusions(checked(*parts), STUDY, settings.Cleaning()), STUDY
    )
    groups = pd.DataFrame(columns=["judge", "reading", "group_by", "group"])
    options = {"seed": 1, "n_bootstrap": 200, "confidence": 0.95}
    table = estimate_rates(counted, groups, STUDY, options)
    value = table.set_index(["estimate_id", "reading"])["value"]
    assert value["attention.svm.all.human.p_HH", "published"] == pytest.approx(0.79)
    assert value["attention.svm.all.human.p_MH", "published"] == pytest.approx(0.21)
    assert value["attention.svm.all.gbvs.p_MM", "published"] == pytest.approx(0.94)
    assert value["attention.svm.all.gbvs.detectability", "published"] == pytest.approx(0.865)
    assert value["attention.svm.all.human.p_HH", "recommended"] == pytest.approx(235 / 300)
    assert value["attention.svm.free viewing.human.p_HH", "published"] == pytest.approx(0.81)


def test_cohorts_are_compared_at_one_level():
    parts = []
    for n in range(1, 8):
        parts.append(judgments_of(f"w{n:03d}", [None] * 6, "amt", "machine"))
        parts.append(judgments_of(f"w{n:03d}", [True] * 6, "feedback", "machine"))
        parts.append(judgments_of(f"w1{n:02d}", [None] * 6, "amt", "human", "visual search"))
    counted = counts.count_verdicts(
        cleaning.mark_exclusions(checked(*parts), STUDY, settings.Cleaning()), STUDY
    )
    (asked,) = (c for c in STUDY.comparisons if c.id == "attention.feedback.detectability")
    in_reading = counted[counted["reading"] == "published"]
    nobody = pd.DataFrame(columns=["judge", "reading", "group_by", "group"])
    samples = Source(in_reading, nobody, STUDY).select_samples(asked)
    assert {name: len(sample.judges) for name, sample in samples.items()} == {
        "amt": 7,
        "feedback": 7,
    }


def test_swapped_trials_are_counted(tables):
    marked = cleaning.mark_exclusions(tables[0], STUDY, settings.Cleaning())
    groups = pd.DataFrame(columns=["judge", "reading", "group_by", "group"])
    measured = sizes.count_samples(marked, groups, tables[2], STUDY)
    value = measured[measured["reading"] == "published"].set_index("size_id")["value"]
    assert value["attention.feedback.all.n_swapped_trials"] == 400
    assert value["attention.feedback.all.n_catch_trials"] == 200
    assert 0.4 < value["attention.feedback.all.swapped_p_HH"] < 0.6
    assert value["attention.feedback.all.n_trials"] == 1200


def labelled_trials(answers):
    """Judgments of experts from (picture, right) pairs of each judge."""
    rows = [
        {
            "study": "zhang2025",
            "task": "attention",
            "cohort": "expert",
            "judge_kind": "human",
            "judge": f"attention.expert.w{judge:03d}",
            "trial": position,
            "position": position,
            "phase": "test",
            "stimulus": f"naturalsaliency subj{judge} img{picture} nfix9",
            "agent": "human",
            "truth": "human",
            "verdict": "human",
            "control_ok": right,
        }
        for judge, own in enumerate(answers, start=1)
        for position, (picture, right) in enumerate(own, start=1)
    ]
    table = pd.DataFrame(rows, columns=list(schema.JUDGMENTS)).astype(object)
    return schema.check_contract(schema.build_judgments_schema(("variant",)), table, "test")


def test_nobody_is_left_out_by_a_control_answer_that_is_a_label():
    table = labelled_trials([[(1, True), (2, False)], [(1, True), (2, False)], [(2, False)]])
    marked = cleaning.mark_exclusions(table, STUDY, settings.Cleaning())
    assert marked["kept_published"].all() and marked["kept_recommended"].all()
    # In a cohort whose answers are the judges' own, the third has too few right ones.
    other = table.assign(cohort="ablated").astype({"cohort": "category"})
    marked = cleaning.mark_exclusions(other, STUDY, settings.Cleaning())
    assert set(marked.loc[~marked["kept_published"], "judge"]) == {
        f"attention.expert.w{n:03d}" for n in (1, 2, 3)
    }


def test_pictures_whose_control_answer_never_varies_are_counted():
    table = labelled_trials(
        [[(1, True), (2, False), (3, True)], [(1, True), (2, False), (3, False)], [(4, True)]]
    )
    assert sizes.compare_control_answers(table, STUDY.tasks["attention"]) == {
        "n_control_repeated": 3,
        "n_control_same": 2,
        "n_control_wrong": 1,
        "control_same_by_chance": pytest.approx(3 * 0.5),
    }
