"""The claims ledger: each published number beside the recomputed one, with a verdict.

`data/published/<paper>/claims.csv` holds the published number, its place and precision, and where the
recomputed one stands: `table` (a CSV of the study's statistics/), `ids` (rows of it), `column`, and
`combine` (how several cells become one number). docs/claims.md describes every column.

Statuses: `reproduced` (equal at the printed precision, or the printed relation holds), `close` (within
the tolerance declared for a number from unseeded code or printed as approximate; on generated data,
inside the interval of the generated rate), `taken over` (equal because it was taken from the paper),
`differs`, `impossible` (the paper contradicts itself
here), `no data` (with the file that would be needed), `not computed` (with the reason).
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation

import numpy as np
import pandas as pd

from turingstats.core.claim_statuses import STATUSES
from turingstats.core.data_labels import GENERATED, PRINTED_COUNTS
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import READINGS
from turingstats.data.absence import NOT_PUBLIC, name_file

COLUMNS = (
    "claim_id location task judge cohort group kind quantity test value relation decimals table ids "
    "column combine tolerance missing remark"
).split()
# What a list of the notebooks' numbers says beside: n or unit, and the file that prints it.
NOTEBOOK_COLUMNS = ("unit", "notebook")
KINDS = ("result", "count", "protocol")
RELATIONS = {
    "=": lambda found, value: found == value,
    "~": lambda found, value: found == value,
    "<": lambda found, value: found < value,
    ">": lambda found, value: found > value,
    "<=": lambda found, value: found <= value,
    ">=": lambda found, value: found >= value,
}
# What makes one number of several cells, and how many cells it takes (None: one or more).
COMBINATIONS = {
    "value": 1,
    "abs": 1,
    "minus_abs": 1,
    "complement": 1,
    "difference": 2,
    "ratio": None,
    "sum": None,
    "mean": None,
    "min": None,
    "max": None,
    "rank": None,
}
LEDGER = (
    "paper claim_id location task judge cohort group kind quantity published relation recomputed "
    "recomputed_exact recommended recommended_exact status reading table ids column why data"
).split()
ROW = re.compile(r"(?P<name>[^\[\]]+?)(?:\[(?P<where>[^\[\]]+)\])?")


# --- the claims of a paper ---------------------------------------------------------------------


def read(path, tasks, tables=None, further=()):
    """Read and check a paper's claims.csv, or the numbers that its authors' notebooks print.

    Parameters
    ----------
    path : path-like
    tasks : collection of str
        Tasks of the study; a claim on all of them has the task `all`.
    tables : dict of str to collection of str, optional
        Columns of each results table, to check the queries against.
    further : sequence of str, optional
        Columns that the file has beside those of `COLUMNS`, such as `NOTEBOOK_COLUMNS`.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS` and `further`.

    Raises
    ------
    InputError
        Names the first cell at fault: file, row (line and claim), column, what was found, what is
        allowed and what to do.
    """

    claims = pd.read_csv(path, dtype=str, encoding="utf-8-sig")
    columns = [*COLUMNS, *further]
    wrong = [c for c in columns if c not in claims] + [c for c in claims if c not in columns]
    if wrong:
        raise InputError(
            path,
            "the columns are not those of a file of claims",
            column=wrong[0],
            value="missing" if wrong[0] in columns else "unknown",
            allowed=columns,
            remedy="the header must name just these columns; see docs/claims.md",
        )
    first = {}
    for line, claim in enumerate(records(claims), start=2):
        fault = fault_of(claim, tasks, tables)
        name = claim["claim_id"]
        if fault is None and name in first:
            fault = ("claim_id", "this claim stands here twice", None, "give each claim its own id")
        if fault is not None:
            column, problem, allowed, remedy = fault
            raise InputError(
                path,
                problem,
                row=f"line {line} ({name})",
                column=column,
                value=claim[column] or "",
                allowed=allowed,
                remedy=remedy,
            )
        first[name] = line
    numbers = {"value": float, "decimals": int, "tolerance": float}
    return claims[columns].astype(numbers)


def fault_of(claim, tasks, tables):
    """The first fault of a claim: column, problem, what is allowed, remedy; None without one."""
    for column in ("claim_id", "location", "quantity"):
        if not claim[column]:
            return column, "a claim needs this", None, "fill in the cell"
    for column, allowed in (
        ("task", [*tasks, "all"]),
        ("kind", KINDS),
        ("relation", RELATIONS),
    ):
        if claim[column] not in allowed:
            return column, "not one of the allowed values", allowed, "see docs/claims.md"
    value = number(claim["value"])
    if value is None:
        return "value", "not a number", None, "write the printed number, a share as 0.55"
    if not re.fullmatch(r"\d+", claim["decimals"] or ""):
        remedy = "count the printed decimals of the value (2 for 0.55 and for 55 %)"
        return "decimals", "not a count", None, remedy
    if value.normalize().as_tuple().exponent < -int(claim["decimals"]):
        return "value", f"has more than {claim['decimals']} decimals", None, "mend either column"
    tolerance = number(claim["tolerance"] or "0")
    if tolerance is None or tolerance < 0:
        return "tolerance", "not a number of 0 or more", None, "leave it empty, or mend it"
    if not claim["table"]:
        for column in ("ids", "column", "combine"):
            if claim[column]:
                return "table", "a query needs a table", tables, "name one, or empty the query"
        if not (claim["missing"] or claim["remark"]):
            remedy = "name the missing file in `missing`, or the reason in `remark`"
            return "remark", "a claim without a query needs the reason why", None, remedy
        return None
    return fault_of_query(claim, tables)


def fault_of_query(claim, tables):
    """The first fault of a claim's query, as `fault_of`."""
    if tables is not None and claim["table"] not in tables:
        remedy = "a table is a CSV in statistics/ that the target `statistics` makes"
        return "table", "no such results table", sorted(tables), remedy
    if tables is not None and claim["column"] not in tables[claim["table"]]:
        allowed = tables[claim["table"]]
        return "column", f"no such column in {claim['table']}", allowed, "name one of these"
    if claim["combine"] not in COMBINATIONS:
        return "combine", "not one of the allowed values", COMBINATIONS, "see docs/claims.md"
    remedy = 'rows are "a; b", a ratio "a; b / c; d", one of several lines "a[term=x]"'
    try:
        sides = rows_of(claim["ids"] or "")
    except ValueError as error:
        return "ids", str(error), None, remedy
    if (len(sides) == 2) != (claim["combine"] == "ratio"):
        return "ids", "a ratio, and nothing else, has two lists with a slash between", None, remedy
    wanted = COMBINATIONS[claim["combine"]]
    if wanted and len(sides[0]) != wanted:
        return "ids", f"{claim['combine']} takes {wanted} row(s), not {len(sides[0])}", None, remedy
    return None


def number(text):
    """A finite number as Decimal, or None."""
    try:
        value = Decimal(text or "")
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def rows_of(ids):
    """Take the rows of a query apart.

    Parameters
    ----------
    ids : str
        Such as ``a; b``, for a ratio ``a; b / c; d``; ``a[term=age, scale=logit]`` picks one of
        several lines that share the key ``a``.

    Returns
    -------
    tuple of list of tuple
        One list a side of the slash; each row as (key, {column: value}).

    Raises
    ------
    ValueError
        The text does not say which rows.
    """
    sides = []
    for side in ids.split(" / "):
        rows = []
        for item in side.split("; "):
            match = ROW.fullmatch(item.strip())
            pairs = (
                [pair.partition("=") for pair in (match["where"] or "").split(", ") if pair]
                if match
                else []
            )
            if match is None or not all(sign and column for column, sign, _ in pairs):
                raise ValueError(f"{item!r} names no row")
            rows.append((match["name"].strip(), {column: value for column, _, value in pairs}))
        sides.append(rows)
    if len(sides) > 2:
        raise ValueError("more than one slash")
    return tuple(sides)


def records(table):
    """Rows as dictionaries, with None for what is missing."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


# --- the recomputed numbers --------------------------------------------------------------------


class Results:
    """The results tables of a study, each indexed by its key.

    The key is the first column whose name ends in ``_id``. A table without a column ``reading``
    holds the same numbers for both readings.

    Parameters
    ----------
    tables : dict of str to pandas.DataFrame
    """

    def __init__(self, tables):
        self.columns = {name: list(table.columns) for name, table in tables.items()}
        self.keys = {name: key_of(name, table) for name, table in tables.items()}
        # Rows as lists, by table, reading and key: thousands of them are looked up.
        self.rows = {}
        for name, table in tables.items():
            at, reading_at = self.columns[name].index(self.keys[name]), None
            if "reading" in table:
                reading_at = self.columns[name].index("reading")
            for row in table.astype(object).to_numpy():
                for reading in READINGS if reading_at is None else [row[reading_at]]:
                    self.rows.setdefault((name, reading, row[at]), []).append(row)

    def lines(self, table, reading, key):
        """All lines of a table with a key, as dictionaries."""
        rows = self.rows.get((table, reading, key), [])
        return [dict(zip(self.columns[table], row, strict=True)) for row in rows]

    def line(self, table, reading, key, where):
        """The one line of a table with a key that meets the conditions, or None.

        Raises
        ------
        InputError
            Several lines do, or a condition is on a column that does not exist.
        """
        for column in where:
            if column not in self.columns[table]:
                raise InputError(
                    f"statistics/{table}.csv",
                    "a claim picks lines by a column that does not exist",
                    row=key,
                    column=column,
                    allowed=self.columns[table],
                    remedy="mend the ids of the claim",
                )
        lines = [
            line
            for line in self.lines(table, reading, key)
            if all(str(line[column]) == value for column, value in where.items())
        ]
        if len(lines) > 1:
            telling = [c for c in self.columns[table] if len({str(line[c]) for line in lines}) > 1]
            raise InputError(
                f"statistics/{table}.csv",
                f"several lines answer one claim in the {reading} reading",
                row=key,
                remedy="pick one in the ids of the claim, such as "
                f"{key}[{telling[0] if telling else 'column'}=...]",
            )
        return lines[0] if lines else None


def key_of(name, table):
    """Name of the key column of a results table."""
    for column in table.columns:
        if column.endswith("_id"):
            return column
    raise InputError(
        f"statistics/{name}.csv",
        "the table has no key that a claim could name",
        column="the first one whose name ends in _id",
        value=list(table.columns),
        remedy="give the table such a column, with one value a line",
    )


@dataclass(frozen=True)
class Found:
    """A recomputed number: nan with the reason in `why`, or with how it came about in `exact`."""

    value: float = np.nan
    exact: str = ""
    why: str = ""
    statistic: str = ""
    """Name of the statistic, where the table says it."""


def find(claim, results, reading):
    """The recomputed number of a claim in one reading.

    Parameters
    ----------
    claim : dict
    results : Results
    reading : str

    Returns
    -------
    Found
    """

    if not claim["table"]:
        return Found()
    sides = []
    for side in rows_of(claim["ids"]):
        lines = []
        for key, where in side:
            line = results.line(claim["table"], reading, key, where)
            if line is None:
                return Found(why=f"not in this run ({claim['table']}: {key})")
            if pd.isna(line[claim["column"]]):
                said = line.get("dropped")
                return Found(why=said if isinstance(said, str) else f"no value in {key}")
            lines.append(line)
        sides.append(lines)
    lines = sides[0]
    first = lines[0]
    cells = [np.array([float(line[claim["column"]]) for line in side]) for side in sides]
    value, exact = combined(claim["combine"], *cells)
    if claim["combine"] == "value" and claim["column"] == "value" and pd.notna(first.get("k")):
        exact = f"{first['k']:.0f}/{first['n']:.0f}"
    name = first.get("statistic_name")
    return Found(value, exact or unrounded(value), statistic=name if isinstance(name, str) else "")


def combined(combine, values, below=None):
    """Make one number of several cells; say how where that is not plain."""
    if combine == "ratio":
        return values.sum() / below.sum(), f"{values.sum():g}/{below.sum():g}"
    if combine == "difference":
        return values[0] - values[1], f"{values[0]:.4f} - {values[1]:.4f}"
    if combine == "rank":
        # Place of the first among all, 1 for the largest; equal ones share the better place.
        return float(1 + (values[1:] > values[0]).sum()), ", ".join(f"{v:.4g}" for v in values)
    simple = {
        "value": lambda v: v[0],
        "abs": lambda v: abs(v[0]),
        "minus_abs": lambda v: -abs(v[0]),
        "complement": lambda v: 1 - v[0],
        "sum": np.sum,
        "mean": np.mean,
        "min": np.min,
        "max": np.max,
    }
    return float(simple[combine](values)), ""


def absent_files(claim, absent, comparisons, pools):
    """Name the public raw files that a claim rests on and the source lacks, each with the reason.

    The tests say which cohorts they compare; the key of every other table begins with task and
    cohort. A pooled cohort rests on the files of its parts.
    """
    if not claim["table"]:
        return []
    needed = set()
    for side in rows_of(claim["ids"]):
        for name, _ in side:
            if claim["table"] == "tests":
                own = [c for c in comparisons if f"{name}.".startswith(f"{c.id}.")]
                # A test of answers, such as how far people agree, compares no cohorts of judges.
                needed |= {(c.task, cohort) for c in own for cohort in c.cohorts or (None,)}
            else:
                task, _, rest = name.partition(".")
                cohort = rest.partition(".")[0]
                of_responses = claim["table"] == "texts" or cohort == "responses"
                needed.add((task, None if of_responses else cohort))
    needed |= {
        (task, part) for task, cohort in needed for part in pools.get(task, {}).get(cohort, ())
    }
    own = (row for row in absent if (row["task"], row["cohort"]) in needed)
    return list(dict.fromkeys(map(name_file, own)))


# --- verdicts ----------------------------------------------------------------------------------


def check(claims, paper, tables, missing, comparisons, data, doubts=None, tasks=None, pools=None):
    """Compare every claim with what was computed.

    Parameters
    ----------
    claims : pandas.DataFrame
        From `read`.
    paper : str
    tables : dict of str to pandas.DataFrame
        Results tables by name; see `Results`.
    missing : pandas.DataFrame
        Raw files that the source lacks: task, cohort, path, why.
    comparisons : sequence of Comparison
        The declared tests, which say what cohorts a test rests on.
    data : str
        What the results were computed from.
    doubts : dict of str to str, optional
        How the paper contradicts itself, by claim (`turingstats.claims.consistency.doubts`).
    tasks : collection of str, optional
        Tasks of this run; of claims on others nothing is looked for. None: all.
    pools : dict of dict, optional
        By task and pooled cohort, the cohorts whose trials it puts together.

    Returns
    -------
    pandas.DataFrame
        Columns `LEDGER` and what the claims have beside `COLUMNS`, a row a claim. `recomputed` is the
        published reading's number at the printed precision, `recomputed_exact` the same unrounded (as
        a fraction where it is one), `recommended` and `recommended_exact` the other reading's, empty
        where it computes another statistic; `reading` names the readings in which the claim holds;
        table, ids and column are the query that answers it.
    """

    results = Results(tables)
    absent = records(missing[missing["why"] != NOT_PUBLIC])
    further = [column for column in claims if column not in COLUMNS]
    rows = []
    for claim in records(claims):
        if tasks is not None and claim["task"] not in (*tasks, "all"):
            found = dict.fromkeys(READINGS, Found(why="the task is not in this run"))
            lacking = []
        else:
            found = {reading: find(claim, results, reading) for reading in READINGS}
            lacking = absent_files(claim, absent, comparisons, pools or {})
            names = {found[reading].statistic for reading in READINGS}
            if claim["column"] == "statistic" and len(names) > 1:
                found["recommended"] = Found()
        printed = from_printed_counts(claim, results)
        row = verdict(claim, found, (doubts or {}).get(claim["claim_id"], ""), lacking)
        # A setting, or a rate whose count follows from the printed one, could not have come out otherwise,
        # so it says nothing for the paper.
        taken = claim["table"] == "settings" or (claim["table"] == "success_rates" and printed)
        if taken and row["status"] == "reproduced":
            row["status"] = "taken over"
        # What the study file declares is no draw.
        if (
            data.startswith(GENERATED)
            and row["status"] == "differs"
            and claim["table"] != "settings"
            and not printed
        ):
            row |= recovery(claim, results)
        row |= {column: claim[column] for column in further}
        rows.append(row | {"paper": paper, "data": PRINTED_COUNTS if printed else data})
    return pd.DataFrame(rows, columns=[*LEDGER, *further])


def from_printed_counts(claim, results):
    """Whether the rows that answer a claim were made of counts that the paper prints."""
    if not claim["table"]:
        return False
    for side in rows_of(claim["ids"]):
        for key, where in side:
            line = results.line(claim["table"], READINGS[0], key, where)
            if line is None or line.get("data") != PRINTED_COUNTS:
                return False
    return True


def recovery(claim, results):
    """The verdict on a number that generated data do not meet exactly.

    The generator aims at the published rates, so a published rate inside the interval of the
    generated one is a parameter recovered. Nothing follows for the paper.
    """
    status, why = "differs", "generated data: a draw of the same design, not the published trials"
    if claim["combine"] == "value" and claim["column"] == "value":
        ((key, where),) = rows_of(claim["ids"])[0]
        line = results.line(claim["table"], "recommended", key, where)
        half = 0.5 * 10.0 ** -int(claim["decimals"])
        if line is not None and {"ci_low", "ci_high"} <= set(line):
            low, high = line["ci_low"] - half, line["ci_high"] + half
            if low <= claim["value"] <= high:
                status = "close"
                why = "generated data: parameter recovered, the published number is inside the interval"
    return {"status": status, "why": "; ".join(filter(None, [why, claim["remark"]]))}


def verdict(claim, found, doubt, lacking):
    """The verdict on one claim, as a row of the ledger.

    Parameters
    ----------
    claim : dict
    found : dict of str to Found
        By reading.
    doubt : str
        How the paper contradicts this number; empty if it does not.
    lacking : list of str
        Raw files that the claim needs and the source lacks.
    """
    value = found["published"].value
    holds = [reading for reading in READINGS if agrees(found[reading].value, claim)]
    computed = [reading for reading in READINGS if np.isfinite(found[reading].value)]
    why = [doubt]
    outside = found["published"].why == "the task is not in this run"
    if holds:
        status = "reproduced"
    elif doubt:
        status = "impossible"
    elif not computed and not outside and (claim["missing"] or lacking):
        status = "no data"
    elif not computed:
        status = "not computed"
    elif close(value, claim):
        status = "close"
    else:
        status = "differs"
    if not computed and not outside and (claim["missing"] or lacking):
        why.insert(0, f"needs {claim['missing'] or ', '.join(lacking)}")
    elif not computed:
        why.append(found["published"].why)
    why.append(claim["remark"])
    decimals = int(claim["decimals"])
    return {key: claim[key] for key in LEDGER if key in claim} | {
        "published": Decimal(str(claim["value"])).quantize(Decimal(1).scaleb(-decimals)),
        "recomputed": shown(value, claim),
        "recomputed_exact": found["published"].exact,
        "recommended": shown(found["recommended"].value, claim),
        "recommended_exact": found["recommended"].exact,
        "status": status,
        "reading": " and ".join(holds),
        "why": "; ".join(filter(None, why)),
    }


def roundings(value, decimals):
    """`value` at the printed precision, by every common rule for ties."""
    exact = Decimal(repr(round(float(value), 10)))
    unit = Decimal(1).scaleb(-decimals)
    rules = (ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_HALF_DOWN)
    return {exact.quantize(unit, rounding=rule) for rule in rules}


def agrees(value, claim):
    """Whether a recomputed number stands in the printed relation to the printed one."""
    if not np.isfinite(value):
        return False
    printed = Decimal(str(claim["value"]))
    if claim["relation"] in ("=", "~"):
        return printed in roundings(value, int(claim["decimals"]))
    return RELATIONS[claim["relation"]](Decimal(repr(float(value))), printed)


def close(value, claim):
    """Whether a number is met within its declared tolerance."""
    tolerance = claim["tolerance"]
    if tolerance is None or not np.isfinite(tolerance) or not np.isfinite(value):
        return False
    return abs(value - claim["value"]) <= tolerance


def shown(value, claim):
    """A recomputed number at the printed precision, or to three significant digits beside < and >."""
    if not np.isfinite(value):
        return ""
    if claim["relation"] in ("=", "~"):
        return str(
            min(roundings(value, int(claim["decimals"])), key=lambda d: abs(float(d) - value))
        )
    return f"{value:.3g}"


def unrounded(value):
    """All digits of a number that was computed."""
    return repr(float(value)) if np.isfinite(value) else ""


def summarise(ledger, by=("paper", "task", "kind")):
    """Number of claims by paper, task, kind and status.

    Parameters
    ----------
    ledger : pandas.DataFrame
        From `check`.
    by : sequence of str
        Columns to count by, beside the status.

    Returns
    -------
    pandas.DataFrame
        The columns of `by`, status, n, data; for each kind of data every status in its order, also
        those without a claim.
    """

    # Claims on real and on generated data are never added up.
    by = [*by, "data"]
    status = pd.Categorical(ledger["status"], categories=STATUSES)
    keys = [
        *(ledger[column] for column in by),
        pd.Series(status, name="status", index=ledger.index),
    ]
    counted = ledger.groupby(keys, observed=False, sort=False).size().rename("n").reset_index()
    present = counted.groupby(by)["n"].transform("sum") > 0
    counted = counted[present].sort_values([*by, "status"], kind="stable")
    columns = [*(column for column in by if column != "data"), "status", "n", "data"]
    return counted.reset_index(drop=True)[columns]
