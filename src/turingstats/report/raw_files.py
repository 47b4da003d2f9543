"""Raw files: those that were not read, and those that the bundled tables replace."""

from typing import Any

from turingstats.data.absence import ABSENT

SHORT = 52
"""Maximum length of a path that a table shows in full."""


def shorten_path(path: str) -> str:
    """Omit the middle of a path, between first folder and file; keep other text unchanged."""
    first, *between = path.split("/")
    # A sentence instead of a path may also contain slashes.
    if len(path) <= SHORT or len(between) < 2 or " " in first:
        return path
    return f"{first}/\N{HORIZONTAL ELLIPSIS}/{between[-1]}"


def group_missing_files(rows: list[dict[str, str]], study: dict[str, Any]) -> list[dict[str, Any]]:
    """Group the raw files that were not read by the reason, with what each would supply."""
    groups = {}
    for row in rows:
        supplies = row["would_supply"]
        if supplies == f"cohort {row['cohort']}":
            label = study["cohorts"].get(row["task"], {}).get(row["cohort"], row["cohort"])
            supplies = f"judgments of {label}"
        elif supplies == "responses":
            supplies = "responses of people and models"
        key = (study["tasks"].get(row["task"], row["task"]), row["path"])
        groups.setdefault(row["why"], {}).setdefault(key, []).append(supplies)
    return [
        {
            "reason": why,
            "meaning": ABSENT[why],
            "rows": [
                (task, shorten_path(path), path, "; ".join(dict.fromkeys(supplies)))
                for (task, path), supplies in groups[why].items()
            ],
        }
        for why in ABSENT
        if why in groups
    ]


def list_bundled_files(rows: list[dict[str, str]], study: dict[str, Any]) -> list[dict[str, Any]]:
    """List the public files whose content the bundled tables hold, by task and table."""
    by_task = {}
    for row in rows:
        if row.get("public_files"):
            bundled = by_task.setdefault(row["task"], {"tables": [], "files": {}})
            bundled["tables"].append(row["path"])
            bundled["files"] |= dict.fromkeys(row["public_files"].split("; "))
    return [
        {
            "task": study["tasks"].get(task, task),
            "tables": bundled["tables"],
            "files": list(bundled["files"]),
        }
        for task, bundled in by_task.items()
    ]
