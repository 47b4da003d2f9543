"""The declared tests of a study, each in its published and its recommended reading.

A study file declares what is compared (`turingstats.config.Comparison`) and how each reading does it
(`turingstats.config.Procedure`). The unit is the judge for ranks and permutations: one value a judge,
or one row of counts a judge. It is the agent for a correlation with a score. It is the trial for
t-tests and analyses of variance, which the published reading applies as if all trials were
independent.
"""

import numpy as np

from turingstats import counts as counting
from turingstats import resampling, tests
from turingstats.config import READINGS
from turingstats.estimates import rate
from turingstats.schema import TESTS

UNITS = {
    "wilcoxon": "judge",
    "friedman": "judge",
    "mann_whitney": "judge",
    "permutation": "judge",
    "kruskal": "judge",
    "welch_t": "trial",
    "welch_t_random": "trial",
    "anova_one_way": "trial",
    "anova_two_way": "trial",
    "two_proportions": "trial",
    "binomial": "trial",
    "pearson": "agent",
}
ONE_SAMPLE = ("wilcoxon", "welch_t_random", "binomial")


def compare(counts, groups, study, config, benchmarks=None):
    """Run every declared test in both readings.

    Parameters
    ----------
    counts : pandas.DataFrame
        Columns of `turingstats.schema.COUNTS`.
    groups : pandas.DataFrame
        From `turingstats.counts.groups_of`.
    study : Study
    config : dict
        seed, n_permutation, n_bootstrap, confidence.
    benchmarks : pandas.DataFrame, optional
        Scores of agents from the literature: agent, measure, value.

    Returns
    -------
    pandas.DataFrame
        Columns of `turingstats.schema.TESTS` but `data`. A test whose cohort has no data has no row.
    """
    import pandas as pd

    rows = []
    for reading in READINGS:
        in_reading = counts[counts["reading"] == reading]
        members = groups[groups["reading"] == reading]
        for comparison in study.comparisons:
            procedure = getattr(comparison, reading)
            if procedure is None:
                continue
            samples = samples_of(comparison, in_reading, members, study)
            if samples is None:
                continue
            place = {
                "study": study.study,
                "task": comparison.task,
                "cohort": " vs ".join(comparison.cohorts),
                "test": procedure.test,
                "reading": reading,
                "unit": UNITS[procedure.test],
                "family": procedure.family,
                "family_size": procedure.family_size,
                "correction": procedure.correction if procedure.family else "none",
                "note": comparison.note,
            }
            if procedure.test == "pearson":
                outcomes = correlation(comparison, reading, samples, benchmarks)
            else:
                outcomes = run(comparison, procedure, samples, config)
            for suffix, label, outcome in outcomes:
                identity = ".".join([comparison.id, *suffix])
                rows.append(place | {"test_id": identity, "groups": label} | vars(outcome))
    table = pd.DataFrame(rows).reindex(columns=[c for c in TESTS if c != "data"])
    return corrected(table)


def corrected(table):
    """Correct p values within each family and reading; state the size of the family.

    A family may be declared larger than the tests at hand, when a subset is run or the published
    family includes other tasks.
    """
    table = table.astype({"p_adjusted": float, "family_size": "Int64"})
    for _, members in table[table["family"].notna()].groupby(["family", "reading"]):
        at_hand = members["p"].notna().sum()
        size = int(max(at_hand, members["family_size"].fillna(0).max()))
        correction = members["correction"].iloc[0]
        adjusted = tests.adjust(members["p"].to_numpy(float), correction, size)
        table.loc[members.index, "p_adjusted"] = adjusted
        table.loc[members.index, "family_size"] = size
    return table


def samples_of(comparison, counts, members, study):
    """Tables of the judges to compare, by name of the group.

    Returns
    -------
    dict of str to pandas.DataFrame, or None
        From `turingstats.counts.judge_table`, one a cohort, demographic group or level of a
        condition; None where a cohort has no data.
    """
    tables, levels, choice = {}, None, study.tasks[comparison.task].choice
    for cohort in comparison.cohorts:
        own = counts[(counts["task"] == comparison.task) & (counts["cohort"] == cohort)]
        present = set(own["agent"])
        agents = [a for a in study.tasks[comparison.task].cohorts[cohort].agents if a in present]
        if not agents or not (choice or "human" in present):
            return None
        at = ("all", "all") if comparison.level is None else (comparison.by, comparison.level)
        part = own[(own["group_by"] == at[0]) & (own["group"] == at[1])]
        if part.empty:
            return None
        tables[cohort] = counting.judge_table(part, agents, choice)
        levels = own[own["group_by"] == comparison.by]
    if comparison.by is None or comparison.level is not None:
        return tables
    if comparison.by not in study.demographics:
        names = comparison.groups or tuple(sorted(set(levels["group"])))
        parts = {name: levels[levels["group"] == name] for name in names}
        return {
            name: counting.judge_table(p, agents, choice) for name, p in parts.items() if len(p)
        }
    (table,) = tables.values()
    members = members[members["group_by"] == comparison.by]
    names = comparison.groups or tuple(study.demographics[comparison.by])
    split = {
        name: table[table.index.isin(members.loc[members["group"] == name, "judge"])]
        for name in names
    }
    return {name: part for name, part in split.items() if len(part)}


def run(comparison, procedure, samples, config):
    """Run one declared test, once for each agent or group it is asked for.

    Yields
    ------
    suffix : list of str
        What to add to the id of the comparison.
    label : str
        What was compared with what.
    outcome : turingstats.tests.Outcome
    """
    agents = [a for a in comparison.agents if all((a, "n") in t for t in samples.values())]
    if procedure.test == "friedman":
        (table,) = samples.values()
        values = np.column_stack([judge_values(table, comparison.quantity, a) for a in agents])
        yield [], " vs ".join(agents), tests.friedman(values, procedure.missing)
        return
    if procedure.test == "anova_two_way":
        values, group, agent = machine_trials(samples, agents)
        outcomes = tests.anova_two_way(values, group, agent)
        names = {"a": comparison.by, "b": "agent", "a:b": f"{comparison.by} x agent"}
        for effect, outcome in outcomes.items():
            yield [names[effect].replace(" ", "")], names[effect], outcome
        return
    for agent in agents:
        suffix = [] if comparison.quantity == "p_HH" else [agent]
        if procedure.test in ONE_SAMPLE:
            for name, table in samples.items():
                ending = [name] if comparison.by or len(samples) > 1 else []
                label = f"{name} vs {comparison.against}"
                outcome = one_sample(comparison, procedure, table, agent, name, config)
                yield suffix + ending, label, outcome
        elif len(samples) >= 2:
            identity = ".".join([comparison.id, *suffix])
            outcome = between(comparison, procedure, samples, agent, identity, config)
            yield suffix, " vs ".join(samples), outcome


def correlation(comparison, reading, samples, benchmarks):
    """Correlate agents' detectability with a score from the literature; the cohorts are pooled.

    Yields as `run`. The published reading rounds rates to two decimals before detectability is formed,
    and sets every agent against all people.
    """
    if benchmarks is None:
        return
    totals = {}
    for table in samples.values():
        for column, number in table.sum().items():
            totals[column] = totals.get(column, 0) + number
    digits = 2 if reading == "published" else 16

    def share(agent):
        return np.round(rate(totals.get((agent, "right"), 0), totals.get((agent, "n"), 0)), digits)

    scores = benchmarks[benchmarks["measure"] == comparison.score].set_index("agent")["value"]
    agents = [agent for agent in comparison.agents if agent in scores.index]
    values = {
        "p_HH": [share("human") for _ in agents],
        "p_MM": [share(agent) for agent in agents],
        "detectability": [(share("human") + share(agent)) / 2 for agent in agents],
    }[comparison.quantity]
    label = f"{comparison.quantity} with {comparison.score} over {', '.join(agents)}"
    yield [], label, tests.pearson(scores.reindex(agents), values)


def one_sample(comparison, procedure, table, agent, name, config):
    """Compare one group of judges with a fixed value."""
    if procedure.test == "wilcoxon":
        values = judge_values(table, comparison.quantity, agent)
        return tests.wilcoxon(values, comparison.against, procedure.exact_ties)
    if procedure.test == "binomial":
        k, n = right_and_n(table, comparison.quantity, agent)
        level = config["confidence"]
        return tests.binomial(k, n, comparison.against, procedure.alternative, level)
    identity = f"{comparison.id}.{agent}.{name}"
    trials = verdicts_right(table, agent, procedure, config["seed"], identity)
    coin = resampling.generator(config["seed"], f"random vector {identity}")
    return tests.welch_t(trials, coin.integers(0, 2, len(trials)))


def between(comparison, procedure, samples, agent, identity, config):
    """Compare groups of judges with each other."""
    tables = list(samples.values())
    if procedure.test == "permutation":
        return permuted(samples, agent, identity, config)
    if procedure.test == "two_proportions":
        return two_proportions(tables, agent, procedure)
    if UNITS[procedure.test] == "judge":
        values = [judge_values(table, comparison.quantity, agent) for table in tables]
        if procedure.test == "mann_whitney":
            return tests.mann_whitney(*values, procedure.exact_ties)
        return tests.kruskal(values)
    trials = [
        verdicts_right(table, agent, procedure, config["seed"], f"{identity}.{name}")
        for name, table in samples.items()
    ]
    return tests.welch_t(*trials) if procedure.test == "welch_t" else tests.anova_one_way(trials)


def judge_values(table, quantity, agent):
    """One value a judge: a rate, or the detectability of an agent; nan where a judge saw none."""
    if quantity in ("p_HH", "p_MM", "accuracy"):
        return rate(*counted(table, quantity, agent))
    parts = (counting.reference(table, agent), agent)
    return sum(rate(table[a, "right"], table[a, "n"]) for a in parts) / 2


def counted(table, quantity, agent):
    """Right verdicts and verdicts of each judge that a rate, or the accuracy, is made of."""
    beside = counting.reference(table, agent)
    parts = {"p_HH": [beside], "p_MM": [agent], "accuracy": list(dict.fromkeys((beside, agent)))}
    return tuple(sum(table[a, what] for a in parts[quantity]) for what in ("right", "n"))


def right_and_n(table, quantity, agent):
    """The same summed over judges; the right verdicts of a detectability are those on people and agent."""
    quantity = "accuracy" if quantity == "detectability" else quantity
    return tuple(int(numbers.sum()) for numbers in counted(table, quantity, agent))


def verdicts_right(table, agent, procedure, seed, identity):
    """The 0/1 correctness of all trials of a group with people's or one agent's responses.

    `balanced` takes as many trials of people as of the agent, drawn without replacement: the number
    of right ones among them is hypergeometric, and their order does not matter to any test.
    """
    totals = table.sum()
    parts = dict.fromkeys((counting.reference(table, agent), agent))
    size = {a: int(totals[a, "n"]) for a in parts}
    right = {a: int(totals[a, "right"]) for a in parts}
    if procedure.balanced:
        generator = resampling.generator(seed, f"balanced {identity}")
        fewest = min(size.values())
        for a in size:
            right[a] = int(generator.hypergeometric(right[a], size[a] - right[a], fewest))
            size[a] = fewest
    ones, n = sum(right.values()), sum(size.values())
    return np.repeat([1.0, 0.0], [ones, n - ones])


def machine_trials(samples, agents):
    """Correctness of every AI trial with the group of its judge and its agent, for a two-way ANOVA."""
    values, group, names = [], [], []
    for name, table in samples.items():
        totals = table.sum()
        for agent in agents:
            n, right = int(totals[agent, "n"]), int(totals[agent, "right"])
            values += [1.0] * right + [0.0] * (n - right)
            group += [name] * n
            names += [agent] * n
    return np.array(values), np.array(group), np.array(names)


def permuted(samples, agent, identity, config):
    """Permutation test of detectability: labels of groups are shuffled over judges.

    A group that was shown no response of people, or none of the agent, has no detectability and is
    left out. For two groups the effect is the difference of their detectabilities, with a percentile interval
    from a bootstrap of the judges of each group; for more it is the variance between groups.
    """
    beside = counting.reference(next(iter(samples.values())), agent)
    columns = [(beside, "right"), (beside, "n"), (agent, "right"), (agent, "n")]
    parts, left_out = [], []
    for name, table in samples.items():
        part = table[columns].to_numpy()
        if part[:, [1, 3]].sum(axis=0).all():
            parts.append(part)
        else:
            left_out.append(name)
    dropped = f"no detectability, left out: {', '.join(left_out)}" if left_out else ""
    if len(parts) < 2:
        names = ("difference", "difference of detectability")
        n = sum(map(len, parts))
        return tests.undefined(f"{dropped}; not computed: fewer than two groups", *names, n)
    labels = np.repeat(np.arange(len(parts)), [len(part) for part in parts])

    def detectability(totals):
        return (rate(totals[..., 0], totals[..., 1]) + rate(totals[..., 2], totals[..., 3])) / 2

    generator = resampling.generator(config["seed"], f"permutation {identity}")
    draws = config["n_permutation"]
    statistic, p = resampling.permutation_test(
        np.concatenate(parts), labels, detectability, draws, generator
    )
    low = high = np.nan
    if len(parts) == 2:
        generator = resampling.generator(config["seed"], f"bootstrap {identity}")
        one, other = (
            detectability(resampling.bootstrap_totals(part, config["n_bootstrap"], generator))
            for part in parts
        )
        tail = 100 * (1 - config["confidence"]) / 2
        low, high = np.nanpercentile(one - other, [tail, 100 - tail])
    two = len(parts) == 2
    return tests.Outcome(
        statistic_name="difference" if two else "variance between groups",
        statistic=statistic,
        df="",
        p=p,
        effect_name="difference of detectability" if two else "variance between groups",
        effect=statistic,
        ci_low=low,
        ci_high=high,
        n1=len(parts[0]),
        n2=len(parts[1]) if two else sum(len(part) for part in parts[1:]),
        dropped=dropped,
        method=f"labels permuted over judges, {draws} draws, two-sided, (b+1)/(B+1)",
    )


def two_proportions(tables, agent, procedure):
    """Compare the shares of right verdicts of two cohorts."""
    pairs = []
    for table in tables:
        trials = verdicts_right(table, agent, procedure, 0, "")
        pairs.append((int(trials.sum()), len(trials)))
    (k1, n1), (k2, n2) = pairs
    return tests.two_proportions(k1, n1, k2, n2)
