"""People who are in several of the groups that a test compares: they are never treated as independent.

A test of independent groups leaves such people out of all groups but one. Where most people are in all
groups, the test is paired instead. The choice depends only on numbers of people, never on their verdicts.
"""

from collections.abc import Collection, Sized
from typing import NamedTuple

import numpy as np
from scipy import stats

from turingstats.analysis.comparisons.samples import Sample

UNKNOWN = "whether the cohorts share people is not known"


class ResolvedGroups(NamedTuple):
    """Groups of judges in which a test counts no person twice."""

    # By group. If `paired`, each has the same people in the same order.
    samples: dict
    # People are compared with themselves.
    paired: bool = False
    # How many people are in several groups, or that this is not known.
    note: str = ""
    # How many people were left out of which group, and why.
    dropped: str = ""


def separate_shared_people(samples: dict[str, Sample], can_pair: bool) -> ResolvedGroups:
    """Make two or more groups of human judges independent or paired where people are in several of them.

    In the unpaired form, shared people stay only in the smallest of their groups. With n_g people then in
    each of k groups, and s in all of them, values are paired (if the test has a paired form, `can_pair`)
    if ``s / k >= 1 / sum(1 / n_g)``: the variance of a difference is then no larger, even if the values
    of a person were uncorrelated.
    """
    units = {name: sample.list_units() for name, sample in samples.items()}
    whole = np.concatenate(list(units.values()))
    who, times = np.unique(whole, return_counts=True)
    shared = set(who[times > 1])
    if not shared:
        return ResolvedGroups(samples)
    in_all = sorted(set(who[times == len(samples)]))
    note = f"{format_people_count(shared)} {'is' if len(shared) == 1 else 'are'} in "
    note += "both groups" if len(samples) == 2 else "several groups"
    kept = keep_in_smallest_group(units, shared)
    sizes = np.array([kept_units.sum() for kept_units in kept.values()])
    apart = stats.hmean(sizes) / len(sizes)
    if can_pair and len(in_all) / len(samples) >= apart and len(in_all) > 1:
        return ResolvedGroups(
            align_samples(samples, units, in_all),
            True,
            note,
            describe_unpaired_people(units, in_all),
        )
    return ResolvedGroups(
        {name: sample.select_judges(kept[name]) for name, sample in samples.items()},
        note=note,
        dropped="; ".join(
            f"{format_people_count(units[name][~kept_units])} of another group, left out of {name}"
            for name, kept_units in kept.items()
            if not kept_units.all()
        ),
    )


def keep_in_smallest_group(units: dict[str, np.ndarray], shared: set[str]) -> dict[str, np.ndarray]:
    """Make a mask for each group that keeps shared people only in the smallest of their groups."""
    taken, kept = set(), {}
    for name in sorted(units, key=lambda name: len(units[name])):
        kept[name] = np.array([who not in taken for who in units[name]], bool)
        taken |= shared.intersection(units[name])
    return {name: kept[name] for name in units}


def align_samples(
    samples: dict[str, Sample], units: dict[str, np.ndarray], people: Collection[str]
) -> dict[str, Sample]:
    """Select only `people` from all samples, in their order and under their names."""
    aligned = {}
    for name, sample in samples.items():
        index_of = {who: i for i, who in enumerate(units[name])}
        selected = sample.select_judges(np.array([index_of[who] for who in people]))
        aligned[name] = selected._replace(judges=np.array(people))
    return aligned


def describe_unpaired_people(units: dict[str, np.ndarray], in_all: Collection[str]) -> str:
    """Describe the people who are not in all groups."""
    others = {name: len(set(people) - set(in_all)) for name, people in units.items()}
    parts = [f"{format_people_count(range(n))} of {name}" for name, n in others.items() if n]
    return f"{', '.join(parts)} without a value in every group" if parts else ""


def format_people_count(people: Sized) -> str:
    """Format a number of people as text."""
    return f"{len(people)} {'person' if len(people) == 1 else 'people'}"


def has_common_registers(samples: dict[str, Sample]) -> bool:
    """Return whether shared people are known: all people have numbers, of the same registers."""
    registers = []
    for sample in samples.values():
        if sample.people is None or (sample.people == "").any():
            return False
        registers.append({name.rpartition(".")[0] for name in sample.people})
    return all(register == registers[0] for register in registers)
