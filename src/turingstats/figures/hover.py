"""What a mark says when it is pointed at: its exact numbers and its test.

The text becomes the `title` of the mark in the SVG, which browsers show without scripts.
"""

from typing import Any

from turingstats.core.labels import name_test, pluralize_unit, state_p


def title_mark(artist: Any, text: str) -> None:
    """Give a drawn mark its title; of several marks of one number, the topmost has it."""
    artist.mark_title = text


def describe_number(row: dict[str, Any]) -> str:
    """Describe a number exactly, such as "GPT2: detectability 0.53 (95% interval 0.51 to 0.55); n = 90"."""
    names = [row.get("agent_label"), row.get("group")]
    whose = ", ".join(name for name in names if isinstance(name, str) and name)
    parts = []
    if is_number(row.get("value")):
        quantity = str(row["quantity"]).replace("_", " ")
        parts.append(f"{quantity} {row['value']:.4g}{describe_error(row)}")
    if is_number(row.get("n")):
        counted = f"n = {row['n']:,.0f}"
        if is_number(row.get("n_judges")):
            counted += f" ({row['n_judges']:,.0f} judges)"
        parts.append(counted)
    if is_number(row.get("p")):
        parts.append(describe_test(row))
    return (f"{whose}: " if whose else "") + "; ".join(parts)


def describe_error(row: dict[str, Any]) -> str:
    """Describe the error that the figure draws of a number, in parentheses; empty if it has none."""
    if row.get("reading") == "published":
        return f" (standard error {row['se']:.3g})" if is_number(row.get("se")) else ""
    if not is_number(row.get("ci_low")):
        return ""
    level = f"{row['level']:.0%} " if is_number(row.get("level")) else ""
    return f" ({level}interval {row['ci_low']:.4g} to {row['ci_high']:.4g})"


def describe_test(row: dict[str, Any]) -> str:
    """Describe the test of a number: name, unit, p and the corrected p."""
    name = name_test(row["test"])
    text = name[:1].upper() + name[1:]
    if isinstance(row.get("unit"), str):
        text += f" over {pluralize_unit(row['unit'])}"
    text += f", {state_p(row['p'])}"
    if is_number(row.get("p_adjusted")) and isinstance(row.get("correction"), str):
        text += f"; {row['correction'].capitalize()}-corrected {state_p(row['p_adjusted'])}"
    return text


def is_number(value: float | None) -> bool:
    """Tell whether a cell holds a number."""
    return isinstance(value, (int, float)) and value == value
