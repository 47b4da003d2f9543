"""Whole studies of every design give the accepted numbers: from raw files to statistics and what is shown."""

import shutil
from unittest import mock

import pytest
from project import GOLDEN, ROOT, read_said
from whole_study import LEFT_OUT, log_job

import demo
from tools import baseline, check
from turingstats.config.settings import Config
from turingstats.core import yaml_models
from turingstats.new_study.starting_study import write_study
from turingstats.workflow.load import load_plan

SETTINGS = yaml_models.read_mapping(ROOT / "config/subsets/studies.yaml")
RULES = ("read", "clean", "statistics", "models", "tables")
LONG = ("jones2024", "zhang2022")
"""Studies whose models take longer: neither these are made nor what is shown of them."""


def plan_study(name, folder):
    """Plan a study whose raw files are written into a folder, the current one."""
    config = Config(**SETTINGS | {"study": name})
    if name not in check.EXAMPLES:
        plan = load_plan(name, config, ROOT)
        if plan.raw.is_generated_here and plan.raw.generated_from:
            raw = plan.raw
            demo.write_study(raw.sources.generator, raw.generated_from, raw.folder, config.seed)
        return plan
    table = shutil.copy(ROOT / f"docs/example/{name}.csv", folder)
    write_study(table, name, folder, **read_said(name))
    return load_plan(name, config, folder)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["xturing", *check.EXAMPLES, *LONG])
def test_numbers_of_a_study_are_the_accepted_ones(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for top in ("published", "observed"):
        (tmp_path / "data" / top).symlink_to(ROOT / "data" / top)
    for module, function, made in LEFT_OUT[2:]:
        monkeypatch.setattr(module, function, mock.Mock(return_value=made))
    plan = plan_study(name, tmp_path)
    if name in LONG:
        printed = {"analysis.published_counts:analyze_counts"}
        tables = [result for result in plan.listed["tables"] if result.make in printed]
        plan.listed.update(models=[], tables=tables)
    for rule in RULES:
        if plan.listed[rule]:
            log_job(rule, plan, tmp_path / "results")
    tables = baseline.read_results(tmp_path / "results")
    assert len(tables) > 3
    differences = [
        found
        for found in baseline.check_results(GOLDEN / name, tables)
        # What is shown of the longer studies is not made.
        if found.file in tables and not found.row.startswith("figures/")
    ]
    assert not differences, baseline.format_differences(differences)
