"""What was said in conversations: a CSV with one row per turn, in order, of one collection (`key`).

Columns: Conversation id, side (A or B), speaker (name of a model, or of people), person (any id that
identifies people; empty for models) and text. The pages that judges saw are not public; to use them,
export each whole conversation once to this table. Ids of people are replaced by pseudonyms.
"""

from pathlib import Path
from typing import Annotated, Literal

import pandas as pd
from pydantic import BeforeValidator, Field

from converters.zhang2025 import conversations, gate, records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from converters.zhang2025.trial_records import lower_case
from turingstats.config.study import Study
from turingstats.data import schema

COLUMNS = ("Conversation id", "side", "speaker", "person", "text")


class Turn(gate.Record):
    """A turn; `person` identifies people and is empty for models."""

    conversation: conversations.NumberCell = Field(alias="Conversation id")
    side: Annotated[Literal["a", "b"], BeforeValidator(lower_case)]
    speaker: gate.Filled
    person: gate.Text
    text: gate.Filled


RECORD = Turn


def read(file: RawFile, folder: str | Path, study: Study) -> dict[str, pd.DataFrame]:
    """Read the turns of a collection.

    Returns `responses`, one row per turn.
    """

    path = Path(folder) / file.path
    # Here every speaker has a name; in other formats an empty name means a person.
    agents = {name: agent for name, agent in records.map_agent_names(study).items() if name}
    people, places, turns, last = {}, {}, [], (None, None)
    repeats = Repeats(path)
    table = records.read_whole_table(path, COLUMNS)
    for row, cells in enumerate(table.to_dict("records"), start=2):
        where = {"path": path, "row": f"row {row}"}
        turn = gate.check_record(Turn, cells, **where)
        number, side = int(turn.conversation), turn.side.upper()
        agent = agents[
            records.require_allowed_value(turn.speaker, list(agents), column="speaker", **where)
        ]
        person = turn.person.strip()
        if person and agent != "human":
            raise records.make_contradiction("a model with the id of a person", "person", **where)
        repeats.refuse_different(
            "two speakers of one side of a conversation",
            (number, side),
            (agent, person),
            where["row"],
            "speaker",
        )
        check_order(last, number, side, places, **where)
        last = number, side
        places[number] = places.get(number, 0) + 1
        turns.append(
            {
                "study": study.study,
                "task": file.task,
                "stimulus": conversations.name_conversation(file.key, number),
                "side": side,
                "turn": places[number],
                "agent": agent,
                "responder": f"{file.key}.p{people.setdefault(person, len(people) + 1):03d}"
                if person
                else None,
                "response": turn.text.strip(),
            }
        )
    return {"responses": pd.DataFrame(turns, columns=list(schema.RESPONSES))}


def check_order(last, number, side, places, *, path, row):
    """Refuse two turns of one side in a row, and turns of a conversation that do not stand together."""
    conversation, speaker = last
    problem = None
    if number == conversation and side == speaker:
        problem = (
            "two turns of one side in a row; a turn is all that is said before the other speaks"
        )
    elif number != conversation and number in places:
        problem = "the turns of a conversation do not stand together"
    if problem:
        raise records.make_contradiction(problem, "side", path=path, row=row)
