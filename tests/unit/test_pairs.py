"""Tables of choices between agents: how they are understood, and what is said of their ranks."""

import pandas as pd
import pytest
from test_new_study import write

from demo import examples
from turingstats.config.study import Study
from turingstats.core.errors import ConfigError, InputError
from turingstats.rankings import reading
from turingstats.rankings.analysis import analyze_pairs
from turingstats.report.designs import describe_rankings

HEADER = ["judge", "question_id", "model_a", "model_b", "winner"]
OPTIONS = {"seed": 1, "confidence": 0.95}


def make_rows(words=("model_a", "model_b", "tie (bothbad)")):
    """Choices of three judges between three agents, of whom each wins against another one."""
    agents = ("gpt", "llama", "human")
    return [
        [
            f"P{n % 3}",
            f"q{n % 4}",
            agents[n % 3],
            agents[(n + 1 + n // 3 % 2) % 3],
            words[n // 6 % 3],
        ]
        for n in range(36)
    ]


def read(file, folder, study):
    """Comparisons and exclusions, as a run reads them."""
    tables = reading.read_study([file], folder, study)
    return tables["comparisons"], tables["exclusions"]


@pytest.mark.parametrize(
    "words", [("model_a", "model_b", "tie (bothbad)"), ("A", "B", "Both bad"), ("a", "b", "tie")]
)
def test_columns_of_arenas_are_understood(tmp_path, words):
    rows = make_rows(words)
    study, file, told = write(tmp_path, (HEADER, rows))
    assert study.design == "pairs" and "a run would stop" not in told
    assert {"human", "gpt", "llama"} == set(study.agents)
    comparisons, _ = read(file, tmp_path, study)
    assert list(comparisons["outcome"]) == [
        {words[0]: 1, words[1]: 0}.get(row[4], 0.5) for row in rows
    ]
    assert list(comparisons["first"]) == [row[2] for row in rows]
    assert not comparisons["judge"].isin({row[0] for row in rows}).any()


def test_winners_may_be_called_by_name_and_other_words_are_asked_once(tmp_path):
    rows = [
        [*row[:4], {"x": row[2], "y": row[3]}.get(row[4], "no idea")] for row in make_rows("xyz")
    ]
    with pytest.raises(
        InputError, match=r"(?s)not understood.*no idea.*'no idea': option_a or tie"
    ):
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


def test_ranks_of_the_example_and_what_is_said_of_them(tmp_path):
    table = examples.generate_pairs()
    study, file, _ = write(tmp_path, (list(table), table.astype(str).values.tolist()))
    comparisons, _ = read(file, tmp_path, study)
    tables = analyze_pairs(comparisons, study, OPTIONS)
    strengths = tables["strengths"].set_index("agent")
    ranked = strengths[strengths["rank"].notna()]
    assert set(strengths.index) - set(ranked.index) == {"markov_chain"}
    assert "lost all comparisons" in strengths.loc["markov_chain", "note"]
    true = pd.Series(examples.STRENGTHS).rank(ascending=False, method="min")
    true = true.rename(str.lower)[ranked.index]
    assert ((ranked["rank_low"] <= true) & (true <= ranked["rank_high"])).all()
    assert pd.isna(ranked.loc["human", "win_probability"])
    # With two-way errors there is no model of judges, and the mixed model agrees.
    assert ranked["mixed_value"].to_numpy() == pytest.approx(ranked["value"].to_numpy(), abs=0.05)
    told = {
        "tasks": {"pairs": "Pairs"}, "cohorts": {"pairs": {"judges": "Judges"}},
        "agents": {name: agent.label for name, agent in study.agents.items()},
    }  # fmt: skip
    rows = {
        name: tables[name].astype(object).fillna("").astype(str).to_dict("records")
        for name in tables
    }
    lines = describe_rankings(rows["strengths"], rows["places"], told, 0.05)
    assert lines[0].startswith(
        "Pairs, Judges: Alder ranks 1 (1 to 4) of 5 and is not told apart from"
    )
    assert (
        lines[1] == "Markov chain: no finite strength: it lost all comparisons with other agents."
    )
    assert lines[2].startswith("The option shown first was chosen more often")


def test_a_table_without_a_winner_column_is_a_mistake_of_the_sources(tmp_path):
    study, file, _ = write(tmp_path, (HEADER, make_rows()))
    lacking = {name: column for name, column in file.columns.items() if name != "winner"}
    with pytest.raises(ConfigError, match="needs option_a, option_b and winner"):
        read(file.model_copy(update={"columns": lacking, "values": {}}), tmp_path, study)
