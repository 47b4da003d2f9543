"""The report of a study: one page with its figures, tables, claims and what it was made from.

It is assembled from results only, and computes nothing but sums of counts. Empty sections are left
out. Like the ledger it loads nothing from elsewhere, so that it can be opened from disk; pictures and
source data stay where they are, and the page links to them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
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
FORMATS = {
    "symbols": SYMBOLS,
    "meanings": MEANINGS,
    "shorten": shorten_number,
    "shorten_p": shorten_p,
    "name_test": name_test,
    "describe_correction": describe_correction,
    "describe_family": describe_family,
    "separate_thousands": separate_thousands,
}
"""What the page is written with."""


class StudyPage:
    """The page of a study, which is in the folder `here`, and the result files that were made."""

    def __init__(
        self, study: dict[str, Any], made: Iterable[str], folder: Path, here: Path
    ) -> None:
        self.study, self.here, self.folder = study, here, folder
        self.titles = {**study["titles"], **study["figures"], **study["tables"]}
        # By place, such as figures/fig4, and format.
        self.made: dict[str, dict[str, Path]] = {}
        for path in map(Path, made):
            place = path.relative_to(folder).with_suffix("").as_posix()
            self.made.setdefault(place, {})[path.suffix[1:]] = path

    def read(self, place: str) -> list[dict[str, str]]:
        """Read the rows of a result's CSV file, such as statistics/tests; none if there is no file."""
        return read_rows(self.made.get(place, {}).get("csv"))

    def list_files(self, stage: str) -> list[tuple[str, dict[str, Path]]]:
        """List the figures or tables, and their files: by number, and as the study declares them."""
        declared = [*self.study[stage]]
        names = [place.partition("/")[2] for place in self.made if place.startswith(f"{stage}/")]
        names = [*(name for name in declared if name in names), *names]
        listed = sorted(dict.fromkeys(names), key=rank_name)
        return [(name, self.made[f"{stage}/{name}"]) for name in listed if name != "inventory"]

    def describe_picture(self, name: str, files: dict[str, Path]) -> dict[str, Any]:
        """Describe a figure, and the functions that made it."""
        caption = {**CAPTIONS, **self.study["captions"]}.get(name, "")
        described = describe_figure(name, files, self.titles.get(name, name), caption, self.here)
        return described | {"makers": self.link_makers(files)}

    def list_pictures(self) -> list[dict[str, Any]]:
        """List the figures, each with the number of claims that it shows, and what one may choose."""
        # A claim may be shown in several panels.
        pairs = {(row["figure"], row["claim_id"]) for row in self.read("claims/panels")}
        claims = Counter(figure for figure, _ in pairs)
        return [
            self.describe_picture(name, files)
            | {"claims": claims[name], "shows": list_choices(files.get("csv"), self.study)}
            for name, files in self.list_files("figures")
            if set(files) - {"csv"}
        ]

    def list_tables(self) -> list[dict[str, Any]]:
        """List the tables that have rows, each with the numbers that the paper prints in it."""
        claims, tables = self.read("claims/claims"), []
        for name, files in self.list_files("tables"):
            if "csv" in files:
                note, title = self.study["notes"].get(name, ""), self.titles.get(name, name)
                table = describe_table(name, files, title, note, self.here)
                table["printed"] = list_printed(claims, make_label(name))
                tables.append(table | {"makers": self.link_makers(files)})
        return [table for table in tables if table["rows"]]

    def link(self, place: str, suffix: str = "csv") -> str:
        """Link to a file; empty if it was not made."""
        path = self.made.get(place, {}).get(suffix)
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
    page = StudyPage(study, made, folder, here)
    read = page.read
    path = page.made["data/provenance"]["json"]
    provenance = json.loads(path.read_text(encoding="utf-8"))
    ledger = sum_up_claims(read("claims/summary"), study["tasks"])
    overview = page.made.get("claims/claims_overview")
    excluded = read("data/exclusions")
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
        "missing": group_missing_files(read("data/missing"), study),
        "statuses": [s for s in STATUSES if ledger and ledger["counts"][s]],
        "front": build_first_screen(page, generated, ledger, provenance),
        "claims": ledger,
        "overview": page.describe_picture("claims_overview", overview) if overview else None,
        "figures": pictures,
        "tables": tables,
        "tests": [row for row in read("statistics/tests") if row["reading"] == study["reading"]],
        "judges": count_judges(read("statistics/sizes"), study["reading"]),
        "account": {"header": header, "rows": excluded if rated else lines} if excluded else None,
        "record_checks": read("data/record_checks"),
        "inventory": count_panels(read("figures/inventory")),
        "config": provenance["config"],
        "alpha": find_alpha(provenance["config"]["confidence"]),
        "provenance": provenance,
        "config_text": json.dumps(provenance["config"], indent=2, ensure_ascii=False),
        "link": page.link,
    } | FORMATS


def build_first_screen(
    page: StudyPage, made_up: bool, ledger: dict[str, Any] | None, provenance: dict[str, Any]
) -> dict[str, Any]:
    """Collect the first screen: answers, or the reason why there is none; `made_up` of data that are."""
    study, read = page.study, page.read
    findings, level = read("report/findings"), provenance["config"]["confidence"]
    alpha = find_alpha(level)

    def read_observed(place: str) -> list[dict[str, str]]:
        # What generated data say of judges would be read as a finding.
        return [] if made_up else read(place)

    first = {
        "chart": chart_results(page, findings),
        "margin": (margin := 100 * provenance["config"]["equivalence"]["margin"]),
        "margins": chart.list_margins(margin),
        "symbols": [*reversed(chart.SYMBOLS.items())],
        "summary": front.write_summary(findings, ledger and ledger["tally"], made_up),
        "rankings": designs.describe_rankings(
            read_observed("statistics/strengths"),
            read("statistics/differences"),
            read("statistics/places"),
            study,
            alpha,
        ),
        "level": f"{level:.0%}",
        "holding": count_holding(read("claims/claims")),
        "changes": front.sum_up_changes(read("statistics/what_changes"), alpha),
        "reading_gaps": front.list_reading_gaps(read_observed("statistics/estimates"), study),
        "changes_table": "tables/what_changes" in page.made,
        "machine_judges": front.describe_machine_judges(
            read_observed("figures/people_and_machines")
        ),
        "best_machines": front.describe_best_machine(
            read_observed("statistics/machine_judges"), study, alpha
        ),
        "graded": [
            *designs.describe_ratings(read_observed("statistics/ratings"), study),
            *designs.describe_detectors(read_observed("statistics/ratings"), study, alpha),
        ],
        "giveaways": front.list_giveaways(read("judges/audit"), study),
    }
    answers = ("chart", "rankings", "graded", "summary")
    if not any(first[part] for part in answers):
        first["summary"] = explain_nothing(page, made_up)
    return first


def chart_results(page: StudyPage, findings: list[dict[str, str]]) -> dict[str, Any] | None:
    """Chart what the design of a study asks: gaps, strengths or correlations; None if none is known."""
    study, read = page.study, page.read
    if study["design"] == "pairs":
        drawn = chart.chart_strengths(read("statistics/strengths"), study)
    elif study["design"] == "ratings":
        drawn = chart.chart_alignments(read("statistics/alignment"), study)
    else:
        compared, missing = read("statistics/equivalence"), read("data/missing")
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


def explain_nothing(page: StudyPage, made_up: bool) -> str:
    """Explain why the first screen has no answer."""
    if made_up:
        return "Generated data say nothing of judges; figures and tables show what becomes of them."
    if page.study["design"] == "verdicts":
        return " ".join(front.explain_no_answer(page.read("statistics/estimates"), page.study))
    return "Only one of the agents has enough responses, so that nothing can be compared."


def rank_name(name: str) -> tuple[bool | int, int]:
    """Rank a figure or table by its number: first those of the text, then of the supplement, then others."""
    match = re.fullmatch(r"(?:fig|table)(S?)(\d+)\w*", name)
    return (match[1] == "S", int(match[2])) if match else (2, 0)
