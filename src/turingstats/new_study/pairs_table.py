"""A starting study for a table of choices between agents: their names and the winner in each row."""

import re
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import InputError
from turingstats.data.adapters.columns import normalize_spelling
from turingstats.new_study.unknown_roles import SHOWN, format_word
from turingstats.new_study.vocabulary import (
    CHOSEN_FROM,
    HUMAN,
    LONG,
    MOSTLY,
    NAMES,
    choose_unused_name,
    make_identifier,
    normalize_value,
    strip_signs,
)
from turingstats.rankings.reading import OPTIONS, TIE, name_places

TASK = "pairs"
PREFERRED = "winner preference preferred preferredmodel better best"
WINNER = f"{PREFERRED} chosen choice vote verdict"
STIMULUS = "promptid prompt instructionid instruction"
TIES = "tie tiebothbad tiebothgood bothbad bothgood both neither equal equallygood same draw nopreference"
END = re.compile(r"(.*?)(left|right|[a-h]|[1-8])")


class PairsInspector:
    """What the columns of a table of choices between agents, read as text, hold; see `find_pairs`."""

    def __init__(
        self, path: Path, table: pd.DataFrame, columns: dict[str, str], words: dict[str, Any]
    ) -> None:
        self.path, self.table, self.columns = Path(path), table, columns
        self.options = [name for name in OPTIONS if name in columns]
        self.remarks = [
            f"{columns['option_a']} taken for the option shown first: the order of columns is that of places"
        ]
        cells = table[[columns[option] for option in self.options]]
        counts = cells.stack().value_counts().index
        levels = list(
            {normalize_spelling(name): name for name in reversed(counts) if name}.values()
        )[::-1]
        # Names in the study file, and in the table.
        self.agents: dict[str, str] = {}
        people = [name for name in levels if normalize_value(name) in HUMAN.split()]
        for name in sorted(levels, key=lambda name: name not in people):
            agent = "human" if name in people else make_identifier(name, "agent")
            self.agents[choose_unused_name(agent, {*self.agents, "all"})] = name
        self.cohorts = {"judges": "Judges"}
        if "cohort" in columns:
            groups = table[columns["cohort"]].unique()
            self.cohorts = {make_identifier(name, "cohort"): name for name in groups}
        others = dict.fromkeys([name for name in people if name != "human"], "human")
        self.values: dict[str, dict[str, Any]] = {option: others for option in self.options}
        self.values["winner"] = self.explain_winners(words)
        if "stimulus" not in columns:
            self.remarks.append(
                "no column says what was responded to (stimulus): errors are over judges alone"
            )

    @property
    def not_read(self) -> list[str]:
        """Columns that no step reads."""
        return [name for name in self.table if name not in self.columns.values()]

    def explain_winners(self, words: dict[str, Any]) -> dict[str, str | None]:
        """Explain what words for winners mean that name neither an option nor an agent."""
        column = self.columns["winner"]
        flat = {word: meaning for word, meaning in words.items() if not isinstance(meaning, dict)}
        given = {
            normalize_spelling(word): meaning
            for word, meaning in (flat | words.get(column, {}) | words.get("winner", {})).items()
        }
        places = name_places(
            RawFile(path="t.csv", format="pairs", task=TASK, columns=self.columns), self.options
        )
        names = {normalize_spelling(name) for name in self.agents.values()}
        meant, unknown = {}, []
        for word in self.table[column].value_counts().index:
            spelled = normalize_spelling(word)
            if spelled in given:
                meant[word] = given[spelled]
            elif spelled not in {*places, *names, TIE}:
                if strip_signs(word) not in TIES.split():
                    unknown.append(word)
                meant[word] = TIE
        if unknown:
            asked = ", ".join(f"{format_word(w)}: option_a or {TIE}" for w in unknown[:SHOWN])
            raise InputError(
                self.path,
                f"{len(unknown)} words for the winner are not understood",
                column=column,
                value=", ".join(map(repr, unknown[:SHOWN])),
                allowed=[
                    *(self.columns[option] for option in self.options),
                    TIE,
                    "names of the agents",
                ],
                fix=f'say what they mean: --config csv={self.path} values="{{winner: {{{asked}}}}}" (null '
                "leaves rows out)",
            )
        return meant


def find_pairs(
    path: Path, table: pd.DataFrame, named: dict[str, Any], words: dict[str, Any]
) -> PairsInspector | None:
    """Find the columns of a table of choices between agents; None if it is not one."""
    free = {strip_signs(name): name for name in reversed(list(table))}
    columns = {name: named[name] for name in (*OPTIONS, "winner", "cohort") if named.get(name)}
    is_said = "option_a" in columns
    if not is_said:
        columns |= find_options(table)
    for name, spellings in (
        ("winner", WINNER),
        ("judge", NAMES["judge"]),
        ("stimulus", f"{NAMES['stimulus']} {STIMULUS}"),
    ):
        column = next((free[word] for word in spellings.split() if word in free), None)
        if name in named:
            columns |= {name: named[name]} if named[name] else {}
        elif name not in columns and column is not None and column not in columns.values():
            columns[name] = column
    if not {"option_a", "option_b", "winner"} <= set(columns):
        return None
    if not is_said and strip_signs(columns["winner"]) not in PREFERRED.split():
        pair = table[[columns["option_a"], columns["option_b"]]]
        people = pair.map(lambda cell: normalize_value(cell) in HUMAN.split()).sum(axis=1)
        if (people == 1).mean() > MOSTLY:
            # A person and a machine in each row: who was taken for the person, which has analyses of its own.
            return None
    if "judge" not in columns:
        raise InputError(
            path,
            "no column is known for judge: who chose; choices of one judge belong together",
            allowed=NAMES["judge"].split(),
            fix=f'say which it is: --config csv={path} columns="{{judge: its name}}"',
        )
    ordered = {name: columns[name] for name in ("judge", "cohort", "stimulus", *OPTIONS, "winner")
               if name in columns}  # fmt: skip
    return PairsInspector(path, table, ordered, words)


def find_options(table: pd.DataFrame) -> dict[str, str]:
    """Find the columns with the agents of the options, such as model_a and model_b."""
    by_stem: dict[str, list[str]] = {}
    for name in table:
        match = END.fullmatch(strip_signs(name))
        if match and match[1] in CHOSEN_FROM:
            by_stem.setdefault(match[1], []).append(name)
    for found in by_stem.values():
        levels = [set(table[name]) - {""} for name in found]
        has_shared = len(set.union(*levels)) < sum(map(len, levels))
        is_of_names = max(table[name].str.len().mean() for name in found) <= LONG
        if 2 <= len(found) <= len(OPTIONS) and is_of_names and has_shared:
            return dict(zip(OPTIONS, sorted(found, key=strip_signs), strict=False))
    return {}
