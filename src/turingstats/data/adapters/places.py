"""Which of several columns of a row a word names: a witness of a game, or an option that was chosen."""

import itertools
import re
from collections.abc import Mapping

import pandas as pd

from turingstats.data.distinct_values import are_equal, change_values
from turingstats.data.schema import normalize_spelling


def name_places(labels: Mapping[str, str]) -> dict[str, str]:
    """Map what places may be called to their names, such as witness_a, of which `labels` has the columns.

    First by their columns, then by what distinguishes these (left, 2), last by their own names (option_a, a).
    """
    spelled = {place: normalize_spelling(label) for place, label in labels.items()}
    words = {place: re.findall(r"[a-z]+|\d+", label) for place, label in spelled.items()}
    signs = zip(*spelled.values(), strict=False)
    shared = len([*itertools.takewhile(lambda each: len({*each}) == 1, signs)])
    names = []
    for place, label in spelled.items():
        others = {word for other in words if other != place for word in words[other]}
        differing = " ".join(word for word in words[place] if word not in others)
        names.append((label, differing, label[shared:], place, place.removeprefix("option_")))
    places: dict[str, str] = {}
    for kind in zip(*names, strict=True):
        for place, name in zip(labels, kind, strict=True):
            places.setdefault(name, place)
    return {name: place for name, place in places.items() if name}


def locate_choices(
    chosen: pd.Series, named: pd.DataFrame, labels: Mapping[str, str], other: Mapping[str, str]
) -> pd.Series:
    """Locate the place that was chosen in each row: by what places are called, or by who is `named` there.

    `other` maps words for none of them to their meanings; what is not understood is missing.
    """
    said = change_values(chosen.astype("category"), normalize_spelling)
    located = change_values(said, (name_places(labels) | dict(other)).get).astype(object)
    for place in named:
        names = change_values(named[place].astype("category"), normalize_spelling)
        located = located.mask(located.isna() & are_equal(said, names), place)
    return located
