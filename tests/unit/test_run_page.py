"""How the results were made: steps and times from Snakemake's records, and their drawing."""

import json
import re
from base64 import urlsafe_b64encode

import pytest

from turingstats.core.templating import render_page
from turingstats.report import run_page, run_records, step_graph
from turingstats.report.run_records import Step

FOLDER = "results/mine"


def record(path, rule, reads, start=0.0, end=1.0, log=None):
    """Write a file and Snakemake's record of it, split as for a file system with short names."""
    at = run_records.RECORDS.parents[1] / path
    at.parent.mkdir(parents=True, exist_ok=True)
    at.touch()
    name = urlsafe_b64encode(path.encode()).decode()
    parts = [name[i : i + 20] for i in range(0, len(name), 20)]
    parts = [*("@" + part for part in parts[:-1]), parts[-1]]
    place = run_records.RECORDS.joinpath(*parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    code = f'        "../../scripts/{rule}.py"\n'
    content = {"rule": rule, "input": reads, "log": [log or f"{FOLDER}/logs/{rule}.log"], "code": code,
               "starttime": start, "endtime": end}  # fmt: skip
    place.write_text(json.dumps(content))


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A run of four steps, the middle two beside each other, one for this study alone."""
    monkeypatch.chdir(tmp_path)
    raw = f"{FOLDER}/data/raw.csv"
    record(raw, "read", ["data/a.csv", "data/b.csv", "scripts/read.py"], 10, 12)
    record(f"{FOLDER}/s/means.csv", "estimate_mine", [raw], 12, 15)
    for name in "ab":
        log = f"{FOLDER}/logs/draw_{name}.log"
        record(f"{FOLDER}/figures/{name}.svg", "draw", [raw], 12, 13.5, log)
        record(f"{FOLDER}/figures/{name}.pdf", "draw", [raw], 12, 13.5, log)
    last = [raw, f"{FOLDER}/s/means.csv", f"{FOLDER}/figures/a.svg"]
    record(f"{FOLDER}/all.html", "collect", last, 15, 16)
    record(f"{FOLDER}/report/index.html", "write_report", last, 1, 2)
    record("results/other/x.csv", "read", ["data/c.csv"], 0, 100)
    benchmarks = tmp_path / FOLDER / "benchmarks"
    benchmarks.mkdir()
    (benchmarks / "draw_a.tsv").write_text("s\tmax_rss\tcpu_time\n1\t80\t0.5\n")
    (benchmarks / "draw_b.tsv").write_text("s\tmax_rss\tcpu_time\n1\tNA\tNA\n")
    return tmp_path


def test_steps_are_read_from_the_records(run):
    steps = {step.name: step for step in run_records.list_steps(FOLDER, "mine", ["write_report"])}
    assert list(steps) == ["read", "draw", "estimate", "collect"]
    assert steps["read"].sources == {"data": 2}
    assert steps["collect"].reads == {"read", "estimate", "draw"}
    assert steps["draw"].seconds == 3 and len(steps["draw"].jobs) == 2
    assert len(steps["draw"].outputs) == 4
    assert (steps["draw"].cpu_seconds, steps["draw"].megabytes) == (0.5, 80)
    assert steps["read"].script == "scripts/read.py"


def test_files_that_are_gone_have_no_step(run):
    (run / FOLDER / "all.html").unlink()
    assert "collect" not in [step.name for step in run_records.list_steps(FOLDER, "mine")]


def test_page_shows_every_step_with_its_time(run):
    context = run_page.build_context({"study": "mine", "title": "A study"}, FOLDER)
    page = render_page("run.html", context)
    assert context["about"]["Work"] == "5 jobs, 9.0 s in all; processor time 0.5 s"
    assert context["about"]["Code"] == "not in a git repository"
    assert re.findall(r'<tr id="(\w+)">', page) == ["read", "draw", "estimate", "collect"]
    assert page.count("<rect") == 4 and "2 jobs, 3.0 s" in page


def test_page_without_records_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = render_page("run.html", run_page.build_context({"study": "x", "title": "X"}, FOLDER))
    assert "kept no records" in page


def test_arrows_that_follow_from_others_are_left_out():
    steps = [Step("a"), Step("b", reads={"a"}), Step("c", reads={"a", "b"}), Step("d", reads={"a"})]
    plan = step_graph.lay_out_steps(steps)
    assert len(plan["arrows"]) == 3


def test_boxes_do_not_overlap():
    wide = [Step(f"m{i}", reads={"top"}) for i in range(7)]
    steps = [Step("top"), *wide, Step("end", reads={"m3"}), Step("last", reads={"end", "m0"})]
    plan = step_graph.lay_out_steps(steps)
    boxes = plan["boxes"]
    for i, (_, x, y) in enumerate(boxes):
        assert 0 <= x <= plan["width"] - step_graph.WIDE and y <= plan["height"] - step_graph.HIGH
        for _, left, top in boxes[i + 1 :]:
            assert top != y or abs(left - x) >= step_graph.WIDE
