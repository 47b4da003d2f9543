"""Files as programs save them: JSON, archives, workbooks with more than a table, encodings, odd names."""

import gzip
import json
import re

import openpyxl
import pandas as pd
import pytest

from turingstats.config.raw_files import list_matching_files
from turingstats.core.errors import InputError
from turingstats.data.adapters import table_files
from turingstats.new_study import starting_study

ROWS = [
    {"rater": f"R{n % 3}", "text": f"t{n % 4}", "author": ("human", "GPT-4")[n % 2], "said": said}
    for n, said in enumerate(["human", "AI", "AI", "human", "human", "AI", "human", "AI"])
]
HEADER = list(ROWS[0])
CSV = "\n".join([",".join(HEADER), *(",".join(row.values()) for row in ROWS)]) + "\n"


def read(path):
    table = table_files.read_named_columns(path).astype(str)
    return list(table), table.to_numpy().tolist()


EXPECTED = HEADER, [list(row.values()) for row in ROWS]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.json", json.dumps(ROWS)),
        ("lines.jsonl", "\n".join(map(json.dumps, ROWS)) + "\n"),
        # JATOS writes the list of each session into a line.
        ("jatos.json", json.dumps(ROWS[:5]) + "\n" + json.dumps(ROWS[5:])),
        ("log.json", json.dumps({"version": 2, "eval": {"task": "t"}, "samples": ROWS})),
        ("t.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
        ("t.jsonl.gz", gzip.compress("\n".join(map(json.dumps, ROWS)).encode(), mtime=0)),
        ("blanks.csv", "\n".join('"' + line.replace(",", '", "') + '"' for line in CSV.split())),
        ("x[1].csv", CSV),
        ("x*y.csv", CSV),
    ],
)
def test_files_with_the_same_rows_are_the_same_table(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert read(path) == EXPECTED
    assert list_matching_files(path) == [path]
    told = starting_study.write_study(path, None, tmp_path)
    assert "  8 analyzed" in told


def test_nested_fields_are_columns_and_missing_ones_are_empty(tmp_path):
    path = tmp_path / "t.json"
    records = [{"response": {"Q0": "AI", "Q1": None}, "rt": 12.0, "seen": ["a", "b"]}, {"rt": 7}]
    path.write_text(json.dumps(records))
    assert read(path) == (
        ["response.Q0", "response.Q1", "rt", "seen"],
        [["AI", "", "12", '["a", "b"]'], ["", "", "7", ""]],
    )


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.jsonl", b'{"a": 1}\n{"a": \n', r"not JSON.*line 2"),
        ("t.json", b"[1, 2]", r"no names of columns"),
        ("t.json", b'{"a": [{"b": 1}], "c": [{"d": 1}]}', r"several lists.*a, c"),
        ("t.xls", b"\n<HTML><table>", r"a web page"),
        ("t.csv.gz", gzip.compress(b"a,b\n", mtime=0)[:-6], r"cannot be read"),
        ("t.csv", b"a,b,c\n1,2,3\n4,5\n", r"2 cells, where there are 3.*row: +3.*column: +c"),
        ("t.csv", b",".join([b"a"] * 100_001) + b"\n", r"100,001 columns"),
    ],
)
def test_what_is_no_table_is_named(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=f"(?s){said}.*fix"):
        table_files.read_named_columns(tmp_path / name)


def write_book(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(row)
    return book


def test_empty_and_hidden_sheets_are_not_the_table(tmp_path):
    path = tmp_path / "t.xlsx"
    rows = [HEADER, *EXPECTED[1]]
    book = write_book(path, Empty=[], Notes=[["x"]], Data=rows)
    book["Notes"].sheet_state = "hidden"
    book.save(path)
    assert read(path) == EXPECTED


def test_formulas_without_values_and_charts_are_refused(tmp_path):
    path = tmp_path / "t.xlsx"
    book = write_book(path, Data=[["a", "b"], [1, "=A2+1"]])
    book.save(path)
    message = r"(?s)formula whose value is not saved.*row: +2.*column: +B"
    with pytest.raises(InputError, match=message):
        table_files.read_named_columns(path)
    book = write_book(path, Data=[["a", "b"], [1, 2]])
    book.create_chartsheet("Chart")
    book.save(path)
    with pytest.raises(InputError, match="a sheet that is a chart"):
        table_files.read_named_columns(path)


@pytest.mark.parametrize(
    ("word", "encoding", "said"),
    [("Человек", "cp1251", "Windows-1251"), ("Jürgen", "cp1252", "Windows-1252")],
)
def test_encodings_of_windows_are_noted(tmp_path, word, encoding, said):
    path = tmp_path / "t.csv"
    path.write_bytes(f"who,said\n{word},AI\n{word},AI\n".encode(encoding))
    assert read(path)[1][0] == [word, "AI"]
    assert said in table_files.read_table(path).skipped


def test_a_pattern_may_have_several_stars(tmp_path):
    header = ["rater", *(f"t{t}_r{r}_said" for t in (1, 2) for r in (1, 2))]
    rows = [["P1", "human", "AI", "AI", "human"], ["P2", "AI", "AI", "human", "human"]]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(map(",".join, [header, *rows])) + "\n")
    (tmp_path / "items.csv").write_text("item,author\n1/1,human\n1/2,GPT\n2/1,GPT\n2/2,human\n")
    wide = {"name": "item", "columns": {"verdict": "t*_r*_said"}}
    shape = {"wide": wide, "join": {"table": "items.csv", "by": "item"}}
    assert "  8 analyzed" in starting_study.write_study(path, None, tmp_path, shape=shape)


def test_names_and_tables_that_the_workflow_would_not_bear(tmp_path):
    (tmp_path / "{wild}.csv").write_text(CSV)
    with pytest.raises(InputError, match=r"(?s)braces.*rename"):
        starting_study.write_study(tmp_path / "{wild}.csv", None, tmp_path)
    (tmp_path / "all.csv").write_text(CSV)
    assert "study=all_study" in starting_study.write_study(tmp_path / "all.csv", None, tmp_path)


def test_of_many_other_columns_those_that_matter_are_asked_for(tmp_path, monkeypatch):
    loaded = []
    read_cells = table_files.text_tables.read_cells
    monkeypatch.setattr(
        table_files.text_tables, "read_cells", lambda path: loaded.append(path) or read_cells(path)
    )
    answers = {f"q{n}": ["abc"[(at // 2 + n) % 3] for at in range(len(ROWS))] for n in range(400)}
    path = tmp_path / "wide.csv"
    pd.DataFrame(ROWS).assign(**answers).to_csv(path, index=False)
    told = starting_study.write_study(path, None, tmp_path, named={"q7": "q7"})
    # The table is read once, by `init` and by the run that it tries.
    assert loaded == [str(path)]
    assert re.search("conditions +q7\n", told)
    assert told.count("one of 400 others: name those that matter, columns: {name: column}") == 399
