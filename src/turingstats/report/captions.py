"""Captions of the report: what each panel of a figure shows, and for whom; its foot says how it was computed.

Everything is read from the figure's source data.
"""

import re
from pathlib import Path
from typing import Any

import pandas as pd
from PIL import Image

from turingstats.core.files import read_frame
from turingstats.core.labels import format_range
from turingstats.figures.notes import Facts, write_title
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
    data = read_frame(files["csv"]) if "csv" in files else pd.DataFrame()
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
        "reading": "; ".join(Facts(data).values("reading")),
        "data": "; ".join(Facts(data).values("data")),
    }


def describe_picture(caption: str, panels: list[dict[str, Any]]) -> str:
    """Describe a picture to readers who do not see it: by two sentences of its caption, or by its panels."""
    sentences = re.split(r"(?<=[.?!])\s", caption, maxsplit=2)
    return " ".join(sentences[:2]) or "; ".join(panel["title"] for panel in panels)


def describe_panels(data: pd.DataFrame) -> list[dict[str, Any]]:
    """Describe what each panel of a figure shows, for how many judges, and why it may be empty."""
    by = next((name for name in ("panel", "task_label") if name in data), None)
    lettered = by == "panel" and "title" in data
    described = []
    for key, rows in data.groupby(by, sort=lettered) if by else ():
        facts, absent = Facts(rows), "kind" in rows and rows["kind"].iloc[0] == "no data"
        title = facts.first("title") if lettered else key
        labels = [facts.values(name) for name in ("task_label", "cohort_label") if name != by]
        of = [", ".join(names) if len(names) <= 3 else f"{len(names)} cohorts" for names in labels]
        described.append(
            {
                "letter": key if lettered else "",
                "title": title,
                "of": ", ".join(words for words in of if words and words != title),
                "n": "" if absent else describe_sample(rows),
                "note": "; ".join(note.rstrip(".") for note in facts.values("note")),
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


def describe_sample(rows: pd.DataFrame) -> str:
    """Say how many verdicts and judges each number of a panel is based on."""
    kinds = rows.get("kind", pd.Series("", rows.index))
    units = kinds.map(UNITS).fillna("verdicts")
    if "paper" in rows or "system" in rows:
        units[:] = "claims" if "paper" in rows else "pairs or ratings"
    people = rows["judge_kind"] == "human" if "judge_kind" in rows else kinds.notna()
    # The n of a test is in the line itself.
    sizes = [
        f"n = {n} {unit}"
        for unit, part in rows[kinds != "tested"].groupby(units, sort=False)
        if "n" in part and (n := format_range(part["n"].dropna()))
    ]
    judges = format_range(rows.loc[people, "n_judges"].dropna()) if "n_judges" in rows else ""
    noun = "judge" if judges == "1" else "judges"
    return ", ".join([*sizes, *([f"{judges} {noun}"] if judges else [])])


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
