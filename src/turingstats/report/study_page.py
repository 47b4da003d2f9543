"""The report of a study: one page with its figures, tables, claims and what it was made from.

It is assembled from results only, and computes nothing but sums of counts. Empty sections are left
out. Like the ledger it loads nothing from elsewhere, so that it can be opened from disk; pictures and
source data stay where they are, and the page links to them.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from markupsafe import Markup

from turingstats.claims.ledger_page import MEANINGS, SYMBOLS
from turingstats.core.claim_statuses import STATUSES
from turingstats.core.data_labels import is_generated
from turingstats.core.labels import (
    describe_correction,
    describe_family,
    find_alpha,
    name_test,
    separate_thousands,
)
from turingstats.core.templating import CAPTIONS
from turingstats.report import chart, designs, front
from turingstats.report.at_a_glance import describe_basis, read_rows
from turingstats.report.captions import describe_figure
from turingstats.report.cells import make_label, make_link, shorten_number, shorten_p
from turingstats.report.inline_pictures import RULES
from turingstats.report.sections import (
    count_holding,
    count_judges,
    count_panels,
    describe_table,
    group_missing_files,
    list_exclusions,
    list_printed,
    sum_up_claims,
)

PROJECT = Path(__file__).parents[3]


class StudyResults:
    """Result files of a study, by stage (a folder such as figures) and name; other files are ignored."""

    def __init__(self, made: Iterable[str], folder: Path) -> None:
        self.by_place = {}
        for path in map(Path, made):
            stage, *name = path.relative_to(folder).parts
            if name:
                self.by_place.setdefault((stage, path.stem), {})[path.suffix[1:]] = path

    def find_files(self, stage: str, name: str) -> dict[str, Path]:
        """Return the files of a result by their format."""
        return self.by_place.get((stage, name), {})

    def read_rows(self, stage: str, name: str) -> list[dict[str, str]]:
        """Read the rows of a result's CSV file; none if there is no file."""
        return read_rows(self.find_files(stage, name).get("csv"))

    def order_names(
        self, stage: str, declared: dict[str, str]
    ) -> list[tuple[str, dict[str, Path]]]:
        """List the results of a stage and their files."""
        names = [name for folder, name in self.by_place if folder == stage and name != "inventory"]
        names = [*(name for name in declared if name in names), *names]
        return [
            (name, self.by_place[stage, name])
            for name in sorted(dict.fromkeys(names), key=rank_name)
        ]


@dataclass(frozen=True)
class StudyPage:
    """The page of a study, which is in the folder `here`, and the files that were made."""

    study: dict[str, Any]
    results: StudyResults
    folder: Path
    here: Path

    def read(self, stage: str, name: str) -> list[dict[str, str]]:
        """Read the rows of a result."""
        return self.results.read_rows(stage, name)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Titles of figures and tables."""
        return {**self.study["titles"], **self.study["figures"], **self.study["tables"]}

    def describe_picture(self, name: str, files: dict[str, Path]) -> dict[str, Any]:
        """Describe a figure, and the functions that made it."""
        caption = {**CAPTIONS, **self.study["captions"]}.get(name, "")
        described = describe_figure(name, files, self.titles.get(name, name), caption, self.here)
        return described | {"makers": self.link_makers(files)}

    def list_pictures(self) -> list[dict[str, Any]]:
        """List the figures, each with the number of claims that it shows, and what one may choose."""
        # A claim may be shown in several panels.
        pairs = {(row["figure"], row["claim_id"]) for row in self.read("claims", "panels")}
        claims = Counter(figure for figure, _ in pairs)
        return [
            self.describe_picture(name, files)
            | {"claims": claims[name], "shows": list_choices(files.get("csv"), self.study)}
            for name, files in self.results.order_names("figures", self.study["figures"])
            if set(files) - {"csv"}
        ]

    def list_tables(self) -> list[dict[str, Any]]:
        """List the tables that have rows, each with the numbers that the paper prints in it."""
        claims, tables = self.read("claims", "claims"), []
        for name, files in self.results.order_names("tables", self.study["tables"]):
            if "csv" in files:
                note, title = self.study["notes"].get(name, ""), self.titles.get(name, name)
                table = describe_table(name, files, title, note, self.here)
                table["printed"] = list_printed(claims, make_label(name))
                tables.append(table | {"makers": self.link_makers(files)})
        return [table for table in tables if table["rows"]]

    def link(self, stage: str, name: str, suffix: str = "csv") -> str:
        """Link to a file; empty if it was not made."""
        path = self.results.find_files(stage, name).get(suffix)
        return make_link(path, self.here) if path else ""

    def link_makers(self, files: dict[str, Path]) -> list[tuple[str, str]]:
        """List the functions that made a result; on a page in the project, with a link to their module."""
        made = files["csv"].relative_to(self.folder).as_posix() if "csv" in files else ""

        def link(maker: str) -> str:
            if not self.here.resolve().is_relative_to(PROJECT):
                return ""
            module = PROJECT / "src/turingstats" / maker.partition(":")[0].replace(".", "/")
            return make_link(
                module / "__init__.py" if module.is_dir() else f"{module}.py", self.here
            )

        return [(maker, link(maker)) for maker in self.study["makers"].get(made, ()) if maker]


def build_context(
    study: dict[str, Any], made: Iterable[str], folder: Path, here: Path
) -> dict[str, Any]:
    """Collect what the page of a study, in the folder `here`, shows of the files that were made."""
    page = StudyPage(study, StudyResults(made, folder), folder, here)
    read = page.read
    path = page.results.find_files("data", "provenance")["json"]
    provenance = json.loads(path.read_text(encoding="utf-8"))
    ledger = sum_up_claims(read("claims", "summary"), study["tasks"])
    overview = page.results.find_files("claims", "claims_overview")
    excluded = read("data", "exclusions")
    rated = study["design"] == "ratings"
    header, lines = list_exclusions([] if rated else excluded, study["tasks"], study["cohorts"])
    basis = describe_basis(study, folder)
    generated = basis["kind"] in ("generated", "mixed")
    pictures, tables = page.list_pictures(), page.list_tables()
    if basis["kind"] == "mixed":
        # Real data come before generated ones.
        pictures.sort(key=lambda picture: is_generated(picture["data"]))
        tables.sort(key=lambda table: is_generated(table["data"]))
    return {
        "study": study,
        "picture_rules": Markup(RULES),
        "basis": basis,
        "kind": basis["kind"],
        "generated": basis["kind"] == "generated",
        "missing": group_missing_files(read("data", "missing"), study),
        "statuses": [s for s in STATUSES if ledger and ledger["counts"][s]],
        "symbols": SYMBOLS,
        "meanings": MEANINGS,
        "front": build_first_screen(study, page.results, generated, ledger, provenance),
        "claims": ledger,
        "overview": page.describe_picture("claims_overview", overview) if overview else None,
        "figures": pictures,
        "tables": tables,
        "tests": [row for row in read("statistics", "tests") if row["reading"] == study["reading"]],
        "judges": count_judges(read("statistics", "sizes"), study["reading"]),
        "account": {"header": header, "rows": excluded if rated else lines} if excluded else None,
        "record_checks": read("data", "record_checks"),
        "inventory": count_panels(read("figures", "inventory")),
        "config": provenance["config"],
        "alpha": find_alpha(provenance["config"]["confidence"]),
        "provenance": provenance,
        "config_text": json.dumps(provenance["config"], indent=2, ensure_ascii=False),
        "link": page.link,
        "shorten": shorten_number,
        "shorten_p": shorten_p,
        "name_test": name_test,
        "describe_correction": describe_correction,
        "describe_family": describe_family,
        "separate_thousands": separate_thousands,
    }


def build_first_screen(
    study: dict[str, Any],
    results: StudyResults,
    made_up: bool,
    ledger: dict[str, Any] | None,
    provenance: dict[str, Any],
) -> dict[str, Any]:
    """Collect the first screen: answers, or the reason why there is none; `made_up` of data that are."""
    read = results.read_rows
    findings, level = read("report", "findings"), provenance["config"]["confidence"]
    alpha = find_alpha(level)

    def read_observed(stage: str, name: str) -> list[dict[str, str]]:
        # What generated data say of judges would be read as a finding.
        return [] if made_up else read(stage, name)

    first = {
        "chart": chart_results(study, findings, read),
        "margin": (margin := 100 * provenance["config"]["equivalence"]["margin"]),
        "margins": chart.list_margins(margin),
        "symbols": [*reversed(chart.SYMBOLS.items())],
        "summary": front.write_summary(findings, ledger and ledger["tally"], made_up),
        "rankings": designs.describe_rankings(
            read_observed("statistics", "strengths"),
            read("statistics", "differences"),
            read("statistics", "places"),
            study,
            alpha,
        ),
        "level": f"{level:.0%}",
        "holding": count_holding(read("claims", "claims")),
        "changes": front.sum_up_changes(read("statistics", "what_changes"), alpha),
        "reading_gaps": front.list_reading_gaps(read_observed("statistics", "estimates"), study),
        "changes_table": bool(results.find_files("tables", "what_changes")),
        "machine_judges": front.describe_machine_judges(
            read_observed("figures", "people_and_machines")
        ),
        "best_machines": front.describe_best_machine(
            read_observed("statistics", "machine_judges"), study, alpha
        ),
        "graded": [
            *designs.describe_ratings(read_observed("statistics", "ratings"), study),
            *designs.describe_detectors(read_observed("statistics", "ratings"), study, alpha),
        ],
        "giveaways": front.list_giveaways(read("judges", "audit"), study),
    }
    told = ("chart", "rankings", "graded", "summary")
    if not any(first[part] for part in told):
        first["summary"] = explain_nothing(read, study, made_up)
    return first


def chart_results(
    study: dict[str, Any],
    findings: list[dict[str, str]],
    read: Callable[[str, str], list[dict[str, str]]],
) -> dict[str, Any] | None:
    """Chart what the design of a study asks: gaps, strengths or correlations; None if none is known."""
    if study["design"] == "pairs":
        drawn = chart.chart_strengths(read("statistics", "strengths"), study)
    elif study["design"] == "ratings":
        drawn = chart.chart_alignments(read("statistics", "alignment"), study)
    else:
        compared, missing = read("statistics", "equivalence"), read("data", "missing")
        drawn = chart.list_gaps(findings, compared, missing, study)
    return drawn if drawn["groups"] else None


def list_choices(path: Path | None, study: dict[str, Any]) -> list[str]:
    """List the labels of the judges and machines in the source data of a figure."""
    rows = read_rows(path)
    judges = {(row.get("task", ""), row.get("cohort", "")) for row in rows}
    machines = {row.get("agent", "") for row in rows}
    labels = [study["cohorts"].get(task, {}).get(cohort) for task, cohort in judges]
    labels += [study.get("agents", {}).get(agent) for agent in machines]
    return sorted({label for label in labels if label})


def explain_nothing(
    read: Callable[[str, str], list[dict[str, str]]], study: dict[str, Any], made_up: bool
) -> str:
    """Explain why the first screen has no answer."""
    if made_up:
        return "Generated data say nothing of judges; figures and tables show what becomes of them."
    if study["design"] == "verdicts":
        return " ".join(front.explain_no_answer(read("statistics", "estimates"), study))
    return "Only one of the agents has enough responses, so that nothing can be compared."


def rank_name(name: str) -> tuple[bool | int, int]:
    """Rank a figure or table by its number: first those of the text, then of the supplement, then others."""
    match = re.fullmatch(r"(?:fig|table)(S?)(\d+)\w*", name)
    return (match[1] == "S", int(match[2])) if match else (2, 0)
