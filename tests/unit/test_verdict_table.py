"""Tables with columns of any names become judgments, and say kindly what is wrong with them."""

import io

import pandas as pd
import pytest
import yaml
from project import read_tables

from turingstats.config import raw_files, settings
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import adapters, cleaning, exclusion_log
from turingstats.data.adapters import response_table
from turingstats.report.sections import list_exclusions

STUDY = yaml.safe_load("""
study: own
title: T
agents: {bot: {label: Bot, aliases: [gpt]}, other: {label: Other}}
tasks:
  chat:
    label: Chat
    conditions: [length]
    cohorts: {lab: {label: Lab}, web: {label: Web}, model: {label: LLM, judge_kind: llm}}
  pick: {label: Pick, choice: true, cohorts: {lab: {label: Lab}}}
demographics: {age: {young: 18-35, old: 36+}, pets: {some: [cat, dog]}}
""")
UNCONDITIONAL = {
    "tasks": {name: task | {"conditions": []} for name, task in STUDY["tasks"].items()},
    "demographics": {},
}
TRIALS = """\
who;made by;said;sure;long;ip
p9;Human;person;80;3;10.0.0.1
p9;gpt;AI;;12;10.0.0.1
p4;Other;dunno;55.5;3;10.0.0.2
p4;human;person;20;12;10.0.0.2
"""
COLUMNS = {"judge": "who", "agent": "made by", "verdict": "said"}
COLUMNS |= {"confidence": "sure", "length": "long"}
VALUES = {"verdict": {"Person": "human", "ai": "machine", "dunno": "unsure"}}


def leave_out(name):
    return {other: column for other, column in COLUMNS.items() if other != name}


def read(folder, text=TRIALS, name="trials.csv", more=None, encoding="utf-8", **keys):
    (folder / name).write_text(text, encoding=encoding)
    file = {"path": name, "task": "chat", "cohort": "lab", "columns": COLUMNS, "values": VALUES}
    return read_tables(folder, STUDY | (more or {"demographics": {}}), file | keys)[1:4]


def test_genders_of_speakers_are_read_by_their_meaning(tmp_path):
    rows = zip(TRIALS.splitlines(), ("sex", *"FfM?"), strict=True)
    text = "\n".join(map(";".join, rows))
    columns = COLUMNS | {"perceived_gender": "sex"}
    values = VALUES | {"perceived_gender": {"F": "female", "M": "male", "?": ""}}
    judgments, _, _ = read(tmp_path, text, columns=columns, values=values)
    told = judgments["perceived_gender"].astype(object)
    assert told[:3].tolist() == ["female", "female", "male"]
    assert told[3:].isna().all()
    told = r"(?s)not a valid perceived_gender.*row: +2.*sex.*'F'.*female, male"
    with pytest.raises(InputError, match=told):
        read(tmp_path, text, columns=columns)


def test_what_is_named_becomes_judgments_and_nothing_else(tmp_path):
    judgments, judges, _ = read(tmp_path, limits={"confidence": [20, 80]})
    assert judgments["judge"].tolist() == ["chat.lab.w001"] * 2 + ["chat.lab.w002"] * 2
    assert judgments["agent"].tolist() == ["human", "bot", "other", "human"]
    assert judgments["truth"].tolist() == ["human", "machine", "machine", "human"]
    assert judgments["verdict"].tolist() == ["human", "machine", "unsure", "human"]
    assert judgments["confidence"].tolist()[2] == 55.5
    assert judgments["length"].tolist() == ["3", "12", "3", "12"]
    assert len(judges) == 2
    for table in read(tmp_path):
        assert "10.0.0" not in table.to_csv() and "p9" not in table.to_csv()


def test_verdicts_follow_from_being_right_and_seconds_become_milliseconds(tmp_path):
    text = "who,agent,ok,long\na,bot,1,3\na,human,0,3\nb,gpt,FALSE,3\n"
    columns = {"judge": "who", "agent": "agent", "right": "ok", "length": "long"}
    judgments, _, _ = read(tmp_path, text, columns=columns, values={})
    assert judgments["verdict"].tolist() == ["machine", "machine", "human"]
    columns = {"judge": "who", "agent": "made by", "verdict": "said", "rt_s": "long"}
    text = TRIALS.replace(";3;", ";3,21;")
    judgments, _, _ = read(tmp_path, text, columns=columns, more=UNCONDITIONAL)
    assert judgments["rt_ms"].tolist() == [3210, 12000, 3210, 12000]


def test_choosing_neither_is_unsure_and_no_error_of_the_judge(tmp_path):
    text = "who,model,pick,person\na,bot,left,left\na,bot,tie,left\na,bot,left,right\n"
    columns = {"judge": "who", "agent": "model", "chosen": "pick", "human_at": "person"}
    keys = {"columns": columns, "task": "pick", "more": UNCONDITIONAL}
    with pytest.raises(InputError, match=r"(?s)row: +3\n.*'tie'.*left, right, unsure"):
        read(tmp_path, text, values={}, **keys)
    judgments, _, _ = read(tmp_path, text, values={"chosen": {"tie": "unsure"}}, **keys)
    assert judgments["verdict"].tolist() == ["machine", "unsure", "human"]
    assert judgments["truth"].tolist() == ["machine"] * 3
    text = "who,model,ok\na,bot,1\na,bot,tie\na,bot,0\n"
    keys["columns"] = {"judge": "who", "agent": "model", "right": "ok"}
    judgments, _, _ = read(tmp_path, text, values={"right": {"tie": "unsure"}}, **keys)
    assert judgments["verdict"].tolist() == ["machine", "unsure", "human"]


def test_tables_as_excel_saves_them_in_germany(tmp_path):
    text = TRIALS.replace("p9", "Jürgen").replace("55.5", "55,5").replace(";3;", ";1,5;")
    for encoding in ("latin-1", "utf-16", "utf-8-sig"):
        judgments, judges, _ = read(tmp_path, text, encoding=encoding)
        assert judgments["confidence"].tolist()[2] == 55.5
        assert judgments["length"].tolist() == ["1,5", "12", "1,5", "12"]
        assert len(judges) == 2
    quoted = 'who,made by,said,sure,long\np9,human,person,"1,5",3\np8,human,person,"2,5",3\n'
    judgments, _, _ = read(tmp_path, quoted)
    assert judgments["confidence"].tolist() == [1.5, 2.5]


def test_empty_lines_are_skipped_and_rows_keep_their_numbers(tmp_path):
    lines = TRIALS.splitlines()
    text = "\n".join([*lines[:2], "", ";;;;;", *lines[2:], "", ""])
    judgments, _, _ = read(tmp_path, text)
    assert len(judgments) == 4
    with pytest.raises(InputError, match=r"row: +6\n"):
        read(tmp_path, text.replace("dunno", "hm"))


def test_rows_and_their_ids_can_be_left_out(tmp_path):
    values = {"verdict": VALUES["verdict"] | {"dunno": None}}
    judgments, _, _ = read(tmp_path, values=values, where={"long": [3]})
    assert judgments["verdict"].tolist() == ["human"]
    # Ids that differ in case are compared only where their rows are read.
    text = TRIALS + "P4;human;person;20;99;10.0.0.2\n"
    judgments, _, _ = read(tmp_path, text, where={"long": [3, 12]})
    assert judgments["judge"].nunique() == 2


def test_values_that_look_the_same_are_the_same(tmp_path):
    text = TRIALS.replace("p4;human", "p4;hu\u00adman").replace("p4;Other", "p4;Other\u200b")
    expected, _, _ = read(tmp_path)
    assert read(tmp_path, text)[0]["agent"].tolist() == expected["agent"].tolist()
    # A trailing separator shifts nothing.
    header, *rows = TRIALS.splitlines()
    found, _, _ = read(tmp_path, "\n".join([header, *(f"{row};" for row in rows), ""]))
    assert found.equals(expected)


def test_one_machine_judge_needs_no_column(tmp_path):
    judgments, _, _ = read(tmp_path, columns=leave_out("judge"), cohort="model")
    assert set(judgments["judge"]) == {"chat.model.model"}


TWO_PETS = TRIALS.replace("ip", "pet").replace("10.0.0.1", "cat", 1).replace("10.0.0.1", "dog")
WITH_PETS = COLUMNS | {"pets": "pet", "age": "long"}
TWICE = {"bot": {"label": "GPT"}, "other": {"label": "Other", "aliases": ["gpt"]}}


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"values": {}}, r"row: +2.*column: +said.*'person'.*values"),
        ({"columns": COLUMNS | {"judge": "worker"}}, "column:  worker.*allowed: who, made by"),
        ({"columns": COLUMNS | {"verdikt": "said"}}, "verdikt.*allowed:"),
        ({"format": "sheet"}, "'sheet'.*response_table, verdict_table"),
        ({"columns": leave_out("length")}, "condition length"),
        ({"columns": leave_out("judge")}, "no judge column"),
        ({"columns": COLUMNS | {"position": "place"}}, "place"),
        ({"limits": {"confidence": [0, 70]}}, r"possible.*row: +2.*sure.*'80'.*0 to 70"),
        ({"limits": {"sure": [0, 70]}}, "limits for sure"),
        ({"where": {"long": [77]}}, r"no rows are left: long is not 77 \(where\) \(4\)"),
        ({"text": TWO_PETS, "more": STUDY, "columns": WITH_PETS}, "two answers for pets"),
        ({"values": {"verdict": {"ai": "machine", "AI ": "human"}}}, "'AI ' has two meanings"),
        # A name of two agents is nobody's.
        (
            {"more": {"agents": TWICE, "demographics": {}}},
            "unknown agent.*row: +3.*found: +'gpt'",
        ),
    ],
)
def test_faults_are_named(tmp_path, keys, told):
    with pytest.raises((InputError, ConfigError), match=f"(?s){told}"):
        read(tmp_path, **keys)


def test_responses_get_no_ids(tmp_path):
    (tmp_path / "r.csv").write_text("item,by,who,text\n1,gpt,,hello\n1,human,anna@b.c,hi\n")
    study = yaml_models.build_model(Study, STUDY, "study")
    columns = {"stimulus": "item", "agent": "by", "responder": "who", "response": "text"}
    file = raw_files.RawFile(path="r.csv", format="response_table", task="chat", columns=columns)
    table = response_table.read(file, tmp_path, study)["responses"]
    assert table["agent"].tolist() == ["bot", "human"]
    assert table["responder"].tolist()[1] == "r001"
    assert "anna" not in table.to_csv()


def test_optional_columns_may_be_absent(tmp_path, capsys):
    columns = COLUMNS | {"position": "place"}
    judgments, _, _ = read(tmp_path, columns=columns, optional=["position", "length"])
    assert judgments["position"].isna().all()
    assert judgments["length"].tolist() == ["3", "12", "3", "12"]
    assert "no column of position" in capsys.readouterr().out
    text = TRIALS.replace(";long", ";other")
    judgments, _, _ = read(tmp_path, text, columns=COLUMNS, optional=["length"])
    assert judgments["length"].isna().all()


# Rows of every kind: one without an agent, one of a cohort that is not asked for, one that means nothing.
MIXED = """\
who;made by;said;sure;long;place
p9;human;person;80;3;lab
p9;gpt;AI;;12;lab
p4;;AI;;12;lab
p4;other;99;;12;web
p4;other;99;;12;lab
p4;other;AI;;12;pilot

;;;;;somewhere
p4;human;AI;;12;web
"""


def left_out(folder, text=MIXED, **keys):
    """The study, what `read` gives, and the rows that are left out."""
    (folder / "mixed.csv").write_text(text, encoding="utf-8")
    file = {"path": "mixed.csv", "task": "chat", "cohort": "lab", "columns": COLUMNS}
    file |= {"values": VALUES} | keys
    study, *tables, lost, _ = read_tables(folder, STUDY | {"demographics": {}}, file)
    return study, tables, lost


def log(judgments, study, lost):
    """The account of all judges: where the rows analyzed and left out are those of the file, eight."""
    marked = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    account = exclusion_log.log_exclusions(marked, study, lost)
    for _, own in account[account["judge"] == "all"].groupby("reading"):
        analyzed = own.loc[own["step"] == "analyzed", "rows_out"].sum()
        assert analyzed + own["excluded"].sum() == 8
    return account


@pytest.mark.parametrize("name", ["agent", "truth", "verdict", "judge"])
def test_an_empty_cell_means_nothing_by_itself(tmp_path, name):
    text = "who,by,true,said,long\na,bot,machine,AI,3\na,human,human,AI,3\na,bot,machine,AI,3\n"
    columns = {"judge": "who", "agent": "by", "truth": "true", "verdict": "said", "length": "long"}
    table = pd.read_csv(io.StringIO(text))
    table.loc[2, columns[name]] = ""
    text = table.to_csv(index=False)
    told = rf'(?s)row: +4\n.*column: +{columns[name]}\n.*values:.*"".*null'
    with pytest.raises(InputError, match=told):
        read(tmp_path, text, columns=columns)


def test_an_empty_cell_means_what_values_say(tmp_path):
    text = TRIALS.replace("p4;human", "p4;")
    judgments, _, _ = read(tmp_path, text, values=VALUES | {"agent": {"": "human"}})
    assert judgments["agent"].tolist() == ["human", "bot", "other", "human"]
    judgments, _, _ = read(tmp_path, text, values=VALUES | {"agent": {"": None}})
    assert judgments["agent"].tolist() == ["human", "bot", "other"]


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        ({"machine": {"label": "Any"}}, "machine"),
        ({"bot": {"label": "Machine"}}, "bot"),
        ({"bot": {"label": "Bot", "aliases": ["machine", "ai"]}}, "bot"),
        ({"bot": {"label": "Bot"}}, None),
    ],
)
@pytest.mark.parametrize("task", ["chat", "pick"])
def test_a_machine_of_the_truth_is_an_agent_of_the_study(tmp_path, agents, expected, task):
    text = "who,real,said,ok\na,human,human,yes\na,machine,human,no\n"
    columns = {"judge": "who", "truth": "real", "verdict": "said"}
    if task == "pick":
        columns = {"judge": "who", "right": "ok"}
    more = UNCONDITIONAL | {"agents": agents}
    keys = {"columns": columns, "values": {}, "more": more, "task": task}
    if expected is None:
        with pytest.raises(ConfigError, match=r"(?s)'machine'.*allowed: bot.*aliases"):
            read(tmp_path, text, **keys)
        return
    judgments, _, _ = read(tmp_path, text, **keys)
    assert set(judgments["agent"]) - {"human"} == {expected}


def test_every_row_is_read_or_counted(tmp_path):
    values = VALUES | {"verdict": VALUES["verdict"] | {"99": None}, "agent": {"": None}}
    keys = {"values": values, "where": {"place": ["lab", "web"]}}
    study, (judgments, _, _), lost = left_out(tmp_path, **keys)
    found = {(row["cohort"], row["reason"]): row["rows"] for row in lost.to_dict("records")}
    assert found == {
        ("lab", "place is not lab or web (where)"): 2,
        ("lab", "made by is empty (null under values)"): 1,
        ("lab", "said is 99 (null under values)"): 2,
    }
    assert len(judgments) + lost["rows"].sum() == 8
    # Without `where`, a row may hold something, but nowhere that is read.
    _, _, without = left_out(tmp_path, values=values)
    assert without.set_index("reason")["rows"]["nothing in any column that is read"] == 1
    account = log(judgments, study, lost)
    _, lines = list_exclusions(account.astype(str).to_dict("records"), {}, {})
    assert lines[0][2] == "8"
    assert "said is 99 (null under values): 2" in lines[0][-1]


def test_rows_left_out_are_of_the_cohort_that_a_column_names(tmp_path):
    values = VALUES | {"verdict": VALUES["verdict"] | {"99": None}, "agent": {"": None}}
    values["cohort"] = {"pilot": None, "somewhere": None}
    keys = {"cohort": None, "columns": COLUMNS | {"cohort": "place"}, "values": values}
    study, (judgments, judges, _), lost = left_out(
        tmp_path, MIXED.replace(";12;web", ";12;Web"), **keys
    )
    assert judges["judge"].tolist() == ["chat.lab.w001", "chat.web.w001"]
    assert judges["cohort"].tolist() == ["lab", "web"]
    found = lost.groupby("cohort")["rows"].sum().to_dict()
    assert found == {"lab": 2, "web": 1, adapters.ALL_ROWS: 2}
    account = log(judgments, study, lost)
    labels = {"lab": "Lab", "web": "Web"}
    task = next(iter(study.tasks))
    _, lines = list_exclusions(account.astype(str).to_dict("records"), {}, {task: labels})
    assert [line[1] for line in lines] == ["Lab", "Web", "All rows of the file"]


def test_ids_of_judges_are_in_no_reason(tmp_path):
    values = VALUES | {"judge": {"p4": None}, "agent": {"": None}}
    _, _, lost = left_out(tmp_path, values=values)
    assert not lost["reason"].str.contains("p4").any()
    values = VALUES | {"agent": {"": None}}
    _, _, lost = left_out(tmp_path, values=values, where={"who": ["p9"]})
    assert not lost["reason"].str.contains("p9").any()
    assert "who is not one of 1 values (where)" in lost["reason"].iloc[0]


def test_no_judgments_left_is_no_crash(tmp_path):
    values = VALUES | {"phase": {"3": "train", "12": "train"}}
    columns = leave_out("length") | {"phase": "long"}
    judgments, _, _ = read(tmp_path, more=UNCONDITIONAL, columns=columns, values=values)
    study = yaml_models.build_model(Study, STUDY | UNCONDITIONAL, "study")
    with pytest.raises(InputError, match=r"no judgments left.*not a test trial \(4\)"):
        cleaning.clean_judgments(judgments, study, settings.Cleaning())
