"""Accepted pictures, and how those of a run differ from them.

Tables guard the numbers; pictures guard how they are drawn, one for each kind of panel. They are small PNGs
in the folders of a baseline, such as tests/golden/observed/figures/fig4.png.
"""

import shutil
from pathlib import Path

from matplotlib.testing.compare import compare_images
from matplotlib.testing.exceptions import ImageComparisonFailure
from PIL import Image

WIDTH, COLORS = 600, 32
TOLERANCE = 0.5
"""Root mean square of the differences of colors (0 to 255) up to which two small PNGs look the same: other
fonts and versions of matplotlib move edges."""


def list_pictures(baseline: Path) -> list[str]:
    """List the accepted pictures by their paths in the results, such as "figures/fig4.png"."""
    return sorted(str(path.relative_to(baseline)) for path in baseline.rglob("*.png"))


def shrink_picture(path: Path, target: Path) -> None:
    """Write a small PNG of a picture, in few colors."""
    with Image.open(path) as picture:
        small = picture.convert("RGB")
    if small.width > WIDTH:
        size = WIDTH, max(1, round(small.height * WIDTH / small.width))
        small = small.resize(size, Image.Resampling.LANCZOS)
    target.parent.mkdir(parents=True, exist_ok=True)
    small.quantize(COLORS, dither=Image.Dither.NONE).save(target, optimize=True)


def accept_pictures(baseline: Path, results: Path) -> int:
    """Replace the pictures of a baseline by those of a run; return their number."""
    names = list_pictures(baseline)
    for name in names:
        shrink_picture(results / name, baseline / name)
    return len(names)


def compare_pictures(baseline: Path, results: Path, changed: Path) -> list[str]:
    """List the pictures of a run that do not look as accepted.

    The folder `changed` gets them as they are now, and where they differ.
    """
    shutil.rmtree(changed, ignore_errors=True)
    differences = []
    for name in list_pictures(baseline):
        if not (results / name).exists():
            differences.append(f"{name}: accepted, but not made by this run")
            continue
        picture = changed / name
        shrink_picture(results / name, picture)
        try:
            outcome = compare_images(
                str(baseline / name), str(picture), TOLERANCE, in_decorator=True
            )
        except ImageComparisonFailure:
            differences.append(f"{name}: another size, see {picture}")
            continue
        if outcome:
            differences.append(f"{name}: differs by {outcome['rms']:.2f}, see {outcome['diff']}")
        else:
            picture.unlink()
    return differences
