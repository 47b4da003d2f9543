"""Verdicts of the three machine judges of word associations: `{"Trial_1": {"workerID", "trialData"}, ...}`.

`workerID` is the name of a judge (the embedding it is trained on); trials on its own model's words were
dropped at the source. Two defects remain in the published numbers. The "human" words that these judges
saw are one random dictionary word for each cue, repeated five times, so their P(H|H) says nothing
about people's associations; this cannot be fixed. And the words of GPT3 (prompt davinci) are those
of GPT2, so the GPT2 judge did judge its own model there: defect ``own words``.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from converters.zhang2025 import gate, records, trial_records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from turingstats.config.study import Study

SAME_WORDS = {"gpt2": "gpt3_prompt_davinci"}
"""By judge, the agent whose words are those of the judge's own model."""


class WordPredictionData(trial_records.TrialData):
    """A verdict of a machine judge."""

    trial: Annotated[int, Field(ge=0, le=10_000)]
    caption: gate.Filled


class WordPrediction(gate.Record):
    """A trial; `workerID` is the judge's name."""

    workerID: Annotated[
        Literal["word2vec", "gpt2", "gpt3"], BeforeValidator(trial_records.lower_case)
    ]
    trialData: WordPredictionData


RECORD = WordPrediction


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges`, several machine judges."""
    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    names, judgments = {}, []
    repeats = Repeats(Path(folder) / file.path)
    trials = records.read_records(file, folder, WordPrediction, records.TRIAL, "Trial_12")
    for number, (row, record, where) in enumerate(trials, start=1):
        raw, data = record.workerID, record.trialData
        repeats.refuse("two trials of one judge with the same number", raw, data.trial, row=row)
        name = names.setdefault(raw, records.make_pseudonym(file, len(names) + 1))
        agent, truth = trial_records.find_agent_and_truth(data, agents, **where)
        judgments.append(
            common
            | {
                "judge": name,
                "trial": number,
                "position": number,
                "phase": "test",
                "stimulus": data.caption,
                "agent": agent,
                "truth": truth,
                "verdict": data.response_speaker,
                "defect": "own words" if SAME_WORDS.get(raw) == agent else None,
            }
        )
    judges = [common | {"judge": name} for name in names.values()]
    return records.build_tables(judgments, judges)
