"""Tables of other shapes than one row per verdict are read; all tables are made up here."""

import openpyxl
import pandas as pd
import pytest
import yaml
from project import read_tables

from turingstats.core.errors import ConfigError, InputError
from turingstats.data.adapters import table_files

STUDY = yaml.safe_load("""
study: own
title: T
agents: {gpt: {label: GPT}}
tasks: {texts: {label: Texts, columns: {words: number}, cohorts: {lab: {label: Lab}}}}
demographics: {age: {young: 18-35, old: 36+}}
""")
TRIALS = """\
who,text,said,years
a,t1,AI,30
a,t2,human,30
b,t1,human,99
b,t2,AI,99
"""
ITEMS = "id,by,words\nt2,human,20\nt1,gpt,10.5\nt3,gpt,7\n"
COLUMNS = {"judge": "who", "stimulus": "text", "verdict": "said", "agent": "by"}
COLUMNS |= {"words": "words", "age": "years"}
AGELESS = {name: column for name, column in COLUMNS.items() if name != "age"}
JOIN = {"table": "items.csv", "by": {"text": "id"}}


def read(folder, tables, more=None, **keys):
    for name, table in tables.items():
        if isinstance(table, str):
            (folder / name).write_text(table, encoding="utf-8")
    file = {"path": next(iter(tables)), "task": "texts", "cohort": "lab", "columns": COLUMNS}
    file |= {"values": {"verdict": {"AI": "machine"}}} | keys
    _, judgments, judges, _, lost, _ = read_tables(folder, STUDY | (more or {}), file)
    return judgments.astype(object), judges.astype(object), lost


def list_rows(judgments):
    return judgments[["stimulus", "agent", "verdict"]].values.tolist()


READ = [["t1", "gpt", "machine"], ["t2", "human", "human"]]
READ += [["t1", "gpt", "human"], ["t2", "human", "machine"]]
WIDE = """\
who,years,said_t1,said_t2,sure_t1,sure_t2,said_total
a,30,AI,human,5,4,
b,41,human,,1,,
c,50,,,,,
"""
ANSWERED = COLUMNS | {"verdict": "answer"}
WHOLE = {
    "t.csv": "who,years,item_1,item_2\na,30,AI,human\nb,40,human,AI\n",
    "items.csv": ITEMS.replace("t1", "item_1").replace("t2", "item_2"),
}


def widen(whole=False, **columns):
    return {"wide": {"name": "text", "columns": columns, "whole": whole}}


def test_a_second_table_says_who_made_each_text(tmp_path):
    tables = {"trials.csv": TRIALS, "items.csv": ITEMS}
    judgments, judges, lost = read(tmp_path, tables, join=JOIN, missing=[99])
    assert list_rows(judgments) == READ
    assert judgments["words"].tolist() == ["10.5", "20", "10.5", "20"]
    assert judges["age_band"].fillna("").tolist() == ["30", ""]
    assert lost.empty


def test_several_columns_are_one_key(tmp_path):
    tables = {
        "trials.csv": "who,corpus,doc,said\na,x,1,AI\na,y,1,human\n",
        "items.csv": "corpus,number,by,words\nx,1,gpt,3\ny,1,human,4\n",
    }
    keys = {"columns": AGELESS | {"stimulus": ["corpus", "doc"]}, "more": {"demographics": {}}}
    join = {"table": "items.csv", "by": {"corpus": "corpus", "doc": "number"}}
    judgments, _, _ = read(tmp_path, tables, join=join, **keys)
    assert list_rows(judgments) == [["x/1", "gpt", "machine"], ["y/1", "human", "human"]]


def test_a_second_table_may_lead_to_a_third(tmp_path):
    tables = {
        "trials.csv": TRIALS.replace(",years", ",wave"),
        "items.csv": "id,source\nt1,s1\nt2,s2\n",
        "sources.csv": "source;by;words;years\ns1;gpt;10;30\ns2;human;20;30\n",
    }
    joins = [JOIN, {"table": "sources.csv", "by": "source"}]
    judgments, _, _ = read(tmp_path, tables, join=joins)
    assert list_rows(judgments) == READ
    with pytest.raises(ConfigError, match=r"sources.csv is joined by source, which no earlier"):
        read(tmp_path, tables, join=joins[::-1])


def test_judges_may_lack_a_row_of_answers_but_not_most_of_them(tmp_path):
    tables = {"trials.csv": TRIALS.replace("b,", "maria,").replace(",years", ",wave")}
    tables |= {"items.csv": ITEMS, "people.csv": "who,years\na,30\n"}
    joins = [JOIN, {"table": "people.csv", "by": "who"}]
    judgments, judges, _ = read(tmp_path, tables, join=joins)
    assert len(judgments) == 4
    assert judges["age_band"].fillna("").tolist() == ["30", ""]
    # A row that is wanted by an answer is left out where there is none.
    judgments, *_ = read(tmp_path, tables, join=joins, where={"years": ["30"]})
    assert set(judgments["judge"]) == {judges["judge"].iloc[0]}
    tables["trials.csv"] += "ida,t1,AI,1\n"
    with pytest.raises(InputError, match=r"(?s)no row for 2 keys \(3 rows\).*row: +4") as error:
        read(tmp_path, tables, join=joins)
    assert "maria" not in str(error.value)


def test_rows_left_out_need_no_second_table(tmp_path):
    # Row 6 is left out by a value of its own, row 7 by `where`; row 8 lacks its text.
    trials = TRIALS + "b,practice,skip,99\nb,other,AI,0\n"
    keys = {
        "join": JOIN,
        "values": {"verdict": {"AI": "machine", "skip": None}, "age": {"99": ""}},
        "where": {"years": [30, 99]},
    }
    judgments, _, lost = read(tmp_path, {"trials.csv": trials, "items.csv": ITEMS}, **keys)
    assert list_rows(judgments) == READ
    assert lost.set_index("reason")["rows"].to_dict() == {
        "years is not 30 or 99 (where)": 1,
        "said is skip (null under values)": 1,
    }
    with pytest.raises(InputError, match=r"(?s)no row for 't9'.*row: +8"):
        read(tmp_path, {"trials.csv": trials + "b,t9,AI,99\n", "items.csv": ITEMS}, **keys)
    # A value of the second table leaves out only rows that it has.
    keys["where"] = {"by": ["gpt"]}
    with pytest.raises(InputError, match="no row for 'other'"):
        read(tmp_path, {"trials.csv": trials, "items.csv": ITEMS}, **keys)


def test_codes_of_missing_values_are_empty_cells(tmp_path):
    tables = {"trials.csv": TRIALS.replace(",30", ",-1.0"), "items.csv": ITEMS}
    keys = {"more": {"demographics": {}}, "columns": AGELESS | {"confidence": "years"}}
    keys["join"] = JOIN
    judgments, _, _ = read(tmp_path, tables, missing=[-1, "n/a"], **keys)
    assert judgments["confidence"].isna().tolist() == [True, True, False, False]
    # What is missing among verdicts is asked for, or left out.
    with pytest.raises(InputError, match=r"(?s)no verdict.*row: +2"):
        read(tmp_path, tables, missing=["AI"], values={}, **keys)
    out = {"verdict": {"": None}}
    judgments, _, lost = read(tmp_path, tables, missing=["AI"], values=out, **keys)
    assert list_rows(judgments) == [READ[1], READ[2]]
    assert lost["rows"].tolist() == [2]


def test_covariates_are_numbers(tmp_path):
    items = ITEMS.replace(",", ";").replace("10.5", "10,5")
    judgments, _, _ = read(tmp_path, {"trials.csv": TRIALS, "items.csv": items}, join=JOIN)
    assert judgments["words"].tolist() == ["10.5", "20", "10.5", "20"]


def test_a_column_per_stimulus_becomes_a_row_each(tmp_path):
    tables = {"wide.csv": WIDE.replace("said_total", "total"), "items.csv": ITEMS}
    keys = widen(answer="said_*", sure="sure_*") | {"join": JOIN}
    keys["columns"] = ANSWERED | {"confidence": "sure"}
    judgments, judges, lost = read(tmp_path, tables, **keys)
    assert list_rows(judgments) == READ[:3]
    assert judgments["confidence"].tolist() == [5, 4, 1]
    assert judgments["judge"].str[-1].tolist() == ["1", "1", "2"]
    # Judges and stimuli without an answer are counted.
    assert lost[["reason", "rows"]].values.tolist() == [
        ["nothing in answer or sure (not shown, or not answered)", 3]
    ]
    assert len(judges) == 2
    keys |= widen(answer=["said_t1", "said_t2"]) | {"columns": ANSWERED}
    tables["items.csv"] = ITEMS.replace("t1", "said_t1").replace("t2", "said_t2")
    judgments, _, _ = read(tmp_path, tables, **keys)
    assert judgments["stimulus"].tolist() == ["said_t1", "said_t2", "said_t1"]
    judgments, _, _ = read(tmp_path, WHOLE, join=JOIN, **widen(True, said="item_*"))
    assert sorted(judgments["stimulus"].unique()) == ["item_1", "item_2"]


def change_items(old, new):
    return {"items.csv": ITEMS.replace(old, new)}


MISSPELLED = WIDE.replace("said_total", "total").replace("b,41,human", "b,41,hunan")
COMBINED = AGELESS | {"stimulus": ["corpus", "doc"], "words": "doc"}
ALONE = {"join": (), "columns": COMBINED, "more": {"demographics": {}}}


@pytest.mark.parametrize(
    ("tables", "keys", "told"),
    [
        (change_items("t1", "T1"), {}, r"no row for 't1' \(2 rows\).*row: +2.*column: +text"),
        (change_items("t3", "t1"), {}, "repeat a key.*items.csv.*row: +4.*'t1'"),
        (change_items("by", "maker"), {}, "is not in the table.*by"),
        (change_items("words", "years"), {}, "column of this name.*years"),
        (change_items("10.5", "many"), {}, "not a number.*items.csv.*row: +3.*words.*'many'"),
        ({}, {"columns": COLUMNS | {"right": "years"}}, "verdict and right: a table has one"),
        ({}, widen(answer="said_*", sure="sure_*"), r"no column of sure for total.*sure_\*"),
        ({}, widen(answer="says_*"), r"wide: no column for answer.*says_\*.*said_t1"),
        ({}, widen(answer=["said_t1", "said_t3"]), "wide: no column for answer.*said_t3"),
        ({}, widen(years="said_*"), "has a column years already"),
        ({}, widen(answer="said"), r"patterns have an \*"),
        ({}, widen(answer=["said_t1"], sure="sure_*"), "several new columns need patterns"),
        # A word nobody foresaw is found in its column.
        (
            {"t.csv": MISSPELLED},
            widen(answer="said_*") | {"columns": ANSWERED},
            "not a valid verdict.*row: +3, said_t1.*'hunan'",
        ),
        (WHOLE, widen(said="item_*"), "add whole: true under wide"),
        (WHOLE, widen(True, said="item_*", sure="sure_*"), "leave whole out"),
        # Combined columns identify one thing.
        (
            {"t.csv": "who,corpus,doc,by,said\na,x,,gpt,AI\n"},
            ALONE,
            "stimulus is identified by corpus, doc together.*column: +doc",
        ),
        (
            {"t.csv": "who,corpus,doc,by,said\na,x/1,2,gpt,AI\na,x,1/2,gpt,AI\n"},
            ALONE,
            "both 'x/1/2'",
        ),
    ],
)
def test_what_does_not_fit_is_named(tmp_path, tables, keys, told):
    trials = WIDE if "wide" in keys else TRIALS
    with pytest.raises((InputError, ConfigError), match=f"(?s){told}"):
        read(tmp_path, {"t.csv": trials, "items.csv": ITEMS} | tables, **{"join": JOIN} | keys)


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nwho;said\nP1;a\nP2;b\n",
        "Results of wave 2\n\nwho,said\nP1,a\nP2,b\n",
        '"Results, wave 2",\n,\n"who","said"\nP1,a\nP2,b\n',
        "# exported 2024, by X\nwho,said,more\nP1,a,\nP2,b,\n",
        'who,said\n"Who are you?",Said\n"{""ImportId"":""Q1""}","{""ImportId"":""Q2""}"\nP1,a\nP2,b\n',
    ],
)
def test_titles_comments_and_labels_are_not_data(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    table = table_files.read_named_columns(tmp_path / "t.csv", ["who", "said"])
    assert table.to_numpy().tolist() == [["P1", "a"], ["P2", "b"]]
    # Rows keep their numbers in the file.
    assert table.index.tolist() == [text.count("\n") - 1, text.count("\n")]


def test_files_of_a_folder_are_one_table(tmp_path):
    (tmp_path / "a.csv").write_text("who,said\nP1,a\nP1,b\n")
    (tmp_path / "b.csv").write_text("said,who,more\n\nc,P2,x\n")
    (tmp_path / "c.csv").write_text("")
    file = table_files.read_table(tmp_path / "*.csv")
    assert file.header == ["who", "said", "more"]
    assert file.cells.to_numpy().tolist() == [["P1", "a", ""], ["P1", "b", ""], ["P2", "c", "x"]]
    assert file.cells.index.tolist() == ["2 of a.csv", "3 of a.csv", "3 of b.csv"]
    assert file.skipped == (
        "files read as one table: 2; empty files left out: 1; "
        "files that lack columns of others, empty there: 1"
    )
    (tmp_path / "b.csv").write_text("who;said\nP2;c\n")
    with pytest.raises(InputError, match="different characters"):
        table_files.read_table(tmp_path / "*.csv")
    with pytest.raises(InputError, match="no such files"):
        table_files.read_table(tmp_path / "*.txt")


@pytest.mark.parametrize("suffix", ["xlsx", "parquet"])
def test_tables_of_other_formats_are_read_as_the_same_csv(tmp_path, suffix):
    joins = [JOIN, {"table": "people.csv", "by": "who"}]
    tables = {
        "trials.csv": TRIALS.replace(",years", ",wave"),
        "items.csv": ITEMS.replace("10.5", "10"),
        "people.csv": "who,years\na,30\nb,41\n",
    }
    expected = read(tmp_path, tables, join=joins)
    for name in tables:
        table = pd.read_csv(tmp_path / name)
        path = tmp_path / name.replace("csv", suffix)
        table.to_excel(path, index=False) if suffix == "xlsx" else table.to_parquet(path)
    joins = [join | {"table": join["table"].replace("csv", suffix)} for join in joins]
    found = read(tmp_path, {f"trials.{suffix}": None}, join=joins)
    for one, other in zip(found, expected, strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_a_sheet_of_several_is_named(tmp_path):
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        for name, text in (("Trials", TRIALS), ("Items", ITEMS)):
            rows = [line.split(",") for line in text.splitlines()]
            sheet = pd.DataFrame(rows[1:], columns=rows[0])
            sheet.to_excel(book, sheet_name=name, index=False)
    join = {"table": "book.xlsx", "sheet": "Items", "by": {"text": "id"}}
    judgments, _, _ = read(tmp_path, {"book.xlsx": None}, sheet="Trials", join=join)
    assert list_rows(judgments) == READ
    with pytest.raises(InputError, match=r"(?s)it has several sheets.*Trials, Items.*sheet:"):
        read(tmp_path, {"book.xlsx": None}, join=join)
    with pytest.raises(InputError, match=r"(?s)no such sheet.*'trials'.*Trials, Items"):
        read(tmp_path, {"book.xlsx": None}, join=join, sheet="trials")


def test_cells_of_a_workbook_are_what_they_show(tmp_path):
    path = tmp_path / "t.xlsx"
    cells = {"n": [1, 2.5, None], "text": [" x", "01", "NA"], "yes": [True, None, False]}
    pd.DataFrame(cells).to_excel(path, index=False)
    table = table_files.read_named_columns(path)
    read_cells = [["1", "2.5", ""], ["x", "01", "NA"], ["True", "", "False"]]
    assert [table[name].tolist() for name in ("n", "text", "yes")] == read_cells
    assert list(table.index) == [2, 3, 4]
    (tmp_path / "fake.xlsx").write_text("who,said\na,AI\n")
    with pytest.raises(InputError, match="cannot be read as a table"):
        table_files.read_header(tmp_path / "fake.xlsx")


def test_titles_of_sheets_are_not_data(tmp_path):
    book = openpyxl.Workbook()
    for row in (["Results of wave 2"], [], ["who", "said"], ["P1", "a"], ["P2", "b"]):
        book.active.append(row)
    book.active.merge_cells("A1:B1")
    book.save(tmp_path / "t.xlsx")
    table = table_files.read_named_columns(tmp_path / "t.xlsx", ["who", "said"])
    assert table.to_numpy().tolist() == [["P1", "a"], ["P2", "b"]]
    assert table.index.tolist() == [4, 5]
