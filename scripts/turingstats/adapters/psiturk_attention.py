"""Judgments on eye movements in a table of psiTurk: CSV, one row a session, the trials in JSON.

Identifiers, addresses and browsers are in columns of their own and in the JSON; of these only the id of
the worker is read, to tell who judged before. A session counts when it was finished; who left has no
trials or a lower status.
"""

import csv
import json
import sys
from pathlib import Path

from turingstats import schema
from turingstats.adapters import persons, records, scanpaths
from turingstats.adapters.people import questionnaire
from turingstats.errors import InputError

FINISHED = 3
"""Least status of a finished session (3 finished, 4 submitted, 5 credited)."""


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
    import pandas as pd

    path = Path(folder) / file.path
    agents = records.agent_names(study)
    common = records.place(file, study)
    judgments, judges = [], []
    for row, session, worker in sessions(path, file):
        where = {"path": path, "row": row}
        own = common | {"judge": records.pseudonym(file, len(judges) + 1)}
        said = questionnaire(records.field(session, "questiondata", **where), **where)
        judges.append(own | said | {schema.WORKER: worker})
        for entry in records.field(session, "data", **where):
            data = records.field(entry, "trialdata", **where)
            if data.get("phase") == "TEST":
                judgments.append(own | judgment(data, agents, path, row))
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=[*schema.JUDGES, schema.WORKER]),
    }


def judgment(data, agents, path, row):
    """One verdict, of the trial data of a session."""
    number = records.whole_number(data.get("trial"), path=path, row=row, column="trial")
    where = {"path": path, "row": f"{row}, trial {number}"}
    address = str(records.field(data, "imageID", **where))
    agent = scanpaths.agent_of(address, agents, **where)
    verdict, truth = (
        records.one_of(records.field(data, name, **where), schema.TRUTHS, column=name, **where)
        for name in ("choose response", "correct response")
    )
    if (agent == "human") != (truth == "human"):
        raise InputError(
            path,
            f"the ground truth is {truth} but the agent is {agent}",
            row=where["row"],
            column="correct response",
            value=truth,
            remedy="correct the record",
        )
    return {
        "trial": number,
        "position": number,
        "phase": "test",
        "stimulus": scanpaths.stimulus_of(address),
        "variant": scanpaths.variant_of(address, **where),
        "agent": agent,
        "truth": truth,
        "verdict": verdict,
        "rt_ms": records.whole_number(data.get("rt"), column="rt", **where),
        "control_ok": scanpaths.control_answer(
            data.get("object response"), data.get("correct object")
        ),
    }


def sessions(path, file):
    """Finished sessions of a table, as (name of the row, session, worker).

    The worker is None where the sources file does not say whose ids they are.
    """
    csv.field_size_limit(sys.maxsize)
    try:
        with open(path, newline="", encoding="utf-8") as lines:
            table = list(csv.DictReader(lines, strict=True))
    except FileNotFoundError:
        raise InputError(
            path,
            "the raw file is gone",
            remedy="fetch or generate the raw data again: snakemake --forcerun obtain",
        ) from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(
            path,
            f"not a valid CSV table ({error}); the file may be cut short",
            remedy="restore the file from its source",
        ) from None
    found = []
    for number, cells in enumerate(table, start=1):
        row = f"session {number}"
        for column in ("status", "datastring"):
            if cells.get(column) is None:
                raise InputError(
                    path,
                    "a required column is missing or the row is cut short",
                    row=row,
                    column=column,
                    remedy="restore the file from its source",
                )
        status = records.whole_number(cells["status"], path=path, row=row, column="status")
        if (status or 0) < FINISHED or not cells["datastring"]:
            continue
        try:
            session = json.loads(cells["datastring"])
            found.append((row, session, persons.worker_of(cells, file)))
        except json.JSONDecodeError as error:
            raise InputError(
                path,
                f"not valid JSON ({error})",
                row=row,
                column="datastring",
                remedy="restore the file from its source",
            ) from None
    if not found:
        raise InputError(path, "no finished session", remedy="restore the file from its source")
    return found
