"""Describe what a starting study was guessed from, for the user to check."""

from turingstats.data.adapters import columns
from turingstats.data.adapters.columns import normalize_spelling


def list_meanings(inspector):
    """List what each value of a truth, verdict or agent means in a run, and how often it occurs.

    Yields
    ------
    what, value, meaning : str
    number : int
    """
    for what in ("truth", "verdict", "right", "chosen", "agent"):
        if what not in inspector.columns:
            continue
        column = inspector.columns[what]
        cells = inspector.select_machines(column) if what == "agent" else inspector.table[column]
        known = {
            normalize_spelling(value): meaning
            for value, meaning in inspector.values.get(what, {}).items()
        }
        own = {normalize_spelling(label): agent for agent, label in inspector.name_agents().items()}
        implied = {
            "agent": own,
            "right": columns.YES_NO,
            "chosen": {
                normalize_spelling(value): "as it is" for value in inspector.list_levels(column)
            },
        }.get(what, {word: word for word in columns.WORDS.get(what, ())})
        for value, number in cells.value_counts().items():
            meaning = (implied | known).get(normalize_spelling(value), "not understood")
            yield what, value or "(empty)", meaning or "left out", number


def describe_draft(inspector, name, study, sources):
    """Describe what was guessed, line by line."""
    wide = max(map(len, [*inspector.columns, *inspector.not_read, "conditions"])) + 1
    lines = [f"{len(inspector.table)} rows of {inspector.path} looked at.", "", "Columns:"]
    lines += [f"  {what:<{wide}} {column}" for what, column in inspector.columns.items()]
    roles = {
        "agents": inspector.name_agents(),
        "conditions": inspector.conditions,
        "groups": inspector.demographics,
    }
    lines += [f"  {what:<{wide}} {', '.join(names)}" for what, names in roles.items() if names]
    lines += [f"  {'model':<{wide}} {formula}" for formula in inspector.models.values()]
    lines += ["", "Values, what they mean, and how often they occur:"]
    lines += [
        f"  {what:<{wide}} {value} = {meaning} ({number})"
        for what, value, meaning, number in list_meanings(inspector)
    ]
    lines += [f"  note: {remark}" for remark in inspector.remarks]
    if inspector.not_read:
        lines += ["", "Not read:"]
        lines += [f"  {column:<{wide}} {why}" for column, why in inspector.not_read.items()]
    lines += [
        "",
        f"Written: {study}, {sources}. Check them, then:",
        f"  snakemake --config study={name}",
    ]
    return "\n".join(lines)
