"""Colors of figures are told apart by everyone, and each role has one look."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from turingstats.figures import grid, palette
from turingstats.figures.palette import find_style

# Machado, Oliveira and Fernandes (2009), IEEE Transactions on Visualization and Computer Graphics 15(6),
# 1291-1298: simulations at severity 1, applied to linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868],
                            [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968],
                              [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
}  # fmt: skip
# Linear sRGB to CIE XYZ (IEC 61966-2-1), relative to the white of D65.
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375],
                [0.2126729, 0.7151522, 0.0721750],
                [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip
WHITE = XYZ.sum(axis=1)
DISTINCT = 15  # CIE 1976 color difference; about 2.3 are just noticeable
CATEGORIES = {
    *palette.SERIES,
    *palette.GROUPS,
    *palette.LEVELS,
    *palette.RAMP,
    palette.PEOPLE,
    palette.MACHINES,
    *(style.color for style in palette.ROLES.values()),
}


def linearize(color):
    channels = np.array([int(color[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def convert_to_lab(linear):
    ratio = XYZ @ np.clip(linear, 0, 1) / WHITE
    x, y, z = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHT)
def test_colors_that_can_meet_are_told_apart(sight):
    seen = {color: convert_to_lab(SIGHT[sight] @ linearize(color)) for color in CATEGORIES}
    distance = {
        (a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in combinations(sorted(CATEGORIES), 2)
    }
    assert min(distance.values()) > DISTINCT, min(distance, key=distance.get)


@pytest.mark.parametrize("color", sorted(CATEGORIES))
def test_marks_have_enough_contrast_with_white(color):
    luminance = XYZ[1] @ linearize(color)
    assert 1.05 / (luminance + 0.05) >= 3


@pytest.mark.parametrize("what", ["agent", "cohort", "group", "level"])
def test_places_in_the_order_of_a_study_have_looks_of_their_own(what):
    looks = [find_style(f"{what} {place}")[:2] for place in range(1, 25)]
    assert len(set(looks)) == len(looks)


def test_ordered_groups_are_shades_from_light_to_dark():
    assert tuple(find_style(f"group {n} of 3").color for n in (1, 2, 3)) == palette.RAMP
    colors = [find_style(f"group {n} of 5").color for n in range(1, 6)]
    light = [convert_to_lab(linearize(color))[0] for color in colors]
    assert light == sorted(light, reverse=True)


def test_an_agent_has_one_look_in_all_panels_of_a_figure():
    numbers = {"value": 0.5, "se": 0.1, "ci_low": 0.4, "ci_high": 0.6, "reading": "recommended"}
    numbers |= {"agent": "gpt", "data": "observed data", "quantity": "detectability"}
    places = {"panel": ["A", "A", "B"], "kind": ["lines", "mean", "lines"]}
    rows = pd.DataFrame(places | {"role": ["agent 2", None, "agent 1"]}).assign(**numbers)
    assert list(grid.Grid(rows, ["AB"]).data["role"]) == ["agent 2"] * 3
