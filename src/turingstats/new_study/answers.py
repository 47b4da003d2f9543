"""Find what the judge said, among the columns of a table of verdicts."""

import re

from turingstats.data.adapters import graded
from turingstats.data.cells import NO_ANSWER, find_no_answers
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.agents import find_agents, find_one_side
from turingstats.new_study.games import find_choice_of_witness
from turingstats.new_study.refusals import refuse_unexplained_numbers
from turingstats.new_study.roles import Meanings, Roles
from turingstats.new_study.sentences import write_note
from turingstats.new_study.vocabulary import (
    MAX_AGENTS,
    MOSTLY,
    NO,
    YES,
    interpret_values,
    is_called,
    normalize_value,
)

ALIKE = 3
"""Number of columns of verdicts with numbered names that are taken for one column per stimulus."""
GRADES = {"C": "yes", "I": "no", "N": "unsure"}
"""What evaluation logs write of a verdict: correct, incorrect, no answer."""


def find_answers(roles: Roles) -> Roles:
    """Find truth, verdict (or whether it was right) and agent."""
    if roles.design:
        return find_choice_of_witness(roles)
    return find_choice(roles) or find_single_verdicts(roles)


def find_single_verdicts(roles: Roles) -> Roles:
    """Find truth, verdict (or whether it was right) and agent of verdicts on one response each."""
    roles, words = interpret_columns(roles)
    if "verdict" not in roles.columns:
        refuse_column_per_stimulus(roles, words)
    # A column with the same value in all rows distinguishes nothing and may be about anything.
    several = [column for column in words if len(roles.source.list_levels(column)) > 1]
    right, of_right = (None, {}) if roles.is_graded else find_right_column(roles)
    roles = roles.add(values=of_right)
    verdict = None if roles.is_graded else find_named_verdict(roles, words)
    truth = roles.find_named_column("truth")
    if truth == verdict or truth not in (words if "truth" in roles.columns else several):
        truth = None
    rest = [column for column in several if column not in (verdict, truth)]
    if verdict is None and right is None and not roles.is_graded:
        verdict = find_verdict_by_values(roles, rest, words, truth)
        if verdict is not None:
            roles = roles.add(write_note("by_values", column=verdict, what="verdict"))
            rest.remove(verdict)
    if truth is None and rest and not roles.names_people(roles.find_named_column("agent")):
        truth = rest[0]
        roles = roles.add(write_note("by_values", column=truth, what="truth"))
    for what, column in {"truth": truth, "verdict": verdict}.items():
        meant = {what: words[column]} if column else {}
        roles = roles.add(columns={what: None}).add(columns={what: column}, values=meant)
    roles = find_agents(roles)
    if not {"truth", "agent"} & set(roles.columns):
        agent = roles.find_named_column("agent")
        if right and agent:
            note = write_note("choices_of_machines")
            roles = roles.add(note, choice=True, columns={"agent": agent})
        else:
            roles = find_one_side(roles)
    if verdict is not None or roles.is_graded:
        return roles
    if right is None:
        refuse_unexplained_numbers(roles)
        return roles.add(lacking=["verdict"])
    roles = roles.add(columns={"right": right})
    return roles if roles.choice else roles.add(write_note("verdict_from_right"))


def interpret_columns(roles: Roles) -> tuple[Roles, dict[str, Meanings]]:
    """Interpret the columns whose values are words for human and machine, and add those in part."""
    given = [roles.columns[what] for what in ("truth", "verdict") if what in roles.columns]
    expected = {*map(roles.find_named_column, ("truth", "verdict", "agent")), *given}
    words, not_understood = {}, {}
    for column in [*roles.list_free_columns(), *given]:
        counts = roles.source.count_values(column)
        meanings = interpret_column(roles, column)
        strange = {value: n for value, n in counts.items() if value and value not in meanings}
        sides = {"human", "machine"} & set(meanings.values())
        filled = len(roles.source.cells) - counts.get("", 0)
        understood = sum(number for value, number in counts.items() if value and value in meanings)
        # Typos are left to the user if the rest is clear.
        mostly = len(sides) == 2 and understood >= MOSTLY * filled
        if sides and (mostly or not strange):
            words[column] = meanings
        elif sides or (column in expected and 1 < len(counts.keys() - {""}) <= MAX_AGENTS):
            not_understood[column] = strange
    return roles.add(not_understood=not_understood), words


def interpret_column(roles: Roles, column: str) -> Meanings:
    """Interpret the values of a column that are recognized; None leaves rows out."""
    values = [*roles.source.count_values(column)]
    # In a truth and a verdict that the user named, yes means the same.
    answers = [roles.columns[what] for what in ("truth", "verdict") if what in roles.columns]
    paired = next((name for name in answers if name != column), "") if column in answers else ""
    # What Python writes for no answer.
    none = {value: None for value in values if normalize_spelling(value) == "none"}
    meanings = interpret_values(column, [*filter(None, values)], paired)
    return none | meanings | roles.list_given(column)


def leave_out_unanswered(roles: Roles) -> Roles:
    """Leave out rows without an answer, or with a code for none, unless the user said what these mean."""
    for what in ("verdict", "right", "chosen", graded.NAME):
        column = roles.columns.get(what)
        if column is None:
            continue
        meant = roles.values.get(what, {})
        known = {normalize_spelling(value) for value in meant}
        empty = roles.source.count_values(column).get("", 0)
        if empty and "" not in known:
            note = write_note("unanswered", column=column, number=empty)
            roles = roles.add(note, values={what: {"": None} | meant})
        if what == graded.NAME:
            roles = leave_out_codes(roles, column, known)
    for what in ("judge", "stimulus", "cohort"):
        column = roles.columns.get(what)
        said = roles.list_given(column) if column else {}
        if "" in said:
            roles = roles.add(values={what: {"": said[""]}})
    return roles


def leave_out_codes(roles: Roles, column: str, known: set[str]) -> Roles:
    """Leave out ratings and scores that are codes for no answer."""
    numbers = roles.parse_numbers(column)
    codes = find_no_answers(numbers)
    if rating := roles.source.file.rating:
        low, high = rating.ends
        codes = [c for c in map(float, NO_ANSWER) if (numbers == c).any() and not low <= c <= high]
    codes = [code for code in codes if f"{code:g}" not in known]
    return roles.explain_codes(graded.NAME, codes, numbers, None)


def find_named_verdict(roles: Roles, words: dict[str, Meanings]) -> str | None:
    """Find the column of the verdict that is named or given as such."""
    verdict = roles.find_named_column("verdict")
    if verdict in words:
        return verdict
    if "verdict" in roles.columns:
        return None
    return next((column for column in words if is_called(column, "verdict")), None)


def find_right_column(roles: Roles) -> tuple[str | None, dict[str, Meanings]]:
    """Find the column that says whether judges were right, in words such as yes, and what others mean."""
    column = roles.find_named_column("right")
    if column is None:
        return None, {}
    levels = roles.source.list_levels(column)
    unsure = dict.fromkeys(roles.select_levels(column, "unsure"), "unsure")
    known = dict.fromkeys(roles.select_left_out(column)) | unsure | GRADES
    values = {value: known[value] for value in (*levels, "") if value in known}
    if not {normalize_value(value) for value in levels if value not in values} <= {*YES, *NO}:
        return None, {}
    return column, {"right": values} if values else {}


def find_verdict_by_values(
    roles: Roles, candidates: list[str], words: dict[str, Meanings], truth: str | None
) -> str | None:
    """Find a column that may be unsure, or the first that differs from who made the responses."""
    unsure = [column for column in candidates if "unsure" in words[column].values()]
    if unsure:
        return unsure[0]
    agent = roles.find_named_column("agent")
    maker = truth or agent
    if maker is None:
        return None
    meant = words[truth] if truth else dict.fromkeys(roles.select_levels(maker, "human"), "human")
    by_people = roles.source.read_texts(maker).map(meant) == "human"
    for column in candidates if by_people.any() else ():
        said = roles.source.read_texts(column).map(words[column]) == "human"
        if column != agent and (said != by_people).any():
            return column
    return None


def find_choice(roles: Roles) -> Roles | None:
    """Find the columns of choices between a person's and a machine's response; None if rows are none."""
    sides, chosen = roles.find_named_column("human_at"), roles.find_named_column("chosen")
    if sides is None or chosen is None:
        return None
    levels = roles.source.list_levels(chosen)
    elsewhere = {*levels} - {*roles.source.list_levels(sides)}
    if len(elsewhere) >= len(levels):
        return None
    unsure = sorted(elsewhere & {*roles.select_levels(chosen, "unsure")})
    meant = {"chosen": dict.fromkeys(unsure, "unsure")} if unsure else {}
    columns = {"human_at": sides, "chosen": chosen}
    roles = roles.add(choice=True, columns=columns, values=meant)
    roles = roles.take_named_columns("agent", "witness")
    if "witness" in roles.columns:
        people = len(roles.source.list_levels(roles.columns["witness"]))
        roles = roles.add(design="three_party", people_judged=people)
    return roles.add(write_note("choices", column=chosen))


def refuse_column_per_stimulus(roles: Roles, words: dict[str, Meanings]) -> None:
    """Refuse a table with numbered columns of verdicts, one per stimulus, and say how to read it."""
    numbered: dict[str, list[str]] = {}
    for column in words:
        if len(re.findall(r"\d+", column)) == 1:
            numbered.setdefault(re.sub(r"\d+", "*", column), []).append(column)
    for pattern, alike in numbered.items():
        if len(alike) < ALIKE:
            continue
        wide = {"wide": {"name": "stimulus", "columns": {"verdict": pattern}}}
        facts = {"column": ", ".join([*alike[:ALIKE], "..."][: len(alike)]), "number": len(alike)}
        raise roles.source.make_error("column_per_stimulus", table=wide, **facts)
