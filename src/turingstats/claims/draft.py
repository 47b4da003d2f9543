"""Numbers in a manuscript of one's own, checked against the results of a study.

A number is followed by the result that it states: ``0.55 {{ claim: color.amt.p_HH }}`` names an estimate by
its task, cohort, quantity and, if there are several, agent or group; ``p = .03 {{ claim: tests.p
test_id=color.amt.p_HH.chance }}`` a cell of any table in statistics/, by table, column and the values of
other columns. Tests without a mark, such as "W = 282, p = .03", are found, and rows with these numbers
suggested.
"""

import re
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd

from turingstats.claims.ledger import format_like_claim, holds_for
from turingstats.claims.query import ESTIMATED, format_cell
from turingstats.core import files, text_tables
from turingstats.core.checked_csv import read_cells
from turingstats.core.errors import ConfigError, InputError

NUMBER = (
    r"[-−]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)"
    r"(?:e[-−]?\d+|\s*(?:×|\\times)\s*10\^?\{?[-−]?\d+\}?)?"
)
RELATION = r"[<>]=|[<>=≤≥]|\\[lg]eq?\b"
MARK = re.compile(
    rf"(?:(?P<relation>{RELATION})?\s*(?P<number>{NUMBER})\s*(?P<percent>\\?%|percent)?\$?\s*)?"
    r"\{\{\s*claim:\s*(?P<claim>[^}]+?)\s*\}\}"
)
TEST = re.compile(
    r"(?<!\w)(?P<name>[tFzWVUHr]|χ2|ρ|Wald)\s*(?:\((?P<df>[^)]*)\))?\s*=\s*"
    rf"(?P<statistic>{NUMBER})\s*,\s*p\s*(?P<relation>{RELATION})\s*(?P<p>{NUMBER})"
)
MARKUP = (
    (r"\\chi\s*\^\{?2\}?|χ²|[Xχ]\^?2\^?(?!\d)|\bchi2\b", "χ2"),
    (r"\\rho\b|\brho\b|\br_?s\b", "ρ"),
    (r"[*$]|\\(?:emph|textit|[()])|[{}]", ""),
)
"""What stands around the parts of a reported test in Markdown and LaTeX, and what is read in its place."""
ALSO_CALLED = {"W": ("U",), "V": ("U",), "χ2": ("chi2", "H", "Wald"), "ρ": ("rho", "r")}
"""Other names of a statistic in the tables of tests."""
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
        return text_tables.read_text(path)
    try:
        with zipfile.ZipFile(path) as archive:
            body = ElementTree.fromstring(archive.read("word/document.xml"))
    except (OSError, KeyError, zipfile.BadZipFile, ElementTree.ParseError) as error:
        raise InputError(path, f"no document of Word ({error})", fix="save it again") from None
    return "\n".join(
        "".join(text.text or "" for text in paragraph.iter(f"{WORD}t"))
        for paragraph in body.iter(f"{WORD}p")
    )


def check_draft(path: Path, results: Path) -> list[Checked]:
    """Check the marked numbers of a manuscript, or of a CSV with the columns `number` and `claim`."""
    if path.suffix == ".csv":
        table = read_cells(path)
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


def parse_printed(number: str, relation: str) -> dict[str, Any]:
    """Parse a printed number, with its digits behind the point, as claims have it."""
    number = re.sub(r"\s*(?:×|\\times)\s*10\^?\{?", "e", number.replace("−", "-"))
    plain = format(Decimal(number.replace(",", "").rstrip("}")), "f")
    for sign, words in {"<=": ("≤", r"\le", r"\leq"), ">=": ("≥", r"\ge", r"\geq")}.items():
        relation = sign if relation in words else relation
    return {"value": plain, "relation": relation, "decimals": len(plain.partition(".")[2])}


def find_value(claim: str, results: Path) -> float:
    """Find the result that a claim names; an error says what it may name."""
    place, _, conditions = claim.partition(" ")
    selection = dict(
        part.strip().partition("=")[::2] for part in conditions.split(",") if part.strip()
    )
    if selection:
        name, _, column = place.rpartition(".")
        table = load_table(name, results)
        for wanted in (column, *selection):
            if wanted not in table:
                raise ConfigError(f"{name}.csv has no column {wanted!r}; it has {', '.join(table)}")
        cells = table[[*selection]].astype(object).map(format_cell)
        rows = table[(cells == pd.Series(selection)).all(axis=1)]
    else:
        name, column, table = "estimates", "value", load_table("estimates", results)
        columns = [name for name in ESTIMATED if name in table]
        names = table[columns].astype(str)
        words = find_names(place, {*names.stack()})
        rows = table[[set(words) <= set(row) for row in names.to_numpy().tolist()]]
    for free, usual in NOT_NAMED.items():
        is_open = free not in selection and free in rows and rows[free].nunique() > 1
        if is_open and (rows[free] == usual).any():
            rows = rows[rows[free] == usual]
    if len(rows) != 1:
        differing = [other for other in rows if rows[other].nunique() > 1]
        differ = f", which differ in {', '.join(differing[:6])}" if differing else ""
        raise ConfigError(f"{len(rows)} rows of {name}.csv match{differ}")
    return float(rows[column].iloc[0])


def find_names(place: str, names: Collection[str]) -> list[str]:
    """Find the names of which a place consists, with points between them and perhaps in them.

    A place of other names is one name, which no row has.
    """
    either = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    if not re.fullmatch(rf"({either})(\.({either}))*", place):
        return [place]
    return [found[0] for found in re.finditer(rf"(?:{either})(?=\.|$)", place)]


def load_table(name: str, results: Path) -> pd.DataFrame:
    """Load a table of statistics."""
    path = results / f"statistics/{name}.csv"
    if not path.exists():
        tables = sorted(path.stem for path in (results / "statistics").glob("*.csv"))
        raise ConfigError(f"no table {name!r}; there are {', '.join(tables)}")
    return files.read_frame(path)


def suggest_tests(text: str, results: Path) -> Iterator[tuple[int, str, list[str] | None]]:
    """List the tests that a text reports, each with its line and the tests with these numbers.

    None in place of these where p is impossible.
    """
    rows = load_table("tests", results).to_dict("records")
    for pattern, plain in MARKUP:
        text = re.sub(pattern, plain, text)
    for mark in TEST.finditer(text):
        line = text.count("\n", 0, mark.end()) + 1
        if not 0 <= Decimal(parse_printed(mark["p"], "=")["value"]) <= 1:
            yield line, mark[0], None
            continue
        tests = {row["test_id"] for row in rows if has_numbers(row, mark)}
        yield line, mark[0], sorted(tests)


def has_numbers(row: dict[str, Any], mark: re.Match[str]) -> bool:
    """Tell whether a test has the statistic, degrees of freedom and p, corrected or not, that a text has."""
    names = (mark["name"], *ALSO_CALLED.get(mark["name"], ()))
    # A correlation may be the effect of a test with another statistic.
    computed_as = [row[of] for of in ("statistic", "effect") if row.get(f"{of}_name") in names]
    if not computed_as:
        return False
    # Of "(4, N = 66)", the number of judges or trials is no degree of freedom.
    text = re.sub(r"[Nn]\s*=.*", "", mark["df"] or "")
    printed = re.findall(r"[\d.]+", text if mark["name"] == "F" else text.replace(",", ""))
    computed = [float(part) for part in str(row["df"]).split(",") if part != "nan"]
    if printed and computed and len(printed) != len(computed):
        return False
    pairs = zip(computed, (parse_printed(df, "=") for df in printed), strict=False)
    statistic = parse_printed(mark["statistic"].lstrip("-−"), "=")
    p = parse_printed(mark["p"], mark["relation"])
    return (
        all(holds_for(*pair) for pair in pairs)
        and any(holds_for(abs(number), statistic) for number in computed_as)
        and (holds_for(row["p"], p) or holds_for(row["p_adjusted"], p))
    )


def fill_draft(path: Path, checked: list[Checked]) -> Path:
    """Write a manuscript of plain text without its marks; those without a number become the result."""
    results = iter(checked)

    def fill(mark: re.Match[str]) -> str:
        result = next(results)
        return result.result if result.holds is None else mark[0][: mark[0].index("{{")].rstrip()

    filled = path.with_suffix(f".filled{path.suffix}")
    filled.write_text(MARK.sub(fill, read_text(path)), encoding="utf-8")
    return filled


def describe_check(path: Path, results: Path) -> tuple[str, bool]:
    """Describe the check of a manuscript line by line, and tell whether all numbers hold.

    They do not if there are none, and no test that the text reports is among the results.
    """
    checked = check_draft(path, results)
    words = {True: "holds", False: "DIFFERS", None: "no number"}
    lines = [
        f"line {one.line}: {one.printed or 'nothing'} ({one.claim}): {words[one.holds]}"
        + ("" if one.holds else f"; the result is {one.result}")
        for one in checked
    ]
    holds, known = all(one.holds is not False for one in checked), bool(checked)
    if path.suffix != ".csv":
        for line, words_of_test, tests in suggest_tests(read_text(path), results):
            told = "impossible: p is from 0 to 1" if tests is None else ", ".join(tests)
            lines.append(f"line {line}: {words_of_test}: {told or 'no test has these'}")
            holds, known = holds and tests is not None, known or bool(tests)
    if holds and checked and path.suffix not in (".csv", ".docx"):
        lines.append(f"Written without marks: {fill_draft(path, checked)}")
    if not known:
        lines.append("Nothing in the text could be compared with the results (docs/claims.md).")
    return "\n".join(lines), holds and known
