"""Every row of a source is in exactly one line of the exclusion flow.

Checked on the studies that come with the project, and on tables that are generated here in every shape that
a file of sources can describe.
"""

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import OBSERVED, read_study, read_tables

from turingstats.config.settings import Cleaning
from turingstats.core.errors import InputError
from turingstats.data import cleaning, exclusion_log


def add_up(flow):
    """Rows that enter the flow of a cohort, after checking that each step starts where the last ended."""
    for _, steps in flow.groupby(["task", "cohort", "reading"], sort=False):
        assert (steps["rows_in"] - steps["excluded"] == steps["rows_out"]).all()
        assert (
            steps["rows_in"].iloc[1:].to_numpy() == steps["rows_out"].iloc[:-1].to_numpy()
        ).all()
        assert steps["step"].iloc[-1] == "analyzed"
        assert not steps.iloc[:-1].duplicated(["step", "reason"]).any()


@pytest.mark.thorough
def test_flows_hold_every_bundled_trial(transcribed_tables):
    study, judgments = read_study("zhang2025"), transcribed_tables[0]
    flow = exclusion_log.log_exclusions(
        cleaning.mark_exclusions(judgments, study, Cleaning()), study
    )
    flow = flow[flow["judge"] == "all"]
    add_up(flow)
    in_file = flow["step"] != "source"
    for path in sorted(OBSERVED.glob("*_trials.csv")):
        task = path.name.removesuffix("_trials.csv")
        with path.open(newline="", encoding="utf-8") as stream:
            cohorts = [row["cohort"] for row in csv.DictReader(stream)]
        for cohort in set(cohorts):
            own = flow[in_file & (flow["task"] == task) & (flow["cohort"] == cohort)]
            for _, steps in own.groupby("reading"):
                analyzed = steps.loc[steps["step"] == "analyzed", "rows_out"].sum()
                assert analyzed + steps["excluded"].sum() == cohorts.count(cohort), (task, cohort)


STUDY = {
    "study": "made",
    "title": "Made up",
    "agents": {"gpt": {"label": "GPT"}},
    "tasks": {
        "texts": {"label": "Texts", "cohorts": {"lab": {"label": "Lab"}, "web": {"label": "Web"}}}
    },
}
JUDGE = st.sampled_from(["j1", "j2", "j3", "", "99"])
TEXT = st.sampled_from(["t1", "t2", "t3"])
SAID = st.sampled_from(["human", "AI", "unsure", "skip", "-1", "", "AI "])
PLACE = st.sampled_from(["lab", "web", "pilot", ""])
NUMBER = st.sampled_from(["1", "2"])
"""Place of a trial: equal rows are copies, which are counted as left out."""
ROW = st.tuples(JUDGE, TEXT, SAID, PLACE, NUMBER)
ITEMS = "id,by,kind\nt1,gpt,poem\nt2,human,poem\nt3,gpt,essay\n"
VALUES = {"verdict": {"AI": "machine", "skip": None, "": None}, "judge": {"": None}}


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)


def count_accounted_rows(folder, entries):
    """Read a table by some entries; count the rows in the flow, None where no row is left."""
    try:
        study, judgments, _, _, lost, _ = read_tables(folder, STUDY, *entries)
    except InputError as error:
        if "no rows are left" in str(error):
            return None
        raise
    marked = cleaning.mark_exclusions(judgments, study, Cleaning())
    flow = exclusion_log.log_exclusions(marked, study, lost)
    flow = flow[flow["judge"] == "all"]
    add_up(flow)
    own = flow[flow["reading"] == "recommended"]
    analyzed = own.loc[own["step"] == "analyzed", "rows_out"].sum()
    assert analyzed == len(judgments)
    assert own["excluded"].sum() == lost["rows"].sum()
    return analyzed + own["excluded"].sum()


ENTRY = {"path": "t.csv", "format": "verdict_table", "task": "texts", "cohort": "lab"}
JOIN = {"table": "items.csv", "by": {"text": "id"}}


@given(
    rows=st.lists(ROW | st.none(), min_size=1, max_size=25),
    where=st.sampled_from([{}, {"place": ["lab", "web"]}, {"kind": ["poem"]}]),
    codes=st.sampled_from([[], [-1], [99]]),
    two=st.booleans(),
    combined=st.booleans(),
)
def test_rows_of_long_tables_are_counted_once(rows, where, codes, two, combined):
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        # A row without a judge, text, verdict and place is an empty line, which is no row.
        lines = [[""] * 5 if row is None else row for row in rows]
        write_csv(folder / "t.csv", [("who", "text", "said", "place", "nr"), *lines])
        (folder / "items.csv").write_text(ITEMS)
        columns = {"judge": "who", "verdict": "said", "agent": "by", "position": "nr"}
        columns["stimulus"] = ["text", "kind"] if combined else "text"
        # -1 is left out by itself unless it is a code of missing values, which are left out.
        values = dict(VALUES) | {
            "verdict": VALUES["verdict"] | ({} if codes == [-1] else {"-1": None})
        }
        entry = ENTRY | {"columns": columns, "values": values, "join": JOIN, "where": where}
        entry["missing"] = codes
        entries = [entry]
        if two:
            # Entries that share a table read other rows each, or leave the same ones out.
            entries = [
                entry | {"where": {**where, "place": ["lab"]}},
                entry | {"where": {**where, "place": ["web"]}, "cohort": "web"},
            ]
        total = sum(row is not None for row in rows)
        assert count_accounted_rows(folder, entries) in (total, None)


@given(
    cells=st.lists(
        st.tuples(st.integers(1, 20), *[st.sampled_from(["AI", "human", ""])] * 3),
        min_size=1,
        max_size=8,
        # One row per judge: nothing tells a second one from a copy.
        unique_by=lambda row: row[0],
    ),
    listed=st.booleans(),
    where=st.sampled_from([{}, {"kind": ["poem"]}, {"text": ["t1"]}]),
)
def test_cells_of_wide_tables_are_counted_once(cells, listed, where):
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        write_csv(folder / "t.csv", [("who", "said_t1", "said_t2", "said_t3"), *cells])
        items = ITEMS.replace("\nt", "\nsaid_t") if listed else ITEMS
        (folder / "items.csv").write_text(items)
        if listed and "text" in where:
            where = {"text": ["said_t1"]}
        pattern = ["said_t1", "said_t2", "said_t3"] if listed else "said_*"
        entry = ENTRY | {
            "wide": {"name": "text", "columns": {"answer": pattern}},
            "columns": {"judge": "who", "verdict": "answer", "agent": "by", "stimulus": "text"},
            "values": {"verdict": {"AI": "machine"}},
            "join": JOIN,
            "where": where,
        }
        found = count_accounted_rows(folder, [entry])
        if any(row[1] for row in cells):
            # Text t1 has an answer and passes every filter.
            assert found == 3 * len(cells)
        else:
            assert found in (3 * len(cells), None)
