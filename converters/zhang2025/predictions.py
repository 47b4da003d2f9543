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

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator

from converters.zhang2025 import records, trials
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.records import Filled, Judged, Record
from turingstats.config.study import Study
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


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a dictionary of predictions."""
    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    predictions = list(records.load_records(file, folder, KEY, "Trial_12"))
    judges = 1 if file.judges == "named" else file.judges
    share, rest = divmod(len(predictions), judges)
    if rest:
        problem = f"{len(predictions)} predictions cannot be divided equally among {judges} judges"
        raise InputError(path, problem, fix="correct `judges` in converters/zhang2025/files/")
    names: dict[str | int, str] = {}
    judgments = []
    for number, (row, value) in enumerate(predictions):
        judgment = common | {"trial": number + 1, "phase": "test"}
        data: Judged
        judge: str | int
        if file.judges == "named":
            record = records.check_record(NamedPrediction, value, path, row)
            judge, data = record.workerID, record.trialData
            judgment |= {"position": number + 1, "stimulus": record.trialData.caption}
        else:
            data = records.check_record(Prediction, value, path, row).trialData
            judge, place = divmod(number, share)
            judgment |= {"position": place + 1, "variant": file.variant}
        agent, truth = records.find_agent_and_truth(data, agents, path, row)
        judgment |= {
            "judge": names.setdefault(judge, records.make_pseudonym(file, len(names) + 1)),
            "agent": agent,
            "truth": truth,
            "verdict": data.response_speaker,
        }
        if SAME_WORDS.get(judge) == agent:
            judgment["defect"] = "own words"
        judgments.append(judgment)
    return records.build_tables(judgments, [common | {"judge": name} for name in names.values()])
