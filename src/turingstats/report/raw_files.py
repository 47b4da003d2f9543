"""Raw files that were not read."""

from typing import Any

from turingstats.data.absence import ABSENT


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
                (task, path, "; ".join(dict.fromkeys(supplies)))
                for (task, path), supplies in groups[why].items()
            ],
        }
        for why in ABSENT
        if why in groups
    ]
