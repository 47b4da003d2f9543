"""What a run shows: stages, times, and the message of a step that fails, once."""

import io
import logging
import math
import sys
from types import SimpleNamespace

import pytest

from turingstats.core import labels
from turingstats.workflow import run_display, stages
from turingstats.workflow.stages import Step


@pytest.mark.parametrize(
    ("rules", "output", "stage"),
    [
        ("workflow/rules/models.smk", "results/zhang2025/statistics/models.csv", "models"),
        ("workflow/rules/breakdowns.smk", "results/zhang2025/statistics/sample.csv", "statistics"),
        ("workflow/rules/ratings.smk", "results/figures/turingrsa/data/items.csv", "data"),
        ("workflow/rules/benchmark.smk", "results/zhang2025/benchmark/new/page.html", "benchmark"),
    ],
)
def test_stage_is_that_of_the_rule_or_of_the_folder(rules, output, stage):
    assert stages.find_stage(rules, [output]) == stage


def test_stages_are_in_the_order_of_a_run_and_others_last():
    steps = [Step(stage, 1) for stage in ("llm", "report", "figures", "data", "figures")]
    assert stages.list_stages(steps) == ["data", "figures", "report", "llm"]


def test_a_step_is_expected_to_take_as_long_as_in_the_last_run(tmp_path):
    benchmark = tmp_path / "align.tsv"
    benchmark.write_text("s\th:m:s\n41.5\t0:00:41\n")
    assert stages.expect_seconds("align", benchmark) == 41.5
    assert stages.expect_seconds("align", tmp_path / "none.tsv") == stages.USUAL_SECONDS["align"]
    assert stages.expect_seconds("draw", None) == stages.OTHER_SECONDS
    benchmark.write_text("")
    assert stages.expect_seconds("draw", benchmark) == stages.OTHER_SECONDS


def test_remaining_time_is_the_work_by_the_cores():
    steps = [Step("data", 10, began=0, ended=10), *(Step("figures", 6) for _ in range(4))]
    assert stages.estimate_remaining(steps, 1, 2, 10) == 12
    assert stages.estimate_remaining(steps, 2, 4, 10) == 12
    steps[1].began = 8
    assert stages.estimate_remaining(steps, 1, 2, 10) == 11


def test_remaining_time_is_at_least_that_of_the_longest_step():
    steps = [Step("models", 60, threads=2), Step("figures", 2)]
    assert stages.estimate_remaining(steps, 1, 8, 0) == 60
    # A step with more threads than there are cores takes all of them.
    assert stages.estimate_remaining(steps, 1, 1, 0) == 62
    assert stages.estimate_remaining([], 1, 2, 0) == 0


def test_pace_follows_the_run_and_starts_from_what_is_expected():
    assert stages.measure_pace([Step("data", 5)], 100) == 1
    slow = [Step("data", 90, began=0, ended=190)]
    assert stages.measure_pace(slow, 200) == pytest.approx(2)
    # A step that has just begun tells nothing; one that takes too long does.
    begun = Step("data", 90, began=200)
    assert stages.measure_pace([*slow, begun], 210) == pytest.approx(2)
    assert stages.measure_pace([begun], 480) > 2


def test_elapsed_time_ends_with_the_last_step():
    steps = [Step("data", 1, began=2, ended=5), Step("data", 1)]
    assert stages.measure_elapsed(steps, 9) == 7
    steps[1].began, steps[1].ended = 4, 8
    assert stages.measure_elapsed(steps, 9) == 6
    assert stages.measure_elapsed([Step("data", 1)], 9) == 0


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (99.6, "1:40"), (3725, "1:02:05")])
def test_durations(seconds, text):
    assert labels.format_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.44, "0.4 s"), (59.97, "1:00 min"), (3725, "1:02:05 h"), (math.nan, "")]
)
def test_durations_with_their_unit(seconds, text):
    assert labels.format_duration(seconds, in_words=True) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:05"), (41, "0:45"), (61, "1:15"), (301, "6:00"), (3600, "1:00:00")]
)
def test_remaining_time_is_as_coarse_as_it_is_known(seconds, text):
    assert stages.format_remaining(seconds) == f"about {text} left"


MESSAGE = "InputError: a value that the column does not allow\n  file:    trials.csv"


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (f"65 judges\n{MESSAGE}\n", MESSAGE),
        (
            "This step did not end: its process was killed.\n",
            "This step did not end: its process was killed.",
        ),
        ("Traceback (most recent call last):\n  File x\nKeyError: 'a'\n", "KeyError: 'a'"),
        ("what a program says\n", "what a program says"),
        ("", ""),
    ],
)
def test_message_of_a_log(tmp_path, log, message):
    path = tmp_path / "step.log"
    path.write_text(log)
    assert run_display.read_message(path) == message
    assert run_display.read_message(tmp_path / "none.log") == ""


def test_places_in_the_workflow_are_left_out_of_errors_in_the_configuration():
    error = (
        'WorkflowError in file "common.smk", line 42:\nthe configuration is not valid:\n  seed: abc\n'
        '  File "common.smk", line 45, in <module>\n  File "common.smk", line 42, in load_or_stop'
    )
    assert run_display.tidy_error(error) == "the configuration is not valid:\n  seed: abc"
    assert (
        run_display.tidy_error("MissingRuleException:\nno rule") == "MissingRuleException:\nno rule"
    )


@pytest.fixture
def shown():
    """A display of two steps in a pipe: its text, and a function that sends it a record."""
    stream = io.StringIO()
    own = logging.StreamHandler(stream)
    steps = {1: Step("data", 1), 2: Step("figures", 1)}
    display = run_display.RunDisplay(
        own, lambda: run_display.Run(steps, 2), lambda: stream.write("summary\n")
    )

    def send(event, message="", level=logging.INFO, **told):
        record = logging.LogRecord("snakemake", level, "", 0, message, None, None)
        vars(record).update(told, event=event)
        display.emit(record)

    return SimpleNamespace(text=stream.getvalue, send=send, end=display.end)


def test_a_pipe_gets_one_line_per_stage_that_ended(shown):
    shown.send(None, "Building DAG of jobs...")
    shown.send("run_info", "Job stats: ...")
    for job in (1, 2):
        shown.send("job_info", "rule: ...", jobid=job)
        shown.send("job_finished", "Finished", job_id=job)
    shown.send(None, "Select jobs to execute...")
    shown.send(None, "a warning", logging.WARNING)
    shown.end()
    lines = shown.text().splitlines()
    assert [line.split()[0] for line in lines] == ["stage", "data", "figures", "a", "all"]
    assert lines[1].endswith("about 0:05 left") and lines[-1].split()[1:] == [
        "2",
        "of",
        "2",
        "0:00",
    ]


def test_a_reason_is_told_once_with_its_log(shown, tmp_path):
    log = tmp_path / "step.log"
    log.write_text(MESSAGE)
    shown.send("run_info")
    for job in (1, 2):
        shown.send("job_info", jobid=job)
        shown.send("error", "RuleException:\nCalledProcessError in file ...", logging.ERROR)
        shown.send("job_error", "Error", logging.ERROR, rule_name="ingest", log=[str(log)])
    shown.send(None, "Exiting because a job execution failed. Look above", logging.ERROR)
    shown.end()
    shown.send(None, "Complete log(s): run.log")
    shown.send("error", "WorkflowError:\nAt least one job did not complete", logging.ERROR)
    text = shown.text()
    assert text.count(MESSAGE) == 1 and f"log:     {log}" in text
    assert "1 more failed for the same reason" in text and "run.log" in text
    assert "CalledProcessError" not in text and "At least one" not in text and "Look" not in text


def test_a_step_that_leaves_no_log_is_told_in_a_line(shown):
    shown.send("run_info")
    shown.send("job_error", "Error", logging.ERROR, rule_name="ingest", log=["none.log"])
    assert shown.text().split("\n") == ["", "ingest failed", run_display.SILENT, "", ""]


NODE_LOG = """Building DAG of jobs...
Error in rule compare:
    message: None
    log: {log} (check log file(s) for error details)
WorkflowError:
At least one job did not complete successfully.
    Error in rule compare:
        log: {log} (check log file(s) for error details)
"""


def send_group_failure(shown, node_log):
    shown.send("run_info")
    shown.send("group_error", "Error", logging.ERROR, groupid="statistics", aux_logs=[node_log])
    for rule in ("clean", "compare"):
        shown.send("job_error", "Error", logging.ERROR, rule_name=rule, log=[], indent=True)
    return shown.text().split("\n")


@pytest.mark.parametrize("told", [MESSAGE, "", "ValueError: no judges\n"])
def test_of_a_group_the_step_that_failed_is_told(shown, tmp_path, told):
    log, node_log = tmp_path / "step.log", tmp_path / "7.log"
    in_step = told == MESSAGE
    log.write_text(MESSAGE if in_step else "")
    node_log.write_text(NODE_LOG.format(log=log) + ("" if in_step else told))
    expected = ["", "compare failed", *(told.strip() or run_display.SILENT).split("\n")]
    if told:
        expected.append(f"  log:     {log if in_step else node_log}")
    assert send_group_failure(shown, str(node_log)) == [*expected, "", ""]


@pytest.mark.parametrize("program", ["slurmstepd: error:", "slurmstepd-node1: error:"])
def test_a_group_that_the_cluster_ended_is_told_with_the_reason(shown, tmp_path, program):
    node_log = tmp_path / "7.log"
    reason = "*** JOB 7 ON node1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***"
    node_log.write_text(f"Config file config/config.yaml is extended\n{program} {reason}\n")
    assert send_group_failure(shown, str(node_log))[1:3] == ["group statistics failed", reason]


def test_steps_that_the_user_interrupted_did_not_fail(shown):
    shown.send("run_info")
    shown.send(None, "Terminating processes on user request, this might take some time.")
    shown.send("job_error", "Error", logging.ERROR, rule_name="ingest", log=["none.log"])
    shown.end()
    assert "failed" not in shown.text() and shown.text().endswith(f"{run_display.KEPT}\n")


def test_a_run_without_work_says_so_and_what_there_is(shown):
    shown.send(None, "Nothing to be done (all requested files are present and up to date).")
    assert shown.text().splitlines()[1:] == ["summary"]


@pytest.mark.parametrize(
    "asked", ["dryrun", "quiet", "printshellcmds", "verbose", "debug_dag", None]
)
def test_snakemakes_own_account_is_shown_where_it_is_asked_for(monkeypatch, asked):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    own = logging.StreamHandler(io.StringIO())
    own.name = run_display.OWN_HANDLER
    logger = logging.Logger("snakemake")
    logger.addHandler(own)
    names = ("dryrun", "quiet", "printshellcmds", "verbose", "debug_dag", "nocolor")
    settings = SimpleNamespace(**{name: name == asked for name in names})
    workflow = SimpleNamespace(output_settings=settings, is_main_process=True)
    display = run_display.show_stages(logger, workflow, print)
    assert (display is None) == (asked is not None)
    assert logger.handlers == [display or own]
