"""Find who made each response and what the judge said, among the columns of a table of verdicts."""

import math
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data.adapters import graded
from turingstats.data.cells import NO_ANSWER, describe_codes, find_no_answers, find_scale
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.games import find_choice_of_witness
from turingstats.new_study.vocabulary import (
    GRADED,
    MAX_AGENTS,
    MEANS_HUMAN,
    NO,
    OF_GRADES,
    OF_MODELS,
    SHOWN,
    YES,
    format_word,
    normalize_value,
    strip_signs,
)

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

Meanings = dict[str, str | None]
"""What the values of a column mean: human, machine or unsure; None leaves rows out."""
ALIKE = 3
"""Number of columns of verdicts with numbered names that are taken for one column per stimulus."""
SHOWN_ROWS = 5
GRADES = {"C": "yes", "I": "no", "N": "unsure"}
"""What evaluation logs write of a verdict: correct, incorrect, no answer."""
MEANING = {
    "judge": "who gave each verdict; verdicts of one person belong together (or detector, which machine "
    "gave it)",
    "truth": "who made each response, in words such as human and machine (or agent, the names of those "
    "who did; or human_at, where the person's response was in a choice between two)",
    "verdict": "what each judge said, such as human and machine",
}
OF_VERDICTS = re.compile(r"(said|judged|guessed|perceived|thought)")


def find_answers(inspector: "TableInspector") -> None:
    """Find truth, verdict (or whether it was right) and agent."""
    if inspector.design:
        find_choice_of_witness(inspector)
        return
    if find_choice(inspector):
        return
    words = inspector.interpret_columns()
    if "verdict" not in inspector.columns:
        refuse_column_per_stimulus(inspector, words)
    # A column with the same value in all rows distinguishes nothing and may be about anything.
    several = [column for column in words if len(inspector.list_levels(column)) > 1]
    verdict, right = find_named_verdict(inspector, words)
    truth = inspector.columns.get("truth") or inspector.find_named_column("truth")
    if truth == verdict or truth not in (words if "truth" in inspector.columns else several):
        truth = None
    rest = [column for column in several if column not in (verdict, truth)]
    if verdict is None and right is None and not inspector.is_graded:
        verdict = find_verdict_by_values(inspector, rest, words, truth)
        rest = [column for column in rest if column != verdict]
    if truth is None and rest and not names_people(inspector, inspector.find_named_column("agent")):
        truth = rest[0]
        inspector.remarks.append(f"{truth} taken for the truth, by its values")
    for what, column in (("truth", truth), ("verdict", verdict)):
        inspector.columns.pop(what, None)
        if column is not None:
            inspector.columns[what] = column
            inspector.values[what] = words[column]
    find_agent(inspector)
    if not {"truth", "agent"} & set(inspector.columns):
        find_mixed_agents(inspector)
    is_choice = right is not None and not {"truth", "agent"} & set(inspector.columns)
    if is_choice and inspector.find_named_column("agent"):
        inspector.choice = True
        inspector.columns["agent"] = inspector.find_named_column("agent")
        inspector.remarks.append(
            "nothing is by people: each row taken for a choice between a person's and a machine's "
            "response; if judges saw only machines, remove choice: true from the task"
        )
    elif not {"truth", "agent"} & set(inspector.columns) and not find_one_side(inspector):
        inspector.lacking.append("truth")
    if verdict is None and not inspector.is_graded:
        if right is None:
            refuse_unexplained_numbers(inspector)
            inspector.lacking.append("verdict")
            return
        inspector.columns["right"] = right
        if not inspector.choice:
            inspector.remarks.append(
                "the verdict follows from the truth and from whether the judge was right; if a trial showed "
                "a person's and a machine's response and the judge chose, add choice: true to the task"
            )


def find_mixed_agents(inspector: "TableInspector") -> None:
    """Find the only column in which a word for people stands beside a few names, whatever it is called."""
    found = [
        column
        for column in inspector.list_free_columns()
        if names_people(inspector, column) and len(inspector.list_levels(column)) <= MAX_AGENTS
    ]
    if len(found) == 1:
        take_agents(inspector, found[0])
        inspector.remarks.append(
            f"{found[0]} taken for who made the responses: {', '.join(inspector.values['agent'])} for "
            "people, and the others for machines"
        )


def take_agents(inspector: "TableInspector", column: str) -> None:
    """Take a column for that of the agents, and note names that may be slips of a word for people."""
    levels = inspector.list_levels(column)
    people = sorted(v for v in levels if inspector.find_meaning(column, v) == "human")
    inspector.columns["agent"] = column
    inspector.values["agent"] = dict.fromkeys(people, "human")
    for name in levels:
        near = name not in people and get_close_matches(
            name.lower(), map(str.lower, people), 1, 0.75
        )
        if near:
            inspector.remarks.append(
                f"{column}: {name} is spelled almost like {near[0]}; if it is the same, say so: "
                f'values="{{{format_word(name)}: human}}"'
            )


def find_one_side(inspector: "TableInspector") -> bool:
    """Tell whether a column named as a truth or agent says that all is by people, or all by machines."""
    for what in ("truth", "agent"):
        column = inspector.find_named_column(what)
        levels = inspector.list_levels(column) if column else []
        meant = {inspector.find_meaning(column, value) for value in levels}
        if column and meant in ({"human"}, {"machine"}):
            (side,) = meant
            inspector.columns["truth"] = column
            inspector.values["truth"] = dict.fromkeys(levels, side)
            inspector.remarks.append(f"{column}: everything is by {side}s, and nothing else")
            return True
    column = inspector.find_named_column("agent")
    levels = inspector.list_levels(column) if column else []
    if column is None or not levels or not all(map(OF_MODELS.search, map(str.lower, levels))):
        return False
    inspector.columns["agent"] = column
    inspector.remarks.append(
        f"nothing is by people ({', '.join(levels[:SHOWN])}): is one of these a person? Say so: "
        f'values="{{{format_word(levels[0])}: human}}"'
    )
    return True


def leave_out_unanswered(inspector: "TableInspector") -> None:
    """Leave out rows without an answer, or with a code for none, unless the user said what these mean."""
    for what in ("verdict", "right", "chosen", graded.NAME):
        column = inspector.columns.get(what)
        if column is None:
            continue
        known = {normalize_spelling(value) for value in inspector.values.get(what, {})}
        empty = int((inspector.table[column] == "").sum())
        if empty and "" not in known:
            inspector.values[what] = {"": None} | inspector.values.get(what, {})
            inspector.remarks.append(f"{column}: {empty} rows without an answer are left out")
        if what == graded.NAME:
            leave_out_codes(inspector, column, known)
    for what in ("judge", "stimulus", "cohort"):
        column = inspector.columns.get(what)
        if column and (inspector.table[column] == "").any() and "" in inspector.get_given(column):
            inspector.values[what] = {"": inspector.get_given(column)[""]}


def leave_out_codes(inspector: "TableInspector", column: str, known: set[str]) -> None:
    """Leave out ratings and scores that are codes for no answer."""
    numbers = inspector.parse_numbers(column)
    codes = find_no_answers(numbers)
    if rating := inspector.file.rating:
        low, high = rating.ends
        codes = [c for c in map(float, NO_ANSWER) if (numbers == c).any() and not low <= c <= high]
    codes = [code for code in codes if f"{code:g}" not in known]
    if codes:
        inspector.values[graded.NAME] = inspector.values.get(graded.NAME, {}) | {
            f"{code:g}": None for code in codes
        }
        inspector.remarks.append(describe_codes(column, codes, numbers))


def names_people(inspector: "TableInspector", column: str | None) -> bool:
    """Tell whether a column of agents has people among them."""
    if column is None:
        return False
    levels = inspector.list_levels(column)
    people = [value for value in levels if inspector.find_meaning(column, value) == "human"]
    # A column of people alone names no agents.
    has_people = bool(people) or inspector.get_given(column).get("") == "human"
    return has_people and len(levels) > len(people)


def find_named_verdict(
    inspector: "TableInspector", words: dict[str, Meanings]
) -> tuple[str | None, str | None]:
    """Find the columns of the verdict, and of whether it was right, that are named or given as such."""
    right = find_right_column(inspector)
    if inspector.is_graded:
        return None, None
    named = inspector.columns.get("verdict") or inspector.find_named_column("verdict")
    judged = [column for column in words if OF_VERDICTS.match(column.lower())]
    if named not in words:
        given = "verdict" in inspector.columns
        named = None if given else next(iter(judged), None)
    return named, right


def find_right_column(inspector: "TableInspector") -> str | None:
    """Find the column that says whether judges were right, in words such as yes and 0."""
    column = inspector.find_named_column("right")
    if column is None:
        return None
    given = inspector.get_given(column)
    values: Meanings = {}
    for value in (*inspector.list_levels(column), ""):
        if value in GRADES:
            values[value] = GRADES[value]
        elif inspector.find_meaning(column, value) == "unsure":
            values[value] = "unsure"
        elif given.get(normalize_spelling(value), "") is None:
            values[value] = None
    answers = {normalize_value(v) for v in inspector.list_levels(column) if v not in values}
    if not answers <= {*YES, *NO}:
        return None
    if values:
        inspector.values["right"] = values
    return column


def find_verdict_by_values(
    inspector: "TableInspector",
    candidates: list[str],
    words: dict[str, Meanings],
    truth: str | None,
) -> str | None:
    """Find a column that may be unsure, or the first that differs from who made the responses."""
    agent = inspector.find_named_column("agent")
    unsure = [column for column in candidates if "unsure" in words[column].values()]
    differing = []
    if truth is not None:
        made_by_people = inspector.table[truth].map(words[truth]) == "human"
    elif agent is not None:
        made_by_people = inspector.table[agent].map(
            lambda name: inspector.find_meaning(agent, name) == "human"
        )
    if (truth or agent) and made_by_people.any():
        differing = [
            column
            for column in candidates
            if column != agent
            and ((inspector.table[column].map(words[column]) == "human") != made_by_people).any()
        ]
    for column in [*unsure, *differing][:1]:
        inspector.remarks.append(f"{column} taken for the verdict, by its values")
        return column
    return None


def find_choice(inspector: "TableInspector") -> bool:
    """Tell whether each row is a choice between a person's and a machine's response, with its columns."""
    sides, chosen = inspector.find_named_column("human_at"), inspector.find_named_column("chosen")
    if sides is None or chosen is None:
        return False
    levels = inspector.list_levels(chosen)
    other = set(levels) - set(inspector.list_levels(sides))
    if len(other) >= len(levels):
        return False
    inspector.choice = True
    inspector.columns |= {"human_at": sides, "chosen": chosen}
    unsure = [value for value in other if inspector.find_meaning(chosen, value) == "unsure"]
    if unsure:
        inspector.values["chosen"] = dict.fromkeys(sorted(unsure), "unsure")
    agent, witness = map(inspector.find_named_column, ("agent", "witness"))
    if agent is not None:
        inspector.columns["agent"] = agent
    if witness is not None:
        inspector.columns["witness"], inspector.design = witness, "three_party"
        inspector.people_judged = len(inspector.list_levels(witness))
    inspector.remarks.append(
        f"each row taken for a choice between a person's and a machine's response: {chosen} is what "
        "the judge took for the person's"
    )
    return True


def refuse_column_per_stimulus(inspector: "TableInspector", words: dict[str, Meanings]) -> None:
    """Refuse a table with numbered columns of verdicts, one per stimulus, and say how to read it."""
    numbered: dict[str, list[str]] = {}
    for column in words:
        if len(re.findall(r"\d+", column)) == 1:
            numbered.setdefault(re.sub(r"\d+", "*", column), []).append(column)
    for pattern, alike in numbered.items():
        if len(alike) >= ALIKE:
            sheet = f"sheet: {inspector.file.sheet}, " if inspector.file.sheet else ""
            raise InputError(
                inspector.path,
                f"{len(alike)} columns of the same kind, perhaps one per stimulus",
                column=", ".join([*alike[:ALIKE], "..."][: len(alike)]),
                fix=f'read a row for each: {inspector.command} table="{{{sheet}wide: {{name: '
                f"stimulus, columns: {{verdict: '{pattern}'}}}}}}\"; if a second table says who made the "
                "stimuli, add join: {table: items.csv, by: stimulus} (docs/your_own_data.md)",
            )


def refuse_unexplained_numbers(inspector: "TableInspector") -> None:
    """Refuse ratings on a scale, or scores of detectors, until the user says which mean a machine."""
    named = {strip_signs(name): name for name in reversed(inspector.list_free_columns())}
    known = [named[name] for name in GRADED.split() if name in named]
    known += [name for word, name in named.items() if OF_GRADES.fullmatch(word)]
    for column in dict.fromkeys(known):
        numbers = inspector.parse_numbers(column)
        # Two numbers are codes, of which `values` says what they mean.
        if numbers.nunique() < 3 or not inspector.are_mostly_numbers(numbers):
            continue
        raise InputError(
            inspector.path,
            f"no column of verdicts, but one of numbers from {numbers.min():g} to {numbers.max():g}; it is "
            "not known which of them mean a machine",
            column=column,
            fix=f"say what they mean: {inspector.command} {write_example(inspector, column, numbers)} "
            "(docs/your_own_data.md)",
        )


def write_example(inspector: "TableInspector", column: str, numbers: pd.Series) -> str:
    """Write how a column of ratings or scores might be declared, for the user to correct."""
    codes = find_no_answers(numbers)
    kept = numbers[~numbers.isin(codes)]
    low, high = find_scale(kept.dropna())
    if "judge" not in inspector.columns:
        example = f"{{score: {{column: {column}, machine: '>= {(low + high) / 2:g}'}}}}"
    else:
        middle = (low + high) / 2
        below, between, above = f"{low:g}-{middle:.1f}", "", f"{middle:.1f}-{high:g}"
        if high > 2 and low % 1 == high % 1 == 0:
            below, above = f"{low:g}-{math.ceil(middle) - 1}", f"{math.floor(middle) + 1}-{high:g}"
            between = f"unsure: {middle:g}, " if middle % 1 == 0 else ""
        human, machine = (
            (above, below) if MEANS_HUMAN.search(strip_signs(column)) else (below, above)
        )
        example = f"{{rating: {{column: {column}, human: {human}, {between}machine: {machine}}}}}"
    left_out = ", ".join(f"{code:g}: null" for code in codes) or "99: null"
    return f'table="{example}"; codes for no answer are left out with values="{{{column}: {{{left_out}}}}}"'


def find_agent(inspector: "TableInspector") -> None:
    """Find which machine made each response; people may have any name or none there."""
    given = inspector.columns.pop("agent", None)
    named = given or inspector.find_named_column("agent")
    if "truth" not in inspector.columns:
        if named is None:
            return
        if names_people(inspector, named):
            take_agents(inspector, named)
        elif given and all(
            inspector.find_meaning(named, value) == "human"
            for value in inspector.list_levels(named)
        ):
            inspector.columns["truth"] = named
            inspector.values["truth"] = dict.fromkeys(inspector.list_levels(named), "human")
        elif given:
            inspector.columns["agent"] = given
        return
    truth = inspector.find_truth_of_rows()
    unnamed = [
        column
        for column in inspector.list_free_columns()
        if column != named and len(inspector.list_levels(column)) <= MAX_AGENTS
    ]
    for column in [*filter(None, [named]), *unnamed]:
        if column in inspector.columns.values():
            continue
        cells = inspector.table[column].map(normalize_spelling)
        if column == named:
            refuse_contradicting_agents(inspector, column, truth)
        by_machines, by_people = set(cells[truth == "machine"]), set(cells[truth == "human"])
        nameless = all(
            not cell or inspector.find_meaning(column, cell) == "human" for cell in by_people
        )
        is_apart = by_machines - {""} and not by_people & (by_machines - {""})
        if is_apart and (column == named or (nameless and "" not in by_machines)):
            inspector.columns["agent"] = column
            return
    if given:
        inspector.columns["agent"] = given


def refuse_contradicting_agents(inspector: "TableInspector", column: str, truth: pd.Series) -> None:
    """Refuse rows whose truth contradicts the agent that is named in them.

    A name that is about as frequent in both is that of something else, such as a topic.
    """
    cells = inspector.table[column]
    by_machine = (truth == "machine").groupby(cells).mean()
    side = {
        name: "human"
        if inspector.find_meaning(column, name) == "human" or share <= 0.1
        else "machine"
        for name, share in by_machine.items()
        if name
        and (share <= 0.1 or share >= 0.9 or inspector.find_meaning(column, name) == "human")
    }
    named = cells.map(side)
    wrong = cells.index[named.notna() & truth.isin(["human", "machine"]) & (named != truth)]
    if len(wrong):
        rows = ", ".join(map(str, wrong[:SHOWN_ROWS])) + ", ..." * (len(wrong) > SHOWN_ROWS)
        raise InputError(
            inspector.path,
            f"{inspector.columns['truth']} and {column} contradict each other in {len(wrong)} rows",
            row=rows,
            column=f"{inspector.columns['truth']}, {column}",
            value=f"{truth[wrong[0]]}, {cells[wrong[0]]}",
            fix="correct the rows; or read one of the two columns only, as in "
            f'columns="{{{inspector.columns["truth"]}: null}}"',
        )


def check_agents(inspector: "TableInspector") -> None:
    """Leave out the rows that the user's words leave out, and refuse machines' responses without a name."""
    column = inspector.columns.get("agent")
    if column is None:
        return
    cells = inspector.select_machines(column)
    agents, given = inspector.values.get("agent", {}), inspector.get_given(column)
    for value in cells.unique():
        if given.get(normalize_spelling(value), "") is None:
            agents[value] = None
    empty = cells.index[cells == ""]
    if len(empty) and "" in given:
        agents[""] = given[""]
    elif len(empty):
        raise InputError(
            inspector.path,
            f"no agent: it is unknown who made the response ({len(empty)} such rows)",
            row=empty[0],
            column=column,
            value="",
            fix="fill it in, or say what an empty cell means: "
            f"{inspector.command} values=\"{{'': human}}\" (null in place of human leaves such rows out)",
        )
    if agents:
        inspector.values["agent"] = agents


def refuse_unknown_roles(inspector: "TableInspector") -> None:
    """Refuse a table in which something is not known, with the command that says it."""
    problems, unknown, meant = [], [], []
    named = {what: find_unexplained_column(inspector, what) for what in inspector.lacking}
    unexplained = {column: what for what, column in named.items() if column is not None}
    for what, column in named.items():
        if column is None:
            unknown.append(f"{what}: its column")
            problems.append(f"no column is known for {what}: {MEANING[what]}")
    if any(column is None for what, column in named.items() if what != "judge"):
        # A column whose words are not understood may be the one.
        unexplained |= dict.fromkeys(
            column for column in inspector.not_understood if column not in unexplained
        )
    for column, what in unexplained.items():
        counts = inspector.not_understood[column]
        is_named = f"column {column} was found for {what}, but it" if what else column
        problems.append(f"{is_named} is not understood where it is {format_counts(counts)}")
        words = ", ".join(f"{format_word(word)}: human or machine" for word in list(counts)[:SHOWN])
        meant.append(f"{format_word(column)}: {{{words}}}")
    fix = f"say it: {inspector.command}"
    if unknown:
        fix += f' columns="{{{", ".join(unknown)}}}"'
    if meant:
        fix += (
            f' values="{{{", ".join(meant)}}}" (or unsure; null leaves rows out); if those that are not '
            "human are names of machines to keep apart, say only which are human"
        )
    raise InputError(
        inspector.path,
        "; ".join(problems),
        fix=f"{fix}; columns of the table: {', '.join(inspector.header)}",
    )


def find_unexplained_column(inspector: "TableInspector", what: str) -> str | None:
    """Find the column of a role by its name, if its words are not understood."""
    for role in ("truth", "agent") if what == "truth" else (what,):
        column = inspector.named.get(role) or inspector.find_named_column(role)
        if column in inspector.not_understood:
            return column
    return None


def format_counts(words: dict[str, int]) -> str:
    """Format words with the number of their rows, for a message."""
    shown = ", ".join(f"{word!r} ({number})" for word, number in list(words.items())[:SHOWN])
    return shown + (f" and {len(words) - SHOWN} others" if len(words) > SHOWN else "")
