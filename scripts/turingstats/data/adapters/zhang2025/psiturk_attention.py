"""Judgments on eye movements in a table of psiTurk (CSV), one row per session, the trials in JSON.

What is read of a session, and which sessions count, is as in `psiturk_table`.
"""

from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import psiturk_table, scanpaths
from turingstats.data.adapters.zhang2025.people import read_questionnaire


def read(file, folder, study):
    """Read a table of sessions.

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

    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    judgments, judges = [], []
    finished, unfinished = psiturk_table.read_sessions(file, folder)
    for row, _, session, worker in finished:
        where = {"path": path, "row": row}
        judge_columns = common | {"judge": records.make_pseudonym(file, len(judges) + 1)}
        said = read_questionnaire(records.require_field(session, "questiondata", **where), **where)
        judges.append(judge_columns | said | {schema.WORKER: worker})
        for data in psiturk_table.list_session_trials(session, **where):
            judgments.append(judge_columns | parse_judgment(data, agents, path, row))
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=[*schema.JUDGES, schema.WORKER]),
        "left_out": psiturk_table.count_unfinished(unfinished, file, study),
    }


def parse_judgment(data, agents, path, row):
    """Parse one verdict from the trial data of a session."""
    number = records.parse_whole_number(data.get("trial"), path=path, row=row, column="trial")
    where = {"path": path, "row": f"{row}, trial {number}"}
    address = str(records.require_field(data, "imageID", **where))
    agent = scanpaths.identify_agent(address, agents, **where)
    verdict, truth = (
        records.require_allowed_value(
            records.require_field(data, name, **where), schema.TRUTHS, column=name, **where
        )
        for name in ("choose response", "correct response")
    )
    if (agent == "human") != (truth == "human"):
        raise InputError(
            path,
            f"the ground truth is {truth} but the agent is {agent}",
            row=where["row"],
            column="correct response",
            value=truth,
            fix="correct the record",
        )
    return {
        "trial": number,
        "position": number,
        "phase": "test",
        "stimulus": scanpaths.name_stimulus(address),
        "variant": scanpaths.identify_variant(address, **where),
        "agent": agent,
        "truth": truth,
        "verdict": verdict,
        "rt_ms": records.parse_whole_number(data.get("rt"), column="rt", **where),
        "control_ok": scanpaths.check_control_answer(
            data.get("object response"), data.get("correct object")
        ),
    }
