"""What tables of one's own often have: missing ids, spellings, repeats, sessions; each is read and noted."""

import pandas as pd
import pytest
from project import REAL_TABLES, read_tables

from turingstats.core.errors import InputError
from turingstats.data import record_checks
from turingstats.data.adapters import table_files

COLUMNS = {"judge": "who", "stimulus": "item", "agent": "by", "verdict": "said"}
HEADER = "who,item,by,said"


def read(folder, text, sessions="first", **keys):
    """Read a table written to `folder`: judgments, rows that are left out by reason, and notes."""
    (folder / "t.csv").write_text(text, encoding="utf-8")
    task = {"label": "T", "cohorts": {"lab": {"label": "Lab"}}, "sessions": sessions}
    agents = {"gpt": {"label": "GPT"}}
    study = {"study": "own", "title": "T", "agents": agents, "tasks": {"texts": task}}
    file = {"path": "t.csv", "task": "texts", "cohort": "lab", "columns": COLUMNS} | keys
    study, judgments, judges, responses, lost, notes = read_tables(folder, study, file)
    checks = record_checks.check_records(judgments, judges, responses, study, notes)
    return judgments, dict(zip(lost["reason"], lost["rows"], strict=True)), checks


def test_spellings_of_a_judge_are_one_person_and_look_alikes_are_noted(tmp_path):
    rows = ["P01,a,gpt,human", "p01,b,human,human", '" P01 ",c,gpt,human', "1,a,gpt,human"]
    rows += ["01,B,gpt,human", "1.0,\u0430,gpt,human"]
    judgments, _, checks = read(tmp_path, "\n".join([HEADER, *rows]))
    assert judgments["judge"].str[-1:].tolist() == ["1", "1", "1", "2", "3", "4"]
    told = dict(zip(checks["check"].str.split(" \\(").str[0], checks["examples"], strict=True))
    assert told["who: ids that differ only in upper and lower case"] == "row 3"
    assert told["who: ids that look alike"] == "row 5 and row 6 and row 7"
    assert told["item: ids that look alike"] == "'a' and '\u0430'; 'b' and 'B'"
    assert "P01" not in checks.to_csv()


@pytest.mark.parametrize("cell", ["NA", "DATA_EXPIRED"])
@pytest.mark.parametrize("name", ["judge", "stimulus"])
def test_words_for_nothing_are_no_ids(tmp_path, name, cell):
    row = {"judge": f"{cell},b", "stimulus": f"p2,{cell}"}[name]
    text = f"{HEADER}\np1,a,gpt,human\n{row},gpt,human\n"
    with pytest.raises(InputError, match=rf"(?s)no {name}.*row: +3"):
        read(tmp_path, text)
    judgments, lost, _ = read(tmp_path, text, values={name: {"": None, cell: None}})
    assert len(judgments) == 1 and list(lost.values()) == [1]


def test_ids_that_a_spreadsheet_shortened_and_times_are_named(tmp_path):
    with pytest.raises(InputError, match=r"(?s)2 ids that a spreadsheet shortened.*row: +2, 3"):
        read(tmp_path, f"{HEADER}\n1.00E+15,a,gpt,human\n1.2E+15,b,gpt,human\n")
    rows = [f"p{j},{item},gpt,human,{time}" for j in "12" for time, item in enumerate("abc")]
    with pytest.raises(InputError, match=r"(?s)no session has two verdicts.*remove session"):
        read(tmp_path, "\n".join([f"{HEADER},t", *rows]), columns=COLUMNS | {"session": "t"})


@pytest.mark.parametrize(
    ("cell", "note"),
    [("#REF!", "words or codes for"), ("3 or 5", "cells that are no"), ("-1", "times below zero")],
)
def test_a_cell_that_is_no_number_is_empty_and_the_column_stays(tmp_path, cell, note):
    rows = [f"p{n},a,gpt,human,{1000 + n}" for n in range(8)] + [f"p9,a,gpt,human,{cell}"]
    text = "\n".join([f"{HEADER},time", *rows])
    judgments, _, checks = read(tmp_path, text, columns=COLUMNS | {"rt_ms": "time"})
    assert judgments["rt_ms"].notna().tolist() == [True] * 8 + [False]
    assert checks["check"][0].startswith(f"time: {note}") and checks["number"][0] == 1
    assert checks.loc[0, "examples"].startswith("row 10: ")
    # R writes NA wherever something is missing; many other words are a column that means something else.
    many = text.replace("1000", "NA").replace("1001", "na").replace("1002", "#N/A")
    judgments, _, _ = read(tmp_path, many, columns=COLUMNS | {"rt_ms": "time"})
    assert judgments["rt_ms"].isna().sum() == 4
    with pytest.raises(InputError, match=r"(?s)number.*row: +2"):
        read(tmp_path, text.replace(",10", ",x10"), columns=COLUMNS | {"rt_ms": "time"})


def test_repeats_are_left_out_with_a_note(tmp_path):
    text = f"{HEADER}\np1,a,gpt,human\np1,b,human,human\np1,a,gpt,human\n"
    judgments, lost, checks = read(tmp_path, text)
    reason = "repeats an earlier row in every column that is read"
    assert len(judgments) == 2 and lost == {reason: 1}
    assert checks.loc[0, ["check", "examples"]].tolist() == [reason, "row 4"]


@pytest.mark.parametrize(
    ("first", "second"), [("9", "10"), ("2024-03-02", "2024-11-01"), ("pre", "post")]
)
def test_the_first_session_counts_or_all(tmp_path, first, second):
    visits = [("p1", first), ("p1", second), ("p2", second)]
    rows = [f"{who},{item},gpt,human,{visit}" for who, visit in visits for item in "ab"]
    text, keys = "\n".join([f"{HEADER},visit", *rows]), {"columns": COLUMNS | {"session": "visit"}}
    judgments, lost, checks = read(tmp_path, text, **keys)
    assert len(judgments) == 4 and list(lost.values()) == [2]
    assert checks["check"].str.contains("later session").any()
    judgments, lost, _ = read(tmp_path, text, "all", **keys)
    # Test and retest: the same judge and stimulus twice.
    assert len(judgments) == 6 and not lost
    assert judgments["judge"].nunique() == 2


def test_sliders_are_read_as_the_nearer_point(tmp_path):
    rows = [f"p1,{cell},gpt,{cell}" for cell in ("0.2", "1", "0.5", "0.9")]
    rating = {"column": "said", "human": "0", "machine": "1"}
    columns = {name: column for name, column in COLUMNS.items() if name != "verdict"}
    text = "\n".join([HEADER, *rows])
    judgments, _, checks = read(tmp_path, text, columns=columns, rating=rating)
    assert judgments["verdict"].tolist() == ["human", "machine", "unsure", "machine"]
    assert checks["number"].tolist()[0] == 3
    with pytest.raises(InputError, match="not a point of the scale"):
        read(tmp_path, text.replace("0.9", "1.1"), columns=columns, rating=rating)


def test_what_stands_out_is_noted(tmp_path):
    rows = [f"p{j},s{i},gpt,human,{i}" for j in range(30) for i in range(9)]
    rows += [f"p1,t{i},gpt,human,5" for i in range(9)] + ["p0,u,gpt,human,1000"]
    text = "\n".join([f"{HEADER},sure", *rows])
    keys = {"columns": COLUMNS | {"confidence": "sure"}, "where": {"by": ["gpt", "llama"]}}
    _, _, checks = read(tmp_path, text, **keys)
    told = dict(zip(checks["check"].str.split(":").str[0], checks["examples"], strict=True))
    assert told["judges with far more verdicts than the others"] == "texts.lab.w002: 18"
    assert told["where"] == "llama"
    assert any(check.startswith("confidence 1000, far above") for check in told)


@pytest.mark.parametrize(
    "path", sorted(REAL_TABLES.glob("*/*.csv")), ids=lambda path: path.parent.name
)
def test_real_tables_are_read_without_a_change(path):
    table = table_files.read_named_columns(path)
    expected = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert table.astype(object).to_numpy().tolist() == expected.to_numpy().tolist()
