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
from turingstats.quantities import QUANTITIES, rate
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
    "pearson": "agent",
}
ONE_SAMPLE = ("wilcoxon", "welch_t_random")


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
    permutations = {}
    for reading in READINGS:
        source = Source(
            counts[counts["reading"] == reading], groups[groups["reading"] == reading], study
        )
        for comparison in study.comparisons:
            procedure = getattr(comparison, reading)
            if procedure is None:
                continue
            samples = source.samples(comparison)
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
            elif procedure.test == "permutation":
                # The two readings often have the same counts; their permutations are made once.
                key = (comparison.id, *(part.right.tobytes() for part in samples.values()))
                key += tuple(part.n.tobytes() for part in samples.values())
                if key not in permutations:
                    permutations[key] = list(permuted(comparison, samples, config))
                outcomes = permutations[key]
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


class Source:
    """Where comparisons find their judges: the counts of one reading, arranged cohort by cohort.

    Parameters
    ----------
    counts : pandas.DataFrame
        Columns of `turingstats.schema.COUNTS`, of one reading.
    members : pandas.DataFrame
        From `turingstats.counts.groups_of`, of that reading.
    study : Study
    """

    def __init__(self, counts, members, study):
        self.counts = dict(iter(counts.groupby(["task", "cohort"])))
        self.members, self.study = members, study
        self.arranged = {}

    def cells(self, task, cohort):
        """Counts of a cohort (`turingstats.counts.Cells`), or None where it has no data."""
        if (task, cohort) not in self.arranged:
            own = self.counts.get((task, cohort))
            present = set() if own is None else set(own["agent"])
            agents = [a for a in self.study.tasks[task].cohorts[cohort].agents if a in present]
            self.arranged[task, cohort] = (
                counting.cells(own, self.members, agents) if agents and "human" in present else None
            )
        return self.arranged[task, cohort]

    def samples(self, comparison):
        """Judges to compare, by name of the group.

        Returns
        -------
        dict of str to turingstats.counts.Sample, or None
            One a cohort, demographic group or level of a condition; None where a cohort has no data.
        """
        cells = {cohort: self.cells(comparison.task, cohort) for cohort in comparison.cohorts}
        if any(found is None for found in cells.values()):
            return None
        if comparison.by is None or comparison.level is not None:
            at = ("all", "all") if comparison.level is None else (comparison.by, comparison.level)
            samples = {name: counting.sample(found, *at) for name, found in cells.items()}
            return None if None in samples.values() else samples
        (own,) = cells.values()
        names = comparison.groups or self.study.demographics.get(comparison.by)
        names = names or sorted(group for by, group in own.tables if by == comparison.by)
        samples = {name: counting.sample(own, comparison.by, name) for name in names}
        return {name: part for name, part in samples.items() if part is not None}


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
    agents = shared_agents(comparison, samples)
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


def shared_agents(comparison, samples):
    """The agents asked for that the judges of every group saw."""
    return [a for a in comparison.agents if all(a in part.agents for part in samples.values())]


def correlation(comparison, reading, samples, benchmarks):
    """Correlate agents' detectability with a score from the literature; the cohorts are pooled.

    Yields as `run`. The published reading rounds rates to two decimals before detectability is formed,
    and sets every agent against all people.
    """
    if benchmarks is None:
        return
    digits = 2 if reading == "published" else 16

    def share(agent):
        four = sum(s.four(agent).sum(axis=0) for s in samples.values() if agent in s.agents)
        return np.round(rate(*(four[2:] if np.ndim(four) else (0, 0))), digits)

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
    identity = f"{comparison.id}.{agent}.{name}"
    trials = verdicts_right(table, agent, procedure, config["seed"], identity)
    coin = resampling.generator(config["seed"], f"random vector {identity}")
    return tests.welch_t(trials, coin.integers(0, 2, len(trials)))


def between(comparison, procedure, samples, agent, identity, config):
    """Compare groups of judges with each other."""
    tables = list(samples.values())
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


def judge_values(sample, quantity, agent):
    """One value a judge: a rate, or another quantity of an agent; nan where a judge saw none."""
    return QUANTITIES[quantity].value(*sample.four(agent).T)


def verdicts_right(sample, agent, procedure, seed, identity):
    """The 0/1 correctness of all trials of a group with people's or one agent's responses.

    `balanced` takes as many trials of people as of the agent, drawn without replacement: the number
    of right ones among them is hypergeometric, and their order does not matter to any test.
    """
    people_right, people_n, agent_right, agent_n = sample.four(agent).sum(axis=0).tolist()
    right, size = [people_right, agent_right], [people_n, agent_n]
    if procedure.balanced:
        generator = resampling.generator(seed, f"balanced {identity}")
        fewest = min(size)
        right = [
            int(generator.hypergeometric(k, n - k, fewest))
            for k, n in zip(right, size, strict=True)
        ]
        size = [fewest, fewest]
    return np.repeat([1.0, 0.0], [sum(right), sum(size) - sum(right)])


def machine_trials(samples, agents):
    """Correctness of every AI trial with the group of its judge and its agent, for a two-way ANOVA."""
    values, group, names = [], [], []
    for name, sample in samples.items():
        for agent in agents:
            right, n = sample.four(agent).sum(axis=0)[2:].tolist()
            values += [1.0] * right + [0.0] * (n - right)
            group += [name] * n
            names += [agent] * n
    return np.array(values), np.array(group), np.array(names)


def permuted(comparison, samples, config):
    """Permutation test of a quantity: labels of groups are shuffled over judges.

    All agents share the same permutations. For two groups the effect is the difference of their
    quantities, with a percentile interval from a bootstrap of the judges of each group; for more it is
    the weighted standard deviation between groups.

    Yields as `run`.
    """
    if len(samples) < 2:
        return
    agents = shared_agents(comparison, samples)
    value = QUANTITIES[comparison.quantity].value
    parts = [np.concatenate([s.four(a) for a in agents], axis=1) for s in samples.values()]
    sizes = [len(part) for part in parts]
    labels = np.repeat(np.arange(len(parts)), sizes)

    def values_of(totals):
        """Totals (..., 4 x agents) to one value an agent (..., agents)."""
        four = totals.reshape(*totals.shape[:-1], len(agents), 4)
        return value(*np.moveaxis(four, -1, 0))

    draws = config["n_permutation"]
    generator = resampling.generator(config["seed"], f"permutation {comparison.id}")
    statistic, p = resampling.permutation_test(
        np.concatenate(parts), labels, values_of, draws, generator
    )
    drawn = []
    for name, part in zip(samples, parts, strict=True):
        generator = resampling.generator(config["seed"], f"bootstrap {comparison.id}.{name}")
        totals = resampling.bootstrap_totals(part, config["n_bootstrap"], generator)
        drawn.append(values_of(totals).T)
    two = len(parts) == 2
    effects = resampling.between_groups(np.stack(drawn, axis=2).transpose(1, 2, 0), sizes).T
    effects = effects if two else np.sqrt(effects)
    _, low, high = resampling.spread(effects, config["confidence"])
    for i, agent in enumerate(agents):
        outcome = tests.Outcome(
            statistic_name="difference" if two else "variance between groups",
            statistic=float(statistic[i]),
            df="",
            p=float(p[i]),
            effect_name="difference" if two else "standard deviation between groups",
            effect=float(statistic[i] if two else np.sqrt(statistic[i])),
            ci_low=float(low[i]),
            ci_high=float(high[i]),
            n1=sizes[0],
            n2=sizes[1] if two else sum(sizes[1:]),
            dropped="",
            method=f"{comparison.quantity}: labels permuted over judges, {draws} draws, two-sided, "
            f"p = (b+1)/(B+1); percentile interval from {config['n_bootstrap']} bootstraps of the "
            "judges of each group",
        )
        suffix = [] if comparison.quantity == "p_HH" else [agent]
        yield suffix, " vs ".join(samples), outcome


def two_proportions(tables, agent, procedure):
    """Compare the shares of right verdicts of two cohorts."""
    pairs = []
    for table in tables:
        trials = verdicts_right(table, agent, procedure, 0, "")
        pairs.append((int(trials.sum()), len(trials)))
    (k1, n1), (k2, n2) = pairs
    return tests.two_proportions(k1, n1, k2, n2)
