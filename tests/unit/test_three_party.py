"""Games of three parties: two witnesses in each row, of whom one is a person and the other a machine."""

from dataclasses import replace

import numpy as np
import pytest
from project import NOBODY, read_example
from test_new_study import read, write

from turingstats.analysis import breakdowns
from turingstats.analysis.comparisons.crossed import assess_elements, measure_element
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import settings
from turingstats.config.subset import load_study
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import cleaning, counts
from turingstats.data.adapters.places import name_places
from turingstats.data.schema import JUDGED
from turingstats.stats import crossed, equivalence

HEADER = ["trial", "interrogator", "witness_a", "witness_b", "verdict"]
MACHINES = ("GPT-4o", "ELIZA")
OPTIONS = {"confidence": 0.95, "margin": 0.1, "power": 0.8, "seed": 1, "n_bootstrap": 100}


def name_people(n):
    return "human"


def name_letters(witnesses, at):
    return "AB"[at]


def make_rows(name_person=name_people, name_choice=name_letters):
    """Make games in which each witness is the machine in turn, and the first one is chosen in each third."""
    rows = []
    for n in range(24):
        witnesses = [MACHINES[n // 2 % 2], name_person(n)][:: (-1) ** n]
        rows.append([str(n + 1), f"P{n % 6}", *witnesses, name_choice(witnesses, int(n % 3 > 0))])
    return rows


@pytest.mark.parametrize(
    ("name_person", "name_choice"),
    [
        (name_people, name_letters),
        (lambda n: f"P{(n + 1) % 6}", lambda witnesses, at: f"witness_{'ab'[at]}"),
        (lambda n: f"p{(n + 2) % 6}", lambda witnesses, at: witnesses[at]),
    ],
)
def test_witnesses_and_choices_are_understood(tmp_path, name_person, name_choice):
    rows = make_rows(name_person, name_choice)
    study, file, told = write(tmp_path, (HEADER, rows))
    assert (study.tasks["verdicts"].design, study.tasks["verdicts"].choice) == ("three_party", True)
    assert sorted(agent.label for agent in study.agents.values()) == ["ELIZA", "GPT-4o", "Human"]
    assert "a run would stop" not in told
    judgments, _ = read(file, tmp_path, study)
    chosen = [row[2 + (n % 3 > 0)] for n, row in enumerate(rows)]
    assert list(judgments["verdict"] == "human") == [name in MACHINES for name in chosen]
    # Ids never reach a result, and who judges and is judged is one person.
    people = {name.removeprefix(JUDGED) for name in judgments["stimulus"].dropna()}
    assert people == (set() if name_person(0) == "human" else set(judgments["judge"]))


def test_games_are_understood_as_their_platform_exports_them(tmp_path):
    # Seats have ids of their own in each game, and confidence is negative in the choice of A.
    header = "id interrogator_id human_witness_id interrogator_user_id human_witness_user_id "
    header += "ai_model human_label verdict confidence"
    rows = []
    for n in range(24):
        said, person = "AB"[n % 3 > 0], 90 + (n + 1 + n // 6) % 6
        sure = (1 + n % 5) * (1 if said == "B" else -1)
        row = [n, 500 + n, 700 + n, 90 + n % 6, person, MACHINES[n // 2 % 2], "AB"[n % 2]]
        rows.append([str(cell) for cell in (*row, said, sure)])
    study, file, told = write(tmp_path, (header.split(), rows))
    assert study.tasks["verdicts"].design == "three_party"
    assert "its sign is that of the answer" in told
    judgments, _ = read(file, tmp_path, study)
    assert set(judgments["stimulus"]) == {f"{JUDGED}{judge}" for judge in judgments["judge"]}
    assert judgments["judge"].nunique() == 6
    verdicts = ["AB"[n % 2] != "AB"[n % 3 > 0] for n in range(24)]
    assert list(judgments["verdict"] == "human") == verdicts


def test_who_is_a_machine_is_asked_once(tmp_path):
    rows = make_rows(lambda n: f"Q{n % 5}")
    told = r"(?s)not known which of them are machines.*'?GPT-4o'?: machine"
    with pytest.raises(InputError, match=told):
        write(tmp_path, (HEADER, rows))
    study, file, _ = write(tmp_path, (HEADER, rows), words=dict.fromkeys(MACHINES, "machine"))
    judgments, _ = read(file, tmp_path, study)
    assert set(judgments["stimulus"]) == {f"person verdicts.judges.h00{n}" for n in range(1, 6)}


def test_people_may_be_named_in_a_column_of_their_own(tmp_path):
    rows = [[*row, f"P{(n + 1) % 6}"] for n, row in enumerate(make_rows())]
    study, file, _ = write(tmp_path, ([*HEADER, "human_witness"], rows))
    judgments, _ = read(file, tmp_path, study)
    assert set(judgments["stimulus"]) == {f"{JUDGED}{judge}" for judge in judgments["judge"]}
    # A judge that differs in each row is noted.
    rows = [[row[0], f"P{n}", *row[2:]] for n, row in enumerate(make_rows())]
    assert "interrogator differs in every row" in write(tmp_path, (HEADER, rows), "other")[-1]


def test_ids_of_witnesses_are_replaced_in_any_design(tmp_path):
    rows = [
        (f"P{n % 5}", MACHINES[n % 2], f"W{n % 7}", ("human", "machine")[n // 2 % 2])
        for n in range(40)
    ]
    named = {"agent": "model", "witness": "human_witness", "verdict": "said"}
    header = ["interrogator", "model", "human_witness", "said"]
    study, file, told = write(tmp_path, (header, rows), named=named)
    judgments, _ = read(file, tmp_path, study)
    assert judgments["stimulus"].nunique() == 7
    assert judgments["stimulus"].str.startswith(JUDGED).all() and "W3" not in told


def test_a_machine_and_its_prompt_are_one_agent(tmp_path):
    prompts = ("plain", "persona")
    rows = make_rows()
    rows = [[*row, "" if "ELIZA" in row else prompts[n % 2]] for n, row in enumerate(rows)]
    study, file, _ = write(tmp_path, ([*HEADER, "prompt"], rows))
    labels = {agent.label for agent in study.agents.values()} - {"Human"}
    assert labels == {"GPT-4o/plain", "GPT-4o/persona", "ELIZA"}
    assert set(read(file, tmp_path, study)[0]["agent"]) == set(study.agents) - {"human"}


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        (["25", "P1", "GPT-4o", "ELIZA", "A"], "not a machine and a person"),
        (["25", "P1", "GPT4o", "human", "A"], "not a machine and a person"),
        (["25", "P1", "GPT-4o", "human", "C"], "neither of the two witnesses"),
    ],
)
def test_a_row_that_is_no_game_is_refused(tmp_path, cells, problem):
    rows = make_rows()
    study, file, _ = write(tmp_path, (HEADER, rows))
    lines = [",".join(line) for line in [HEADER, *rows, cells]]
    (tmp_path / "table.csv").write_text("\n".join(lines))
    with pytest.raises(InputError, match=f"(?s){problem}.*row: *26"):
        read(file, tmp_path, study)


def test_places_are_what_differs_between_the_columns():
    labels = {"witness_a": "left_witness", "witness_b": "right_witness"}
    assert name_places(labels)["left"] == "witness_a"
    # Which of the two A is, only their columns could say.
    assert "a" not in name_places(labels)
    assert name_places({"witness_a": "Witness1", "witness_b": "Witness2"})["2"] == "witness_b"
    options = {"option_a": "model_b", "option_b": "model_a"}
    assert name_places(options)["a"] == "option_b"


def test_win_rates_and_equivalence_to_one_half(tmp_path):
    games = read_example("games")
    # The first judge is never judged.
    games.loc[games["interrogator"] == games["interrogator"].max(), "interrogator"] = "P00"
    study, file, _ = write(tmp_path, games.to_csv(index=False))
    judgments, judges = read(file, tmp_path, study)
    marked = cleaning.mark_exclusions(judgments, study, settings.Cleaning())
    people = counts.map_judges_to_people(judges)
    counted = counts.count_verdicts(marked, study, None, people)
    table = estimate_rates(counted, NOBODY, study, OPTIONS)
    wins = table[(table["quantity"] == "p_HM") & (table["group_by"] == "all")].set_index("agent")
    assert wins.loc["model_a_persona", "error_over"] == "judges and stimuli"
    # Judges who are judged by others count only where both are samples.
    cohort = counts.arrange_counts(counted, NOBODY, ["model_a_persona"], True)
    everyone = np.ones(len(cohort.list_units()), bool)
    element = measure_element(cohort, 0, everyone, "p_HM", "model_a_persona")
    both, apart = (
        assess_elements([replace(element, has_both_roles=said)], 0.5) for said in (True, False)
    )
    assert both["judges and stimuli"].se < apart["judges and stimuli"].se
    own = wins.loc["model_a_persona", "se"]
    assert both["judges and stimuli"].se == pytest.approx(own)
    assert all(both[kind].se == apart[kind].se for kind in ("judges", "stimuli"))
    assessed = equivalence.assess_agents(table, OPTIONS)
    assert set(assessed["against"]) == {"chance"}
    assert set(assessed["agent"]) == set(wins.index)


def test_accuracy_is_broken_down_by_two_columns(tmp_path):
    games = read_example("games")
    study, file, _ = write(tmp_path, games.to_csv(index=False))
    marked = cleaning.mark_exclusions(read(file, tmp_path, study)[0], study, settings.Cleaning())
    study = study.model_copy(
        update={"breakdowns": ("agent+round", "exchanges+agent", "agent+topic")}
    )
    table = breakdowns.measure_breakdowns(marked, NOBODY, study, 0.95)
    few = table[table["quantity"] == "at_most"].set_index("level")
    games_of_judges = marked["judge"].astype(str).value_counts()
    assert few["k"].to_dict() == {f"{n}": (games_of_judges <= n).sum() for n in (1, 2, 3, 5, 10)}
    assert (few["n"] == len(games_of_judges)).all() and few["k"].nunique() > 1
    table = table[(table["quantity"] == "accuracy") & (table["truth"] == "all")]
    cells = table[table["by"] == "agent+round"].set_index("level")
    right = (marked["verdict"] == "machine").groupby([marked["agent"], marked["round"]])
    right = right.mean().dropna()
    assert len(cells) == len(right)
    for (agent, turn), share in right.items():
        assert cells.loc[f"{agent}/{turn}", "value"] == pytest.approx(share)
    levels = table.loc[table["by"] == "exchanges+agent", "level"]
    assert set(levels.str.partition("/")[0]) == set(table.loc[table["by"] == "exchanges", "level"])
    path = tmp_path / "config/studies/mine.yaml"
    for wrong in ("agent", "agent+color"):
        path.write_text(path.read_text().partition("breakdowns:")[0] + f"breakdowns: [{wrong}]")
        with pytest.raises(ConfigError, match="breakdowns"):
            load_study(path)


def test_the_variance_counts_every_pair_of_games_that_share_a_person():
    rng = np.random.default_rng(5)
    judges, judged = rng.integers(0, 12, (2, 90))
    judged = np.where(judged == judges, judged + 12, judged)
    influence = rng.normal(size=90)
    (one, judge), (other, person) = (
        np.unique(names.astype(str), return_inverse=True) for names in (judges, judged)
    )
    _, *both = np.intersect1d(one, other, return_indices=True)
    error = crossed.estimate_crossed_error(influence, judge, person, both_roles=tuple(both))
    apart = crossed.estimate_crossed_error(influence, judge, person)
    # Products of games in which the judge of the one is judged in the other.
    roles = (judges[:, None] == judged[None, :]) * np.outer(influence, influence)
    assert error.se**2 == pytest.approx(apart.se**2 + 2 * roles.sum())
    names = [(array.astype(str), influence[:, None]) for array in (judges, judged)]
    assert crossed.relate_both_roles(*names)[0, 0] == pytest.approx(2 * roles.sum())
