"""Declared tests on counts made for them: what is compared with what, and what a row says about it."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from project import NOBODY, read_study
from scipy import stats

from turingstats.analysis.comparisons import permutation, samples
from turingstats.analysis.comparisons.compare import count_family
from turingstats.analysis.comparisons.compare import run_comparisons as compare_all
from turingstats.analysis.comparisons.registry import Compared, Question
from turingstats.config.study import Study
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import READINGS, build_model
from turingstats.data import schema
from turingstats.stats import trends
from turingstats.stats.hypothesis import means, proportions, ranks

STUDY = read_study("zhang2025")
OPTIONS = {"seed": 1, "n_bootstrap": 300, "n_permutation": 300, "confidence": 0.95}


def study_with(*declared):
    """The study with these comparisons only, on Color estimation by number of exchanges and variant."""
    values = STUDY.model_dump(
        mode="json", include={"study", "title", "reference", "agents", "tasks"}
    )
    values["tasks"]["color"]["conditions"] = ["variant", "exchanges", "variant+exchanges"]
    own = [{"task": "color", "cohorts": ["amt"], "quantity": "p_MM"} | d for d in declared]
    return build_model(Study, values | {"comparisons": own}, "study")


def counts_of(cells):
    """Counts in both readings from rows (judge, group_by, group, agent, n, right)."""
    rows = []
    for judge, group_by, group, agent, n, right in cells:
        human = right if agent == "human" else n - right
        row = {"study": "zhang2025", "task": "color", "cohort": "amt", "judge_kind": "human"}
        row |= {"judge": judge, "stimulus": "", "group_by": group_by, "group": group}
        row |= {"agent": agent, "n": n, "n_human": human, "n_machine": n - human}
        rows += [row | {"reading": reading} for reading in READINGS]
    return pd.DataFrame(rows).reindex(columns=list(schema.COUNTS))


def compare(cells, *declared, **kwargs):
    found = compare_all(counts_of(cells), NOBODY, study_with(*declared), OPTIONS, **kwargs)
    return found.set_index(["test_id", "reading"])


def judged(judges=8, agents=("azure", "mccq", "google")):
    """Judges with ten responses of people and ten of each agent, each agent easier than the last."""
    rng = np.random.default_rng(5)
    for j in range(judges):
        yield f"j{j}", "all", "all", "human", 10, int(rng.binomial(10, 0.6))
        for easy, agent in enumerate(agents):
            yield f"j{j}", "all", "all", agent, 10, int(rng.binomial(10, 0.4 + 0.2 * easy))


def test_pairs_of_agents_after_friedman():
    agents = ["azure", "mccq", "google"]
    procedure = {"test": "friedman_pairs", "family": "pairs", "correction": "holm"}
    cells = list(judged())
    found = compare(cells, {"id": "x", "agents": agents, "recommended": procedure})
    pairs = ["x.azure-mccq", "x.azure-google", "x.mccq-google"]
    assert list(found.index.get_level_values(0)) == pairs
    assert (found["family_size"] == 3).all() and (found["quantity"] == "p_MM").all()
    assert (found["p_adjusted"] >= found["p"]).all()
    share = {a: np.array([c[5] / 10 for c in cells if c[3] == a]) for a in agents}
    expected = ranks.wilcoxon(share["azure"] - share["google"], 0, True)
    row = found.loc[("x.azure-google", "recommended")]
    assert row["statistic"] == expected.statistic
    assert row["effect"] == expected.effect < 0
    (all_three,) = compare(
        cells, {"id": "x", "agents": agents, "recommended": {"test": "friedman"}}
    ).to_dict("records")
    assert all_three["statistic"] == stats.friedmanchisquare(*share.values()).statistic
    assert all_three["groups"] == "azure vs mccq vs google"


def test_a_family_counts_the_agents_that_it_declares():
    tests = [("x", ["azure", "mccq", "google"], "one"), ("y", ["azure", "mccq"], "other")]
    tests.append(("z", ["mccq"], "alone"))
    procedure = {"test": "wilcoxon", "correction": "holm"}
    study = study_with(
        *(
            {"id": name, "agents": agents, "recommended": procedure | {"family": family}}
            for name, agents, family in tests
        )
    )
    declared = [comparison.recommended for comparison in study.comparisons]
    declared.append(declared[0].model_copy(update={"family": None}))
    assert [count_family(study, "recommended", one) for one in declared] == [3, 2, 1, 1]


@pytest.mark.parametrize(
    ("declared", "about"),
    [
        ({"agents": ["azure"]}, "azure"),
        ({"agents": ["azure", "mccq"]}, ""),
        ({"agents": ["azure"], "cohorts": []}, ""),
        ({"agents": ["all"], "rows": ["azure", "mccq"]}, ""),
        ({"agents": ["all"], "quantity": "p_HH"}, "human"),
    ],
)
def test_a_test_of_several_groups_is_about_its_only_agent(declared, about):
    comparison = SimpleNamespace(**{"quantity": "p_MM", "cohorts": ["amt"], "rows": []} | declared)
    question = SimpleNamespace(comparison=comparison)
    assert Question.find_agent(question, Compared("all groups")) == about
    told = Question.find_agent(question, Compared("a vs b", "google"))
    assert told == ("human" if about == "human" else "google")


def ask(quantity, test="friedman", **others):
    """Keys of a comparison."""
    return {"quantity": quantity, "published": {"test": test}} | others


def by_length(lengths=(3, 6, 9, 48)):
    """Judges whose rates rise by one half of a verdict in ten for each exchange, and fall at 48."""
    for j in range(6):
        for length in lengths:
            right = 9 - j if length == 48 else 2 + length // 3 + (j % 2)
            yield f"j{j}", "exchanges", str(length), "azure", 10, right
            yield f"j{j}", "exchanges", str(length), "human", 10, 5
            yield f"j{j}", "variant+exchanges", f"H-M/{length}", "azure", 10, right
        yield f"j{j}", "all", "all", "azure", 40, 20
        yield f"j{j}", "all", "all", "human", 40, 20


@pytest.mark.parametrize("line", ["exact", "linregress"])
def test_slopes_and_residuals_of_each_judge(line):
    scale = {"by": "exchanges", "held_out": "48", "agents": ["azure"]}
    crossed = scale | {"by": "variant+exchanges", "level": "H-M"}
    slopes, residuals = ({"published": {"test": t, "line": line}} for t in ("slopes", "residuals"))
    found = compare(
        list(by_length()),
        {"id": "slope"} | slopes | scale,
        {"id": "crossed"} | slopes | crossed,
        {"id": "rest"} | residuals | scale,
        {"id": "odds", "published": {"test": "binomial_regression"}} | scale,
    ).xs("published", level="reading")
    # Of 60 verdicts at 3, 6 and 9 exchanges, 21, 27 and 33 are right.
    odds = trends.binomial_regression([3, 6, 9], [[21, 27, 33]], [[60] * 3], False)
    assert found.loc["odds.azure", "statistic"] == pytest.approx(odds.statistic)
    found = found.drop("odds.azure")
    assert found.loc["slope.azure", "effect"] == pytest.approx(1 / 30)
    assert found.loc["slope.azure", "groups"].endswith("3, 6, 9")
    assert found.loc["crossed.azure", "effect"] == pytest.approx(1 / 30)
    # The lines lead to (2 + 16 + j % 2) / 10 at 48 exchanges.
    left = [(9 - j) / 10 - (18 + j % 2) / 10 for j in range(6)]
    assert found.loc["rest.azure", "effect"] == pytest.approx(np.mean(left))
    assert found.loc["rest.azure", "statistic"] < 0
    assert (found["unit"] == "judge").all()
    if line == "linregress":
        assert found["method"].str.contains("fitted by scipy.stats.linregress").all()
        assert (found["statistic"] <= 0).all()


def test_a_line_needs_two_levels():
    x, values = np.array([1, 2, 4]), np.array([[np.nan, 0.2, 0.6], [0.5, np.nan, np.nan]])
    for lines in (
        trends.fit_lines(x, values, np.ones((2, 3))),
        trends.fit_lines_by_linregress(x, values),
    ):
        slopes, intercepts = lines
        assert (slopes[0], intercepts[0]) == pytest.approx((0.2, -0.2))
        assert np.isnan([slopes[1], intercepts[1]]).any()


def test_lists_without_missing_cells_are_cut_to_the_shortest():
    nan = np.nan
    table = [[0.1, 0.5, 0.9], [nan, 0.6, 0.2], [0.3, nan, 0.7], [0.4, 0.8, nan], [0.2, 0.9, 0.4]]
    outcome = ranks.friedman(table, "shortest")
    lists = [[0.1, 0.3, 0.4, 0.2], [0.5, 0.6, 0.8, 0.9], [0.9, 0.2, 0.7, 0.4]]
    expected = stats.friedmanchisquare(*lists)
    assert (outcome.statistic, outcome.p) == pytest.approx(tuple(expected))
    assert outcome.n1 == 4
    assert outcome.dropped == "3 missing cells"
    whole = ranks.friedman(np.array(table)[[0, 4, 0]], "shortest")
    assert whole.statistic == ranks.friedman(np.array(table)[[0, 4, 0]], "complete").statistic
    assert whole.dropped == ""
    longer = ranks.friedman([*table[:2], *table[:2]], "shortest")
    assert longer.dropped == "2 missing cells, and 4 values at the ends of the longer lists"


def test_shares_called_human_at_two_levels_are_paired_by_judge():
    cells = [(f"j{j}", "all", "all", a, 10, 5) for j in range(6) for a in ("human", "azure")]
    for j in range(6):
        cells.append((f"j{j}", "variant", "H-H", "human", 10, 4 + j % 3))
        # The last judge saw no machines among themselves.
        if j < 5:
            cells.append((f"j{j}", "variant", "M-M", "azure", 10, 2 + j))
    declared = {"id": "x", "quantity": "called human", "by": "variant"}
    declared |= {"rows": ["human@H-H", "azure@M-M"], "published": {"test": "mann_whitney"}}
    found = compare(cells, declared | {"recommended": {"test": "paired_wilcoxon"}})
    people = np.array([0.4, 0.5, 0.6, 0.4, 0.5, 0.6])
    machines = np.array([0.8, 0.7, 0.6, 0.5, 0.4])
    row = found.loc[("x", "published")]
    assert row["statistic"] == ranks.mann_whitney(people, machines, True).statistic
    assert row["n_per_group"] == "6; 5"
    row = found.loc[("x", "recommended")]
    assert row["statistic"] == ranks.wilcoxon(people[:5] - machines, 0, True).statistic
    assert row["n1"] == 5
    assert row["dropped"].startswith("1 judge without both values")
    found = compare(cells, declared | {"recommended": {"test": "crossed_t"}})
    row = found.loc[("x", "recommended")]
    assert row["effect"] == pytest.approx(people.mean() - machines.mean())
    assert (row["n1"], row["n2"]) == (6, 5)
    # At a level of which there are no data, and of an agent that nobody saw there.
    for row in ("azure@none", "mccq@H-H"):
        assert compare(cells, declared | {"rows": ["human@H-H", row]}).empty


def test_alternatives_stand_beside_the_published_test():
    cells = list(judged())
    cells += [(j, "variant", "ab"[int(j[1:]) % 2], *rest) for j, _, _, *rest in cells]
    declared = {"id": "x", "by": "variant", "published": {"test": "permutation"}}
    found = compare(cells, declared | {"alternative": {"test": "permutation_trials"}})
    row = found.loc[("x.all", "alternative")]
    assert row["unit"] == "trial"
    assert row["n_per_group"] == "160; 160"
    assert row["statistic"] == found.loc[("x.all", "published"), "statistic"]
    assert row["ci_low"] < row["effect"] < row["ci_high"]
    n, right = np.zeros(2), np.zeros(2)
    for _, by, group, agent, number, correct in cells:
        if by == "variant" and agent != "human":
            n["ab".index(group)] += number
            right["ab".index(group)] += correct
    table = np.stack([right, n - right])
    expected = stats.chi2_contingency(table, correction=False).pvalue
    assert row["p"] == pytest.approx(expected, abs=0.1)


def test_groups_and_agents_are_crossed_in_one_analysis_of_variance():
    cells = list(judged())
    cells += [(j, "variant", "ab"[int(j[1:]) % 3 // 2], *rest) for j, _, _, *rest in cells]
    trials = [
        (value, group, agent)
        for _, by, group, agent, n, right in cells
        if by == "variant" and agent in ("azure", "mccq")
        for value in [1] * right + [0] * (n - right)
    ]
    declared = {"id": "x", "by": "variant", "agents": ["azure", "mccq"]}
    found = compare(cells, declared | {"published": {"test": "anova_two_way"}})
    expected = means.anova_two_way(*zip(*trials, strict=True))
    for name, of in (("variant", "a"), ("agent", "b"), ("variantxagent", "a:b")):
        row = found.loc[(f"x.{name}", "published")]
        assert row["statistic"] == pytest.approx(expected[of].statistic)
        assert row["n1"] == 160


def test_agents_permuted_together_have_the_numbers_of_each_alone():
    cells = list(judged())
    cells += [(j, "variant", "ab"[int(j[1:]) % 2], *rest) for j, _, _, *rest in cells]
    declared = {"id": "x", "by": "variant", "quantity": "detectability"}
    declared["recommended"] = {"test": "permutation"}
    together = compare(cells, declared | {"agents": ["azure", "google"]})
    columns = ["statistic", "p", "effect", "ci_low", "ci_high"]
    for agent in ("azure", "google"):
        row = compare(cells, declared | {"agents": [agent]}).iloc[0]
        assert row["agent"] == agent
        assert together.loc[f"x.{agent}", columns].iloc[0].tolist() == row[columns].tolist()
        assert -1 < row["ci_low"] < row["effect"] < row["ci_high"] < 1
    assert together["statistic"].nunique() == 2


def test_proportions_of_agents_and_exact_binomial():
    cells = list(judged(judges=1))
    right = {c[3]: c[5] for c in cells}
    agents = ["azure", "mccq", "google"]
    found = compare(
        cells,
        {"id": "chi", "agents": agents, "recommended": {"test": "chi_square"}},
        {"id": "bin", "agents": agents, "against": 0.5, "recommended": {"test": "binomial"}},
    )
    expected = proportions.chi_square([right[a] for a in agents], [10] * 3)
    assert found.loc[("chi", "recommended"), "statistic"] == expected.statistic
    assert found.loc[("bin.mccq", "recommended"), "statistic"] == right["mccq"]
    assert found.loc[("bin.mccq", "recommended"), "n1"] == 10
    # Where all verdicts are right, there is no error over judges and stimuli.
    sure = [(f"j{j}", "all", "all", a, 10, 10) for j in range(6) for a in ("human", "azure")]
    crossed = {"id": "t", "against": 0.5, "agents": ["azure"], "recommended": {"test": "crossed_t"}}
    (row,) = compare(sure, crossed).to_dict("records")
    assert (row["p"], row["unit"]) == (2 * 0.5**6, "judge")
    assert row["method"].startswith("all judges and stimuli alike, so ranks over judges")
    once, never = (proportions.binomial(n, n, 0.5) for n in (1, 0))
    assert (once.p, once.effect) == (1, 0.5) and np.isnan(never.p)


def test_a_group_of_two_judges_is_left_out_of_what_is_beside_a_test():
    counts = counts_of(judged(16))
    number = counts["judge"].str[1:].astype(int)
    counts["cohort"] = np.select([number < 8, number < 14], ["amt", "expert"], "feedback")
    declared = {"id": "x", "agents": ["azure"], "recommended": {"test": "kruskal"}}
    two, three = (
        compare_all(counts, NOBODY, study_with(declared | {"cohorts": cohorts}), OPTIONS).iloc[0]
        for cohorts in (["amt", "expert"], ["amt", "expert", "feedback"])
    )
    assert two["p_judges"] == three["p_judges"] > 0 and two["p"] != three["p"]


def test_a_bias_towards_the_more_frequent_kind_is_no_detectability():
    """Two judges who call 70 % of everything machine: one saw as many of each kind, one mostly machines.

    Their shares of right verdicts are 0.5 and 0.6; the detectability of both is 0.5.
    """
    sizes = {("a", "human"): 200, ("a", "azure"): 200, ("b", "human"): 100, ("b", "azure"): 300}
    right = {"human": 0.3, "azure": 0.7}
    counts = counts_of((j, "all", "all", a, n, round(right[a] * n)) for (j, a), n in sizes.items())
    counts["cohort"] = counts["judge"].map({"a": "amt", "b": "zeroshot"})
    against = ask("detectability", "two_proportions", id="one", cohorts=["zeroshot"], against=0.5)
    study = study_with(
        ask("detectability", "permutation_trials", id="two", cohorts=["amt", "zeroshot"]), against
    )
    found = compare_all(counts, NOBODY, study, OPTIONS).set_index("test_id")
    assert found["effect"].abs().max() < 1e-12
    assert (found["p"] == 1).all()
    assert found.loc["one.all", "n_per_group"] == "300; 100"


def test_agreement_takes_the_answers_of_people():
    rows = [("color", *pair) for pair in zip("aabbcc", ["human"] * 6, "xxyyxy", strict=True)]
    rows += [("color", "a", "azure", "y"), ("object", "a", "human", "z")]
    responses = pd.DataFrame(rows, columns=["task", "stimulus", "agent", "response"])
    declared = {"id": "x", "cohorts": [], "quantity": None, "published": {"test": "fleiss_kappa"}}
    row = compare(list(judged()), declared, responses=responses).loc[("x", "published")]
    # Two of three agree, by chance one half would.
    assert row["effect"] == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))
    assert (row["n1"], row["unit"], row["cohort"]) == (3, "stimulus", "responses")
    none = compare(list(judged()), declared, responses=responses[responses["agent"] != "human"])
    assert none["dropped"].item() == "not computed: nobody's answers are at hand"


def test_balanced_tests_say_what_they_left_out():
    cells = [("j0", "all", "all", "human", 30, 20), ("j0", "all", "all", "azure", 20, 5)]
    procedure = {"test": "welch_t_random", "balanced": True}
    row = compare(cells, {"id": "x", "agents": ["azure"], "against": 0.5, "published": procedure})
    assert row["dropped"].item().startswith("10 trials, to have as many on people's responses")
    assert row["n_per_group"].item() == "40; 40"
    row = row.iloc[0]
    # Right verdicts less random ones, about normal: 20 of the 30 on people's responses, and 40 at random.
    more = stats.norm(20 * 20 / 30 + 5 - 20, np.sqrt(20 * 2 / 9 * 10 / 29 + 40 / 4))
    low, high = more.ppf([0.025, 0.975]) / 40 / np.sqrt(2 * 0.25 / 39)
    # One verdict is 0.22.
    assert (row["statistic_low"], row["statistic_high"]) == pytest.approx((low, high), abs=0.25)
    assert row["p_low"] <= row["p"] <= row["p_high"]
    assert row["method"].endswith("one draw, next to the central 95% of 1,000 draws")


def test_the_range_over_draws_is_of_the_same_tests():
    right, n = np.array([[12, 5, 9], [3, 14, 8]]), np.array([20, 18, 15])
    for row, *spread in zip(right, *means.compare_shares_by_anova(right, n), strict=True):
        groups = [np.repeat([1, 0], [k, size - k]) for k, size in zip(row, n, strict=True)]
        assert spread == pytest.approx(list(stats.f_oneway(*groups)))
    by_welch = means.compare_shares_by_welch(right[:, :2], n[:2])
    for row, *spread in zip(right, *by_welch, strict=True):
        groups = [np.repeat([1, 0], [k, size - k]) for k, size in zip(row[:2], n[:2], strict=True)]
        assert spread == pytest.approx(list(stats.ttest_ind(*groups, equal_var=False)))


def test_recommended_rows_have_the_published_trials_and_independent_verdicts_next_to_them():
    cells = list(judged())
    declared = {"id": "x", "agents": ["azure"], "against": 0.5, "published": {"test": "binomial"}}
    found = compare(cells, declared | {"recommended": {"test": "wilcoxon"}})
    published, recommended = (found.loc[("x.azure", reading)] for reading in READINGS)
    assert recommended["p_published_trials"] == recommended["p_judges"] != published["p"]
    # With the first judges alone in the published reading.
    counts = counts_of(cells)
    left_out = (counts["reading"] == "published") & counts["judge"].isin(["j6", "j7"])
    study = study_with(declared | {"recommended": {"test": "wilcoxon"}})
    again = compare_all(counts[~left_out], NOBODY, study, OPTIONS).iloc[-1]
    few = compare_all(counts[~counts["judge"].isin(["j6", "j7"])], NOBODY, study, OPTIONS).iloc[-1]
    assert again["p_judges"] == recommended["p_judges"] != few["p_judges"]
    assert again["p_published_trials"] == few["p_judges"]
    share = np.mean([c[5] / 10 for c in cells if c[3] == "azure"])
    z = (share - 0.5) / np.sqrt(share * (1 - share) / 80)
    assert recommended["p_independent"] == pytest.approx(2 * stats.norm.sf(abs(z)))


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"published": {"test": "slopes"}}, "needs one cohort and a scale"),
        ({"by": "exchanges", "published": {"test": "residuals"}}, "a level that is held out"),
        ({"rows": ["azure@H-M"], "published": {"test": "mann_whitney"}}, "go with the quantity"),
        ({"published": {"test": "fleiss_kappa"}}, "every test but fleiss_kappa"),
        ({"alternative": {"test": "spearman"}}, "a correlation needs a score"),
        (ask("detectability", "slopes", by="exchanges"), "takes p_HH or p_MM"),
        (ask("detectability", "binomial", against=0.5), "single verdicts, two_proportions tests"),
        (ask("accuracy", "two_proportions", against=0.5), "two_proportions takes detectability"),
        (ask("called human", "welch_t", against=0.5), "welch_t takes p_HH, p_MM, p_HM, detectab"),
        (ask("p_HM", agents=["human", "azure"]), "p_HM is not defined for human.*p_HH.*'called h"),
        (ask("p_MM", agents=["human"]), "p_MM is not defined for human.*'called human'"),
        (ask("p_HH", agents=["azure"]), "p_HH is not defined for azure.*p_HM.*'called human'"),
        (ask("detectability", agents=["azure", "human"]), "defined for human.*machine's resp"),
        (ask("accuracy", agents=["human"]), "comparisons.x: .*not defined for human"),
    ],
)
def test_what_a_test_does_not_take_is_refused(declared, message):
    with pytest.raises(ConfigError, match=message):
        study_with({"id": "x"} | declared)


def test_rows_go_with_tests_that_compare_them():
    rows = ask("called human", "chi_square", by="exchanges", rows=["human@3", "azure@3"])
    with pytest.raises(
        ConfigError, match=r"comparisons\.x: chi_square .* crossed_t, kruskal, mann"
    ):
        compare(list(by_length()), {"id": "x"} | rows)


def test_every_declared_test_has_an_effect_and_an_interval():
    """Rows of tests that are defined carry an effect; an interval, unless the data are too clear-cut."""
    cells = list(judged(judges=10))
    cells += [(j, "variant", "ab"[int(j[1:]) % 2], *rest) for j, _, _, *rest in cells]
    names = "mann_whitney kruskal permutation permutation_trials welch_t anova_one_way chi_square"
    by_group = [
        {"id": n, "by": "variant", "agents": ["mccq"], "published": {"test": n}}
        for n in names.split()
    ]
    one = [
        {"id": n, "against": 0.5, "agents": ["mccq"], "published": {"test": n}}
        for n in ("wilcoxon", "binomial", "welch_t_random")
    ]
    of_both = {"quantity": "detectability", "published": {"test": "two_proportions"}}
    one.append(one[0] | of_both | {"id": "two_proportions"})
    found = compare(cells, *by_group, *one)
    assert found[["statistic", "p", "effect", "ci_low", "ci_high"]].notna().all(axis=None)
    assert (found["ci_low"] <= found["effect"]).all()
    assert (found["effect"] <= found["ci_high"]).all()
    assert (found["method"].str.len() > 30).all()
    assert (found["n_per_group"] != "").all()
    own = [(by, agent, k) for _, *by, agent, _, k in cells if agent in ("human", "mccq")]
    groups = [[(who, k) for (_, group), who, k in own if group == name] for name in "ab"]
    trials = [[v for _, k in rows for v in [1] * k + [0] * (10 - k)] for rows in groups]
    values = [[k / 10 for who, k in rows if who == "mccq"] for rows in groups]
    expected = {
        "welch_t.mccq": stats.ttest_ind(*trials, equal_var=False),
        "anova_one_way.mccq": stats.f_oneway(*trials),
        "mann_whitney.mccq": ranks.mann_whitney(*values, True),
        "kruskal.mccq": stats.kruskal(*values),
        "chi_square.mccq": proportions.chi_square([10 * sum(v) for v in values], [50, 50]),
    }
    for name, test in expected.items():
        row = found.loc[(name, "published")]
        assert row["statistic"] == pytest.approx(test.statistic)


def test_agents_are_correlated_with_a_score():
    cells, agents = list(judged()), ["azure", "mccq", "google"]
    scores = [*zip(agents, [0.3, 0.9, 0.5], ["cider"] * 3, strict=True), ("google", 9.0, "bleu")]
    benchmarks = pd.DataFrame(scores, columns=["agent", "value", "measure"])
    declared = {"id": "x", "agents": agents, "score": "cider", "quantity": "detectability"}
    declared |= {"published": {"test": "pearson"}, "recommended": {"test": "pearson"}}
    found = compare(cells, declared, benchmarks=benchmarks)["effect"]
    right = {name: sum(c[5] for c in cells if c[3] == name) / 80 for name in ["human", *agents]}
    for reading, digits in (("published", 2), ("recommended", 16)):
        shares = {name: np.round(share, digits) for name, share in right.items()}
        values = [(shares["human"] + shares[name]) / 2 for name in agents]
        assert found["x", reading] == pytest.approx(stats.pearsonr([0.3, 0.9, 0.5], values)[0])


def shares(cells, agent):
    """Share of an agent's responses that each judge called human."""
    own = [(k, n) for _, by, _, name, n, k in cells if name == agent and by == "all"]
    return np.array([(k if agent == "human" else n - k) / n for k, n in own])


def test_called_human_is_a_share_of_any_agent():
    cells = list(judged())
    people, machine = shares(cells, "human"), shares(cells, "azure")
    asked = {"id": "x", "quantity": "called human", "agents": ["human", "azure"]}
    found = compare(cells, asked | {"recommended": {"test": "friedman_pairs"}})
    row = found.loc[("x.human-azure", "recommended")]
    assert row["statistic"] == ranks.paired_wilcoxon(people, machine).statistic
    assert row["p"] == ranks.paired_wilcoxon(people, machine).p
    found = compare(cells, asked | {"recommended": {"test": "chi_square"}})
    counted = [round(10 * share.sum()) for share in (people, machine)]
    assert found["p"].item() == proportions.chi_square(counted, [80, 80], 0.95).p
    for test in ("binomial", "wilcoxon"):
        found = compare(cells, asked | {"against": 0.5, "recommended": {"test": test}})
        assert list(found.index.get_level_values(0)) == ["x.human", "x.azure"]
    binomial = compare(cells, asked | {"against": 0.5, "recommended": {"test": "binomial"}})
    assert binomial["statistic"].tolist() == counted


def test_choices_have_no_rates_of_people():
    values = STUDY.model_dump(mode="json", include={"study", "title", "agents", "tasks"})
    values["tasks"]["color"]["choice"] = True
    place = {"id": "x", "task": "color", "cohorts": ["amt"], "against": 0.5}
    place |= {"recommended": {"test": "wilcoxon"}}
    for own in ({"quantity": "p_HH"}, {"quantity": "called human", "agents": ["human"]}):
        with pytest.raises(ConfigError, match="not defined for choices"):
            build_model(Study, values | {"comparisons": [place | own]}, "study")
    # Each choice counts once.
    n, right = np.array([[10, 10], [6, 6]]), np.array([[7, 7], [2, 2]])
    sample = samples.Sample(np.array(["a", "b"]), ["bot", "other"], n, right, choice=True)
    assert samples.count_rate_verdicts(sample, "accuracy", "bot") == (9, 16)
    drawn, size = samples.draw_right_verdicts(sample, "bot", False, np.random.default_rng(1), 2)
    assert (drawn.tolist(), size) == ([9, 9], 16)


@pytest.mark.parametrize("n_permutation", [100, 200, 500, 10_000])
@pytest.mark.parametrize(("true", "below"), [(0.0036, True), (0.0125, False), (0.0, True)])
def test_permutations_go_on_until_a_corrected_p_is_decided(n_permutation, true, below):
    # A p on either side of 0.05 / 6, whatever number of permutations a run makes at first.
    rng = np.random.default_rng(n_permutation)
    question = SimpleNamespace(level=0.95, family_size=6, config={"n_permutation": n_permutation})
    far = []

    def test(size):
        far.append(rng.binomial(size, true))
        return np.array([2.0]), np.array([(far[-1] + 1) / (size + 1)])

    _, p, draws = permutation.draw_until_decided(test, question)
    assert p[0] == pytest.approx((sum(far) + 1) / (draws + 1), rel=1e-9)
    assert (p[0] < 0.05 / 6) == below
    assert n_permutation <= draws <= 100_000
    # Permutations are not wasted on what is clear.
    for p in (0.4, np.nan):
        clear = np.array([0.0]), np.array([p])
        assert (
            permutation.draw_until_decided(lambda size, out=clear: out, question)[2]
            == n_permutation
        )


@pytest.mark.parametrize(("family", "place"), [(1, 1), (3, 1), (3, 2), (3, 3)])
def test_permutations_go_on_at_the_limit_of_every_place_in_a_family(family, place):
    question = SimpleNamespace(level=0.95, family_size=family, config={"n_permutation": 1000})
    at_limit = np.zeros(1), np.array([0.05 / place])
    assert permutation.draw_until_decided(lambda _: at_limit, question)[2] == 100_000
    beyond = np.zeros(1), np.array([0.05 / (family + 1)])
    assert permutation.draw_until_decided(lambda _: beyond, question)[2] < 100_000


def test_residuals_can_be_rounded_and_corrected_for_continuity():
    rng = np.random.default_rng(4)
    n = np.full((30, 4), 6)
    right = rng.binomial(n, 0.5)
    plain = trends.assess_residuals([3, 6, 9, 48], right, n, 3, False)
    slope, intercept, _ = trends.fit_judges(
        np.array([3.0, 6, 9]), right[:, :3], n[:, :3], False, "exact"
    )
    difference = np.round(right[:, 3] / 6 - (intercept + 48 * slope), 12)
    options = {"zero_method": "wilcox", "method": "asymptotic"}
    for sign in (1, -1):
        corrected = ranks.wilcoxon(sign * difference, 0, True, continuity=True)
        expected = stats.wilcoxon(difference, correction=True, **options)
        assert corrected.p == pytest.approx(expected.pvalue)
        assert np.sign(corrected.statistic) == sign * np.sign(plain.statistic)
        assert abs(corrected.statistic) < abs(plain.statistic)
    rounded = trends.assess_residuals([3, 6, 9, 48], right, n, 3, False, decimals=1)
    expected = stats.wilcoxon(np.round(difference, 1), correction=False, **options)
    assert rounded.p == pytest.approx(expected.pvalue)
    assert rounded.p != pytest.approx(plain.p)


def test_a_logistic_slope_of_two_levels_is_the_difference_of_their_log_odds():
    right, n = np.array([[3, 5], [4, 6]]), np.full((2, 2), 8)
    found = trends.binomial_regression(np.array([0, 1]), right, n, clustered=True)
    assert found.effect == pytest.approx(np.log(11 / 5) - np.log(7 / 9))
    reach = stats.norm.isf(0.025) * found.effect / found.statistic
    assert [found.ci_low, found.ci_high] == pytest.approx(
        [found.effect - reach, found.effect + reach]
    )
