"""Functions for notebooks: verdicts in a data frame in, tables as data frames out.

They give the numbers of the recommended reading. `turingstats.counts`, `turingstats.estimate`,
`turingstats.compare` and `turingstats.plan` are those of this module.
"""

from collections.abc import Collection, Iterator
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.comparisons import crossed
from turingstats.analysis.estimates.recommended import estimate_recommended
from turingstats.config.planning import STATED, Plan
from turingstats.core.errors import ConfigError
from turingstats.core.labels import join_with_and
from turingstats.core.quantity_names import CALLED_HUMAN, WHOSE
from turingstats.core.yaml_models import build_model
from turingstats.data import counts as counting
from turingstats.planning import assumptions, grid
from turingstats.stats import multiplicity
from turingstats.stats.hypothesis.outcome import join_notes
from turingstats.stats.quantities import QUANTITIES

VERDICTS = ("human", "machine", "unsure")
PEOPLE, POOLED = "human", "all"
"""The agent that people are, and machines pooled."""
EVERYTHING = ("all", "all")
"""Where the counts of all trials are among those of groups."""
COMPARED = (*QUANTITIES, CALLED_HUMAN)
ESTIMATE_COLUMNS = [
    "agent", "quantity", "value", "n", "n_judges", "n_stimuli", "se", "df", "ci_low", "ci_high",
    "error_over", "wilson_low", "wilson_high", "method",
]  # fmt: skip
CORRECTIONS = ("holm", "bonferroni")
NUMBERS = (*(f"n_{word}" for word in VERDICTS), "n")
COUNTED = ("judge", "stimulus", "agent", *NUMBERS)
"""Columns of counts, of which a column of groups can have none as its name."""
DESIGN_COLUMNS = [
    "question", "judges", "trials", "stimuli", "verdicts", "cost", "power", "power_low",
    "power_high", "reaches", "cheapest", "detectable", "mean_width",
]  # fmt: skip
TEST_COLUMNS = [
    "agent", "groups", "quantity", "effect", "ci_low", "ci_high", "statistic_name", "statistic",
    "df", "p", "p_adjusted", "n_per_group", "unit", "dropped", "method",
]  # fmt: skip


def counts(
    trials: pd.DataFrame,
    *,
    judge: str = "judge",
    agent: str = "agent",
    verdict: str = "verdict",
    stimulus: str = "stimulus",
    by: str | None = None,
) -> pd.DataFrame:
    """Count verdicts by judge, agent and stimulus.

    Parameters
    ----------
    trials : pandas.DataFrame
        One row per verdict.
    judge, agent, verdict, stimulus : str
        Names of columns. The agent is who made the response: `human` for people, or the name of a machine.
        Verdicts are human, machine or unsure. Without a column `stimulus`, errors are over judges alone.
    by : str, optional
        Column by which counts are separate, such as a group of judges.

    Returns
    -------
    pandas.DataFrame
        Columns judge, stimulus (if known), agent, `by`, n_human, n_machine, n_unsure, and n, the verdicts
        that took a side.

    Raises
    ------
    ConfigError
        See `name_columns` and `check_trials`.

    Examples
    --------
    >>> import pandas as pd
    >>> import turingstats
    >>> trials = pd.DataFrame({
    ...     "judge": ["ann", "ann", "ann", "bob"],
    ...     "agent": ["human", "gpt", "gpt", "gpt"],
    ...     "verdict": ["human", "machine", "human", "unsure"],
    ... })
    >>> turingstats.counts(trials)
      judge  agent  n_human  n_machine  n_unsure  n
    0   ann    gpt        1          1         0  2
    1   ann  human        1          0         0  1
    2   bob    gpt        0          0         1  0
    """
    named = {"judge": judge, "agent": agent, "verdict": verdict, "stimulus": stimulus, "by": by}
    table = check_trials(trials, name_columns(trials, named))
    keys = [name for name in ("judge", "stimulus", "agent", "by") if name in table]
    for word in VERDICTS:
        table[f"n_{word}"] = (table["verdict"] == word).astype(int)
    table["n"] = table["n_human"] + table["n_machine"]
    counted = table.groupby(keys, sort=True)[[*NUMBERS]].sum().reset_index()
    return counted.rename(columns={"by": by} if by is not None else {})


def estimate(
    trials: pd.DataFrame, *, choice: bool = False, level: float = 0.95, **columns: str
) -> pd.DataFrame:
    """Estimate how often people and machines are judged human, and how well they are told apart.

    Parameters
    ----------
    trials : pandas.DataFrame
        As in `counts`.
    choice : bool
        A verdict is a choice between a person's and a machine's response, given once, as that on the machine:
        human if it was taken for the person.
    level : float
        Confidence of the intervals.
    **columns
        Names of columns: judge, agent, verdict, stimulus; see `counts`.

    Returns
    -------
    pandas.DataFrame
        One row per agent (`all`: machines pooled) and quantity: p_HH (people judged human), p_HM (machines
        judged human), detectability, d_prime and others, with standard errors and intervals over judges and
        stimuli (`error_over` says over which), and intervals for independent verdicts (`wilson_low`, ...).

    Raises
    ------
    ConfigError
        As in `counts`, or there are no verdicts on machines.

    Examples
    --------
    >>> import pandas as pd
    >>> import turingstats
    >>> said = {"human": "hhmhhm", "gpt": "hmmhmm"}
    >>> trials = pd.DataFrame([
    ...     {"judge": judge, "stimulus": text, "agent": agent,
    ...      "verdict": "human" if said[agent][(judge * text) % 6] == "h" else "machine"}
    ...     for judge in range(12) for text in range(10) for agent in said
    ... ])
    >>> found = turingstats.estimate(trials).set_index(["agent", "quantity"])
    >>> print(found.loc[("gpt", "detectability"), ["value", "n", "error_over"]].to_string())
    value                        0.6
    n                            240
    error_over    judges and stimuli
    """
    check_between("level", level)
    cells = arrange_trials(trials, choice, None, columns)
    return estimate_recommended(cells, (), level)[ESTIMATE_COLUMNS].astype({"n": int})


def compare(
    trials: pd.DataFrame,
    *,
    quantity: str = "detectability",
    against: float = 0.5,
    by: str | None = None,
    choice: bool = False,
    level: float = 0.95,
    correction: str = "holm",
    **columns: str,
) -> pd.DataFrame:
    """Test whether machines are told from people, or whether groups or machines differ.

    Parameters
    ----------
    trials : pandas.DataFrame
        As in `counts`.
    quantity : str
        What is tested: detectability, p_HM, p_HH, d_prime and so on, as `estimate` returns them, or
        "called human" for the share judged human of any agent.
    against : float
        Value that the quantity of each machine is compared with; without effect if `by` is given.
    by : str, optional
        Column whose groups are compared, for each machine, such as the judges' age group; or the column of
        agents, to compare machines with each other.
    choice : bool
        See `estimate`.
    level : float
        Confidence of the intervals.
    correction : {"holm", "bonferroni"}
        How p is corrected for the number of tests that are returned.
    **columns
        Names of columns: judge, agent, verdict, stimulus; see `counts`.

    Returns
    -------
    pandas.DataFrame
        One row per test: t tests for one difference, F for several groups, with errors over judges and
        stimuli; `effect` is the difference, `p_adjusted` the corrected p.

    Raises
    ------
    ConfigError
        As in `estimate`; the quantity is unknown, or there are no two groups.

    Examples
    --------
    >>> import pandas as pd
    >>> import turingstats
    >>> said = {"human": "hhmhhm", "gpt": "hmmhmm"}
    >>> trials = pd.DataFrame([
    ...     {"judge": judge, "stimulus": text, "agent": agent,
    ...      "verdict": "human" if said[agent][(judge * text) % 6] == "h" else "machine"}
    ...     for judge in range(12) for text in range(10) for agent in said
    ... ])
    >>> test = turingstats.compare(trials).iloc[-1]
    >>> print(test[["groups", "effect", "unit"]].to_string())
    groups            gpt vs 0.5
    effect                   0.1
    unit      judge and stimulus
    """
    check_choice("quantity", quantity, COMPARED)
    check_choice("correction", correction, CORRECTIONS)
    check_between("level", level)
    is_share = quantity == CALLED_HUMAN or QUANTITIES[quantity].share
    low, high = (0, 1) if is_share else (-np.inf, np.inf)
    check_between("against", against, low, high, ends=is_share)
    of_agents = by == columns.get("agent", "agent")
    cells = arrange_trials(trials, choice, None if of_agents else by, columns)
    everyone = np.ones(len(cells.judges), bool)
    rows = []
    for agent, groups in list_groups(cells, quantity, by, of_agents):
        measured = {
            group: crossed.measure_element(cells, table, everyone, quantity, name)
            for group, (table, name) in groups.items()
        }
        elements = [*measured.values()]
        label, null, dropped = f"{agent} vs {against:g}", against, ""
        if by is not None:
            elements, dropped = crossed.drop_small_elements(measured)
            label, null = " vs ".join(groups), None
        outcome = crossed.compare_elements(elements, null, level, quantity)
        rows.append(
            vars(outcome)
            | {"agent": agent, "groups": label, "quantity": quantity}
            | {"dropped": join_notes(dropped, outcome.dropped)}
        )
    table = pd.DataFrame(rows)
    table["p_adjusted"] = multiplicity.adjust_p_values(table["p"].to_numpy(float), correction)
    return table.reindex(columns=TEST_COLUMNS)


def list_groups(
    cells: counting.CohortCounts, quantity: str, by: str | None, of_agents: bool
) -> Iterator[tuple[str, dict[str, tuple[int, str]]]]:
    """List what is compared for each agent: the table of counts, and the agent, of each group."""
    whole = cells.tables.index(EVERYTHING)
    machines = [name for name in cells.agents if name not in (PEOPLE, POOLED)]
    of_people = WHOSE.get(quantity) == PEOPLE
    if of_agents:
        if of_people:
            raise ConfigError(
                f"quantity={quantity!r} is of people alone, and does not compare agents"
            )
        refuse_single_group(machines, "machines", str(by))
        yield POOLED, {name: (whole, name) for name in machines}
        return
    tables = {group: at for at, (_, group) in enumerate(cells.tables) if at != whole}
    if by is not None:
        refuse_single_group(tables, "groups", by)
    for agent in [PEOPLE] if of_people else dict.fromkeys([POOLED, *machines]):
        yield agent, {group: (at, agent) for group, at in (tables or {agent: whole}).items()}


def plan(
    models: pd.DataFrame | None = None,
    *,
    seed: int = 0,
    level: float = 0.95,
    margin: float = 0.1,
    **design: Any,
) -> pd.DataFrame:
    """Plan a study: the power of designs, by simulation with the recommended tests.

    Parameters
    ----------
    models : pandas.DataFrame, optional
        Table `statistics/models.csv` of a finished study, whose judges and stimuli vary as those of the
        planned study. Without it, `rates` and `spreads` say so.
    seed : int
    level : float
        Confidence of intervals; tests are at 1 - level.
    margin : float
        Largest difference in the share judged human that counts as equivalent.
    **design
        Keys of the section `plan` of the configuration, such as rates, spreads, questions, judges, trials.

    Returns
    -------
    pandas.DataFrame
        One row per question, number of judges and trials per judge: cost, power with its interval (of the
        simulation), whether it is enough, whether the design is the cheapest that has it, ...

    Raises
    ------
    ConfigError
        A key is unknown or its value impossible, or nothing says how judges and stimuli vary.

    Examples
    --------
    >>> import turingstats
    >>> found = turingstats.plan(
    ...     rates={"people": 0.6, "agent": 0.5}, spreads={"judge": 0.5, "stimulus": 0.3}, stimuli=40,
    ...     judges=[20, 80], trials=[20], questions=["people"], simulations=400,
    ... )
    >>> print(found[["judges", "verdicts", "reaches", "cheapest"]].to_string(index=False))
     judges  verdicts  reaches  cheapest
         20       400    False     False
         80      1600     True      True
    """
    check_between("level", level)
    check_between("margin", margin)
    if models is None:
        design = {"model": STATED} | design
    options = {"confidence": level, "margin": margin, "seed": seed}
    asked = build_model(Plan, design, "the plan")
    assumed = assumptions.assume(asked, models, {}, "the study", options)
    power = grid.simulate_grid(assumed)
    return grid.mark_cheapest(power, grid.find_cheapest(power, assumed))[DESIGN_COLUMNS]


def check_choice(argument: str, value: Any, allowed: Collection[str]) -> None:
    """Check that the value of an argument is one of those allowed."""
    if value not in allowed:
        known = ", ".join(map(repr, allowed))
        raise ConfigError(f"{argument}={value!r} is unknown\n  allowed: {known}")


def check_between(
    argument: str, value: Any, low: float = 0, high: float = 1, ends: bool = False
) -> None:
    """Check that an argument is a number between two others, which are allowed themselves if `ends`."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not (low < value < high or (ends and value in (low, high))):
        percent = is_number and low < value / 100 < high < np.inf
        fix = f"\n  fix:     {argument}={value / 100:g}" if percent else ""
        raise ConfigError(
            f"{argument}={value!r} is not possible\n  allowed: a number from {low:g} to {high:g}"
            f"{'' if ends else ', without these'}{fix}"
        )


def refuse_single_group(groups: Collection[str], what: str, column: str) -> None:
    """Refuse to compare fewer than two groups."""
    if len(groups) < 2:
        raise ConfigError(f"column {column!r} has {len(groups)} {what}; to compare them takes two")


def name_columns(trials: pd.DataFrame, named: dict[str, str | None]) -> dict[str, str]:
    """Return the columns to read, by what they hold; ConfigError if groups have a name that counts need."""
    by, stimulus = named["by"], named["stimulus"]
    if by in COUNTED and by != named["agent"]:
        raise ConfigError(
            f"by={by!r}: counts have a column of this name\n  fix:     rename the column of groups"
        )
    unknown = stimulus == "stimulus" and stimulus not in trials
    return {k: v for k, v in named.items() if v is not None and not (unknown and k == "stimulus")}


def check_trials(trials: pd.DataFrame, named: dict[str, str]) -> pd.DataFrame:
    """Return the columns of verdicts as text, by what they hold.

    ConfigError if one is missing or has empty cells, a verdict is none of the three, or an agent is called
    "all", as all machines are.
    """
    lacking = [name for name in named.values() if name not in trials]
    if lacking:
        raise ConfigError(
            f"no column {join_with_and(map(repr, lacking))} among {', '.join(map(str, trials.columns))}\n"
            f"  fix:     say which columns they are, such as {next(iter(named))}='...'"
        )
    if trials.empty:
        raise ConfigError("no trials: the data frame has no rows")
    table = pd.DataFrame({what: trials[name].astype(object) for what, name in named.items()})
    if "stimulus" in table and table["stimulus"].isna().all():
        table = table.drop(columns="stimulus")
    for what in table:
        empty = table.index[table[what].isna()]
        if len(empty):
            raise ConfigError(
                f"column {named[what]!r} is empty in {len(empty)} of {len(table)} rows, first in row "
                f"{empty[0]!r}\n  fix:     drop these rows, or fill them"
            )
    if (table["agent"].astype(str) == POOLED).any():
        raise ConfigError(
            f"an agent in column {named['agent']!r} is called {POOLED!r}, as all machines together are\n"
            "  fix:     give it another name"
        )
    unknown = sorted({str(word) for word in table["verdict"]} - set(VERDICTS))
    if unknown:
        missing = ", ".join(f"{word!r}: ..." for word in unknown[:3])
        raise ConfigError(
            f"column {named['verdict']!r} has {', '.join(map(repr, unknown[:3]))}\n"
            f"  allowed: {', '.join(VERDICTS)}\n  fix:     say what each means, as by "
            f"trials[{named['verdict']!r}].replace({{{missing}}})"
        )
    return table.astype("str").astype(object).reset_index(drop=True)


def arrange_trials(
    trials: pd.DataFrame, choice: bool, by: str | None, columns: dict[str, str]
) -> counting.CohortCounts:
    """Arrange verdicts by judge, stimulus and agent, for all trials and for each group."""
    table = counts(trials, by=by, **columns)
    table = table.rename(columns={by: "group"} if by is not None else {})
    machines = sorted(set(table["agent"]) - {PEOPLE})
    if not machines:
        raise ConfigError("no verdicts on machines: every agent is 'human'")
    if not choice and PEOPLE not in set(table["agent"]):
        raise ConfigError(
            "no verdicts on people: no agent is 'human'\n"
            "  fix:     name people 'human', or say choice=True if people and machines were chosen between"
        )
    if "stimulus" not in table:
        table["stimulus"] = None
    table = table.assign(person="", n=table["n"] + table["n_unsure"])
    parts = [table.assign(group_by="all", group="all")]
    if by is not None:
        parts.append(table.assign(group_by=by))
    return counting.arrange_counts(
        pd.concat(parts, ignore_index=True),
        pd.DataFrame(columns=["judge", "group_by", "group"]),
        machines,
        choice,
    )
