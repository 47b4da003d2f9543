"""Inspect a table of verdicts: what each column holds, and what its values mean.

What the user says comes first, then what names and values suggest. Nothing that looks like a name, an
address or a browser string is read unless the user says so; the judge's id is replaced by a pseudonym.
"""

from turingstats.new_study.agents import check_agents
from turingstats.new_study.answers import find_answers, leave_out_unanswered
from turingstats.new_study.games import find_witnesses
from turingstats.new_study.given import (
    find_judges,
    list_cohorts,
    take_given_columns,
    take_given_words,
)
from turingstats.new_study.other_columns import (
    check_numbers,
    find_trial_columns,
    sort_other_columns,
)
from turingstats.new_study.privacy import leave_out_private_columns
from turingstats.new_study.refusals import require_roles
from turingstats.new_study.roles import Roles
from turingstats.new_study.source_table import SourceTable

DETECTORS = (
    take_given_columns,
    take_given_words,
    find_judges,
    find_witnesses,
    leave_out_private_columns,
    find_answers,
    require_roles,
    leave_out_unanswered,
    check_agents,
    find_trial_columns,
    check_numbers,
    sort_other_columns,
    list_cohorts,
)
"""Each takes what was found so far, and returns it with its part added."""


def inspect_verdicts(source: SourceTable) -> Roles:
    """Find out what each column of a table of verdicts holds."""
    roles = Roles(source)
    for detect in DETECTORS:
        roles = detect(roles)
    return roles
