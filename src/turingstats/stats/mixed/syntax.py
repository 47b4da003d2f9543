"""Parse regression formulas; light to import, so that study files can be checked."""

import re
from typing import NamedTuple


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
        The formula has no ``~``, or a function of a column.
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

    called = re.search(r"([A-Za-z_.]\w*)\s*\(", right)
    if called:
        raise ValueError(
            f"{formula!r}: {called[1]}() is not offered; put its values into a column of the table and "
            "declare it under `columns` of the task"
        )
    fixed = re.sub(r"\+?\s*\(([^()]*\|[^()]*)\)", take, right).strip().lstrip("+").strip()
    return response.replace(" ", ""), fixed or "1", tuple(random)


def find_formula_columns(formula: str) -> list[str]:
    """List the columns of the data that a formula names."""
    response, fixed, random = parse_formula(formula)
    text = " ".join(
        [response.removeprefix("cbind"), fixed, *(f"{t.effects} {t.group}" for t in random)]
    )
    return sorted({name for name in re.findall(r"[A-Za-z_]\w*", text)})
