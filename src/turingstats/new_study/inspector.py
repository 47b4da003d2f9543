"""Inspect a table of verdicts: what each column holds, and what its values mean.

What the user says comes first, then what names and values suggest. Nothing that looks like a name, an
address or a browser string is read unless the user says so; the judge's id is replaced by a pseudonym.
"""

from turingstats.new_study import agents, answers, games, given, other_columns, privacy, refusals
from turingstats.new_study.roles import Roles
from turingstats.new_study.source_table import SourceTable

DETECTORS = (
    given.take_given_columns,
    given.take_given_words,
    given.find_judges,
    games.find_witnesses,
    privacy.leave_out_private_columns,
    answers.find_answers,
    refusals.require_roles,
    answers.leave_out_unanswered,
    agents.check_agents,
    other_columns.check_numbers,
    other_columns.sort_other_columns,
    given.list_cohorts,
)
"""Each takes what was found so far, and returns it with its part added."""


def inspect_verdicts(source: SourceTable) -> Roles:
    """Find out what each column of a table of verdicts holds."""
    roles = Roles(source)
    for detect in DETECTORS:
        roles = detect(roles)
    return roles
