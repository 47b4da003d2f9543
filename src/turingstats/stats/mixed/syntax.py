"""Parse regression formulas; light to import, so that study files can be checked."""

import re
from typing import NamedTuple

FUNCTIONS = ("scale", "log")
"""Functions of a numeric column that formulas may use: (x - mean) / SD, and the natural logarithm."""


class Term(NamedTuple):
    """A random term ``(1 + slope | group)`` of a formula; `group` may join columns by a colon."""

    effects: tuple[str, ...]
    group: str


def parse_formula(formula: str) -> tuple[str, str, tuple[Term, ...]]:
    """Split a formula into response, fixed part and random terms.

    Returns
    -------
    response : str
        A column, or ``cbind(successes,failures)``.
    fixed : str
    random : tuple of Term

    Raises
    ------
    ValueError
        The formula has no ``~``, or an unknown function of a column.

    Notes
    -----
    A function of a column, such as ``log(rt_ms)``, is replaced by the name of a column that
    `turingstats.stats.mixed.formula.prepare_data` makes; see `find_transformed_columns`.
    """
    if formula.count("~") != 1:
        raise ValueError(f"a formula needs one ~, found {formula!r}")
    response, right = (side.strip() for side in formula.split("~"))
    random: list[Term] = []

    def take(match: re.Match[str]) -> str:
        if "||" in match.group(1):
            raise ValueError(f"{formula!r}: || is not offered; effects of one group are correlated")
        left, group = match.group(1).split("|")
        effects = tuple(part.strip() for part in left.split("+") if part.strip() != "1")
        if "0" in effects:
            raise ValueError(f"{formula!r}: a random slope needs its random intercept")
        random.append(Term(("1", *effects), group.replace(" ", "")))
        return ""

    for call, column in find_calls(right):
        right = right.replace(call, column)
    called = re.search(r"([A-Za-z_.]\w*)\s*\(", right)
    if called:
        raise ValueError(
            f"{formula!r}: {called[1]}() is not offered; functions of a column are "
            f"{' and '.join(f'{name}(x)' for name in FUNCTIONS)}; put other values into a column of the "
            "table and declare it under `columns` of the task"
        )
    fixed = re.sub(r"\+?\s*\(([^()]*\|[^()]*)\)", take, right).strip().lstrip("+").strip()
    return response.replace(" ", ""), fixed or "1", tuple(random)


def find_calls(text: str) -> list[tuple[str, str]]:
    """Find functions of columns in a formula, the innermost first.

    Returns the call in `text` after the earlier calls were replaced, and the name of the column that replaces
    it, such as ``("log(rt_ms)", "log__rt_ms")``.
    """
    calls = []
    pattern = re.compile(rf"\b({'|'.join(FUNCTIONS)})\(\s*([A-Za-z_]\w*)\s*\)")
    while match := pattern.search(text):
        calls.append((match[0], f"{match[1]}__{match[2]}"))
        text = text.replace(*calls[-1])
    return calls


def find_transformed_columns(formula: str) -> dict[str, tuple[str, str]]:
    """Find the columns that are functions of others, by name, with the function and the other column.

    A column precedes those that are functions of it.
    """
    made = {}
    for _, column in find_calls(formula):
        function, _, argument = column.partition("__")
        made[column] = (function, argument)
    return made


def name_terms(text: str, formula: str) -> str:
    """Write the name of a coefficient as in the formula: ``log(rt_ms)`` instead of ``log__rt_ms``."""
    for column, (function, argument) in reversed(find_transformed_columns(formula).items()):
        text = re.sub(rf"\b{column}\b", f"{function}({argument})", text)
    return text


def find_formula_columns(formula: str) -> list[str]:
    """List the columns of the data that a formula names."""
    response, fixed, random = parse_formula(formula)
    text = " ".join(
        [response.removeprefix("cbind"), fixed, *(f"{t.effects} {t.group}" for t in random)]
    )
    for column, (_, argument) in reversed(find_transformed_columns(formula).items()):
        text = re.sub(rf"\b{column}\b", argument, text)
    return sorted({name for name in re.findall(r"[A-Za-z_]\w*", text)})
