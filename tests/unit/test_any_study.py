"""Studies of any design, from their files to estimates, tests and the numbers of figures.

Two public data sets check this against numbers that others have published or computed: vk-bots (MIT,
github.com/RAIDdatasets/VK_dataset) and brainbench-2afc (Apache-2.0,
github.com/braingpt-lovelab/brainbench_participant_data); see tests/real_tables/README.md.
"""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from project import REAL_TABLES, ROOT, describe_texts

from turingstats.analysis import breakdowns, detector_scores, graded_verdicts, sample
from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.analysis.responses import select_first_verdicts, tabulate_responses
from turingstats.claims import inventory
from turingstats.config import defaults, graded, raw_files, settings
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.data import adapters, cleaning, exclusion_log, record_checks, sample_sizes
from turingstats.data import counts as counting
from turingstats.figures import grid, source_data
from turingstats.new_study import starting_study
from turingstats.stats.hypothesis.proportions import binomial
from turingstats.stats.intervals import wilson

OPTIONS = {"seed": 1, "n_bootstrap": 200, "n_permutation": 200, "confidence": 0.95}


class Analysis:
    """Every stage of a study, run one after the other; study and files as their files declare them."""

    def __init__(self, study, files, folder):
        raw = [yaml_models.build_model(raw_files.RawFile, file, "sources") for file in files]
        grades = graded.list_grades(raw)
        self.study = defaults.fill_defaults(yaml_models.build_model(Study, study, "study"), grades)
        judgments, judges, responses, lost, _ = adapters.read_with_left_out(raw, folder, self.study)
        self.judgments, self.judges = judgments, judges
        checks = record_checks.check_records(judgments, judges, responses, self.study)
        assert set(checks["level"]) <= {"note", "warning"}
        marked = cleaning.mark_exclusions(judgments, self.study, settings.Cleaning())
        self.account = exclusion_log.log_exclusions(marked, self.study, lost)
        self.check_that_rows_are_counted(raw, folder)
        groups = counting.assign_groups(judges, self.study.demographics)
        self.groups, self.marked = groups, marked
        self.verdicts = select_first_verdicts(marked, self.study)
        counts = counting.count_verdicts(marked, self.study)
        self.results = {
            "counts": counts,
            "estimates": estimate_rates(counts, groups, self.study, OPTIONS),
            "tests": run_comparisons(counts, groups, self.study, OPTIONS),
            "sizes": sample_sizes.count_samples(marked, groups, responses, self.study),
            "missing": pd.DataFrame(columns=["task", "cohort", "path", "would_supply", "why"]),
            "responses": responses,
            "ratings": detector_scores.measure_graded(
                graded_verdicts.list_graded(marked, self.study, grades), 0.95
            ),
            "breakdowns": breakdowns.measure_breakdowns(marked, groups, self.study, 0.95),
            "stimuli": tabulate_responses(self.verdicts, 0.95),
            "benchmarks": None,
        }

    def check_that_rows_are_counted(self, files, folder):
        """Every row of the tables of verdicts is in one line of the exclusion flow."""
        rows = 0
        for path in {file.path for file in files if file.format == "verdict_table"}:
            with (Path(folder) / path).open(newline="", encoding="utf-8") as stream:
                rows += sum(any(cells) for cells in csv.reader(stream)) - 1
        flow = self.account[self.account["judge"] == "all"]
        for _, own in flow.groupby("reading"):
            analyzed = own.loc[own["step"] == "analyzed", "rows_out"].sum()
            # Trials that a study says were shown, but that no table holds, are no rows.
            absent = (own["step"] == "source") & ~own["reason"].str.contains(r"[(]")
            assert analyzed + own.loc[~absent, "excluded"].sum() == rows

    def estimate(self, quantity, agent="all", group="all"):
        table = self.results["estimates"]
        own = table.query("quantity == @quantity and agent == @agent and group == @group")
        (row,) = own.to_dict("records")
        return row

    def test(self, test_id):
        return self.results["tests"].set_index("test_id").loc[test_id]

    def figure(self, name):
        place = {"reading": self.study.readings[0], "level": 0.95, "data": "observed data"}
        tables = source_data.select_reading(self.results, place["reading"])
        data = source_data.select_figure_data(name, self.study, tables, **place)
        grid.draw_panels(data)
        return data


@pytest.fixture(scope="module")
def bots(tmp_path_factory):
    """The study that `snakemake init` writes for vk-bots, as it is."""
    top = tmp_path_factory.mktemp("bots")
    starting_study.write_study(REAL_TABLES / "vk-bots/trials.csv", "bots", top)
    study = yaml_models.read_mapping(top / "config/studies/bots.yaml") | {"study": "bots"}
    files = yaml_models.read_mapping(top / "data/sources/bots.yaml")["files"]
    one_sided = {"test": "binomial", "alternative": "greater"}
    place = {"task": "verdicts", "cohorts": ["judges"], "against": 0.5, "recommended": one_sided}
    study["comparisons"] = [
        place | {"id": "right", "quantity": "accuracy"},
        place | {"id": "scenario", "quantity": "accuracy", "by": "scenario"},
        place | {"id": "quality", "quantity": "p_MM", "agents": ["low", "mid", "high", "live"]},
    ]
    return Analysis(study, files, REAL_TABLES / "vk-bots")


def test_bots_verdicts_are_counted(bots):
    assert len(bots.judgments) == 2877
    assert bots.judgments["judge"].nunique() == 62
    found = pd.crosstab(bots.judgments["truth"], bots.judgments["verdict"])
    assert found.loc["machine", ["machine", "unsure", "human"]].tolist() == [1006, 310, 505]
    assert found.loc["human", ["machine", "unsure", "human"]].tolist() == [344, 133, 579]
    # Of all verdicts, as most papers print it, and of those that were sure.
    counted = [("accuracy", "all", 1585, 2434), ("p_UM", "all", 310, 1821)]
    counted += [("p_HM_all", "all", 505, 1821), ("p_HH_all", "human", 579, 1056)]
    counted.append(("p_UH", "human", 133, 1056))
    for quantity, agent, k, n in counted:
        row = bots.estimate(quantity, agent)
        assert (row["k"], row["n"], row["value"]) == (k, n, pytest.approx(k / n))
        assert row["ci_low"] < row["value"] < row["ci_high"]
    accuracy = bots.estimate("accuracy")
    # The notebook passes alpha = 0.10 and calls it 95 %.
    low, high = wilson(accuracy["k"], accuracy["n"], 0.90)
    assert (round(float(low), 3), round(float(high), 3)) == (0.635, 0.667)
    assert accuracy["wilson_low"] < low < high < accuracy["wilson_high"]
    strict = bots.estimate("identified")
    assert strict["value"] == pytest.approx((579 / 1056 + 1006 / 1821) / 2)
    assert strict["n"] == 2877
    assert bots.estimate("p_HH", "human")["value"] + bots.estimate("p_MH", "human")["value"] == 1


@pytest.mark.parametrize(
    ("test_id", "k", "n", "p"),
    [
        ("right.all", 1585, 2434, 2.9485478e-51),
        ("scenario.all.BOTS+GROUPS_SHIFTED", 345, 457, 5.71e-29),
        ("scenario.all.BOTS+RANDOM", 538, 1014, 0.02768),
        ("quality.high", 116, 284, 0.99919),
        ("quality.live", 232, 411, 0.005116),
    ],
)
def test_bots_binomial_tests(bots, test_id, k, n, p):
    row = bots.test(test_id)
    assert (row["statistic"], row["n1"]) == (k, n)
    assert row["p"] == pytest.approx(p, rel=1e-3)


@pytest.mark.parametrize(
    ("group", "right_on_bots", "right_on_people", "balanced"),
    [
        ("all", 0.666, 0.627, 0.647),
        ("BOTS+RANDOM", 0.655, 0.389, 0.522),
        ("BOTS+STUDENTS", 0.700, 0.925, 0.812),
        ("BOTS_ONLY", 0.664, None, None),
    ],
)
def test_bots_rates(bots, group, right_on_bots, right_on_people, balanced):
    expected = {"p_MM": right_on_bots, "p_HH": right_on_people, "detectability": balanced}
    for quantity, value in expected.items():
        found = bots.estimate(quantity, "human" if quantity == "p_HH" else "all", group)["value"]
        # Nobody's response was shown: not defined, rather than 0.
        assert pd.isna(found) if value is None else abs(found - value) < 0.0006


def test_bots_figures(bots):
    drawn = {name: bots.figure(name) for name in bots.study.figures}
    assert set(drawn) == {"matrices", "agents", "stimuli", "groups"}
    # Groups that differ are marked; the study's own tests are others here.
    differ = {"kind": "group test", "p_adjusted": 0.001, "test": "permutation", "unit": "judge"}
    marked = drawn["groups"][drawn["groups"]["kind"] == "intervals"]
    marked = pd.concat([marked, marked.iloc[:1].assign(correction="holm", family_size=2, **differ)])
    (canvas, *_) = grid.draw_panels(marked).axes
    assert any(line.get_marker() == (6, 2, 0) for line in canvas.lines)
    by_scenario = drawn["groups"][drawn["groups"]["kind"] == "intervals"].set_index("group")
    assert by_scenario.loc["BOTS_ONLY", "quantity"] == "p_MM"
    assert by_scenario.loc["BOTS_ONLY", "mark"] == "people not shown"
    notes = {"pools": {}, "trained": {}, "not_drawn": {}}
    notes["skipped"] = defaults.explain_skipped_figures(bots.study)
    listed = inventory.list_panels(None, drawn, (), bots.results["missing"], notes)
    assert set(listed["drawn"]) == {"yes", "skipped"}
    data = drawn["matrices"]
    each = data.drop_duplicates("panel").set_index("panel")
    why = listed[listed["figure"] == "matrices"].set_index("panel")["why"]
    assert (why == each["data"] + ": " + each["task_label"] + ", " + each["cohort_label"]).all()
    # Of several panels, each is explained by its own rows.
    other = data.assign(panel="Z", cohort="svm", cohort_label="SVM", note="judge trained here")
    notes["trained"] = {data["task"].iloc[0]: ["svm"]}
    both = {"matrices": pd.concat([data, other], ignore_index=True)}
    said = inventory.list_panels(None, both, (), bots.results["missing"], notes)
    said = said.dropna(subset="panel").set_index("panel")
    assert (
        said.loc["Z", "drawn"] == "judge trained here"
        and "judge trained here" in said.loc["Z", "why"]
    )
    assert said.drop("Z")["drawn"].eq("yes").all()
    skipped = listed[listed["drawn"] == "skipped"].set_index("figure")["why"]
    assert skipped.to_dict() == {
        "confidence": "the study declares no bands of confidence",
        "conditions": "the study declares no conditions",
        "ratings": "no file has ratings or scores",
        "roc": "no file has ratings or scores",
    }


# Which of two abstracts is the original? The other one was altered by a person or by a model, so that
# a choice is a verdict on an altered abstract, and both who alter are agents.
BRAINBENCH = yaml.safe_load("""
study: brainbench
title: Altered abstracts
readings: [recommended]
agents: {expert: {label: Altered by an expert, aliases: [human]}, gpt4: {label: GPT-4}}
tasks:
  choice:
    label: Choices
    choice: true
    conditions: [section]
    columns: {expertise: number, experience: number}
    cohorts: {experts: {label: Neuroscientists}}
demographics:
  gender: {female: Female, male: Male, variant: Gender Variant/Non-Conforming}
  age: {18-35: 18-35, 36-45: 36-45, 46 and over: 46+}
bands: {confidence: [0, 20, 40, 60, 80, 101]}
""")
CHOICES = yaml.safe_load("""
path: trials.csv
format: verdict_table
task: choice
cohort: experts
columns: {judge: judge, stimulus: item, agent: altered_by, right: correct, confidence: confidence,
  rt_ms: rt_ms, section: section, expertise: expertise, experience: experience_years, age: age,
  gender: sex}
values: {agent: {machine: gpt4}}
""")


@pytest.fixture(scope="module")
def brainbench():
    return Analysis(BRAINBENCH, [CHOICES], REAL_TABLES / "brainbench-2afc")


def test_choices_are_counted_once(brainbench):
    by_expert, by_model = (brainbench.estimate("p_MM", agent) for agent in ("expert", "gpt4"))
    assert (by_expert["k"], by_expert["n"]) == (641, 1011)
    assert (by_model["k"], by_model["n"]) == (351, 503)
    assert by_expert["value"] == pytest.approx(0.63403, abs=5e-6)
    assert by_model["value"] == pytest.approx(0.69781, abs=5e-6)
    exact = binomial(int(by_expert["k"]), int(by_expert["n"]), 0.5)
    limits = [0.5 + exact.ci_low, 0.5 + exact.ci_high]
    assert limits == pytest.approx([0.6035, 0.6638], abs=5e-5)
    whole = brainbench.estimate("detectability")
    assert (whole["value"], whole["n"]) == (pytest.approx(992 / 1514), 1514)
    # No factor from counting both of a pair.
    assert whole["wilson_low"] == brainbench.estimate("p_MM")["wilson_low"]
    assert brainbench.results["estimates"]["quantity"].isin(["p_HH", "p_MH"]).sum() == 0
    assert brainbench.estimate("detectability", "expert")["value"] == pytest.approx(641 / 1011)


def test_choices_keep_confidence_and_demographics(brainbench):
    own = brainbench.judgments
    right = (own["verdict"] == "machine").astype(int)
    assert right.corr(own["confidence"].astype(float), "spearman") == pytest.approx(
        0.1672, abs=5e-5
    )
    expertise = own["expertise"].astype(float)
    assert right.corr(expertise, "spearman") == pytest.approx(0.0660, abs=5e-5)
    both = own["confidence"].astype(float).corr(expertise, "spearman")
    assert both == pytest.approx(0.5202, abs=5e-5)
    experience = own.groupby("judge", observed=True)["experience"].first().astype(float)
    assert experience.mean() == pytest.approx(10.096, abs=5e-4)
    shown = brainbench.figure("confidence")
    assert list(shown["agent_label"]) == [
        *("0 to 19", "20 to 39", "40 to 59", "60 to 79", "80 to 100"), "All verdicts",
    ]  # fmt: skip
    assert shown["n"][:5].sum() == shown["n"].iloc[5] == own["confidence"].notna().sum()
    highest = own[own["confidence"].astype(float) >= 80]
    assert shown["value"].iloc[4] == pytest.approx((highest["verdict"] == "machine").mean())
    sure, unsure = (own.loc[right == side, "confidence"].astype(float) for side in (1, 0))
    pairs = sure.to_numpy()[:, None] - unsure.to_numpy()[None, :]
    assert shown["value"].iloc[5] == pytest.approx(np.mean((pairs > 0) + (pairs == 0) / 2))


def test_sample_of_the_choices(brainbench):
    own = brainbench
    table = sample.describe_sample(own.marked, own.judges, own.groups, own.study)
    numbers = table.set_index(["variable", "level", "quantity"])["value"]
    assert numbers["judges", "", "number"] == 171 and numbers["verdicts", "", "number"] == 1514
    # The file's own mean and standard deviation of ages.
    assert round(numbers["age", "", "mean"], 3) == 35.152
    assert round(numbers["age", "", "sd"], 3) == 9.398
    counted = [numbers["gender", level, "number"] for level in ("female", "male", "variant")]
    assert counted == [59, 107, 1] and numbers["gender", "other answer", "number"] == 4


def test_choices_are_tested_and_drawn(brainbench):
    # A group of one judge has an interval for this judge only, and is compared with no one.
    alone = brainbench.estimate("detectability", group="variant")
    assert (alone["error_over"], alone["n_judges"]) == ("stimuli", 1)
    groups = brainbench.test("choice.experts.gender.all")
    assert 0 < groups["p"] < 1 and "left out: variant" in groups["dropped"]
    chance = brainbench.test("choice.experts.chance.all")
    assert chance["unit"] == "judge and stimulus"
    assert chance["p"] < 1e-10
    for name in brainbench.study.figures:
        assert not (brainbench.figure(name)["kind"] == "no data").any()


def small(verdicts, tmp_path, names=("judge", "agent", "verdict", "stimulus"), **keys):
    """A study of rows, in one cohort unless a column names others."""
    names = list(names[: len(verdicts[0])])
    rows = pd.DataFrame(verdicts, columns=names)
    rows.to_csv(tmp_path / "t.csv", index=False)
    cohorts = rows["cohort"].unique() if "cohort" in rows else ["c"]
    task = {"label": "Task", "conditions": [name for name in names if name == "corpus"]}
    task["cohorts"] = {name: {"label": name} | keys for name in cohorts}
    study = {"study": "small", "title": "Small", "readings": ["recommended"]}
    study["agents"] = {"bot": {"label": "bot"}}
    file = {"path": "t.csv", "format": "verdict_table", "task": "t"}
    file["columns"] = {name: name for name in names if name != "cohort"}
    own = [{"where": {"cohort": [name]}} if "cohort" in rows else {} for name in cohorts]
    files = [file | {"cohort": name} | where for name, where in zip(cohorts, own, strict=True)]
    return Analysis(study | {"tasks": {"t": task}}, files, tmp_path)


def test_a_single_agent_and_two_judges(tmp_path):
    rows = [
        (j, a, v) for j in "ab" for a in ("human", "bot") for v in ("human", "machine", "unsure")
    ]
    analysis = small(rows, tmp_path)
    shown = analysis.figure("agents").set_index("kind")
    assert shown["agent_label"].tolist() == ["bot", "bot"]
    # Unsure verdicts are a third of all, and wrong in the second estimate.
    assert shown.loc["intervals", "value"] == pytest.approx(1 / 2)
    assert shown.loc["identified", "value"] == pytest.approx(1 / 3)
    assert analysis.estimate("p_UM")["value"] == pytest.approx(1 / 3)
    assert analysis.estimate("identified")["value"] == pytest.approx(1 / 3)
    assert pd.isna(analysis.estimate("detectability")["ci_low"])
    assert set(analysis.study.figures) == {"matrices", "agents", "stimuli"}
    assert analysis.figure("stimuli")["note"].tolist() == ["the source does not name stimuli"]
    assert "demographics" in defaults.explain_skipped_figures(analysis.study)["groups"]


def by_corpus(tmp_path, agents_at):
    """A study of two cohorts whose judges saw these agents' responses at these levels."""
    rows = [
        (f"{cohort}{j}", cohort, agent, level, "machine" if (j + n) % 3 else "human")
        for cohort, levels in agents_at.items()
        for level, agents in levels.items()
        for j in range(6)
        for n, agent in enumerate(agents)
    ]
    return small(rows, tmp_path, ("judge", "cohort", "agent", "corpus", "verdict"))


def test_levels_with_one_kind_of_response_show_its_share_judged_right(tmp_path):
    both = ("human", "bot")
    first = {"essays": both, "letters": ("human",), "poems": ("bot",)}
    second = {"poems": both, "letters": ("human",), "essays": both}
    analysis = by_corpus(tmp_path, {"first": first, "second": second})
    shown = analysis.figure("conditions").set_index(["panel", "group"])
    # The order of levels is that of the task in both panels.
    levels = shown.index.get_level_values("group")
    assert levels.tolist() == ["essays", "letters", "poems"] * 2
    letters = shown.loc[("A", "letters"), ["mark", "quantity", "value"]].tolist()
    assert letters == ["machines not shown", "p_HH", pytest.approx(1 / 3)]
    assert shown.loc[("A", "poems"), "mark"] == "people not shown"
    assert pd.isna(shown.loc[("B", "poems"), "mark"])


def test_judges_of_people_alone_are_told_why_there_is_no_detectability(tmp_path):
    analysis = by_corpus(tmp_path, {"first": {"essays": ("human",)}})
    shown = analysis.figure("agents")
    assert shown["note"].tolist() == ["no machine's responses were shown to these judges"]
    (row,) = analysis.figure("conditions").to_dict("records")
    assert (row["mark"], row["value"]) == ("machines not shown", pytest.approx(1 / 3))


def test_judges_who_are_all_right_are_tested_exactly_and_those_always_unsure_have_no_rate(tmp_path):
    rows = [(j, a, v) for j in "abcde" for a, v in (("human", "human"), ("bot", "machine"))]
    test = small(rows, tmp_path).test("t.c.chance.bot")
    assert (test["test"], test["n1"], test["unit"]) == ("crossed_t", 5, "judge")
    assert test["p"] == pytest.approx(2 / 32)
    assert "p exact" in test["method"]
    rows = [(j, a, "unsure") for j in "abcdef" for a in ("human", "bot")]
    analysis = small(rows, tmp_path)
    assert pd.isna(analysis.estimate("p_MM")["value"])
    assert analysis.estimate("p_UM")["value"] == 1
    for name in analysis.study.figures:
        analysis.figure(name)


def test_a_machine_judge_alone(tmp_path):
    rows = [("m", a, v) for a in ("human", "bot") for v in ("human", "machine", "machine")]
    analysis = small(rows, tmp_path, judge_kind="llm")
    # Two of three responses of either kind were called machine: nothing was told apart.
    row = analysis.test("t.c.chance.bot")
    assert (row["test"], row["effect"], row["p"]) == ("two_proportions", 0, 1)
    assert defaults.explain_skipped_figures(analysis.study)["groups"] == "no cohort of human judges"
    assert set(analysis.account["reading"]) == {"recommended"}


@pytest.mark.parametrize("texts", [4, 6])
def test_interval_and_test_take_the_same_for_samples(tmp_path, texts):
    """Stimuli of the agent are too few for a sample, or not."""
    rng = np.random.default_rng(1)
    rows = [
        (f"j{judge}", agent, rng.choice(["human", "machine"]), f"{agent}{text}")
        for judge in range(12)
        for agent, number in (("human", 8), ("bot", texts))
        for text in range(number)
    ]
    analysis = small(rows, tmp_path)
    estimate, test = analysis.estimate("detectability"), analysis.test("t.c.chance.bot")
    over = {"judges": "judge", "judges and stimuli": "judge and stimulus"}
    assert test["unit"] == over[estimate["error_over"]]
    assert estimate["error_over"] == ("judges" if texts < 5 else "judges and stimuli")
    assert float(test["df"]) == pytest.approx(estimate["df"], rel=1e-5)
    assert abs(test["effect"] / test["statistic"]) == pytest.approx(estimate["se"])


def test_detectors_that_are_cohorts_share_a_panel():
    labels = ("Watermark probe", "Perplexity", "Word counts")
    names = dict(zip(("probe", "perplexity", "counts"), labels, strict=True))
    cohorts = {key: {"label": label, "judge_kind": "detector"} for key, label in names.items()}
    agents = {"gpt_4o": "GPT-4o", "llama_3": "Llama 3", "markov_chain": "Markov chain"}
    study = describe_texts(tasks={"texts": {"label": "Texts", "cohorts": cohorts}})
    study["agents"] = {name: {"label": label} for name, label in agents.items()}
    columns = {"cohort": "detector", "stimulus": "text_id", "agent": "written_by"}
    file = {"path": "scores.csv", "format": "verdict_table", "task": "texts"}
    file["columns"] = columns
    file["score"] = {"column": "p_fake", "machine": ">= 0.5"}
    analysis = Analysis(study, [file], ROOT / "docs/example")
    ratings = analysis.results["ratings"]
    assert ratings["judge"].unique().tolist() == [""]
    assert ratings["cohort"].drop_duplicates().tolist() == [*names, "all"]
    for name in ("ratings", "roc"):
        data = analysis.figure(name)
        assert data["panel"].unique().tolist() == ["A"]
        assert data["group"].drop_duplicates().tolist() == list(labels)
        assert data["cohort"].drop_duplicates().tolist() == list(names)
        assert "Detectors" in data["title"].tolist()


@pytest.mark.parametrize(("people", "n_people"), [({"a": "p"}, None), ({"a": "p", "b": "p"}, 1)])
def test_people_are_counted_where_every_judge_is_known(people, n_people):
    counted = sample_sizes.count_judges(["a", "b", "absent"], {"a": 1, "b": 2}, people)
    assert counted == {"n_judges": 2, "n_people": n_people, "n_trials": 3}
