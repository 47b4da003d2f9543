"""Verdicts of the three machine judges of word associations: `{"Trial_1": {"workerID", "trialData"}, ...}`.

`workerID` is the name of a judge (the embedding it is trained on); trials on its own model's words were
dropped at the source. Two defects remain in the published numbers. The "human" words that these judges
saw are one random dictionary word for each cue, repeated five times, so their P(H|H) says nothing
about people's associations; this cannot be fixed. And the words of GPT3 (prompt davinci) are those
of GPT2, so the GPT2 judge did judge its own model there: defect ``own words``.
"""

import pandas as pd

from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import trial_records

SAME_WORDS = {"gpt2": "gpt3_prompt_davinci"}
"""By judge, the agent whose words are those of the judge's own model."""


def read(file, folder, study):
    """Read the verdicts of several machine judges.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments` and `judges`.
    """

    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    names, judgments = {}, []
    trials = enumerate(trial_records.iterate_trials(file, folder), start=1)
    for number, (_, record, data, where) in trials:
        raw = str(records.require_field(record, "workerID", **where)).strip().lower()
        name = names.setdefault(raw, records.make_pseudonym(file, len(names) + 1))
        agent, truth = trial_records.find_agent_and_truth(data, agents, **where)
        judgments.append(
            common
            | {
                "judge": name,
                "trial": number,
                "position": number,
                "phase": "test",
                "stimulus": records.require_field(data, "caption", **where),
                "agent": agent,
                "truth": truth,
                "verdict": trial_records.read_verdict(data, **where),
                "defect": "own words" if SAME_WORDS.get(raw) == agent else None,
            }
        )
    judges = [common | {"judge": name} for name in names.values()]
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=list(schema.JUDGES)),
    }
