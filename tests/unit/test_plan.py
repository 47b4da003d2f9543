"""What a run makes of each study: targets, raw files, what jobs are told."""

import pytest
import yaml
from project import ROOT

from turingstats.config import settings
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, SourceError
from turingstats.workflow.load import load_plan, load_plans, plan_study
from turingstats.workflow.parameters import describe_for_synthesis, select_sections
from turingstats.workflow.plan import check_submission, require_judgments
from turingstats.workflow.raw_data import RawData


@pytest.fixture(autouse=True)
def _at_the_top(monkeypatch):
    """Paths of raw files are relative to the folder of a run."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def plans():
    made, broken = load_plans(settings.Config(), ROOT)
    assert not broken
    return made


def plan(name, **asked):
    config = yaml_models.build_model(settings.Config, {"study": name} | asked, "test")
    return load_plan(name, config, ROOT)


def drawn(plan):
    """Names of the figures of a plan."""
    return {result.name for result in plan.made if result.draw}


def copy_project(folder, *names):
    """Make a small project: some studies, their raw files and what their papers print."""
    for top in ("config/studies", "data/sources", "data/published"):
        (folder / top).mkdir(parents=True)
        for path in (ROOT / top).iterdir():
            if path.stem in names:
                (folder / top / path.name).symlink_to(path)
    return folder


def test_the_report_is_told_who_made_a_figure(plans):
    made = plans["zhang2025"].reported["makers"]
    assert made["figures/fig4.csv"] == [
        "figures.source_data:select_figure_data", "figures.grid:draw_panels"
    ]  # fmt: skip
    assert made["tables/equivalence.csv"][0] == "tables.models:tabulate_equivalence"


def test_a_part_of_a_study_has_fewer_targets(plans):
    whole = plans["zhang2025"]
    color = plan("zhang2025", tasks=["color"])
    assert set(color.everything) < set(whole.everything)
    assert {"fig6", "judge_spread"} <= drawn(color)
    assert "fig5" not in drawn(color)
    # Which tasks a study has is told of the whole: claims on others are out of the subset.
    assert set(color.study.tasks) == {"color"} < set(color.whole.tasks)


def test_no_audit_of_trained_judges_without_training(plans):
    untrained = plan("zhang2025", judges={"train": False})
    assert "<results>/zhang2025/judges/audit.csv" in plans["zhang2025"].list_outputs("judges")
    for without in (untrained, plans["jones2024"]):
        assert without.list_outputs("judges") == []
        assert not any("/judges/" in path for path in without.list_inputs("clean"))


def test_language_models_judge_where_they_are_asked(plans):
    assert plans["zhang2025"].list_outputs("llm_judge") == []
    with pytest.raises(ConfigError, match=r"llm_judges needs an endpoint.*\n.*base_url"):
        require_judgments(plans["zhang2025"])
    llm = {"base_url": "http://127.0.0.1:1/v1", "models": ["coin"]}
    made = plan("zhang2025", llm=llm)
    assert require_judgments(made) == ["<results>/zhang2025/llm/judgments.parquet"]
    assert set(require_judgments(made)) < set(made.list_inputs("clean"))
    # The report shows their figure, too.
    assert "<results>/zhang2025/figures/llm.csv" in made.everything
    assert "zeroshot_coin" in made.study.tasks["color"].cohorts


def test_a_job_is_told_the_sections_that_it_uses(plans):
    own = plans["zhang2025"]

    def told(rule, plan=own):
        return plan.describe_job(rule)["settings"]["study"]

    assert {"agents", "tasks", "demographics"} <= set(told("clean"))
    assert not {"figures", "comparisons", "claims"} & set(told("clean"))
    label = own.study.tasks["color"].label
    assert told("clean")["tasks"]["color"]["label"] == "color" != label
    assert told("tables")["tasks"]["color"]["label"] == label
    assert "alignment_tests" in told("statistics", plans["turingrsa"])
    # Files of ratings name tasks that a subset leaves out.
    words = plan("turingrsa", tasks=("words",))
    assert set(told("read", words)["tasks"]) > set(words.study.tasks)


def test_a_new_model_needs_responses_of_a_task_of_the_study():
    with pytest.raises(ConfigError, match="benchmark needs a file of responses"):
        check_submission(plan("zhang2025"))
    with pytest.raises(ConfigError, match=r"task 'colour' is unknown; known: .*color"):
        check_submission(plan("zhang2025", responses="mine.json", task="colour"))
    asked = plan("zhang2025", responses="My model.json", task="caption")
    assert check_submission(asked) == [] and asked.config.submission == "caption_my_model"


def test_without_observed_tables_a_study_is_generated(plans):
    raw = plans["jones2024"].raw
    assert raw.source == "demo" and raw.commit == "generated"
    assert (
        raw.inputs == raw.list_generated(raw.sources.files) == ["data/raw/jones2024/demo/games.csv"]
    )
    made_from = ("design", "alignments", "items")
    files = [f"data/published/turingrsa/{name}.csv" for name in made_from]
    assert plans["turingrsa"].raw.generated_from == files


def test_a_study_without_a_generator_says_so():
    raw = plan("zhang2025", data={"source": "demo"}).raw
    sources = raw.sources.model_copy(update={"generator": None})
    config = settings.Config(data={"source": "demo"})
    without = RawData("zhang2025", raw.files, raw.tasks, sources, config)
    assert not without.is_generated_here
    told = r"No generated data come with study zhang2025\n.*generator"
    with pytest.raises(SourceError, match=told):
        _ = without.inputs


@pytest.mark.parametrize("source", ["public", "demo"])
def test_parts_of_a_study_and_studies_of_the_same_package_share_it(source):
    data = {"source": source}
    whole, part = (plan("zhang2025", data=data, **own).raw for own in ({}, {"tasks": ["color"]}))
    first = plan("zhang2022", data=data).raw
    made = {"public": whole.converted, "demo": whole.list_generated(whole.sources.files)[0]}[source]
    assert part.inputs == whole.inputs == first.inputs == [made]
    assert made == f"data/raw/zhang2025/{source}/datapackage.json"
    assert first.folder == whole.folder == f"data/raw/zhang2025/{source}"
    assert whole.is_converted_here and whole.is_generated_here
    assert not first.is_converted_here and not first.is_generated_here


def test_a_folder_with_a_description_is_a_data_package():
    folder = str(ROOT / "data/observed/zhang2025")
    raw = plan("zhang2025", data={"source": folder}, tasks=["color"]).raw
    assert raw.is_package
    names = ("datapackage.json", "color_trials.csv", "color_judges.csv", "color_responses.csv")
    assert raw.inputs == [f"{folder}/{name}" for name in names]
    # No commit vouches for it.
    assert raw.label == "observed data"


def test_files_of_a_folder_at_hand_are_only_read(tmp_path):
    (tmp_path / "games.csv").touch()
    raw = plan("jones2024", data={"source": str(tmp_path)}).raw
    assert raw.inputs == [str(tmp_path / "games.csv")]
    assert (raw.folder, raw.commit, raw.label) == (str(tmp_path), "any", "observed data")
    (tmp_path / "games.csv").unlink()
    assert plan("jones2024", data={"source": str(tmp_path)}).raw.inputs == []
    pinned = plan("zhang2025", data={"source": str(tmp_path)})
    assert pinned.raw.commit == pinned.sources.commit
    # What a list of sources names has no other source.
    own = pinned.sources.model_copy(update={"folder": str(tmp_path)})
    raw = plan_study(pinned.whole, own, pinned.config, ROOT).raw
    assert (raw.commit, raw.is_generated_here) == ("any", False)


@pytest.mark.parametrize(
    ("name", "data", "commit"),
    [
        ("zhang2025", {}, None),
        ("zhang2025", {"source": "public"}, None),
        ("zhang2025", {"source": "public", "commit": "b" * 40}, "b" * 40),
        ("zhang2025", {"source": "demo"}, "generated"),
        # Generated for the other study, whose folder this one reads.
        ("zhang2022", {"source": "demo"}, "any"),
        ("zhang2022", {"source": "public"}, None),
        ("turingrsa", {"source": "/here"}, "any"),
    ],
)
def test_the_commit_that_files_must_come_from(plans, name, data, commit):
    assert plan(name, data=data).raw.commit == (commit or plans[name].sources.commit)


def test_a_broken_study_is_listed_and_does_not_stop_the_others(tmp_path):
    root = copy_project(tmp_path, "jones2024", "xturing")
    (root / "config/studies/mine.yaml").write_text("titel: Mine\n")
    plans, broken = load_plans(settings.Config(study="jones2024"), root)
    assert set(plans) == {"jones2024", "xturing"}
    assert "titel: unknown key" in broken["mine"]
    with pytest.raises(ConfigError, match=r"mine\.yaml"):
        load_plan("mine", settings.Config(study="mine"), root)
    with pytest.raises(ConfigError, match=r"theirs\.yaml; known: jones2024, mine, xturing"):
        load_plan("theirs", settings.Config(study="theirs"), root)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"tasks": ["colour"]}, "tasks: colour unknown to study zhang2025; known: .*color"),
        ({"cohorts": ["amd"]}, "cohorts: amd unknown to study zhang2025; known: ablated, amt, "),
        ({"cohorts": ["svm"], "agents": ["chatgpt"]}, "leave no cohort of study zhang2025"),
    ],
)
def test_a_subset_must_be_of_the_configured_study(asked, message):
    with pytest.raises(ConfigError, match=message):
        plan("zhang2025", **asked)


def test_a_study_without_the_configured_parts_is_left_out_of_a_run_of_all():
    plans, broken = load_plans(settings.Config(study="all", tasks=("color",)), ROOT)
    assert set(plans) == {"zhang2022", "zhang2025"}
    assert set(plans["zhang2022"].study.tasks) == {"color"}
    assert "tasks: color unknown to study jones2024" in broken["jones2024"]


def test_figures_and_tables_may_be_left_out():
    """Those of the study file, and those that every study has; the list of figures says why they lack."""
    names = {"fig5", "tableS2", "forest", "judge_spread", "sample"}
    chosen = plan("zhang2025", leave_out=sorted(names))
    made = " ".join(chosen.everything)
    assert not any(f"{kind}/{name}." in made for name in names for kind in ("figures", "tables"))
    assert "/figures/fig4.png" in made and "/tables/tableS1.csv" in made
    assert chosen.study.not_drawn["fig5"] == "left out (leave_out)"
    assert names.isdisjoint(select_sections(chosen.study, "figures", "tables")["figures"])
    for name in ("turingrsa", "jones2024"):
        assert "/figures/fig2.png" not in " ".join(plan(name, leave_out=["fig2"]).everything)
    told = "leave_out: fig55 unknown to study zhang2025; known: agreem"
    with pytest.raises(ConfigError, match=told):
        plan("zhang2025", leave_out=["fig55"])


def test_one_correction_for_all_families_of_the_recommended_reading():
    def corrections(reading, **asked):
        comparisons = plan("zhang2025", **asked).study.comparisons
        tests = filter(None, (getattr(comparison, reading) for comparison in comparisons))
        return {test.correction for test in tests}

    declared = corrections("published")
    assert corrections("recommended", correction="fdr_bh") == {"fdr_bh"}
    assert corrections("published", correction="fdr_bh") == declared != {"fdr_bh"}
    # Studies without tests of their own get the default ones.
    usual = plan("jones2024", correction="none").study.comparisons
    assert {test.recommended.correction for test in usual} == {"none"}


@pytest.mark.parametrize("path", sorted(ROOT.glob("config/subsets/*.yaml")), ids=lambda p: p.stem)
def test_every_configured_subset_can_be_planned_in_a_folder_of_its_own(path):
    asked = yaml_models.build_model(settings.Config, yaml.safe_load(path.read_text()), path.name)
    assert drawn(load_plan(asked.study, asked, ROOT))
    assert asked.pathvars.results.startswith("results/")


def test_the_synthesis_gets_people_who_are_in_no_pool():
    tasks = plan("zhang2025").study.tasks
    cohorts = [
        tasks[name].cohorts[cohort]
        for name, task in describe_for_synthesis(plan("zhang2025").study)["tasks"].items()
        for cohort in task["cohorts"]
    ]
    assert any(cohort.pools for task in tasks.values() for cohort in task.cohorts.values())
    assert cohorts and not any(cohort.pools for cohort in cohorts)
    assert {cohort.judge_kind for cohort in cohorts} == {"human"}
