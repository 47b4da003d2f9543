"""All studies on one scale: odds ratios, what enters, averages, the figure and the section of the page."""

import json

import numpy as np
import pandas as pd
import pytest

from turingstats.analysis.synthesis import gather, odds_ratios
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.data.schema import RESULTS
from turingstats.workflow.parameters import describe_for_synthesis


def verdicts(shares, cohort="online", judges=12, stimuli=8, person="", seed=0):
    """Counts as `data/counts.parquet` has them: each judge gives one verdict per agent and stimulus."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"{cohort}.{judge}", f"s{stimulus}", agent, int(rng.random() < share))
        for agent, share in shares.items()
        for judge in range(judges)
        for stimulus in range(stimuli)
    ]
    table = pd.DataFrame(rows, columns=["judge", "stimulus", "agent", "n_human"])
    return table.assign(cohort=cohort, n_machine=1 - table["n_human"], person=person)


def compute_log_odds(counts, agent):
    own = counts[counts["agent"] == agent]
    return np.log(own["n_human"].sum() / own["n_machine"].sum())


class TestOddsRatios:
    def test_one_cohort(self):
        counts = verdicts({"human": 0.6, "gpt": 0.4, "eliza": 0.2})
        table = odds_ratios.measure_task(counts, False, 0.95).set_index("agent")
        for agent in ("gpt", "eliza"):
            expected = compute_log_odds(counts, agent) - compute_log_odds(counts, "human")
            assert table.loc[agent, "log_odds_ratio"] == pytest.approx(expected)
            assert table.loc[agent, "odds_ratio"] == pytest.approx(np.exp(expected))
        assert set(table["error_over"]) == {"judges and stimuli"}
        assert (table["ci_low"] < table["odds_ratio"]).all()
        assert (table["n_judges"] == 12).all()

    def test_errors_are_those_of_the_rates(self):
        # Whoever chooses between two says human of one and machine of the other.
        counts = verdicts({"human": 0.7}, judges=40, stimuli=1)
        counts["stimulus"] = counts["judge"]
        other = counts.assign(agent="gpt", n_human=counts["n_machine"], n_machine=counts["n_human"])
        found = odds_ratios.measure_task(pd.concat([counts, other]), False, 0.95).iloc[0]
        share = counts["n_human"].mean()
        # Over judges and over stimuli, less what is in both.
        alone = np.sqrt((2 * 40 / 39 - 1) / (40 * share * (1 - share)))
        assert found["se"] == pytest.approx(2 * alone)

    def test_cohorts_are_averaged_and_not_pooled(self):
        # Pooled, the two would show a difference that is in neither (Simpson's paradox).
        trusting = verdicts({"human": 0.9, "gpt": 0.9}, "trusting", judges=30, stimuli=30)
        wary = verdicts({"human": 0.2, "gpt": 0.2}, "wary", judges=30, stimuli=30)
        few = [f"s{number}" for number in range(1, 6)]
        wary = wary[(wary["agent"] == "gpt") | wary["stimulus"].isin(few)]
        found = odds_ratios.measure_task(pd.concat([trusting, wary]), False, 0.95).iloc[0]
        assert found["cohorts"] == "trusting wary"
        assert found["ci_low"] < 1 < found["ci_high"]
        both = pd.concat([trusting, wary])
        pooled = compute_log_odds(both, "gpt") - compute_log_odds(both, "human")
        assert abs(pooled) > 0.5 > abs(found["log_odds_ratio"])

    def test_averages_are_weighted_by_the_errors_of_counts(self):
        one = odds_ratios.CohortOdds(1.0, 0.1, np.array([1.0, 0.0]), 0.0)
        other = odds_ratios.CohortOdds(2.0, 0.3, np.array([0.0, 1.0]), 0.3)
        average = odds_ratios.average_cohorts([one, other])
        assert average.value == pytest.approx(0.75 * 1 + 0.25 * 2)
        assert average.counted == pytest.approx(1 / (1 / 0.1 + 1 / 0.3))
        assert average.influence == pytest.approx([0.75, 0.25])
        assert average.lacking == pytest.approx(0.25**2 * 0.3)

    def test_a_person_in_two_cohorts_is_one_judge(self):
        one = verdicts({"human": 0.6, "gpt": 0.4}, "first", seed=1)
        two = verdicts({"human": 0.6, "gpt": 0.4}, "second", seed=2)
        one["person"] = one["judge"].str.replace("first.", "p")
        two["person"] = two["judge"].str.replace("second.", "p")
        found = odds_ratios.measure_task(pd.concat([one, two]), False, 0.95)
        assert found["n_judges"][0] == 12

    @pytest.mark.parametrize("share", [0, 1])
    def test_a_count_of_zero(self, share):
        counts = verdicts({"human": 0.6, "gpt": share, "eliza": 0.3})
        table = odds_ratios.measure_task(counts, False, 0.95).set_index("agent")
        numbers = table[["log_odds_ratio", "se", "ci_low", "ci_high"]]
        assert np.isfinite(numbers.to_numpy(float)).all()
        assert table.loc["gpt", "method"] == "error of counts"
        assert table.loc["eliza", "error_over"] == "judges and stimuli"

    def test_few_judges_and_unknown_stimuli_leave_the_error_of_counts(self):
        counts = verdicts({"human": 0.6, "gpt": 0.4}, judges=3).assign(stimulus="")
        found = odds_ratios.measure_task(counts, False, 0.95).iloc[0]
        totals = counts.groupby("agent")[["n_human", "n_machine"]].sum().to_numpy() + 0.5
        assert found["se"] == pytest.approx(np.sqrt((1 / totals).sum()))
        assert found["error_over"] == odds_ratios.INDEPENDENT

    def test_cohorts_that_differ_are_not_averaged(self):
        first = verdicts({"human": 0.6, "gpt": 0.55, "eliza": 0.3}, "first", seed=1)
        second = verdicts({"human": 0.6, "gpt": 0.15, "eliza": 0.3}, "second", seed=2)
        both = pd.concat([first, second])
        found = odds_ratios.measure_task(both, False, 0.95)
        rows = list(zip(found["agent"], found["cohorts"], strict=True))
        assert rows == [("gpt", "first"), ("gpt", "second"), ("eliza", "first second")]
        alone = odds_ratios.measure_task(second, False, 0.95)
        for column in ("log_odds_ratio", "se", "df", "k", "n", "n_judges"):
            assert found[column][1] == pytest.approx(alone[column][0])
        average = found.iloc[2]
        assert average["q_df"] == 1 and average["q_p"] > odds_ratios.HETEROGENEOUS
        assert found["q"].isna().tolist() == [True, True, False]

    def test_several_machines_under_one_name_are_not_averaged(self):
        shares = {"human": 0.6, "machine": 0.4}
        both = pd.concat(verdicts(shares, name, seed=1) for name in ("first", "second"))
        assert len(odds_ratios.measure_task(both, False, 0.95)) == 1
        found = odds_ratios.measure_task(both, False, 0.95, ["machine"])
        assert found["cohorts"].tolist() == ["first", "second"]

    def test_heterogeneity_is_that_of_metafor(self):
        # rma(yi = c(-.2, -.5, -.9, .1), sei = c(.1, .2, .15, .3), method = "DL") of R's metafor 3.8-1.
        found = odds_ratios.assess_heterogeneity([-0.2, -0.5, -0.9, 0.1], [0.1, 0.2, 0.15, 0.3])
        assert found["q"] == pytest.approx(18.13504274)
        assert found["q_p"] == pytest.approx(4.125226957e-04)
        assert found["i_squared"] == pytest.approx(0.8345744179)
        assert found["tau_squared"] == pytest.approx(0.1374844720)
        none = odds_ratios.assess_heterogeneity([0.1, 0.1], [0.1, 0.2])
        assert (none["i_squared"], none["tau_squared"], none["q_p"]) == (0, 0, 1)

    def test_choices_have_their_own_odds(self):
        counts = verdicts({"gpt": 0.3})
        found = odds_ratios.measure_task(counts, True, 0.95).iloc[0]
        assert found["log_odds_ratio"] == pytest.approx(compute_log_odds(counts, "gpt"))
        assert np.isnan(found["n_people"])


def test_printed_counts():
    rates = pd.DataFrame(
        {"agent": ["human", "gpt", "eliza"], "k": [523, 425, 0], "n": [793, 855, 40]}
    )
    found = odds_ratios.measure_counts(rates, 0.95)
    assert found["log_odds_ratio"][0] == pytest.approx(-0.6728556)
    assert found["se"][0] == pytest.approx(0.10146070, rel=1e-5)
    assert np.isfinite(found["ci_low"]).all()
    assert odds_ratios.measure_counts(rates[:1], 0.95).empty
    assert odds_ratios.measure_counts(rates[1:], 0.95).empty


def test_printed_choices_without_counts_are_named():
    rows = [("claude", "burst", 3, 20, 30), ("claude", "both", 3, 29, 56)]
    rows += [("claude", "both", 10, 18, 56), ("gpt", "both", 3, np.nan, np.nan)]
    rates = pd.DataFrame(rows, columns=["agent", "variant", "exchanges", "k", "n"])
    # The same counts stand beside each pair of rates, and a shorter history is another test.
    rates = pd.concat([rates.assign(history=100), rates[1:2].assign(history=100)])
    rates = pd.concat([rates, rates[1:2].assign(history=10, exchanges=6)], ignore_index=True)
    found, without = odds_ratios.measure_choices(rates, 0.95)
    assert without == ["gpt"]
    assert (found["k"][0], found["n"][0]) == (47, 112)


def study(name, more=None, **tasks):
    """What the synthesis is told of a study with these agents per task, and more cohorts."""
    cohorts = {"online": {"label": "Online"}, "taught": {"label": "Taught", "setting": "feedback"}}
    labels = {agent: agent.upper() for agents in tasks.values() for agent in agents}
    described = Study(
        **{"study": name, "title": name, "reference": name},
        agents={agent: {"label": label} for agent, label in labels.items()},
        tasks={
            task: {"label": task.capitalize(), "agents": agents, "cohorts": cohorts | (more or {})}
            for task, agents in tasks.items()
        },
    )
    return describe_for_synthesis(described)


def write_study(folder, name, data="observed data", checksum=None, **tasks):
    counts = pd.concat([counts.assign(task=task) for task, counts in tasks.items()])
    counts = counts.assign(
        reading="recommended", study=name, judge_kind="human", group_by="all", group="all", data=data,
        n=counts["n_human"] + counts["n_machine"],
    )  # fmt: skip
    # Neither those of another reading, group or kind of judge count.
    others = {"reading": "published", "group_by": "gender", "judge_kind": "machine"}
    more = [counts.assign(**{column: other}) for column, other in others.items()]
    files.write_frame(pd.concat([counts, *more]), folder / name / "data/counts.parquet")
    source = {"source": {"sha256": {"trials.csv": checksum or name}}}
    files.write_text(json.dumps(source), folder / name / "data/provenance.json")


class TestWhatEnters:
    def test_two_studies(self, tmp_path):
        write_study(tmp_path, "one", chat=verdicts({"human": 0.6, "gpt": 0.4}))
        write_study(tmp_path, "two", chat=verdicts({"human": 0.6, "eliza": 0.2, "gpt": 0.4}))
        told = [study("one", chat=["gpt"]), study("two", chat=["eliza", "gpt"])]
        effects, left_out = gather.gather_effects(told, tmp_path, 0.95)
        assert list(effects["effect_id"]) == ["one.chat.gpt", "two.chat.eliza", "two.chat.gpt"]
        assert list(effects.columns) == RESULTS["effects"]
        assert effects["n"].to_dict() == {0: 96, 1: 96, 2: 96}
        assert left_out.empty
        # In the figure, the machine that is judged human most often comes first.
        forest = gather.list_forest(effects)
        assert list(forest["label"]) == ["GPT", "GPT", "ELIZA"]
        assert list(forest["section"]) == ["Chat, one", "Chat, two", "Chat, two"]

    def test_cohorts_with_rows_of_their_own_are_named(self, tmp_path):
        shares = {"human": 0.6, "machine": 0.4}
        counts = pd.concat(verdicts(shares, name) for name in ("online", "lab"))
        write_study(tmp_path, "one", chat=counts)
        told = study("one", {"lab": {"label": "Laboratory", "setting": "in-lab"}}, chat=["machine"])
        told["agents"]["machine"]["several"] = True
        effects, _ = gather.gather_effects([told], tmp_path, 0.95)
        assert list(effects["effect_id"]) == ["one.chat.machine.online", "one.chat.machine.lab"]
        assert list(effects["agent_label"]) == ["MACHINE (Online)", "MACHINE (Laboratory)"]

    def test_generated_rows_of_printed_tables_never_enter(self, tmp_path):
        chat = verdicts({"human": 0.6, "gpt": 0.4})
        write_study(tmp_path, "one", data="generated data", chat=chat)
        rates = pd.DataFrame(
            {
                "task": "chat", "subset": ["all"] * 4 + ["first"], "k": [60, 40, 90, 10, 1],
                "agent": ["human", "gpt", "human", "gpt", "gpt"], "n": 100,
                "data": ["published counts"] * 2 + ["generated data"] * 2 + ["published counts"],
            }
        )  # fmt: skip
        files.write_frame(rates, tmp_path / "one/statistics/success_rates.csv")
        effects, left_out = gather.gather_effects([study("one", chat=["gpt"])], tmp_path, 0.95)
        assert list(effects["k"]) == [40] and list(effects["k_people"]) == [60]
        assert list(effects["data"]) == ["published counts"]
        assert left_out.empty

    def test_printed_choices_enter_as_those_of_a_task_of_choices(self, tmp_path):
        chat = verdicts({"human": 0.6, "gpt": 0.4})
        write_study(tmp_path, "one", data="generated data", chat=chat)
        rates = pd.DataFrame({"agent": ["gpt", "gpt", "eliza"], "k": [29, 50, None], "n": 56})
        rates["cohort"] = ["online", "machines", "online"]
        rates = rates.assign(variant="both", exchanges=[3, 6, 3], history=100)
        files.write_frame(rates, tmp_path / "one/statistics/printed_rates.csv")
        told = study("one", chat=["gpt", "eliza"])
        told["tasks"]["chat"]["choice"] = True
        effects, left_out = gather.gather_effects([told], tmp_path, 0.95)
        assert effects[["effect_id", "k", "n"]].values.tolist() == [["one.chat.gpt", 29, 56]]
        assert list(effects["data"]) == ["published counts"]
        assert left_out[["what", "reason"]].values.tolist() == [["ELIZA", gather.NOT_PRINTED]]

    def test_the_same_raw_files_enter_once(self, tmp_path):
        more = verdicts({"human": 0.6, "gpt": 0.4, "eliza": 0.2})
        write_study(tmp_path, "early", checksum="x", chat=verdicts({"human": 0.6, "gpt": 0.4}))
        write_study(tmp_path, "late", checksum="x", chat=more)
        told = [study("early", chat=["gpt"]), study("late", chat=["gpt", "eliza"])]
        effects, left_out = gather.gather_effects(told, tmp_path, 0.95)
        assert set(effects["study"]) == {"late"}
        assert (effects["p_adjusted"] >= effects["p"]).all()
        assert effects["p_adjusted"].min() == pytest.approx(2 * effects["p"].min())
        assert list(left_out["reason"]) == ["it has the same raw files as late"]

    def test_what_cannot_enter_is_named(self, tmp_path):
        ratings = study("ratings") | {"why_not": "people rated similarities"}
        others = [verdicts({"human": 0.6, "gpt": 0.1}, name) for name in ("taught", "pool")]
        chat = pd.concat([verdicts({"human": 0.6, "gpt": 0.4}), *others])
        write_study(tmp_path, "mine", chat=chat, alone=verdicts({"gpt": 0.4}))
        mine = study("mine", chat=["gpt"], alone=["gpt"])
        told = [ratings, study("absent", chat=["gpt"]), mine]
        effects, left_out = gather.gather_effects(told, tmp_path, 0.95, ["broken"])
        assert list(effects["effect_id"]) == ["mine.chat.gpt"]
        # Neither judges who were trained, nor pools.
        assert list(effects["cohorts"]) == ["online"]
        assert dict(zip(left_out["study"] + left_out["what"], left_out["reason"], strict=True)) == {
            "brokenstudy": gather.BROKEN,
            "ratingsstudy": "people rated similarities",
            "absentstudy": gather.NOT_RUN,
            "mineChat: Taught": gather.FEEDBACK,
        }
