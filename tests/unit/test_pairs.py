"""Tables of choices between agents: how they are understood, and what is said of their ranks."""

import re

import numpy as np
import pandas as pd
import pytest
from project import read_example
from scipy import stats
from scipy.special import logit
from test_new_study import write

from turingstats.config.study import Study
from turingstats.core.errors import ConfigError, InputError
from turingstats.rankings import reading
from turingstats.rankings.analysis import analyze_pairs
from turingstats.report import chart
from turingstats.report.designs import describe_rankings

HEADER = ["judge", "question_id", "model_a", "model_b", "winner"]
OPTIONS = {"seed": 1, "confidence": 0.95}


def make_rows(words=("model_a", "model_b", "tie (bothbad)")):
    """Choices of three judges between three agents, of whom each wins against another one."""
    agents = ("gpt", "llama", "human")
    pairs = [(agents[n % 3], agents[(n + 1 + n // 3 % 2) % 3]) for n in range(36)]
    return [[f"P{n % 3}", f"q{n % 4}", *pairs[n], words[n // 6 % 3]] for n in range(36)]


def read(file, folder, study):
    tables = reading.read_study([file], folder, study)
    return tables["comparisons"], tables["exclusions"]


def describe(tables, study, **others):
    """Sentences on tables of results, of which some are replaced."""
    told = {"tasks": {"pairs": "Pairs"}, "cohorts": {"pairs": {"judges": "Judges"}}}
    told["agents"] = {name: agent.label for name, agent in study.agents.items()}
    rows = [
        (tables | others)[name].astype(object).fillna("").astype(str).to_dict("records")
        for name in ("strengths", "differences", "places")
    ]
    return describe_rankings(*rows, told, 0.05)


@pytest.mark.parametrize(
    "words", [("model_a", "model_b", "tie (bothbad)"), ("A", "B", "Both bad"), ("a", "b", "tie")]
)
def test_columns_of_arenas_are_understood(tmp_path, words):
    rows = make_rows(words)
    study, file, told = write(tmp_path, (HEADER, rows))
    assert study.design == "pairs" and "a run would stop" not in told
    assert len(re.findall(r" (?:as it is|tie) \(\d+\)$", told, re.MULTILINE)) == len(words)
    assert {"human", "gpt", "llama"} == set(study.agents)
    comparisons, _ = read(file, tmp_path, study)
    outcomes = {words[0]: 1, words[1]: 0}
    assert list(comparisons["outcome"]) == [outcomes.get(row[4], 0.5) for row in rows]
    assert list(comparisons["first"]) == [row[2] for row in rows]
    assert not comparisons["judge"].isin({row[0] for row in rows}).any()


def test_winners_may_be_called_by_name_and_other_words_are_asked_once(tmp_path):
    rows = [
        [*row[:4], {"x": row[2], "y": row[3]}.get(row[4], "no idea")] for row in make_rows("xyz")
    ]
    told = r"(?s)not understood.*no idea.*no idea: option_a or tie"
    with pytest.raises(InputError, match=told):
        write(tmp_path, (HEADER, rows))
    study, file, _ = write(tmp_path, (HEADER, rows), words={"winner": {"no idea": None}})
    comparisons, exclusions = read(file, tmp_path, study)
    assert len(comparisons) == 24 and set(comparisons["outcome"]) == {0, 1}
    assert list(exclusions["excluded"]) == [12, 0]
    assert "null under values" in exclusions["reason"][0]


def test_the_chosen_one_of_several_options_wins_against_each_other(tmp_path):
    header = ["judge", "question_id", "model_a", "model_b", "model_c", "winner"]
    rows = [
        ["P1", "q1", "gpt", "llama", "human", "model_c"],
        ["P2", "q1", "llama", "human", "", "llama"],
        ["P2", "q2", "llama", "llama", "gpt", "tie"],
        ["P2", "q2", "llama", "llama", "", "model_a"],
    ] * 3
    study, file, _ = write(tmp_path, (header, rows))
    comparisons, exclusions = read(file, tmp_path, study)
    shown = comparisons.head(5)[["first", "second", "outcome"]].values.tolist()
    assert shown == [
        ["gpt", "human", 0], ["llama", "human", 0], ["llama", "human", 1],
        ["llama", "gpt", 0.5], ["llama", "gpt", 0.5],
    ]  # fmt: skip
    assert exclusions.loc[0, ["reason", "excluded"]].tolist() == [reading.SAME, 3]
    assert exclusions["excluded"].sum() + exclusions["rows_out"].iloc[-1] == len(rows)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"winner": "mistral"}, "none of the options"),
        ({"model_a": "mistral"}, "unknown option_a"),
        ({"judge": ""}, "no judge"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, change, problem):
    study, file, _ = write(tmp_path, (HEADER, make_rows()))
    table = pd.DataFrame(make_rows(), columns=HEADER)
    table.loc[5, [*change]] = [*change.values()]
    table.to_csv(tmp_path / file.path, index=False)
    with pytest.raises(InputError, match=problem):
        read(file, tmp_path, study)


def test_a_person_and_a_machine_in_each_row_remain_a_choice(tmp_path):
    header = ["judge", "response_a", "response_b", "choice"]
    rows = [
        [f"P{n % 5}", *["human", "gpt"][:: (-1) ** n], f"response_{'ab'[n // 3 % 2]}"]
        for n in range(20)
    ]
    study, _, _ = write(tmp_path, (header, rows))
    assert study.design == "verdicts"
    # Which of the two is better is another question.
    study, _, _ = write(tmp_path, ([*header[:3], "preference"], rows), "preferred")
    assert study.design == "pairs"


def test_pairs_have_no_verdicts():
    part = {"agents": {"gpt": {"label": "GPT"}}, "readings": ["recommended"], "title": "t"}
    tasks = {"a": {"label": "A", "design": "pairs", "cohorts": {"judges": {"label": "J"}}}}
    assert Study(study="s", tasks=tasks, **part).design == "pairs"
    verdicts = {"b": {"label": "B", "cohorts": {"judges": {"label": "J"}}}}
    with pytest.raises(ValueError, match="all tasks of a study"):
        Study(study="s", tasks=tasks | verdicts, **part)


STRENGTHS = {"human": 0.5, "Alder": 0.9, "Birch": 0.1, "Cedar": 0.1, "Dogwood": -0.9}
"""With which the example was generated."""


def test_ranks_of_the_example_and_what_is_said_of_them(tmp_path):
    table = read_example("pairs")
    study, file, _ = write(tmp_path, (list(table), table.astype(str).values.tolist()))
    comparisons, _ = read(file, tmp_path, study)
    tables = analyze_pairs(comparisons, study, OPTIONS)
    strengths = tables["strengths"].set_index("agent")
    # It is ranked, though the likelihood of its strength has no maximum.
    last = strengths.loc["markov_chain"]
    assert last["rank"] == last["rank_low"] == last["rank_high"] == 6
    assert last["no_limit"] == "low" and np.isnan(last["ci_low"]) and last["ci_high"] < -2
    assert "won no comparison" in last["note"] and last["score_low"] == 0
    ranked = strengths.drop("markov_chain")
    assert np.isnan(last["davidson_se"]) and (ranked["davidson_se"] > 0).all()
    assert (ranked["no_limit"] == "").all() and ranked["value"].sum() == pytest.approx(0)
    true = pd.Series(STRENGTHS).rank(ascending=False, method="min")
    true = true.rename(str.lower)[ranked.index]
    assert ((ranked["rank_low"] <= true) & (true <= ranked["rank_high"])).all()
    assert pd.isna(ranked.loc["human", "expected_score"])
    limits = ranked.drop("human")[["score_low", "expected_score", "score_high"]].to_numpy()
    assert (np.diff(limits) > 0).all()
    assert strengths["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    others = ranked.drop("human")
    # A tie is half a win in the score, and neither in Davidson's probabilities.
    scores = others["win_probability"] + others["tie_probability"] / 2
    assert scores.to_numpy() == pytest.approx(others["expected_score"].to_numpy(), abs=0.02)
    assert (others["tie_probability"] > 0.15).all()
    compare_with_counts(tables, comparisons)
    compare_with_t_intervals(tables)
    lines = describe(tables, study)
    assert lines[0].startswith("Markov chain: no lower limit of its strength: it won no comparison")
    assert lines[1].startswith("The option shown first was chosen more often")


def compare_with_counts(tables, comparisons):
    """Win rates and numbers of wins and ties are those counted by hand, whoever was shown first."""
    for row in tables["differences"].itertuples():
        both = {row.agent, row.other}
        rows = comparisons[comparisons["first"].isin(both) & comparisons["second"].isin(both)]
        gained = rows["outcome"].where(rows["first"] == row.agent, 1 - rows["outcome"])
        assert (row.n, row.wins, row.ties) == (len(rows), sum(gained == 1), sum(gained == 0.5))
        assert row.win_rate == pytest.approx(gained.mean())
    for row in tables["strengths"].itertuples():
        first, second = comparisons["first"] == row.agent, comparisons["second"] == row.agent
        outcome = comparisons["outcome"]
        won = (first & (outcome == 1)) | (second & (outcome == 0))
        here = comparisons[first | second]
        assert (row.n, row.wins) == (len(here), won.sum())
        assert (row.ties, row.n_judges) == (sum(here["outcome"] == 0.5), here["judge"].nunique())


def compare_with_t_intervals(tables):
    """Limits are those of t intervals: of strengths, and of differences from people on the logit scale."""
    strengths = tables["strengths"].set_index("agent").drop("markov_chain")
    half = stats.t.ppf(0.975, strengths["df"]) * strengths["se"]
    for end, limit in (("ci_low", -half), ("ci_high", half)):
        assert strengths[end].to_numpy() == pytest.approx((strengths["value"] + limit).to_numpy())
    rows = tables["differences"].set_index(["agent", "other"]).loc["human"].drop("markov_chain")
    half, scores = stats.t.ppf(0.975, rows["df"]) * rows["se"], strengths.loc[rows.index]
    for end, limit in (("score_low", -half), ("score_high", half)):
        assert logit(scores[end]).to_numpy() == pytest.approx((limit - rows["value"]).to_numpy())
    (place,) = tables["places"].itertuples()
    half = stats.t.ppf(0.975, place.df) * place.se
    assert place.note == "" and place.ci_low == pytest.approx(place.value - half)
    assert place.ci_high == pytest.approx(place.value + half)
    assert place.p == pytest.approx(2 * stats.t.sf(abs(place.value / place.se), place.df))
    # Every comparison tells of the place, and fewer of each agent; of an average agent ties tell less.
    assert place.se < place.tie_se < strengths["se"].min()


def choose(rows, winners):
    """Rows of a table of choices: judges and questions in turn, pairs of agents, and who wins."""
    return [
        [f"P{n % 10}", f"q{n // 10}", *pair, winner]
        for n, (pair, winner) in enumerate(zip(rows, winners, strict=True))
    ]


def analyze(folder, table, **said):
    """Tables of results, and those that were read, of a header and rows."""
    study, file, _ = write(folder, table, **said)
    tables = reading.read_study([file], folder, study)
    return analyze_pairs(tables["comparisons"], study, OPTIONS), tables, study


def test_of_two_agents_shares_are_as_they_are(tmp_path):
    pairs = [("gpt", "llama"), ("llama", "gpt")] * 30
    winners = (["gpt"] * 4 + ["tie"] + ["gpt", "llama"] * 2 + ["gpt"] * 4 + ["tie", "llama"]) * 4
    results, _, study = analyze(tmp_path, (HEADER, choose(pairs, winners)))
    strengths = results["strengths"].set_index("agent")
    gpt, llama = strengths.loc["gpt"], strengths.loc["llama"]
    assert (gpt["against"], llama["against"]) == ("llama", "gpt")
    shares = ["expected_score", "win_probability", "tie_probability"]
    assert gpt[shares].tolist() == pytest.approx([44 / 60, 40 / 60, 8 / 60])
    assert llama[shares].tolist() == pytest.approx([16 / 60, 12 / 60, 8 / 60])
    limits = [gpt["score_low"], gpt["score_high"]]
    assert limits == pytest.approx([1 - llama["score_high"], 1 - llama["score_low"]])
    assert gpt["score_low"] < 44 / 60 < gpt["score_high"]
    lines = describe(results, study)
    assert lines[0].startswith("Pairs, Judges: gpt was chosen over llama in 73% (")
    assert "of 60 comparisons, ties as half, told apart from one half" in lines[0]


def test_agents_who_never_met_the_others_have_no_strength(tmp_path):
    pairs = [("gpt", "llama"), ("llama", "ours"), ("ours", "base"), ("base", "gpt")] * 15
    winners = ["model_a", "model_b", "model_b"] * 20 + ["new", "tie"] * 4
    pairs += [("old", "new")] * 8
    results, _, _ = analyze(tmp_path, (HEADER, choose(pairs, winners)))
    strengths = results["strengths"].set_index("agent")
    apart = ["new", "old"]
    assert strengths["value"].isna()[apart].all() and strengths["value"].notna().sum() == 4
    note = "no strength: never compared with the ranked agents; compared only with new"
    assert strengths.loc["old", ["note", "n", "wins", "ties"]].tolist() == [note, 8, 0, 4]
    # Whoever is shown first wins: the advantage of the first place has no finite value.
    turns = [("gpt", "llama"), ("llama", "gpt")] * 30
    (folder := tmp_path / "turns").mkdir()
    results, _, _ = analyze(folder, (HEADER, choose(turns, ["model_a"] * 60)))
    (place,) = results["places"].itertuples()
    assert "alone determine some choices" in place.note and np.isnan(place.value)


def test_without_people_agents_are_compared_with_an_average_one(tmp_path):
    pairs = [("gpt", "llama"), ("llama", "ours"), ("ours", "gpt"), ("gpt", "ours")] * 20
    better = ["model_a", "model_a", "model_b", "model_a"]
    winners = (better * 3 + ["tie"] * 4 + ["model_b", "model_b", "model_a", "model_b"]) * 4
    results, _, _ = analyze(tmp_path, (HEADER, choose(pairs, winners)))
    table = results["strengths"]
    assert (table["against"] == "an average agent").all()
    scores = table["win_probability"] + table["tie_probability"] / 2
    assert scores.to_numpy() == pytest.approx(table["expected_score"].to_numpy(), abs=0.01)


def test_repeated_rows_count_once_and_contradictions_are_told(tmp_path):
    rows = choose([("gpt", "llama"), ("llama", "gpt")] * 20, ["gpt", "llama", "llama", "gpt"] * 10)
    # Case does not distinguish judges and agents.
    again = [[row[0].lower(), row[1], *(cell.upper() for cell in row[2:])] for row in rows[:5]]
    swapped = [*rows[1][:2], *rows[1][3:1:-1], rows[1][4]]
    other = [*rows[2][:4], "gpt"]
    _, tables, study = analyze(tmp_path, (HEADER, [*rows, *again, *rows[:3], swapped, other]))
    assert len(tables["comparisons"]) == 42
    left = tables["exclusions"].set_index("step").loc["filter"]
    assert left["excluded"] == 8 and "repeats an earlier row" in left["reason"]
    checks = tables["record_checks"].set_index("level")
    warning = checks.loc["warning"]
    assert warning["number"] == 1 and "said something else" in warning["check"]
    assert "w003, q0, gpt, llama" in warning["examples"]
    told = tables["record_checks"].set_index("check")
    assert told.filter(like="again said the same", axis=0)["number"].tolist() == [1]
    assert (checks["study"] == "mine").all()
    gone = reading.log_exclusions(
        study, "pairs", tables["comparisons"].head(0).assign(cohort="all"), [("all", "why", 3)]
    )
    assert gone["rows_out"].tolist() == [0, 0]


def test_without_ties_a_score_is_a_win(tmp_path):
    results, *_ = analyze(tmp_path, (HEADER, make_rows(("model_a", "model_b", "model_a"))))
    machines = results["strengths"].query("agent != 'human'")
    assert (machines["win_probability"] == machines["expected_score"]).all()
    assert (machines["tie_probability"] == 0).all()


def test_aspects_are_ranked_by_themselves_and_may_disagree(tmp_path):
    header = ["judge", "question_id", "aspect", "model_a", "model_b", "winner"]
    rows = []
    for n in range(120):
        pair = ["gpt", "llama"][:: (-1) ** n]
        for aspect, better in (("fluency", "gpt"), ("meaning", "llama")):
            worse = "llama" if better == "gpt" else "gpt"
            rows.append(
                [f"P{n % 12}", f"q{n // 12}", aspect, *pair, worse if n % 7 == 0 else better]
            )
    results, tables, study = analyze(tmp_path, (header, rows))
    # The same judges about the same question, asked another thing, do not contradict themselves.
    assert tables["record_checks"].empty and len(tables["comparisons"]) == 240
    strengths = results["strengths"].set_index(["aspect", "agent"])
    # Without ties, no model of ties.
    assert strengths["davidson_se"].isna().all() and (strengths["tie_probability"] == 0).all()
    assert strengths["n"].loc["all"].tolist() == [240, 240]
    assert strengths["rank"].loc["fluency"].to_dict() == {"gpt": 1, "llama": 2}
    assert strengths["rank"].loc["meaning"].to_dict() == {"llama": 1, "gpt": 2}
    stronger = results["differences"].set_index("aspect")["stronger"]
    assert stronger.to_dict() == {"all": "", "fluency": "gpt", "meaning": "llama"}
    assert results["strengths"]["strength_id"].is_unique
    (line,) = [line for line in describe(results, study) if "disagree" in line]
    assert line.endswith(" judges chose gpt for fluency but llama for meaning.")
    # What all aspects together say is none of them.
    pooled = results["differences"].replace({"stronger": {"": "gpt"}})
    assert line in describe(results, study, differences=pooled)
    agreeing = results["differences"].replace({"stronger": {"llama": "gpt"}})
    assert not any("disagree" in line for line in describe(results, study, differences=agreeing))


def test_cohorts_of_the_same_judges_are_told(tmp_path):
    header = ["judge", "question_id", "asked", "model_a", "model_b", "winner"]
    rows = [[*row[:2], ("a", "b")[n % 2], *row[2:]] for n, row in enumerate(make_rows())]
    results, tables, _ = analyze(tmp_path, (header, rows), named={"cohort": "asked"})
    check = tables["record_checks"].set_index("check")["examples"].filter(like="in several cohorts")
    assert check.tolist() == ["3 judges, 6 in cohorts"]
    counted = results["sizes"].set_index(["cohort", "quantity"])["value"]
    assert counted[:, "n_comparisons"].to_dict() == {"a": 18, "b": 18}
    # Of three judges and four questions, nothing is known of others.
    assert results["strengths"]["method"].str.contains("errors clustered by nothing").all()


def test_wide_choices_and_names_on_one_side_are_understood(tmp_path):
    header = ["item", "model_a", "model_b", "rater1", "rater2"]
    rows = [
        [f"i{n}", "ours", ("gpt", "llama")[n % 2], "12"[n % 3 == 0], "120"[n % 3]]
        for n in range(12)
    ]
    shape = {"wide": {"name": "judge", "columns": {"winner": "rater*"}}}
    words = {"winner": {1: "option_a", 2: "option_b", 0: "tie"}}
    study, file, told = write(tmp_path, (header, rows), shape=shape, words=words)
    assert "a run would stop" not in told and {"ours", "gpt", "llama"} <= set(study.agents)
    comparisons, _ = read(file, tmp_path, study)
    assert len(comparisons) == 24 and comparisons["judge"].nunique() == 2
    assert comparisons["outcome"].value_counts().to_dict() == {1: 12, 0: 8, 0.5: 4}
    assert set(comparisons["first"]) == {"ours"}
    with pytest.raises(InputError, match=r"(?s)no column is known for winner.*wide: \{name: judge"):
        write(tmp_path, (header, rows), "other")


def test_a_table_without_a_winner_column_is_a_mistake_of_the_sources(tmp_path):
    study, file, _ = write(tmp_path, (HEADER, make_rows()))
    lacking = {name: column for name, column in file.columns.items() if name != "winner"}
    with pytest.raises(ConfigError, match="needs option_a, option_b and winner"):
        read(file.model_copy(update={"columns": lacking, "values": {}}), tmp_path, study)


def test_an_interval_with_one_end_is_said_so():
    unbeaten = chart.make_line([3.0, 1.2, None], "z.2f")
    assert (unbeaten["interval"], unbeaten["ends"]) == ("from 1.20", (1.2, 3.0))
    beaten = chart.make_line([-3.0, None, -1.2], "z.2f")
    assert beaten["interval"] == "up to \N{MINUS SIGN}1.20"
    assert chart.make_line([1.0, None, None], "z.2f")["interval"] == ""
