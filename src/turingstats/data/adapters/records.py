"""Tables of JSON: a list of records, or one record or list of records in each line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.core.text_tables import TextTable, decode_text
from turingstats.data.adapters.binary_tables import write_value
from turingstats.data.adapters.messages import make_error

NAMES = (".json", ".jsonl", ".ndjson")
"""Endings of the names of such files."""


def read_records(path: str | Path) -> TextTable:
    """Read a table of records, of which each has a number: that of its line, or its place in the list.

    What is nested in a field is a column of its own, such as `response.Q0`; lists are text. In a file that is
    one record, the records are its only list of such, as `samples` in a log of Inspect.
    """
    text, encoding = decode_text(path)
    numbers, records = [], []
    for number, record in list_records(text, path):
        if not isinstance(record, dict):
            raise make_error(path, "nameless_entry", row=number, value=record)
        numbers.append(number)
        records.append({name: cell for name, cell in flatten(record)})
    cells = pd.DataFrame(records, numbers, dtype=object)
    header = [str(name) for name in cells]
    return TextTable(header, cells.fillna("").set_axis(range(len(header)), axis=1), "", 0, encoding)


def list_records(text: str, path: str | Path) -> Iterator[tuple[int, Any]]:
    """List the records of a text with their numbers."""
    try:
        whole = json.loads(text)
    except ValueError:
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                found = parse_line(line, number, path)
                yield from (
                    (number, part) for part in (found if isinstance(found, list) else [found])
                )
        return
    if isinstance(whole, dict):
        lists = [part for part in whole.values() if isinstance(part, list) and part]
        tables = [part for part in lists if all(isinstance(entry, dict) for entry in part)]
        if len(tables) > 1:
            names = [name for name, part in whole.items() if part in tables]
            raise make_error(path, "several_lists", value=", ".join(names))
        whole = tables[0] if tables else [whole]
    yield from enumerate(whole if isinstance(whole, list) else [whole], start=1)


def parse_line(line: str, number: int, path: str | Path) -> Any:
    """Parse a line of JSON."""
    try:
        return json.loads(line)
    except ValueError as error:
        where = {"row": f"line {number}", "value": line[:60]}
        raise make_error(path, "not_json", error=error, **where) from None


def flatten(record: dict[str, Any], start: str = "") -> Iterator[tuple[str, str]]:
    """List the columns and cells of a record."""
    for name, cell in record.items():
        if isinstance(cell, dict):
            yield from flatten(cell, f"{start}{name}.")
        elif isinstance(cell, list):
            yield f"{start}{name}", json.dumps(cell, ensure_ascii=False)
        else:
            yield f"{start}{name}", write_value(cell)
