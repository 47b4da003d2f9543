"""The declared tests of a study, each in its published and its recommended reading.

A study file declares what is compared (`turingstats.config.study.Comparison`) and how each reading does it
(`turingstats.config.study.Procedure`). The unit is the judge for ranks, permutations and lines: one value a
judge, or one row of counts a judge. It is the agent for a correlation with a score. It is the trial for
t-tests and analyses of variance, which the published reading applies as if all trials were
independent.
"""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd

from turingstats.analysis import shared_people
from turingstats.core.quantity_names import CALLED_HUMAN, WHOSE, name_for_agent
from turingstats.data import counts as counting
from turingstats.data.schema import TESTS
from turingstats.stats import agreement, multiplicity, resampling, trends
from turingstats.stats.hypothesis import correlation, means, proportions, ranks
from turingstats.stats.hypothesis.outcome import NAN, Outcome, format_sizes, undefined
from turingstats.stats.quantities import QUANTITIES, gradient, rate

UNITS = {
    "wilcoxon": "judge",
    "paired_wilcoxon": "judge",
    "friedman": "judge",
    "friedman_pairs": "judge",
    "mann_whitney": "judge",
    "permutation": "judge",
    "permutation_trials": "trial",
    "kruskal": "judge",
    "slopes": "judge",
    "residuals": "judge",
    "welch_t": "trial",
    "welch_t_random": "trial",
    "anova_one_way": "trial",
    "anova_two_way": "trial",
    "two_proportions": "trial",
    "chi_square": "trial",
    "binomial": "trial",
    "binomial_regression": "trial",
    "pearson": "agent",
    "spearman": "agent",
    "fleiss_kappa": "stimulus",
}
BIAS = ", less the mean excess of their variances over the observed one"
ONE_SAMPLE = ("wilcoxon", "welch_t_random", "binomial", "two_proportions")
CORRELATIONS = ("pearson", "spearman")
PAIRED = {"permutation": "permutation", "mann_whitney": "paired_wilcoxon", "kruskal": "friedman"}
"""Tests of independent groups, and what takes their place where the same people are in all groups."""
ALONG_A_SCALE = ("slopes", "residuals", "binomial_regression")


def compare(counts, groups, study, config, benchmarks=None, responses=None):
    """Run every declared test in both readings.

    Parameters
    ----------
    counts : pandas.DataFrame
        Columns of `turingstats.data.schema.COUNTS`.
    groups : pandas.DataFrame
        From `turingstats.data.counts.groups_of`.
    study : Study
    config : dict
        seed, n_permutation, n_bootstrap, confidence.
    benchmarks : pandas.DataFrame, optional
        Scores of agents from the literature: agent, measure, value.
    responses : pandas.DataFrame, optional
        The data contract's table; tests of agreement need it.

    Returns
    -------
    pandas.DataFrame
        Columns of `turingstats.data.schema.TESTS` but `data`. A test whose cohort has no data has no row.
    """

    rows = []
    sources = {
        reading: Source(
            counts[counts["reading"] == reading], groups[groups["reading"] == reading], study
        )
        for reading in study.readings
    }
    # An alternative is another test of what the published reading counts.
    for reading in (*study.readings, "alternative"):
        source = sources[study.readings[0] if reading == "alternative" else reading]
        for comparison in study.comparisons:
            procedure = getattr(comparison, reading)
            if procedure is None:
                continue
            place = {
                "study": study.study,
                "task": comparison.task,
                "cohort": " vs ".join(comparison.cohorts) or "responses",
                "quantity": comparison.quantity or "agreement",
                "test": procedure.test,
                "reading": reading,
                "unit": UNITS[procedure.test],
                "family": procedure.family,
                "family_size": procedure.family_size,
                "correction": procedure.correction if procedure.family else "none",
                "note": comparison.note,
            }
            given = (comparison, procedure, reading, source, config)
            settled, outcomes = outcomes_of(*given, benchmarks, responses)
            place["note"] = "; ".join(filter(None, [comparison.note, settled.note]))
            if settled.paired:
                place["test"] = PAIRED[procedure.test]
            for suffix, label, outcome in outcomes:
                identity = ".".join([comparison.id, *suffix])
                said = "; ".join(filter(None, [settled.dropped, outcome.dropped]))
                own = vars(outcome) | {"dropped": said}
                rows.append(place | {"test_id": identity, "groups": label} | own)
    table = pd.DataFrame(rows).reindex(columns=[c for c in TESTS if c != "data"])
    return corrected(table)


def outcomes_of(comparison, procedure, reading, source, config, benchmarks, responses):
    """Run one declared test in one reading, whatever it rests on.

    Returns
    -------
    settled : turingstats.analysis.shared_people.Settled
    outcomes : iterable
        What `run` yields.
    """
    plain = shared_people.Settled({})
    if procedure.test == "fleiss_kappa":
        return plain, agreeing(comparison, responses, config)
    if procedure.test in ALONG_A_SCALE:
        return plain, along(comparison, procedure, source, config)
    samples = source.samples(comparison)
    if samples is None:
        return plain, []
    if procedure.test in CORRELATIONS:
        return plain, correlate_scores(comparison, procedure, reading, samples, benchmarks, config)
    settled = plain._replace(samples=samples)
    if reading == "recommended":
        settled = without_shared(comparison, procedure, samples, source.study)
    if procedure.test == "permutation":
        studentized = reading == "recommended"
        return settled, permuted(comparison, settled.samples, studentized, config, settled.paired)
    return settled, run(comparison, procedure, settled.samples, config, settled.paired)


def without_shared(comparison, procedure, samples, study):
    """Groups in which nobody is taken for two, and what there is to say about it."""
    cohorts = study.tasks[comparison.task].cohorts
    people = all(cohorts[name].judge_kind == "human" for name in comparison.cohorts)
    compared = len(samples) > 1 and not comparison.rows and procedure.test not in ONE_SAMPLE
    if not (people and compared) or procedure.test == "paired_wilcoxon":
        return shared_people.Settled(samples)
    settled = shared_people.settle(samples, procedure.test in PAIRED)
    if len(comparison.cohorts) > 1 and not shared_people.known_between(samples):
        note = "; ".join(filter(None, [settled.note, shared_people.UNKNOWN]))
        return settled._replace(note=note)
    return settled


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
        adjusted = multiplicity.adjust(members["p"].to_numpy(float), correction, size)
        table.loc[members.index, "p_adjusted"] = adjusted
        table.loc[members.index, "family_size"] = size
    return table


class Source:
    """Where comparisons find their judges: the counts of one reading, arranged cohort by cohort.

    Parameters
    ----------
    counts : pandas.DataFrame
        Columns of `turingstats.data.schema.COUNTS`, of one reading.
    members : pandas.DataFrame
        From `turingstats.data.counts.groups_of`, of that reading.
    study : Study
    """

    def __init__(self, counts, members, study):
        self.counts = dict(iter(counts.groupby(["task", "cohort"])))
        self.members, self.study = members, study
        self.arranged = {}

    def cells(self, task, cohort):
        """Counts of a cohort (`turingstats.data.counts.Cells`), or None where it has no data."""
        if (task, cohort) not in self.arranged:
            own = self.counts.get((task, cohort))
            present = set() if own is None else set(own["agent"])
            agents = [a for a in self.study.tasks[task].cohorts[cohort].agents if a in present]
            choice = self.study.tasks[task].choice
            enough = agents and (choice or "human" in present)
            self.arranged[task, cohort] = (
                counting.cells(own, self.members, agents, choice) if enough else None
            )
        return self.arranged[task, cohort]

    def samples(self, comparison):
        """Judges to compare, by name of the group.

        Returns
        -------
        dict of str to turingstats.data.counts.Sample, or None
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
        if comparison.rows:
            levels = {row: row.partition("@")[2] for row in comparison.rows}
            samples = {row: counting.sample(own, comparison.by, at) for row, at in levels.items()}
            seen = all(s and row.partition("@")[0] in s.agents for row, s in samples.items())
            return samples if seen else None
        names = comparison.groups or self.study.demographics.get(comparison.by)
        names = names or sorted(group for by, group in own.tables if by == comparison.by)
        samples = {name: counting.sample(own, comparison.by, name) for name in names}
        return {name: part for name, part in samples.items() if part is not None}


def run(comparison, procedure, samples, config, paired=False):
    """Run one declared test, once for each agent or group it is asked for.

    Where `paired`, all groups have the same people in the same order.

    Yields
    ------
    suffix : list of str
        What to add to the id of the comparison.
    label : str
        What was compared with what.
    outcome : turingstats.stats.hypothesis.outcome.Outcome
    """
    level = config["confidence"]
    agents = shared_agents(comparison, samples)
    if comparison.rows:
        values = {
            row: (part.judges, judge_values(part, CALLED_HUMAN, row.partition("@")[0]))
            for row, part in samples.items()
        }
        yield [], " vs ".join(samples), ranked(procedure, values, level)
        return
    if procedure.test in ("friedman", "friedman_pairs") or (
        procedure.test == "chi_square" and len(samples) == 1
    ):
        (sample,) = samples.values()
        yield from between_agents(comparison, procedure, sample, agents, level)
        return
    if procedure.test == "anova_two_way":
        values, group, agent = machine_trials(samples, agents)
        outcomes = means.anova_two_way(values, group, agent, level)
        names = {"a": comparison.by, "b": "agent", "a:b": f"{comparison.by} x agent"}
        for effect, outcome in outcomes.items():
            yield [names[effect].replace(" ", "")], names[effect], outcome
        return
    for agent in agents:
        suffix = suffix_of(comparison, agent)
        if procedure.test in ONE_SAMPLE:
            for name, sample in samples.items():
                ending = [name] if comparison.by or len(samples) > 1 else []
                label = f"{name} vs {comparison.against}"
                outcome = one_sample(comparison, procedure, sample, agent, name, config)
                yield suffix + ending, label, outcome
        elif len(samples) >= 2:
            identity = ".".join([comparison.id, *suffix])
            outcome = between(comparison, procedure, samples, agent, identity, config, paired)
            yield suffix, " vs ".join(samples), outcome


def suffix_of(comparison, agent):
    """What the agent adds to the id of a comparison: nothing for a rate of people's responses."""
    return [] if comparison.quantity == "p_HH" else [agent]


def between_agents(comparison, procedure, sample, agents, level):
    """Compare agents with each other, as judged by the same judges. Yields as `run`."""
    if procedure.test == "chi_square":
        counted = [called(sample, comparison.quantity, agent) for agent in agents]
        outcome = proportions.chi_square(*np.array(counted).T, level)
        yield [], " vs ".join(agents), outcome
        return
    values = {agent: judge_values(sample, comparison.quantity, agent) for agent in agents}
    if procedure.test == "friedman":
        table = np.column_stack(list(values.values()))
        yield [], " vs ".join(agents), ranks.friedman(table, procedure.missing, level)
        return
    for one, other in itertools.combinations(agents, 2):
        outcome = ranks.paired_wilcoxon(values[one], values[other], level)
        yield [f"{one}-{other}"], f"{one} vs {other}", outcome


def shared_agents(comparison, samples):
    """The agents asked for that the judges of every group saw."""
    return [a for a in comparison.agents if all(a in part.agents for part in samples.values())]


def correlate_scores(comparison, procedure, reading, samples, benchmarks, config):
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
    test = correlation.spearman if procedure.test == "spearman" else correlation.pearson
    yield [], label, test(scores.reindex(agents), values, config["confidence"])


def along(comparison, procedure, source, config):
    """Follow a rate along a scale, such as the number of exchanges. Yields as `run`."""
    cells = source.cells(comparison.task, *comparison.cohorts)
    if cells is None:
        return
    prefix = f"{comparison.level}/" if comparison.level else ""
    places = {
        group.removeprefix(prefix): table
        for table, (by, group) in enumerate(cells.tables)
        if by == comparison.by and group.startswith(prefix)
    }
    if procedure.test != "residuals":
        places.pop(comparison.held_out, None)
    names = sorted(places, key=float)
    tables = [places[name] for name in names]
    level = config["confidence"]
    for agent in ["human"] if comparison.quantity == "p_HH" else comparison.agents:
        if agent not in cells.agents or (
            comparison.held_out not in (None, *names) and len(names) < 2
        ):
            continue
        place = cells.agents.index(agent)
        counted = cells.right[:, tables, place], cells.n[:, tables, place]
        x = np.array([float(name) for name in names])
        line = procedure.line
        if procedure.test == "binomial_regression":
            outcome = trends.binomial_regression(x, *counted, procedure.clustered, level)
        elif procedure.test == "slopes":
            outcome = trends.slopes(x, *counted, procedure.weighted, level, line)
        elif comparison.held_out in names:
            held_out = names.index(comparison.held_out)
            outcome = trends.residuals(x, *counted, held_out, procedure.weighted, level, line)
        else:
            continue
        label = f"{comparison.quantity} along {comparison.by} {comparison.level or ''}".strip()
        yield suffix_of(comparison, agent), f"{label}: {', '.join(names)}", outcome


def agreeing(comparison, responses, config):
    """Agreement of people who gave responses to the same stimuli. Yields as `run`."""

    if responses is None:
        return
    own = responses[(responses["task"] == comparison.task) & (responses["agent"] == "human")]
    table = pd.crosstab(own["stimulus"].astype(str), own["response"].astype(str)).to_numpy()
    rng = resampling.generator(config["seed"], f"bootstrap {comparison.id}")
    outcome = agreement.fleiss_kappa(table, rng, config["n_bootstrap"], config["confidence"])
    yield [], "people's responses", outcome


def one_sample(comparison, procedure, sample, agent, name, config):
    """Compare one group of judges with a fixed value."""
    level = config["confidence"]
    if procedure.test == "wilcoxon":
        values = judge_values(sample, comparison.quantity, agent)
        return ranks.wilcoxon(
            values, comparison.against, procedure.exact_ties, level, procedure.exact_p
        )
    if procedure.test == "two_proportions":
        return called_machine(sample, agent, level)
    if procedure.test == "binomial":
        counted = called(sample, comparison.quantity, agent)
        return proportions.binomial(*counted, comparison.against, procedure.alternative, level)
    identity = f"{comparison.id}.{agent}.{name}"
    trials = verdicts_right(sample, agent, procedure, config["seed"], identity)
    coin = resampling.generator(config["seed"], f"random vector {identity}")
    outcome = means.welch_t(trials, coin.integers(0, 2, len(trials)), level)
    return of_trials(outcome, procedure, [sample], agent, [trials])


def called(sample, quantity, agent):
    """Verdicts that a rate counts, and all that it is a share of, summed over judges."""
    quantity, parts = name_for_agent(quantity, agent), sample.parts(agent)
    # Of both kinds of responses together, for accuracy and for choices.
    places = {"human": slice(0, 1), "agent": slice(-1, None), "pair": slice(None)}
    right, n = parts[places[WHOSE[quantity]]].sum(axis=0).tolist()
    # A machine that is judged human is judged wrongly.
    return n - right if quantity == "p_HM" else right, n


def called_machine(sample, agent, level):
    """Whether an agent's responses are called machine as often as people's: a detectability of 0.5.

    Unlike the share of right verdicts, this does not depend on how many responses of each kind there were.
    """
    people_right, people_n, right, n = sample.four(agent).sum(axis=0).tolist()
    outcome = proportions.two_proportions(right, n, people_n - people_right, people_n, level)
    method = f"called machine, the agent's responses against people's; {outcome.method}"
    return replace(outcome, method=method)


def between(comparison, procedure, samples, agent, identity, config, paired=False):
    """Compare groups of judges with each other."""
    level = config["confidence"]
    if paired:
        values = [judge_values(part, comparison.quantity, agent) for part in samples.values()]
        if PAIRED[procedure.test] == "friedman":
            return ranks.friedman(np.column_stack(values), "complete", level)
        return ranks.paired_wilcoxon(*values, level)
    if procedure.test == "permutation_trials":
        return permuted_trials(comparison, samples, agent, identity, config)
    if procedure.test == "chi_square":
        counted = [called(sample, comparison.quantity, agent) for sample in samples.values()]
        return proportions.chi_square(*np.array(counted).T, level)
    if UNITS[procedure.test] == "judge":
        values = {
            name: (sample.judges, judge_values(sample, comparison.quantity, agent))
            for name, sample in samples.items()
        }
        return ranked(procedure, values, level)
    trials = [
        verdicts_right(sample, agent, procedure, config["seed"], f"{identity}.{name}")
        for name, sample in samples.items()
    ]
    if procedure.test == "welch_t":
        outcome = means.welch_t(*trials, level)
    else:
        outcome = means.anova_one_way(trials, level)
    return of_trials(outcome, procedure, samples.values(), agent, trials)


def of_trials(outcome, procedure, samples, agent, trials):
    """Add to the outcome of a test of 0/1 verdicts how many trials a balanced draw left out."""
    if not procedure.balanced:
        return outcome
    at_hand = sum(int(sample.parts(agent)[:, 1].sum()) for sample in samples)
    left_out = at_hand - sum(len(part) for part in trials)
    reason = f"{left_out} trials, to have as many on people's responses as on the agent's"
    method = f"right verdicts as 0 and 1, as many of each kind drawn without replacement; {outcome.method}"
    dropped = "; ".join(filter(None, [reason if left_out else "", outcome.dropped]))
    return replace(outcome, dropped=dropped, method=method)


def ranked(procedure, values, level):
    """Compare groups of judges by the ranks of their values.

    Parameters
    ----------
    values : dict of str to (judges, values)
        By group.
    """
    groups = [value for _, value in values.values()]
    if procedure.test == "mann_whitney":
        return ranks.mann_whitney(*groups, procedure.exact_ties, level, procedure.u == "larger")
    if procedure.test == "kruskal":
        return ranks.kruskal(groups, level)
    judges = sorted(set().union(*(names for names, _ in values.values())))
    aligned = np.full((2, len(judges)), np.nan)
    for row, (names, value) in zip(aligned, values.values(), strict=True):
        row[np.searchsorted(judges, names)] = value
    return ranks.paired_wilcoxon(*aligned, level)


def judge_values(sample, quantity, agent):
    """One value a judge: a rate, or another quantity of an agent; nan where a judge saw none."""
    return QUANTITIES[name_for_agent(quantity, agent)].value(*sample.four(agent).T)


def verdicts_right(sample, agent, procedure, seed, identity):
    """The 0/1 correctness of all trials of a group with people's or one agent's responses.

    `balanced` takes as many trials of people as of the agent, drawn without replacement: the number
    of right ones among them is hypergeometric, and their order does not matter to any test.
    """
    right, size = sample.parts(agent).T.tolist()
    if procedure.balanced:
        generator = resampling.generator(seed, f"balanced {identity}")
        fewest = min(size)
        right = [
            int(generator.hypergeometric(k, n - k, fewest))
            for k, n in zip(right, size, strict=True)
        ]
        size = [fewest for _ in size]
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


def permuted(comparison, samples, studentized, config, paired=False):
    """Permutation test of a quantity: labels of groups are shuffled over judges.

    Where `paired`, all groups have the same people in the same order: labels are shuffled within each, and
    bootstraps draw people with their verdicts in all groups.

    All agents share the same permutations. `studentized` divides differences by their errors over
    judges (`turingstats.stats.resampling.permutation_test`), so that groups may differ in these and in
    trials per judge. A group that was shown no response of people, or none of an agent, has no
    detectability and is left out. For two groups the effect is the difference of their quantities, with a
    percentile interval from a bootstrap of the judges of each group; for more it is the weighted standard
    deviation between groups.

    Yields as `run`.
    """
    if len(samples) < 2:
        return
    agents = shared_agents(comparison, samples)
    meant = [name_for_agent(comparison.quantity, agent) for agent in agents]
    value = [QUANTITIES[quantity].value for quantity in meant]
    defined = {
        name: all(
            np.isfinite(of(*sample.four(agent).sum(axis=0)))
            for of, agent in zip(value, agents, strict=True)
        )
        for name, sample in samples.items()
    }
    dropped = ", ".join(name for name, enough in defined.items() if not enough)
    dropped = f"no {comparison.quantity}, left out: {dropped}" if dropped else ""
    samples = {name: sample for name, sample in samples.items() if defined[name]}
    if len(samples) < 2:
        names = ("difference", f"difference of {comparison.quantity}")
        n = sum(len(sample.judges) for sample in samples.values())
        outcome = undefined(f"{dropped}; not computed: fewer than two groups", *names, n)
        for agent in agents:
            yield suffix_of(comparison, agent), " vs ".join(defined), outcome
        return
    parts = [np.concatenate([s.four(a) for a in agents], axis=1) for s in samples.values()]
    sizes = [len(part) for part in parts]
    labels = np.repeat(np.arange(len(parts)), sizes)

    def values_of(totals):
        """Totals (..., 4 x agents) to one value an agent (..., agents)."""
        four = totals.reshape(*totals.shape[:-1], len(agents), 4)
        values = [of(*np.moveaxis(four[..., i, :], -1, 0)) for i, of in enumerate(value)]
        return np.stack(values, axis=-1)

    def slopes_of(totals):
        """Derivatives of each agent's value by all totals, (..., agents, 4 x agents)."""
        four = totals.reshape(*totals.shape[:-1], len(agents), 4)
        slopes = np.zeros((*four.shape[:-1], *four.shape[-2:]))
        for i, quantity in enumerate(meant):
            slopes[..., i, i, :] = gradient(quantity, four[..., i, :])
        return slopes.reshape(*four.shape[:-1], -1)

    draws = config["n_permutation"]
    rng = resampling.generator(config["seed"], f"permutation {comparison.id}")
    two = len(parts) == 2
    # Of more than two values a person, no error of all differences is at hand.
    studentized = studentized and (two or not paired)
    divided = slopes_of if studentized else None
    if paired:
        together = np.stack(parts, axis=1)
        statistic, p = resampling.paired_permutation_test(together, values_of, draws, rng, divided)
    else:
        statistic, p = resampling.permutation_test(
            np.concatenate(parts), labels, values_of, draws, rng, divided
        )
    observed = resampling.between_groups(
        np.stack([values_of(part.sum(axis=0)) for part in parts])[None], sizes
    )[0]
    drawn = [
        values_of(totals).T
        for totals in resampled_groups(comparison, samples, parts, config, paired)
    ]
    between = resampling.between_groups(np.stack(drawn, axis=2).transpose(1, 2, 0), sizes)
    effects = resampling.as_effect(between, observed, len(parts))
    _, low, high = resampling.spread(effects.T, config["confidence"])
    plain, over_error = ("difference", "t") if two else ("variance between groups", "Wald")
    how = ", each difference over its error over judges" if studentized else ""
    over = "within people who are in all groups" if paired else "over judges"
    of = "people with all their verdicts" if paired else "judges of each group"
    for i, agent in enumerate(agents):
        outcome = Outcome(
            statistic_name=over_error if studentized else plain,
            statistic=float(statistic[i]),
            df="",
            p=float(p[i]),
            effect_name="difference" if two else "standard deviation between groups",
            effect=float(observed[i] if two else np.sqrt(observed[i])),
            ci_low=float(low[i]),
            ci_high=float(high[i]),
            n1=sizes[0] if two else sum(sizes),
            n2=sizes[1] if two else NAN,
            dropped=dropped,
            method=f"{comparison.quantity}: labels permuted {over}{how}, {draws} draws, two-sided, "
            f"p = (b+1)/(B+1); percentile interval from {config['n_bootstrap']} bootstraps of the "
            f"{of}" + ("" if two else BIAS),
            n_per_group=format_sizes(sizes),
        )
        yield suffix_of(comparison, agent), " vs ".join(samples), outcome


def resampled_groups(comparison, samples, parts, config, paired):
    """Bootstrap totals of each group; where `paired`, of the same people in all of them."""
    draws = config["n_bootstrap"]
    if paired:
        rng = resampling.generator(config["seed"], f"bootstrap {comparison.id}")
        totals = resampling.bootstrap_totals(np.concatenate(parts, axis=1), draws, rng)
        return np.split(totals, len(parts), axis=1)
    return [
        resampling.bootstrap_totals(
            part,
            draws,
            resampling.generator(config["seed"], f"bootstrap {comparison.id}.{name}"),
        )
        for name, part in zip(samples, parts, strict=True)
    ]


def permuted_trials(comparison, samples, agent, identity, config):
    """Permutation of the labels of groups over single trials, as if those of a judge were independent.

    Trials on people's and on the agent's responses are permuted separately. The interval is percentile,
    from binomial draws of the trials of each group.
    """
    value = QUANTITIES[name_for_agent(comparison.quantity, agent)].value
    four = np.array([sample.four(agent).sum(axis=0) for sample in samples.values()])
    # People's responses have no counterpart of their own.
    sizes = four[:, [1] if agent == "human" else [1, 3]].sum(axis=1)
    draws = config["n_permutation"]
    rng = resampling.generator(config["seed"], f"permutation of trials {identity}")

    def statistic(right):
        """From right verdicts on people's and on the agent's responses, shape (draws, groups, 2)."""
        rates = value(right[..., 0], four[:, 1], right[..., 1], four[:, 3])
        return resampling.between_groups(rates, sizes)

    observed = statistic(four[None, :, ::2])[0]
    shuffled = [resampling.permute_trials(four[:, i], four[:, i + 1], draws, rng) for i in (0, 2)]
    far = np.abs(statistic(np.stack(shuffled, axis=-1))) >= np.abs(observed) - 1e-12
    p = (far.sum() + 1) / (draws + 1) if np.isfinite(observed) else np.nan
    rates = np.stack([rate(four[:, i], four[:, i + 1]) for i in (0, 2)], axis=-1)
    drawn = rng.binomial(four[:, 1::2], np.nan_to_num(rates), (config["n_bootstrap"], *rates.shape))
    two = len(four) == 2
    effects = resampling.as_effect(statistic(drawn), observed, len(four))
    _, low, high = resampling.spread(effects, config["confidence"])
    return Outcome(
        statistic_name="difference" if two else "variance between groups",
        statistic=float(observed),
        df="",
        p=float(p),
        effect_name="risk difference" if two else "standard deviation between groups",
        effect=float(observed if two else np.sqrt(observed)),
        ci_low=float(low),
        ci_high=float(high),
        n1=int(sizes[0]) if two else int(sizes.sum()),
        n2=int(sizes[1]) if two else NAN,
        dropped="",
        method=f"{comparison.quantity}: labels permuted over trials of people and of the agent separately, "
        f"{draws} draws, two-sided, p = (b+1)/(B+1); percentile interval from {config['n_bootstrap']} "
        "binomial draws" + ("" if two else BIAS),
        n_per_group=format_sizes(sizes),
    )
