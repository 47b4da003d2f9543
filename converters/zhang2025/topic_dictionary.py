"""Topics of conversations: judgments like those of `conversation_dictionary`, with `assigned_topic`.

Only conversation and topic are read; the judgments are in the first collection's file. The source
`chatgpt` is left out, because it uses the same numbers for other conversations.
"""

import re
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from pydantic import Field

from converters.zhang2025 import conversations, gate, records
from converters.zhang2025.conversation_dictionary import Source
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from turingstats.config.study import Study
from turingstats.data import schema

OTHER_CONVERSATIONS = "chatgpt"
SOURCES = re.compile(f"inlab|prolific|mturk|{OTHER_CONVERSATIONS}")


class TopicJudge(gate.Record):
    """A judge, with the entries on one topic."""

    questiondata: Any = None
    data: Annotated[list[Any], Field(min_length=1)]


class TopicTrial(conversations.ConversationTrial):
    """A trial with the topic of its conversation."""

    assigned_topic: Annotated[gate.Filled, Field(max_length=60)]


class TopicEntry(gate.Record):
    """An entry on one topic."""

    trialdata: TopicTrial


RECORD = TopicEntry


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `stimuli`: the topic of every conversation in a file, for both sides."""
    path = Path(folder) / file.path
    repeats = Repeats(path)
    topics = set()
    for name, content in records.load_records(file, folder).items():
        records.check_key(name, SOURCES, "inlab", path)
        if name == OTHER_CONVERSATIONS:
            continue
        source = gate.check_record(Source, content, path=path, row=name)
        for number, value in enumerate(source.datastring):
            row = f"{name}.datastring[{number}]"
            judge = gate.check_record(TopicJudge, value, path=path, row=row)
            for position, given in enumerate(judge.data):
                row_of_entry = f"{row}.data[{position}]"
                entry = gate.check_record(TopicEntry, given, path=path, row=row_of_entry)
                data = entry.trialdata
                repeats.refuse_different(
                    "two topics of one conversation",
                    data.hit,
                    data.assigned_topic,
                    row_of_entry,
                    "assigned_topic",
                )
                topics.add((data.hit, data.assigned_topic))
    rows = [
        {
            "study": study.study,
            "task": file.task,
            "stimulus": conversations.name_conversation(conversations.FIRST, conversation),
            "side": side,
            "topic": topic,
        }
        for conversation, topic in sorted(topics)
        for side in "AB"
    ]
    return {"stimuli": pd.DataFrame(rows, columns=list(schema.STIMULI))}
