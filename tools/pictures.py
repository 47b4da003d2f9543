"""Accepted pictures, and how those of a run differ from them.

A folder holds a small PNG of each figure and `hashes.csv` with the checksum of each of its files. Equal
checksums mean equal pictures. Other fonts or libraries change the bytes of a file, not the picture; where
that is expected, a declared tolerance compares the small PNGs instead.
"""

import base64
import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from matplotlib.testing.compare import compare_images
from matplotlib.testing.exceptions import ImageComparisonFailure
from PIL import Image

from turingstats.core import files
from turingstats.core.errors import ConfigError
from turingstats.core.templating import make_environment

FORMATS = ("svg", "pdf", "png")
STAGES = ("figures", "claims")
"""Folders of results with pictures."""
HASHES = "hashes.csv"
WIDTH, COLORS = 600, 32


@dataclass(frozen=True)
class Change:
    """A figure that is not as accepted.

    Parameters
    ----------
    figure : str
        Such as "figures/fig4".
    what : str
    accepted, found, difference : bytes
        Small PNGs; empty if there is none.
    numbers : bool or None
        Whether its numbers changed, too; None if it is new or gone.
    """

    figure: str
    what: str
    accepted: bytes = b""
    found: bytes = b""
    difference: bytes = b""
    numbers: bool | None = None

    def __str__(self):
        told = {True: "; its numbers differ too", False: "; its numbers are as accepted"}
        return f"{self.figure}: {self.what}{told.get(self.numbers, '')}"

    @property
    def pictures(self):
        """The small PNGs by name, as text for the page."""
        named = {
            "accepted": self.accepted,
            "found": self.found,
            "difference": self.difference,
        }
        return {name: base64.b64encode(content).decode() for name, content in named.items()}


def list_pictures(results):
    """List the pictures of a study's results.

    Parameters
    ----------
    results : path-like

    Returns
    -------
    dict of str to dict of str to Path
        Files by format, by figure.
    """
    found = {}
    for stage in STAGES:
        for path in sorted(Path(results, stage).glob("*.*")):
            if (format := path.suffix[1:]) in FORMATS:
                found.setdefault(f"{stage}/{path.stem}", {})[format] = path
    return found


def hash_pictures(pictures):
    """Return the checksum of every file, by figure and format."""
    return {
        (figure, format): hashlib.sha256(formats[format].read_bytes()).hexdigest()
        for figure, formats in pictures.items()
        for format in sorted(formats)
    }


def shrink_picture(path, target):
    """Write a small PNG of a picture, in few colors."""
    with Image.open(path) as picture:
        small = picture.convert("RGB")
    if small.width > WIDTH:
        size = WIDTH, max(1, round(small.height * WIDTH / small.width))
        small = small.resize(size, Image.Resampling.LANCZOS)
    target.parent.mkdir(parents=True, exist_ok=True)
    small.quantize(COLORS, dither=Image.Dither.NONE).save(target, optimize=True)


def accept_pictures(folder, results):
    """Accept the pictures of a run in place of earlier ones; return their number."""
    folder, pictures = Path(folder), list_pictures(results)
    shutil.rmtree(folder, ignore_errors=True)
    for figure, formats in pictures.items():
        if "png" in formats:
            shrink_picture(formats["png"], folder / f"{figure}.png")
    rows = [(*place, digest) for place, digest in hash_pictures(pictures).items()]
    folder.mkdir(parents=True, exist_ok=True)
    files.write_frame(pd.DataFrame(rows, columns=["figure", "format", "sha256"]), folder / HASHES)
    return len(pictures)


def compare_pictures(folder, results, tolerance=0.0, changed=()):
    """Compare the pictures of a run with the accepted ones.

    Parameters
    ----------
    folder : path-like
    results : path-like
    tolerance : float
        Root mean square of the differences of colors (0 to 255) up to which two small PNGs are equal,
        whatever the checksums. At 0 checksums decide.
    changed : iterable of str
        Figures whose numbers are not as accepted.

    Returns
    -------
    changes : list of Change
    notes : list of str
        What is equal only within the tolerance.

    Raises
    ------
    ConfigError
        No pictures have been accepted.
    """
    folder, pictures = Path(folder), list_pictures(results)
    if not (folder / HASHES).exists():
        raise ConfigError(
            f"There are no accepted pictures in {folder}: nothing accepted yet. "
            "Look at the figures, then accept them: make accept"
        )
    table = files.read_frame(folder / HASHES)
    accepted = dict(
        zip(zip(table["figure"], table["format"], strict=True), table["sha256"], strict=True)
    )
    found = hash_pictures(pictures)
    changes, near = [], []
    for figure in dict.fromkeys([*table["figure"], *pictures]):
        old, new = (
            {format: digest for (name, format), digest in hashes.items() if name == figure}
            for hashes in (accepted, found)
        )
        if old == new:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            images = Images(folder / f"{figure}.png", pictures.get(figure, {}), Path(scratch))
            if not (old and new):
                what = "made by this run, but not accepted" if new else "accepted, but not made"
                changes.append(Change(figure, what, *images.read()))
                continue
            what = describe_formats(old, new)
            same_formats = old.keys() == new.keys()
            rms = images.compare()
            if tolerance and same_formats and rms <= tolerance:
                near.append(f"{figure}: {what}, pictures alike (RMS {rms:.2f})")
                continue
            changes.append(Change(figure, what, *images.read(), figure in set(changed)))
    return changes, near


def describe_formats(old, new):
    """Say which formats of a figure differ, are missing or new."""
    parts = {
        "differs": [format for format in old if format in new and old[format] != new[format]],
        "not made": [format for format in old if format not in new],
        "new": [format for format in new if format not in old],
    }
    return "; ".join(f"{', '.join(names)} {word}" for word, names in parts.items() if names)


class Images:
    """The small PNGs of a figure: accepted, found and their difference.

    Parameters
    ----------
    accepted : Path
        Need not exist.
    formats : dict of str to Path
        Pictures of the run.
    scratch : Path
        Folder for what is compared.
    """

    def __init__(self, accepted, formats, scratch):
        self.accepted, self.found = scratch / "accepted.png", scratch / "found.png"
        self.difference = scratch / "found-failed-diff.png"
        if accepted.exists():
            shutil.copyfile(accepted, self.accepted)
        if "png" in formats:
            shrink_picture(formats["png"], self.found)

    def compare(self):
        """Return the root mean square of the differences; infinite if sizes differ or one is missing."""
        if not (self.accepted.exists() and self.found.exists()):
            return float("inf")
        try:
            told = compare_images(str(self.accepted), str(self.found), 0, in_decorator=True)
        except ImageComparisonFailure:
            return float("inf")
        return told["rms"] if told else 0.0

    def read(self):
        """Return the contents of those that exist."""
        paths = self.accepted, self.found, self.difference
        return [path.read_bytes() if path.exists() else b"" for path in paths]


def write_page(parts, path):
    """Write a page with every changed picture: accepted, found and their difference side by side.

    Parameters
    ----------
    parts : dict of str to list of Change
        By part of the check.
    path : path-like
    """
    template = make_environment(Path(__file__).parent).get_template("pictures.html")
    files.write_text(template.render(parts=parts), path)
