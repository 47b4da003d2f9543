"""Find who made each response and what the judge said, among the columns of a table of verdicts."""

import re
from typing import TYPE_CHECKING

from turingstats.core.errors import InputError
from turingstats.data.adapters.columns import normalize_spelling
from turingstats.new_study.unclear import UnclearError
from turingstats.new_study.vocabulary import (
    NO,
    OF_CHANGES,
    VAGUE,
    YES,
    normalize_value,
    strip_signs,
)

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

MEANING = {
    "truth": "who made each response, in words such as human and machine (or human_at, where the person's "
    "response was in a choice between two)",
    "verdict": "what each judge said, such as human and machine",
}
ALIKE = 3
"""Number of columns of verdicts with numbered names that are taken for one column per stimulus."""
GRADED = (
    "rating ratings rated score scores probability prob pfake pai pmachine likelihood likert humanness "
    "humanlikeness answer response judgment judgement verdict"
)
"""Names of columns that may hold ratings or scores, without case and punctuation."""
MAX_AGENTS = 60
"""Maximum number of words of a column that may be names of agents, or be asked about."""


def find_verdicts(inspector: "TableInspector") -> None:
    """Find truth, verdict (or whether it was right) and agent."""
    if find_choice(inspector):
        return
    open_to = [
        *inspector.list_free_columns(),
        *(inspector.columns[n] for n in ("verdict", "truth") if n in inspector.columns),
    ]
    words = {column: inspector.find_meanings(column) for column in open_to}
    words = {column: meanings for column, meanings in words.items() if meanings}
    if "verdict" not in inspector.named:
        refuse_column_per_stimulus(inspector, words)
    note_strange_columns(inspector, words)
    for what in ("truth", "verdict"):
        if what in inspector.columns and inspector.columns[what] not in words:
            raise inspector.make_unknown_error(what, MEANING[what])
    verdict, truth, right = (
        inspector.find_named_column("verdict"),
        inspector.find_named_column("truth"),
        find_right_column(inspector),
    )
    judged = [c for c in words if re.match(r"(said|judged|guessed|perceived|thought)", c.lower())]
    verdict = verdict if verdict in words else next(iter(judged), None)
    truth = truth if truth in words and truth != verdict else None
    if truth not in inspector.named.values() and says_nothing(inspector, truth):
        truth = None
    # A column with the same value in all rows distinguishes nothing and may be about anything.
    several = [column for column in words if len(inspector.list_levels(column)) > 1]
    rest = [column for column in several if column not in (verdict, truth)]
    unsure = [column for column in rest if "unsure" in words[column].values()]
    if verdict is None and unsure:
        verdict = unsure[0]
        inspector.guesses["verdict"] = verdict
        inspector.remarks.append(f"{verdict} taken for the verdict: it may be unsure")
    rest = [column for column in rest if column != verdict]
    if inspector.graded:
        verdict = right = None
    elif verdict is None and right is None:
        verdict = find_verdict_column(inspector, rest, words, truth)
        rest = [column for column in rest if column != verdict]
    if truth is None and rest and (verdict or right or inspector.graded):
        changes = [column for column in rest if OF_CHANGES.fullmatch(strip_signs(column))]
        truth = next((column for column in rest if column not in changes), rest[0])
        inspector.guesses["truth"] = truth
        inspector.remarks.append(
            f"{truth} taken for the truth, by its values"
            + CHANGES_NOTE.format(truth) * (truth in changes)
        )
    for what, column in (("truth", truth), ("verdict", verdict)):
        if column is not None:
            inspector.take(what, column)
            inspector.values[what] = words[column]
            remark_slips(inspector, what, column)
    if truth is not None and len(inspector.list_levels(truth)) == 1:
        (value,) = inspector.list_levels(truth)
        inspector.remarks.append(
            f"{truth} taken for the truth, by its name, though it is {value!r} in all rows: everything "
            f"is by {'people' if words[truth][value] == 'human' else 'machines'} then; if that is "
            "wrong, name the column of the truth"
        )
    find_agent(inspector)
    if (
        not {"truth", "agent"} & set(inspector.columns)
        and right
        and inspector.find_named_column("agent")
    ):
        inspector.choice = True
        inspector.take("right", right)
        inspector.take("agent", inspector.find_named_column("agent"))
        inspector.remarks.append(
            "nothing is by people: each row taken for a choice between a person's and a machine's "
            "response; if judges saw only machines, remove choice: true from the task"
        )
        return
    if "truth" not in inspector.columns and "agent" not in inspector.columns:
        raise inspector.make_unknown_error("truth", MEANING["truth"])
    if verdict is None and not inspector.graded:
        inspector.take("right", right)
        if right is None:
            refuse_unexplained_numbers(inspector)
            raise inspector.make_unknown_error("verdict", MEANING["verdict"])
        inspector.remarks.append(
            "the verdict follows from the truth and from whether the judge was right; if a trial "
            "showed a person's and a machine's response and the judge chose, add choice: true to the task"
        )


CHANGES_NOTE = (
    ": but {} may only say who changed a response; if each trial showed an original and a changed one, add "
    "choice: true to the task, and name those who changed it as agents"
)


def refuse_column_per_stimulus(
    inspector: "TableInspector", words: dict[str, dict[str, str | None]]
) -> None:
    """Refuse a table with numbered columns of verdicts, one per stimulus, and say how to read it."""
    numbered = {}
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
                fix=f'read a row for each: --config csv={inspector.path} table="{{{sheet}wide: {{name: '
                f"stimulus, columns: {{verdict: '{pattern}'}}}}}}\"; if a second table says who made the "
                "stimuli, add join: {table: items.csv, by: stimulus} (docs/your_own_data.md)",
            )


def refuse_unexplained_numbers(inspector: "TableInspector") -> None:
    """Refuse a table whose answers are numbers, until the user says what they mean.

    They may be ratings on a scale of whole numbers, or scores of detectors.
    """
    named = {strip_signs(name): name for name in reversed(inspector.list_free_columns())}
    column = next((named[name] for name in GRADED.split() if name in named), None)
    numbers = inspector.parse_numbers(column) if column else None
    if numbers is None or numbers.isna().any() or numbers.empty:
        return
    whole = bool((numbers % 1 == 0).all())
    kind = "scale" if whole else "threshold"
    example = (
        "{rating: {column: COLUMN, human: 1-3, unsure: 4, machine: 5-7}}"
        if whole
        else "{score: {column: COLUMN, machine: '>= 0.5'}}"
    )
    codes = f'; codes of missing values are left out with values="{{{column}: {{99: null}}}}"'
    raise UnclearError(
        inspector.path,
        f"no column of verdicts, but one of numbers from {numbers.min():g} to {numbers.max():g}; it is not "
        "known which of them mean a machine",
        what="verdict",
        column=column,
        fix=f"say what they mean, with your {kind}: --config csv={inspector.path} "
        f'table="{example.replace("COLUMN", column)}"{codes if whole else ""} (docs/your_own_data.md)',
    )


def note_strange_columns(
    inspector: "TableInspector", words: dict[str, dict[str, str | None]]
) -> None:
    """Note the words of columns whose names are known and whose words are not."""
    for what in ("truth", "verdict", "agent"):
        column = inspector.find_named_column(what)
        if column is None or column in {*words, *inspector.not_understood}:
            continue
        levels = inspector.list_levels(column)
        # Yes and no of a column such as response may say whether a judge was right.
        if 1 < len(levels) <= MAX_AGENTS and not inspector.is_gender_column(column):
            inspector.not_understood[column] = inspector.count_values(column, levels)


def says_nothing(inspector: "TableInspector", column: str | None) -> bool:
    """Tell whether a column has a single value and a name that may be about anything."""
    if column is None or strip_signs(column) not in VAGUE:
        return False
    return len(inspector.list_levels(column)) < 2


def find_choice(inspector: "TableInspector") -> bool:
    """Tell whether each row is a choice between a person's and a machine's response, with its columns."""
    sides, chosen = inspector.find_named_column("human_at"), inspector.find_named_column("chosen")
    if sides is None or chosen is None:
        return False
    other = set(inspector.list_levels(chosen)) - set(inspector.list_levels(sides))
    if len(other) >= len(inspector.list_levels(chosen)):
        return False
    inspector.choice = True
    inspector.take("human_at", sides)
    inspector.take("chosen", chosen)
    unsure = {
        value: "unsure"
        for value in sorted(other)
        if inspector.find_meaning(chosen, value) == "unsure"
    }
    if unsure:
        inspector.values["chosen"] = unsure
    inspector.take("agent", inspector.find_named_column("agent"))
    inspector.remarks.append(
        f"each row taken for a choice between a person's and a machine's response: {chosen} is what "
        "the judge took for the person's"
    )
    return True


def find_right_column(inspector: "TableInspector") -> str | None:
    """Find the column that says whether judges were right, in words such as yes and 0."""
    column = inspector.find_named_column("right")
    if column is None:
        return None
    unsure = {
        v: "unsure"
        for v in inspector.list_levels(column)
        if inspector.find_meaning(column, v) == "unsure"
    }
    given = inspector.get_given(column)
    unsure |= {
        value: None
        for value in (*inspector.list_levels(column), "")
        if normalize_spelling(value) in given and given[normalize_spelling(value)] is None
    }
    if not {normalize_value(v) for v in inspector.list_levels(column) if v not in unsure} <= {
        *YES,
        *NO,
    }:
        return None
    if unsure:
        inspector.values["right"] = unsure
    return column


def find_verdict_column(
    inspector: "TableInspector",
    candidates: list[str],
    words: dict[str, dict[str, str]],
    truth: str | None,
) -> str | None:
    """Find the first column of human and machine that differs from who made the responses, or None."""
    agent = inspector.find_named_column("agent")
    if truth is not None:
        people = inspector.table[truth].map(words[truth]) == "human"
    elif agent is not None:
        people = inspector.table[agent].map(
            lambda name: inspector.find_meaning(agent, name) == "human"
        )
    else:
        return None
    for column in candidates:
        judged_human = inspector.table[column].map(words[column]) == "human"
        if column != agent and people.any() and (judged_human != people).any():
            inspector.guesses["verdict"] = column
            inspector.remarks.append(f"{column} taken for the verdict, by its values")
            return column
    return None


def remark_slips(inspector: "TableInspector", what: str, column: str) -> None:
    """Note which values of a truth or verdict are not understood, and where."""
    cells = inspector.table.loc[inspector.table[column] != "", column]
    slips = cells[~cells.isin(list(inspector.values[what]))].drop_duplicates()
    empty = inspector.table.index[inspector.table[column] == ""]
    if len(slips):
        inspector.slips[column] = inspector.count_values(column, list(slips))
    if len(empty) and "" not in inspector.values[what]:
        inspector.slips.setdefault(column, {})[""] = len(empty)
        inspector.remarks.append(
            f"{column}: {len(empty)} empty, the first in row {empty[0]}; correct the table, or say "
            f'under values: {what}: what "" means (null leaves the rows out)'
        )
    if len(slips):
        where = ", ".join(f"{value!r} (row {row})" for row, value in slips.items())
        inspector.remarks.append(
            f"{column}: not understood is {where}; correct the table, or say under values: {what}: "
            "what it means (null leaves the rows out)"
        )


def find_agent(inspector: "TableInspector") -> None:
    """Find which machine made each response; people may have any name or none there."""
    given = "agent" in inspector.columns
    truth = None
    if "truth" in inspector.columns:
        truth = inspector.table[inspector.columns["truth"]].map(inspector.values["truth"])
    named = inspector.find_named_column("agent")
    inspector.columns.pop("agent", None)
    for column in [*([named] if named else []), *inspector.list_free_columns()]:
        if column in inspector.columns.values() or len(inspector.list_levels(column)) > MAX_AGENTS:
            continue
        people = {
            v for v in inspector.list_levels(column) if inspector.find_meaning(column, v) == "human"
        }
        if truth is None:
            has_people = people or inspector.get_given(column).get("") == "human"
            # A column of people alone names no agents.
            if column == named and has_people and len(inspector.list_levels(column)) > len(people):
                inspector.take("agent", column)
                inspector.values["agent"] = dict.fromkeys(sorted(people), "human")
                return
            continue
        made_by = {
            side: {normalize_spelling(cell) for cell in inspector.table.loc[truth == side, column]}
            for side in ("human", "machine")
        }
        filled = made_by["machine"] - {""}
        if column != named and "" in made_by["machine"]:
            continue
        apart = not (made_by["human"] & filled)
        nameless = made_by["human"] <= {"", *map(normalize_spelling, people)}
        if filled and apart and (column == named or nameless):
            inspector.take("agent", column)
            return
    if given:
        inspector.take("agent", named)


def check_agents(inspector: "TableInspector") -> None:
    """Note where no agent is named, and leave out the rows that the user's words leave out.

    A machine's response without a name in a table that names machines is an error.
    """
    if "agent" not in inspector.columns:
        return
    column = inspector.columns["agent"]
    cells = inspector.select_machines(column)
    agents, given = inspector.values.get("agent", {}), inspector.get_given(column)
    for value in cells.unique():
        if normalize_spelling(value) in given and given[normalize_spelling(value)] is None:
            agents[value] = None
    empty = cells.index[cells == ""]
    if len(empty) and "" in given:
        agents[""] = given[""]
    elif len(empty):
        raise UnclearError(
            inspector.path,
            f"no agent: it is unknown who made the response ({len(empty)} such rows)",
            what="agent",
            in_column=column,
            words={"": len(empty)},
            row=empty[0],
            column=column,
            value="",
            fix="fill it in, or say what an empty cell means: --config "
            f"csv={inspector.path} values=\"{{'': human}}\" (null in place of human leaves such rows out)",
        )
    if agents:
        inspector.values["agent"] = agents
