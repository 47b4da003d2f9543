"""Responses of any study: a table with one row per response, with columns named in data/sources/."""

from pathlib import Path
from typing import Any

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.data import adapters, schema
from turingstats.data.adapters import columns
from turingstats.data.adapters.messages import make_source_error
from turingstats.data.adapters.verdict_table import map_named_agents, resolve_names


def read(file: RawFile, folder: str | Path, study: Study) -> dict[str, Any]:
    """Read a table of responses."""
    names = ["stimulus", "agent", "responder", "response", "tags"]
    lacking = [name for name in ("stimulus", "agent", "response") if name not in file.columns]
    if lacking:
        raise make_source_error(file, "lacking_columns", names=", ".join(lacking))
    table, left_out, shaped = columns.load_columns(file, folder, names)
    rows = adapters.trace_rows(
        file, study, table.index, left_out.assign(cohort=None), adapters.RESPONSES
    )
    with shaped.name_sources():
        for name in ("stimulus", "response"):
            table[name] = shaped.require_filled(table, name)
        agent = shaped.require_filled(table, "agent")
        agent = resolve_names(shaped, agent, map_named_agents(study), "agent")
    table = table.assign(agent=agent).astype(object).where(table.notna(), None)
    table = table.assign(study=study.study, task=file.task)
    if "responder" in table:
        # People who answered get pseudonyms, as judges do.
        number = {name: n for n, name in enumerate(table["responder"].dropna().unique(), start=1)}
        table["responder"] = (
            table["responder"].map(number).map("r{:03.0f}".format, na_action="ignore")
        )
    return {"responses": table.reindex(columns=list(schema.RESPONSES)), "rows": rows}
