"""Draw figures from their source data: only those whose numbers, settings or code have changed."""

import hashlib
import inspect
import json
import shutil
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from turingstats.core import files
from turingstats.core.code_dependencies import describe_code
from turingstats.core.errors import TuringError
from turingstats.core.parallel import call_in_parallel
from turingstats.core.templating import PAGES
from turingstats.figures import pages

PROJECT = Path(__file__).parents[3]
NOTES = PAGES / "figure_notes.txt"
"""Sentences below figures."""


@dataclass(frozen=True)
class Style:
    """How all figures of a run are drawn."""

    dpi: int
    formats: Sequence[str]


@dataclass(frozen=True)
class Drawing:
    """A figure to draw: by which function, its source data, and what its files say of it."""

    draw: Callable
    source: Path
    """Table next to which the pictures are written."""
    about: dict[str, Any]
    """title and caption."""
    places: dict[str, Any] = field(default_factory=dict)
    """layout and widths of panels, where the study file says so."""

    @property
    def name(self) -> str:
        """Name of the figure."""
        return self.source.stem

    def list_pictures(self, style: Style) -> list[Path]:
        """List the files of the figure."""
        return [self.source.with_suffix(f".{ending}") for ending in style.formats]


def draw_figure(drawing: Drawing, style: Style, paths: Sequence[Path] | None = None) -> None:
    """Draw a figure into files (by default next to its source data)."""
    data = pages.read_source_data(drawing.source)
    figure = drawing.draw(data, **drawing.places)
    about = pages.describe_file(data, **drawing.about)
    pages.save_figure(figure, paths or drawing.list_pictures(style), style.dpi, **about)


def digest_drawing(drawing: Drawing, style: Style) -> str:
    """Digest everything that a picture depends on: numbers, settings, code, and packages."""
    code = describe_code((inspect.getfile(drawing.draw),), PROJECT)
    settings = [asdict(style), drawing.about, drawing.places, code]
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for path in (drawing.source, NOTES):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def renew_figure(drawing: Drawing, style: Style, cache: Path) -> str:
    """Copy the pictures of a figure from the cache, after drawing it if need be; say if it was drawn."""
    stem = f"{drawing.name}-{digest_drawing(drawing, style)}"
    kept = [cache / f"{stem}.{ending}" for ending in style.formats]
    drawn = not all(path.exists() for path in kept)
    if drawn:
        draw_figure(drawing, style, kept)
        for path in cache.glob(f"{drawing.name}-*"):
            if not path.name.startswith(stem):
                path.unlink()
    for path, picture in zip(kept, drawing.list_pictures(style), strict=True):
        with files.replace_file(picture) as draft:
            shutil.copyfile(path, draft)
    return "drawn" if drawn else "as before"


def explain_failure(drawing: Drawing, style: Style, cache: Path) -> tuple[str, bool]:
    """Renew a figure; return what was done, or why it failed, and whether it did."""
    try:
        return renew_figure(drawing, style, cache), False
    except TuringError as error:
        return f"{type(error).__name__}: {error}", True
    except Exception:
        return traceback.format_exc(), True


def draw_figures(drawings: Sequence[Drawing], style: Style, cache: Path, workers: int) -> None:
    """Draw figures in parallel processes, or take them from the `cache` by the digest of what they depend on;
    one that fails keeps no other from being drawn, and the error at the end names it.
    """
    cache.mkdir(parents=True, exist_ok=True)
    jobs = [(drawing, style, cache) for drawing in drawings]
    # Those of many numbers take longest.
    outcomes = call_in_parallel(
        explain_failure, jobs, workers, lambda job: job[0].source.stat().st_size
    )
    failed = []
    for drawing, (outcome, is_failure) in zip(drawings, outcomes, strict=True):
        print(f"{drawing.name}: {outcome}")
        failed += [drawing.name] * is_failure
    if failed:
        raise TuringError(
            f"{len(failed)} of {len(drawings)} figures could not be drawn: {', '.join(failed)}\n"
            "  why:     above, by figure"
        )
