"""Verdicts of machine judges: `{"Trial_1": {"trialData": {...}}, ...}`.

Most predictions name neither a judge nor a stimulus. A file has one judge, or several whose predictions
follow each other in parts of equal size (`judges` of the raw file). Where the study has variants, the
list of sources says to which one the file belongs.

Those of the three machine judges of word associations have the name of a judge (the embedding it is trained
on) as `workerID`, and the cue as `caption`; trials on its own model's words were dropped at the source. Two
defects remain in the published numbers. The "human" words that these judges saw are one random dictionary
word for each cue, repeated five times, so their P(H|H) says nothing about people's associations; this cannot
be fixed. And the words of GPT3 (prompt davinci) are those of GPT2, so the GPT2 judge did judge its own model
there: defect ``own words``.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from converters.zhang2025 import records, trials
from converters.zhang2025.records import Filled, Judged, Record, Source
from turingstats.core.errors import InputError

KEY = trials.KEY + "(?:_[0-9A-Za-z]{1,20})?"
"""Form of the key of a prediction, which may end with the seed of a judge."""
SAME_WORDS: dict[str | int, str] = {"gpt2": "gpt3_prompt_davinci"}
"""By judge, the agent whose words are those of the judge's own model."""


class Prediction(Record):
    """A trial."""

    trialData: Judged


class OfCue(Judged):
    """A verdict on a word."""

    caption: Filled


class NamedPrediction(Record):
    """A trial of a judge with a name."""

    workerID: Annotated[Literal["word2vec", "gpt2", "gpt3"], BeforeValidator(records.spell_side)]
    trialData: OfCue


def read(source: Source) -> records.Tables:
    """Read `judgments` and `judges` from a dictionary of predictions."""
    file = source.file
    has_names = file.judges == "named"
    predictions = list(source.load(KEY, "Trial_12"))
    share, rest = divmod(len(predictions), 1 if file.judges == "named" else file.judges)
    if rest:
        problem = (
            f"{len(predictions)} predictions cannot be divided equally among {file.judges} judges"
        )
        fix = "correct `judges` in converters/zhang2025/files/"
        raise InputError(source.path, problem, fix=fix)
    named: dict[str | int, dict[str, str]] = {}
    for number, (row, value) in enumerate(predictions):
        record: Any = source.check(NamedPrediction if has_names else Prediction, value, row)
        data = record.trialData
        judge, place = (record.workerID, number) if has_names else divmod(number, share)
        if judge not in named:
            named[judge] = source.add_judge()
        author = source.find_author(data, row)
        judged = {"trial": number + 1, "phase": "test", "verdict": data.response_speaker}
        judged |= {"stimulus": data.caption} if has_names else {"variant": file.variant}
        if SAME_WORDS.get(judge) == author["agent"]:
            judged["defect"] = "own words"
        source.judgments.append(named[judge] | author | judged | {"position": place + 1})
    return source.build_tables()
