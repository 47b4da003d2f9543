"""People who are in several of the groups that a test compares: they are never taken as independent.

A test of independent groups leaves such people out of all groups but one. Where most people are in all
groups it compares their values in one group with their own in the others. Which of the two is done
follows from numbers of people alone, never from their verdicts.
"""

from typing import NamedTuple

import numpy as np

UNKNOWN = "whether the cohorts share people is not known"


class Settled(NamedTuple):
    """Groups of judges of which no test takes a person for two.

    Attributes
    ----------
    samples : dict of str to turingstats.data.counts.Sample
        By group. Where `paired`, each has the same people in the same order.
    paired : bool
        People are compared with themselves.
    note : str
        How many people are in several groups, or that it is not known.
    dropped : str
        Whose verdicts were left out of which group, and why.
    """

    samples: dict
    paired: bool = False
    note: str = ""
    dropped: str = ""


def separate_shared_people(samples, can_pair):
    """Take care of people who are in several groups.

    Parameters
    ----------
    samples : dict of str to turingstats.data.counts.Sample
        By group, two or more; human judges.
    can_pair : bool
        There is a paired form of the test.

    Returns
    -------
    Settled

    Notes
    -----
    Left out, shared people stay in the smallest of their groups. With n_g people then in each of k groups,
    and s in all of them, values are paired where ``s / k >= 1 / sum(1 / n_g)``: the variance of a
    difference is then no larger, even if the values of a person had nothing in common.
    """
    units = {name: sample.list_units() for name, sample in samples.items()}
    whole = np.concatenate(list(units.values()))
    who, times = np.unique(whole, return_counts=True)
    shared = set(who[times > 1])
    if not shared:
        return Settled(samples)
    in_all = sorted(set(who[times == len(samples)]))
    note = f"{format_people_count(shared)} {'is' if len(shared) == 1 else 'are'} in "
    note += "both groups" if len(samples) == 2 else "several groups"
    kept = keep_in_smallest_group(units, shared)
    sizes = np.array([own.sum() for own in kept.values()])
    apart = 0.0 if (sizes == 0).any() else 1 / (1 / sizes).sum()
    if can_pair and len(in_all) / len(samples) >= apart and len(in_all) > 1:
        return Settled(
            align_samples(samples, units, in_all),
            True,
            note,
            describe_unpaired_people(units, in_all),
        )
    return Settled(
        {name: sample.select_judges(kept[name]) for name, sample in samples.items()},
        note=note,
        dropped="; ".join(
            f"{format_people_count(units[name][~own])} of another group, left out of {name}"
            for name, own in kept.items()
            if not own.all()
        ),
    )


def keep_in_smallest_group(units, shared):
    """Whom to keep in each group so that shared people stay in the smallest of theirs, as masks."""
    taken, kept = set(), {}
    for name in sorted(units, key=lambda name: len(units[name])):
        kept[name] = np.array([who not in taken for who in units[name]], bool)
        taken |= shared.intersection(units[name])
    return {name: kept[name] for name in units}


def align_samples(samples, units, people):
    """The samples of `people` alone, in their order and under their names."""
    found = {}
    for name, sample in samples.items():
        place = {who: i for i, who in enumerate(units[name])}
        own = sample.select_judges(np.array([place[who] for who in people]))
        found[name] = own._replace(judges=np.array(people))
    return found


def describe_unpaired_people(units, in_all):
    """What to say of the people who are not in all groups."""
    others = {name: len(set(own) - set(in_all)) for name, own in units.items()}
    said = [f"{format_people_count(range(n))} of {name}" for name, n in others.items() if n]
    return f"{', '.join(said)} without a value in every group" if said else ""


def format_people_count(people):
    """A number of people as text."""
    return f"{len(people)} {'person' if len(people) == 1 else 'people'}"


def has_common_registers(samples):
    """Whether it is known which people cohorts share: all have numbers, of the same registers."""
    registers = []
    for sample in samples.values():
        if sample.people is None or (sample.people == "").any():
            return False
        registers.append({name.rpartition(".")[0] for name in sample.people})
    return all(own == registers[0] for own in registers)
