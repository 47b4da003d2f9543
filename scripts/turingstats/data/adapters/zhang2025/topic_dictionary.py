"""Topics of conversations: judgments like those of `conversation_dictionary`, with `assigned_topic`.

Only conversation and topic are read; the judgments are in the first collection's file. The source
`chatgpt` is left out, because it uses the same numbers for other conversations.
"""

from pathlib import Path

import pandas as pd

from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import conversations

OTHER_CONVERSATIONS = "chatgpt"


def read(file, folder, study):
    """Read the topic of every conversation in a file.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `stimuli`: topic, for both sides.
    """

    path = Path(folder) / file.path
    topics = set()
    for source, content in records.load_records(file, folder).items():
        if source == OTHER_CONVERSATIONS:
            continue
        judges = records.require_field(content, "datastring", path=path, row=source)
        for number, judge in enumerate(judges):
            where = {"path": path, "row": f"{source}.datastring[{number}]"}
            for entry in records.require_field(judge, "data", **where):
                data = records.require_field(entry, "trialdata", **where)
                conversation = records.require_field(data, "hit", **where)
                if conversation:
                    topics.add(
                        (conversation, records.require_field(data, "assigned_topic", **where))
                    )
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
