"""What was said in conversations: a CSV with one row per turn, in order, of one collection (`key`).

Columns: Conversation id, side (A or B), speaker (name of a model, or of people), person (any id that
identifies people; empty for models) and text. The pages that judges saw are not public; to use them,
export each whole conversation once to this table. Ids of people are replaced by pseudonyms.
"""

from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import conversations

COLUMNS = ("Conversation id", "side", "speaker", "person", "text")


def read(file, folder, study):
    """Read the turns of a collection.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `responses`, one row per turn.
    """

    path = Path(folder) / file.path
    # Here every speaker has a name; in other formats an empty name means a person.
    agents = {name: agent for name, agent in records.map_agent_names(study).items() if name}
    people, places, turns = {}, {}, []
    for row, record in enumerate(
        records.read_csv_columns(path, COLUMNS).to_dict("records"), start=2
    ):
        where = {"path": path, "row": f"row {row}"}
        number = records.parse_whole_number(
            record["Conversation id"], column="Conversation id", **where
        )
        if number is None or not record["text"].strip():
            raise InputError(
                path,
                "a turn without a conversation or text",
                row=where["row"],
                column="Conversation id" if number is None else "text",
                fix="complete the row, or leave it out",
            )
        agent = agents[
            records.require_allowed_value(
                record["speaker"], list(agents), column="speaker", **where
            )
        ]
        person = record["person"].strip()
        places[number] = places.get(number, 0) + 1
        turns.append(
            {
                "study": study.study,
                "task": file.task,
                "stimulus": conversations.name_conversation(file.key, number),
                "side": records.require_allowed_value(
                    record["side"], ("a", "b"), column="side", **where
                ).upper(),
                "turn": places[number],
                "agent": agent,
                "responder": f"{file.key}.p{people.setdefault(person, len(people) + 1):03d}"
                if person and agent == "human"
                else None,
                "response": record["text"].strip(),
            }
        )
    return {"responses": pd.DataFrame(turns, columns=list(schema.RESPONSES))}
