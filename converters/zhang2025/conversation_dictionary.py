"""Judgments of conversations: `{"inlab": {"datastring": [{"questiondata", "data"}, ...]}, ...}`.

One list of judges per source (`key`), without names of judges. The first entry of each judge's trials
is a dummy with conversation 0. The labels of the conversations are in other files.
"""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from converters.zhang2025 import conversations, gate, records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import TrialRepeats
from turingstats.config.study import Study

Zero = Annotated[int, Field(ge=0, le=0)]


class Source(gate.Record):
    """The judges of a source."""

    datastring: Annotated[list[Any], Field(min_length=1)]


class Judge(gate.Record):
    """A judge: answers about themselves, and entries."""

    questiondata: conversations.Questionnaire
    data: Annotated[list[Any], Field(min_length=2)]


class Entry(gate.Record):
    """A trial."""

    trialdata: conversations.ConversationTrial


class DummyData(gate.OpenRecord):
    """What stands before the trials of a judge."""

    hit: Zero
    hit_len: Zero
    Aclass: Zero
    rt: Zero


class Dummy(gate.Record):
    """The entry before the trials of a judge."""

    trialdata: DummyData


RECORD = Entry


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments`, without agent and truth, and `judges` of one source."""
    path = Path(folder) / file.path
    common = records.make_common_columns(file, study)
    repeats = TrialRepeats(file, path)
    judgments, judges = [], []
    content = records.load_records(file, folder)
    source = gate.check_record(Source, content, path=path, row=file.key)
    for number, value in enumerate(source.datastring):
        row = f"{file.key}.datastring[{number}]"
        judge = gate.check_record(Judge, value, path=path, row=row)
        name = records.make_pseudonym(file, number + 1)
        judge_columns = common | {"judge": name}
        judges.append(judge_columns | judge.questiondata.list_columns())
        for position, entry in enumerate(judge.data):
            where: dict[str, Any] = {"path": path, "row": f"{row}.data[{position}]"}
            if position == 0:
                gate.check_record(Dummy, entry, **where)
                continue
            data = gate.check_record(Entry, entry, **where).trialdata
            repeats.refuse_trial(
                name, data.stimulus, position, data.rt, data.Aclass, row=where["row"]
            )
            place = judge_columns | {"trial": position, "position": position, "phase": "test"}
            judgments += [place | side for side in conversations.make_judgments(data)]
    return records.build_tables(judgments, judges)
