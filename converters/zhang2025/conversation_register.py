"""Who spoke in each conversation: a CSV with Conversation id, Aspeaker, Bspeaker and topic.

The registers themselves are spreadsheets that are not public; without them the models are not known.
`key` names the collection. Conversations are identified by id, never by row number.
"""

from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import Field

from converters.zhang2025 import conversations, gate, records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.data import schema

COLUMNS = ("Conversation id", "Aspeaker", "Bspeaker", "topic")


class RegisterRow(gate.Record):
    """Who spoke in a conversation."""

    conversation: conversations.NumberCell = Field(alias="Conversation id")
    Aspeaker: gate.Filled
    Bspeaker: gate.Filled
    topic: gate.Text


RECORD = RegisterRow


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `stimuli` from a register: agent and truth of each side, variant and topic."""
    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    table = records.read_whole_table(path, COLUMNS)
    if file.key not in conversations.OPTIONS:
        raise InputError(
            path,
            "unknown collection",
            column="key",
            value=file.key,
            allowed=list(conversations.OPTIONS),
            fix="correct `key` of this file in converters/zhang2025/files/",
        )
    rows = []
    repeats = Repeats(path)
    for number, cells in enumerate(table.to_dict("records"), start=2):
        where: dict[str, Any] = {"path": path, "row": f"row {number}"}
        record = gate.check_record(RegisterRow, cells, **where)
        conversation = int(record.conversation)
        repeats.refuse("one conversation listed twice", conversation, row=where["row"])
        speakers = [
            agents[records.require_allowed_value(cell, list(agents), column=column, **where)]
            for column, cell in (("Aspeaker", record.Aspeaker), ("Bspeaker", record.Bspeaker))
        ]
        truths = tuple("human" if agent == "human" else "machine" for agent in speakers)
        code = next(code for code, sides in conversations.LABELS.items() if sides == truths)
        sides = conversations.make_side_rows(
            conversations.name_conversation(file.key, conversation),
            code,
            file,
            study,
            topic=record.topic or None,
        )
        rows += [side | {"agent": agent} for side, agent in zip(sides, speakers, strict=True)]
    return {"stimuli": pd.DataFrame(rows, columns=list(schema.STIMULI))}
