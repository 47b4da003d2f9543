"""Captions of the report: what each panel of a figure shows, and for whom; its foot says how it was computed.

Everything is read from the figure's source data.
"""

import re
from pathlib import Path
from typing import Any

from PIL import Image

from turingstats.core.files import read_frame
from turingstats.core.labels import format_range
from turingstats.figures.notes import Facts, is_known, write_title
from turingstats.report.alt_texts import describe_numbers
from turingstats.report.cells import make_label, make_link
from turingstats.report.inline_pictures import inline_picture

SHOWN = ("svg", "png")
"""Formats that a browser shows, the preferred one first."""
WIDEST = 183 / 25.4 * 96
"""Width of figures as wide as a page (183 mm), CSS pixels."""
UNITS = {"correlation": "agents", "mean of responses": "responses"}
"""What n counts if not verdicts, by kind of panel."""


def describe_figure(
    name: str, files: dict[str, Path], title: str, caption: str, here: Path
) -> dict[str, Any]:
    """Describe a figure, from its files by format, for a page in the folder `here`."""
    data = Facts(read_frame(files["csv"]) if "csv" in files else [])
    picture = next((files[format] for format in SHOWN if format in files), None)
    size = picture and measure_size(picture)
    panels = describe_panels(data)
    finding = write_title(name, data, title)
    alt = describe_numbers(data) or describe_picture(caption, panels)
    told = f"{': '.join(filter(None, [make_label(name), finding]))}. {alt}"
    return {
        "id": name,
        "label": make_label(name),
        "title": finding,
        # What the figure is about, where its title is what was found.
        "subject": title if finding != title else "",
        # Why, if no panel has numbers.
        "absent": describe_absence(panels),
        "caption": caption,
        "picture": make_link(picture, here) if picture else None,
        "svg": inline_picture(files["svg"], told) if "svg" in files else None,
        "size": size,
        "share": min(100, round(100 * size[0] / WIDEST)) if size else 100,
        "alt": told,
        "links": {format: make_link(path, here) for format, path in files.items()},
        "panels": panels,
        "reading": "; ".join(data.values("reading")),
        "data": "; ".join(data.values("data")),
    }


def describe_picture(caption: str, panels: list[dict[str, Any]]) -> str:
    """Describe a picture to readers who do not see it: by two sentences of its caption, or by its panels."""
    sentences = re.split(r"(?<=[.?!])\s", caption, maxsplit=2)
    return " ".join(sentences[:2]) or "; ".join(panel["title"] for panel in panels)


def describe_panels(data: Facts) -> list[dict[str, Any]]:
    """Describe what each panel of a figure shows, for how many judges, and why it may be empty."""
    by = next(filter(data.has_column, ("panel", "task_label")), None)
    lettered = by == "panel" and data.has_column("title")
    groups = data.known(by).group(by) if by else {}
    described = []
    for key in sorted(groups) if lettered else groups:
        rows, absent = groups[key], groups[key].rows[0].get("kind") == "no data"
        title = rows.first("title") if lettered else key[0]
        labels = [rows.values(name) for name in ("task_label", "cohort_label") if name != by]
        of = [", ".join(names) if len(names) <= 3 else f"{len(names)} cohorts" for names in labels]
        described.append(
            {
                "letter": key[0] if lettered else "",
                "title": title,
                "of": ", ".join(words for words in of if words and words != title),
                "n": "" if absent else describe_sample(rows),
                "note": "; ".join(note.rstrip(".") for note in rows.values("note")),
                "absent": absent,
            }
        )
    return described


def describe_absence(panels: list[dict[str, Any]]) -> str:
    """Describe why no panel of a figure has numbers; empty if one has."""
    if not panels or not all(panel["absent"] for panel in panels):
        return ""
    reasons: dict[str, list[str]] = {}
    for panel in panels:
        reasons.setdefault(panel["note"], []).append(panel["letter"])
    return "; ".join(f"{', '.join(letters)} ({why})" for why, letters in reasons.items())


def describe_sample(rows: Facts) -> str:
    """Say how many verdicts and judges each number of a panel is based on."""
    numbers: dict[str, list[float]] = {}
    judges: list[float] = []
    for row in rows.rows:
        unit = UNITS.get(
            row.get("kind", ""), "verdicts per judge" if "judge" in row else "verdicts"
        )
        if row.get("kind") == "pie":
            unit = row["quantity"].removeprefix("share of ")
        unit = "pairs or ratings" if "system" in row else "claims" if "paper" in row else unit
        # The n of a test is in the line itself.
        if is_known(row.get("n")) and row.get("kind") != "tested":
            numbers.setdefault(unit, []).append(row["n"])
        if is_known(row.get("n_judges")) and row.get("judge_kind", "human") == "human":
            judges.append(row["n_judges"])
    sizes = [f"n = {format_range(n)} {unit}" for unit, n in numbers.items()]
    who = format_range(judges)
    return ", ".join(sizes + ([f"{who} judge{'s' * (who != '1')}"] if judges else []))


def measure_size(path: Path) -> tuple[int, int] | None:
    """Measure the size a picture was drawn for, in CSS pixels (96 per inch); None if it does not tell."""
    if path.suffix == ".svg":
        with open(path, encoding="utf-8") as lines:
            tag = lines.read(2000)
        sides = [re.search(rf'<svg[^>]* {side}="([\d.]+)pt"', tag) for side in ("width", "height")]
        width, height = (float(side[1]) / 72 if side else None for side in sides)
    else:
        with Image.open(path) as picture:
            dpi = picture.info.get("dpi", (None, None))
            width, height = (
                n / per if per else None for n, per in zip(picture.size, dpi, strict=True)
            )
    return None if width is None or height is None else (round(96 * width), round(96 * height))
