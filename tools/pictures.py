"""Accepted pictures, and how those of a run differ from them, pixel by pixel.

Tables guard the numbers; pictures guard how they are drawn: the color of a frame, a label, a mark that is
gone. They are drawn in the small size that the settings of a check say, and are stored in the folders of a
baseline, such as tests/golden/observed/figures/fig4.png.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image, ImageChops, ImageFilter

from tools.baseline import NOT_ACCEPTED, NOT_MADE

WHOLE = "observed"
"""Baseline with every picture of its run; others have one for each kind of panel."""
FAINT = 8
"""Difference of a color (0 to 255) up to which a pixel is the same: another processor may move an edge by
less than a hundredth of a pixel."""
MARKED = "#e6007e"
"""Color of what differs."""


def choose_pictures(baseline: Path, results: Path) -> list[str]:
    """Choose the pictures of a run to compare, by their paths such as "figures/fig4.png"."""
    made = sorted(
        path for folder in ("claims", "figures") for path in (results / folder).glob("*.png")
    )
    covered, chosen = set(), []
    for path in made:
        kinds = list_kinds(path.with_suffix(".csv"))
        if baseline.name == WHOLE or not kinds <= covered:
            chosen.append(str(path.relative_to(results)))
        covered |= kinds
    return chosen


def list_kinds(source: Path) -> set[str]:
    """List the kinds of panels of a figure from its source data; without any, the figure is its own kind."""
    names = pd.read_csv(source, nrows=0).columns
    return set(pd.read_csv(source, usecols=["kind"])["kind"]) if "kind" in names else {source.stem}


def list_pictures(baseline: Path) -> list[str]:
    """List the accepted pictures by their paths in the results."""
    return sorted(str(path.relative_to(baseline)) for path in baseline.rglob("*.png"))


def accept_pictures(baseline: Path, results: Path) -> int:
    """Replace the pictures of a baseline by those of a run; return their number."""
    for name in list_pictures(baseline):
        (baseline / name).unlink()
    names = choose_pictures(baseline, results)
    for name in names:
        (baseline / name).parent.mkdir(parents=True, exist_ok=True)
        read_picture(results / name).save(baseline / name, optimize=True)
    return len(names)


def compare_pictures(baseline: Path, results: Path, changed: Path) -> Iterator[str]:
    """Yield what differs between the pictures of a run and the accepted ones.

    The folder `changed` gets those that do not look as accepted, and beside each where it differs.
    """
    shutil.rmtree(changed, ignore_errors=True)
    for name in sorted({*list_pictures(baseline), *choose_pictures(baseline, results)}):
        if not (results / name).exists():
            yield f"{name}: {NOT_MADE}"
        elif not (baseline / name).exists():
            yield f"{name}: {NOT_ACCEPTED}"
        elif words := compare_picture(baseline / name, results / name, changed / name):
            yield f"{name}: {words}"


def compare_picture(accepted: Path, found: Path, changed: Path) -> str:
    """Compare two pictures; return how many pixels differ and where to see them, empty if none do."""
    old, new = read_picture(accepted), read_picture(found)
    if old.tobytes() == new.tobytes() and old.size == new.size:
        return ""
    sizes = "" if old.size == new.size else "{}x{} instead of {}x{}, ".format(*new.size, *old.size)
    size = max(old.width, new.width), max(old.height, new.height)
    old, new = (picture.crop((0, 0, *size)) for picture in (old, new))
    differs = (np.asarray(ImageChops.difference(old, new)) > FAINT).any(axis=2)
    number = differs.sum()
    if not number and not sizes:
        return ""
    changed.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(found, changed)
    faded = Image.blend(new, Image.new("RGB", size, "white"), 0.6)
    # A single pixel is seen, too.
    faded.paste(MARKED, mask=Image.fromarray(differs).convert("L").filter(ImageFilter.MaxFilter(5)))
    where = changed.with_stem(f"{changed.stem}-diff")
    faded.save(where)
    return f"{sizes}{number:,} pixels differ, see {where}"


def read_picture(path: Path) -> Image.Image:
    """Read a picture in its colors alone."""
    with Image.open(path) as picture:
        return picture.convert("RGB")
