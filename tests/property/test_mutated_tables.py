"""Whatever happens to a table: the same result, an error that names the place, or a counted exclusion.

Small tables of every format are mutated by a generator: every column and every kind of bad cell, columns that
are dropped or doubled, text that is cut or has a byte changed.
"""

import contextlib
import functools
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from turingstats.config import raw_files
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, InputError, TuringError
from turingstats.data import adapters
from turingstats.data.adapters import table_files
from turingstats.ratings.reading import read_ratings

STUDY = {
    "study": "own",
    "title": "T",
    "agents": {"bot": {"label": "Bot", "aliases": ["gpt"]}, "other": {"label": "Other"}},
    "tasks": {"chat": {"label": "Chat", "cohorts": {"lab": {"label": "Lab"}}}},
}
PLAIN_STUDY = yaml_models.build_model(Study, STUDY, "study")
CHAT = STUDY["tasks"]["chat"] | {"columns": {"words": "number"}}
WITH_WORDS = yaml_models.build_model(Study, STUDY | {"tasks": {"chat": CHAT}}, "study")
SIMILARITY = {"study": "sim", "title": "S", "readings": ["recommended"], "scale": [1, 7]}
SIMILARITY["tasks"] = {"items": {"label": "Items", "references": ["human"]}}
RATED = yaml_models.build_model(Study, SIMILARITY, "study")
ID, NAME, VERDICT, WORD, NUMBER, WHOLE, TEXT, UNREAD = (
    "id name verdict word number whole text unread".split()
)


class Table(NamedTuple):
    """A small table, how it is read, and what kind of column each of its columns is."""

    format: str
    task: str
    columns: dict
    kinds: dict
    text: str
    keys: dict = {}  # noqa: RUF012
    others: dict = {}  # noqa: RUF012


def make_rows(make, judges=3, items=4):
    return "".join(make(j, i) + "\n" for j in range(judges) for i in range(items))


def name_agent(item):
    return ("human", "gpt", "Other", "human")[item]


KINDS = {
    "judge": ID, "stimulus": ID, "agent": NAME, "verdict": VERDICT, "truth": WORD, "right": WORD,
    "control_ok": WORD, "confidence": NUMBER, "words": NUMBER, "rating": NUMBER, "rt_ms": WHOLE,
    "position": WHOLE, "response": TEXT,
}  # fmt: skip
PLAIN = {
    "judge": "who", "stimulus": "item", "agent": "made by", "verdict": "said", "confidence": "sure",
    "rt_ms": "time", "position": "place", "control_ok": "attentive", "words": "length",
}  # fmt: skip
VERDICTS = "who,item,made by,said,sure,time,place,attentive,length,note\n" + make_rows(
    lambda j, i: (
        f"p{j},t{i},{name_agent(i)},{('human', 'machine')[(i + j) % 2]},{10 * i + j}.5,"
        f"{1000 + 7 * i},{i + 1},yes,{20 + i},free text"
    )
)
VERDICT_TABLE = ("verdict_table", "chat")
BY_ITEM = {"judge": "who", "stimulus": "item", "verdict": "said", "agent": "by"}
PAIRS = [("a", "b"), ("a", "c"), ("b", "c")]
TABLES = {
    "verdicts": Table("verdict_table", "chat", PLAIN, KINDS, VERDICTS, {"cohort": "lab"}),
    "right": Table(
        *VERDICT_TABLE,
        {"judge": "who", "stimulus": "item", "truth": "by", "agent": "made by", "right": "hit"},
        KINDS, "who,item,by,made by,hit,note\n"
        + make_rows(
            lambda j, i: (
                f"p{j},t{i},{'human' if i in (0, 3) else 'machine'},"
                f"{'' if i in (0, 3) else name_agent(i)},{('yes', 'no')[j % 2]},x"
            )
        ),
        {"cohort": "lab"},
    ),
    "joined": Table(
        *VERDICT_TABLE, BY_ITEM | {"words": "n"}, KINDS,
        "item,by,n,note\n" + make_rows(lambda j, i: f"t{i},{name_agent(i)},{9 + i},x", judges=1),
        {"cohort": "lab", "path": "trials.csv", "join": {"table": "t.csv", "by": "item"}},
        {
            "trials.csv": "who,item,said\n"
            + make_rows(lambda j, i: f"p{j},t{i},{('human', 'machine')[(i + j) % 2]}")
        },
    ),
    "wide": Table(
        *VERDICT_TABLE, BY_ITEM, KINDS,
        "who,said_t0,said_t1,note\n"
        + "".join(f"p{j},human,{('human', 'machine')[j % 2]},x\n" for j in range(4)),
        {"cohort": "lab", "join": {"table": "items.csv", "by": "item"}}
        | {"wide": {"name": "item", "columns": {"said": "said_*"}}},
        {"items.csv": "item,by\nt0,human\nt1,gpt\n"},
    ),
    "responses": Table(
        "response_table", "chat", {"stimulus": "item", "agent": "made by", "response": "words"}, KINDS,
        "item,made by,words,note\n" + make_rows(lambda j, i: f"t{i},{name_agent(i)},a dog {j},x"),
    ),
    "similarity": Table(
        "ratings", "all",
        {"participant": "who", "item_a": "one", "item_b": "two", "rating": "sim"},
        {"participant": ID, "item_a": ID, "item_b": ID, "rating": NUMBER},
        "who,one,two,sim,note\n"
        + "".join(
            f"p{j},{a},{b},{1 + n + j}.0,x\n" for j in range(3) for n, (a, b) in enumerate(PAIRS)
        ),
        {"cohort": "human"},
    ),
}  # fmt: skip


def read(folder, table, content=None):
    """Read a table, whose content may be changed: its rows, and those that are left out."""
    for other, text in table.others.items():
        (folder / other).write_text(text)
    content = table.text if content is None else content
    (folder / "t.csv").write_bytes(content.encode() if isinstance(content, str) else content)
    keys = {"path": "t.csv", "format": table.format, "task": table.task, "columns": table.columns}
    file = yaml_models.build_model(raw_files.RawFile, keys | table.keys, "sources")
    if table.format == "ratings":
        rows = read_ratings(file, folder, RATED)
        return rows.astype({"system": str}), pd.DataFrame({"rows": []})
    study = WITH_WORDS if "words" in table.columns else PLAIN_STUDY
    if table.format == "response_table":
        found = adapters.collect_tables([file], folder, study)
        return found["responses"], found["left_out"]
    rows, _, _, lost, _ = adapters.read_with_left_out([file], folder, study)
    return rows, lost


def try_to_read(*arguments):
    try:
        return *read(*arguments), None
    except TuringError as error:
        return None, None, error


@functools.cache
def read_unchanged(name):
    with tempfile.TemporaryDirectory() as folder:
        return read(Path(folder), TABLES[name])[0]


def list_read_columns(table):
    """List the columns of a table that are read from it: name in the table, and kind."""
    header = table.text.split("\n")[0].split(",")
    own = {c: table.kinds[name] for name, c in table.columns.items() if c in header}
    if "wide" in table.keys:
        own |= {c: VERDICT for c in header if c.startswith("said_")}
    if "join" in table.keys and "wide" not in table.keys:
        own["item"] = "key"
    return own


BAD = [
    "", " ", "-", "?", "0", "-1", "-0.5", "1.5", "7", "1e3", "1e400", "1,234", "1.234,5",
    "350 ms", "12%", "½", "1_000", "inf", "nan", "NA", "null", "#N/A", "=A1+1", "true", "yes", "No",
    "human", "Human ", "HUMAN", "people", "machine", "unsure", "gpt", "GPT-4", "bot", "other",
    "2024-03-01", "3-Mar", "01:30", "p1", "p1\u200b", "p\u00a01", "e\u0301", "\u00e9", "a\u0000b",
    'a"b', "a\nb", "a;b", "<script>", "😀", "99999999999999999999", "-1e-5", "+5", ".5", "5.",
]  # fmt: skip
PLACES = [
    (name, column)
    for name, table in TABLES.items()
    for column in (*list_read_columns(table), "note")
]
QUICK = settings(
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def change_cell(text, column, row, value):
    """Change a cell of a CSV table; rows are numbered as in the file, from 2."""
    lines = text.splitlines()
    place = lines[0].split(",").index(column)
    cells = lines[row - 1].split(",")
    cells[place] = '"' + value.replace('"', '""') + '"'
    lines[row - 1] = ",".join(cells)
    return "\n".join(lines) + "\n"


def check_error(error, table, column=None, row=None):
    """Check that an error names the file, and its row and column where they are known."""
    text = str(error)
    assert "t.csv" in text or "data/sources" in text, text
    assert "fix" in text, text
    if isinstance(error, InputError) and column is not None:
        own = re.search(r"row: +(\D*)(\d+)", text)
        assert own and column in text, text
        assert int(own[2]) == row or f"in row {row}" in text or "same" in text, text


def check_cell(name, column, row, value, folder):
    """Check what becomes of a table with another value in one cell."""
    table = TABLES[name]
    kind = list_read_columns(table).get(column, UNREAD)
    before, plain = read_unchanged(name), value.strip()
    after, lost, error = try_to_read(folder, table, change_cell(table.text, column, row, value))
    if error:
        assert kind != UNREAD or "\0" in value, error
        check_error(error, table, None if "\0" in value or kind == "key" else column, row)
        return
    assert "\0" not in value
    assert len(after) + int(lost["rows"].sum()) >= len(before)
    if kind == UNREAD:
        pd.testing.assert_frame_equal(after, before)
        return
    # No other row says anything else, except the numbers of people.
    hidden = ["judge", "participant", "trial"]
    # Rows of ratings are those of the file, and those of other tables are numbered from 0.
    first = 0 if table.format == "ratings" else 2
    mine = before.index == row - first if "join" not in table.keys else None
    if mine is not None and len(after) == len(before):
        kept = [
            rows.drop(columns=hidden, errors="ignore")[~mine].astype(object)
            for rows in (after, before)
        ]
        pd.testing.assert_frame_equal(*kept)
    if kind in (VERDICT, WORD):
        known = "human machine unsure yes no true false 0 1".split()
        assert plain.lower() in ["", *known], value
    elif kind == NAME:
        # Names of people are not read where the truth says that a person responded.
        of_person = "truth" in table.columns and row == 2
        assert of_person or plain.lower() in ("", "human", "gpt", "bot", "other"), value
    elif kind == ID:
        assert plain


@QUICK
@given(
    place=st.sampled_from(PLACES),
    row=st.integers(2, 4),
    value=st.sampled_from(BAD) | st.text(max_size=6),
)
def test_a_changed_cell(tmp_path, place, row, value):
    with contextlib.suppress(UnicodeEncodeError):
        check_cell(*place, row, value, tmp_path)


@pytest.mark.parametrize("name", TABLES)
def test_a_column_is_dropped_or_doubled(tmp_path, name):
    table = TABLES[name]
    lines = [line.split(",") for line in table.text.splitlines()]
    used = list_read_columns(table)
    for place, column in enumerate(lines[0]):
        for change in ([], [lines[0][place]] * 2):
            changed = [
                [*cells[:place], *([cells[place]] * len(change)), *cells[place + 1 :]]
                for cells in lines
            ]
            content = "".join(",".join(cells) + "\n" for cells in changed)
            if column in used and not ("wide" in table.keys and not change):
                with pytest.raises((InputError, ConfigError), match=column) as error:
                    read(tmp_path, table, content)
                check_error(error.value, table)
            elif column not in used:
                found = read(tmp_path, table, content)[0]
                pd.testing.assert_frame_equal(found, read_unchanged(name))


def test_files_that_are_no_tables(tmp_path):
    """Nothing ends in a traceback."""
    table, made = TABLES["verdicts"], {}
    for kind in ("csv", "xlsx", "parquet"):
        (tmp_path / f"empty.{kind}").write_bytes(b"")
        (tmp_path / f"text.{kind}").write_bytes(b"\x00\x01who")
        made |= {f"empty.{kind}": "table", f"text.{kind}": ""}
    (tmp_path / "book.csv").write_bytes(b"PK\x03\x04...")
    (tmp_path / "wide.csv").write_bytes(table.text.encode("utf-16-le"))
    mixed = table.text.replace("p1,", "pä1,").encode() + "pü9".encode("cp1252") + b",t1,human\n"
    (tmp_path / "mixed.csv").write_bytes(mixed)
    made |= {"book.csv": "workbook", "wide.csv": "NUL", "mixed.csv": "line 14"}
    for name, problem in made.items():
        with pytest.raises(InputError, match=f"(?s){problem}.*{name}|{name}.*{problem}.*fix"):
            table_files.read_named_columns(tmp_path / name)


def test_types_of_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    cells = {
        "who": pd.array([2**60 + 1, None, 3], dtype="Int64"),
        "sure": [1.0, float("nan"), 1e300],
        "list": [[1], [2], [3]],
    }
    pd.DataFrame(cells).to_parquet(path)
    table = table_files.read_named_columns(path, ["who", "sure"])
    assert table["who"].tolist() == ["1152921504606846977", "", "3"]
    assert table["sure"].tolist() == ["1", "", "1e+300"]
    assert table_files.read_named_columns(path, ["list"])["list"].tolist() == ["[1]", "[2]", "[3]"]
