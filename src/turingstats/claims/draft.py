"""Numbers in a manuscript of one's own, checked against the results of a study.

A number is followed by the result that it states: ``0.55 {{ claim: color.amt.p_HH }}`` names an estimate by
its task, cohort, quantity and, if there are several, agent or group; ``p = .03 {{ claim: tests.p
test_id=color.amt.p_HH.chance }}`` a cell of any table in statistics/, by table, column and the values of
other columns. Tests without a mark, such as "W = 282, p = .03", are found, and rows with these numbers
suggested.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd

from turingstats.claims.ledger import format_like_claim, holds_for
from turingstats.claims.query import ESTIMATED, format_cell
from turingstats.core.errors import ConfigError

NUMBER = r"[-−]?(?:\d+(?:,\d{3})*)?\.?\d+"
MARK = re.compile(
    rf"(?:(?P<relation>[<>=])?\s*(?P<number>{NUMBER})\s*(?P<percent>\\?%)?\s*)?"
    r"\{\{\s*claim:\s*(?P<claim>[^}]+?)\s*\}\}"
)
TEST = re.compile(
    r"\b(?P<name>[tFzWVUrQ]|χ2|χ²|rho|ρ)\s*(?:\([^)]*\))?\s*=\s*(?P<statistic>"
    + NUMBER
    + r")\s*,\s*"
    r"p\s*(?P<relation>[<>=])\s*(?P<p>" + NUMBER + ")"
)
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
NOT_NAMED = {"group": "all", "agent": "all", "reading": "recommended"}
"""What columns have, where a claim does not name them."""


@dataclass(frozen=True)
class Checked:
    """A number of a manuscript next to the result."""

    line: int
    printed: str
    claim: str
    result: str
    """The result with the digits of the text, or why there is none."""
    holds: bool | None
    """None where the text has no number."""


def read_text(path: Path) -> str:
    """Read the text of a manuscript: Markdown, LaTeX, any plain text, or the paragraphs of a docx file."""
    if path.suffix != ".docx":
        return path.read_text(encoding="utf-8")
    with zipfile.ZipFile(path) as archive:
        body = ElementTree.fromstring(archive.read("word/document.xml"))
    return "\n".join(
        "".join(text.text or "" for text in paragraph.iter(f"{WORD}t"))
        for paragraph in body.iter(f"{WORD}p")
    )


def check_draft(path: Path, results: Path) -> list[Checked]:
    """Check the marked numbers of a manuscript, or of a CSV with the columns `number` and `claim`."""
    if path.suffix == ".csv":
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
        if not {"number", "claim"} <= set(table):
            raise ConfigError(
                f"{path} needs the columns number and claim; it has {', '.join(table)}"
            )
        lines = [
            f"{row.number} {{{{ claim: {row.claim} }}}}" for row in table.itertuples(index=False)
        ]
        marks = [(row, mark) for row, line in enumerate(lines, 2) for mark in MARK.finditer(line)]
    else:
        text = read_text(path)
        marks = [(text.count("\n", 0, mark.end()) + 1, mark) for mark in MARK.finditer(text)]
    return [check_mark(line, mark, results) for line, mark in marks]


def check_mark(line: int, mark: re.Match[str], results: Path) -> Checked:
    """Check one number against the result that its mark names."""
    printed = " ".join(part for part in (mark["relation"], mark["number"], mark["percent"]) if part)
    try:
        value = find_value(mark["claim"], results)
    except ConfigError as error:
        return Checked(line, printed, mark["claim"], str(error), False)
    if mark["number"] is None:
        return Checked(line, "", mark["claim"], f"{value:.4g}", None)
    value *= 100 if mark["percent"] else 1
    stated = parse_printed(mark["number"], mark["relation"] or "=")
    return Checked(
        line, printed, mark["claim"], format_like_claim(value, stated), holds_for(value, stated)
    )


def parse_printed(number: str, relation: str) -> dict[str, str | int]:
    """Parse a printed number, with its digits behind the point, as claims have it."""
    plain = number.replace("−", "-").replace(",", "")
    return {"value": plain, "relation": relation, "decimals": len(plain.partition(".")[2])}


def find_value(claim: str, results: Path) -> float:
    """Find the result that a claim names; an error says what it may name."""
    place, _, conditions = claim.partition(" ")
    named = dict(part.strip().partition("=")[::2] for part in conditions.split(",") if part.strip())
    if named:
        name, _, column = place.rpartition(".")
        table = load_table(name, results)
        for wanted in (column, *named):
            if wanted not in table:
                raise ConfigError(f"{name}.csv has no column {wanted!r}; it has {', '.join(table)}")
        rows = table[[matches(row, named) for row in table.to_dict("records")]]
    else:
        name, column, table = "estimates", "value", load_table("estimates", results)
        words = place.split(".")
        columns = [name for name in ESTIMATED if name in table]
        rows = table[[set(words) <= set(row) for row in table[columns].to_numpy().tolist()]]
    for free, usual in NOT_NAMED.items():
        is_open = free not in named and free in rows and rows[free].nunique() > 1
        if is_open and (rows[free] == usual).any():
            rows = rows[rows[free] == usual]
    if len(rows) != 1:
        differing = [other for other in rows if rows[other].nunique() > 1]
        differ = f", which differ in {', '.join(differing[:6])}" if differing else ""
        raise ConfigError(f"{len(rows)} rows of {name}.csv are named so{differ}")
    return float(rows[column].iloc[0])


def matches(row: dict[str, object], named: dict[str, str]) -> bool:
    """Tell whether a row has these values in these columns."""
    return all(format_cell(row[column]) == value for column, value in named.items())


def load_table(name: str, results: Path) -> pd.DataFrame:
    """Load a table of statistics."""
    path = results / f"statistics/{name}.csv"
    if not path.exists():
        tables = sorted(path.stem for path in (results / "statistics").glob("*.csv"))
        raise ConfigError(f"no table {name!r}; there are {', '.join(tables)}")
    return pd.read_csv(path)


def suggest_tests(text: str, results: Path) -> Iterator[tuple[int, str, list[str]]]:
    """List the tests that a text reports, each with its line and the tests with these numbers."""
    table = load_table("tests", results)
    for mark in TEST.finditer(text):
        statistic = parse_printed(mark["statistic"].lstrip("-−"), "=")
        p = parse_printed(mark["p"], mark["relation"])
        rows = [
            row["test_id"]
            for row in table.to_dict("records")
            if holds_for(abs(row["statistic"]), statistic) and holds_for(row["p"], p)
        ]
        yield text.count("\n", 0, mark.end()) + 1, mark[0], sorted(set(rows))


def fill_draft(path: Path, checked: list[Checked]) -> Path:
    """Write a manuscript of plain text without its marks; those without a number become the result."""
    results = iter(checked)

    def fill(mark: re.Match[str]) -> str:
        result = next(results)
        return result.result if result.holds is None else mark[0][: mark[0].index("{{")].rstrip()

    filled = path.with_suffix(f".filled{path.suffix}")
    filled.write_text(MARK.sub(fill, path.read_text(encoding="utf-8")), encoding="utf-8")
    return filled


def describe_check(path: Path, results: Path) -> tuple[str, bool]:
    """Describe the check of a manuscript line by line, and tell whether all numbers hold."""
    checked = check_draft(path, results)
    words = {True: "holds", False: "DIFFERS", None: "no number"}
    lines = [
        f"line {one.line}: {one.printed or 'nothing'} ({one.claim}): {words[one.holds]}"
        + ("" if one.holds else f"; the result is {one.result}")
        for one in checked
    ]
    if path.suffix != ".csv":
        for line, words_of_test, tests in suggest_tests(read_text(path), results):
            lines.append(
                f"line {line}: {words_of_test}: " + (", ".join(tests) or "no test has these")
            )
    holds = all(one.holds is not False for one in checked)
    if holds and checked and path.suffix not in (".csv", ".docx"):
        lines.append(f"Written without marks: {fill_draft(path, checked)}")
    return "\n".join(lines) or "no marked number", holds
