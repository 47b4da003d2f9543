"""What a run shows while it goes on: one line per stage, and the message of a step that fails.

Snakemake's own account of every job goes to its log file only. It is shown as ever where a run was asked for
it (`--printshellcmds`, `--verbose`), or for any other form of it (`--dry-run`, `--quiet`, `--logger`).
"""

import logging
import os
import re
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from turingstats.core.labels import format_duration
from turingstats.core.plain_text import escape_controls
from turingstats.workflow import stages

OWN_HANDLER = "DefaultStreamHandler"
"""Snakemake's name for what writes its account to the terminal."""
PREPARING = (
    "Assuming ",
    "Building DAG",
    "Using shell",
    "Conda environments: ignored",
    "Singularity containers: ignored",
    "Group jobs: inactive",
    "Select jobs",
)
"""Beginnings of messages before the first job that say nothing of this run."""
STOPPING = ("Terminating ", "Will exit ")
"""Beginnings of messages after the user interrupted the run."""
RUNNING = (*STOPPING, "Trying to restart ")
"""Beginnings of messages after the first job that a user should see."""
WHOLE_LOG = ("Complete log",)
"""Beginning of the message that names the log of the run, which a user needs after a failure."""
NOTHING = "Nothing to be done"
FAILED = ("Exiting because a job execution failed", "At least one job did not complete")
"""What Snakemake says after a job failed, whose own message has been shown."""
MESSAGE = re.compile(r"^(\w+(Error|Exception): |This step did not end|Interrupted\.)", re.MULTILINE)
SILENT = "The step left no message; the log of the whole run has its command."
KEPT = "Interrupted. Run the same command again; whatever was finished is kept."
TRACEBACK = "Traceback (most recent call last)"
ON_NODE = "Building DAG of jobs"
"""Tells the log of a node, where Snakemake ran a submission, from that of a step."""
FAILED_STEP = re.compile(
    r"^Error in rule (\w+):\n(?: .*\n)*? +log: (.+?)(?: \(check.*)?\n", re.MULTILINE
)
"""A step that failed, in the log of a node."""
KILLED = re.compile(r"^slurmstepd\S*: error: (.+)", re.MULTILINE)
RAISED = re.compile(
    r"^(?!WorkflowError|CalledProcessError)\w+(?:Error|Exception): .+", re.MULTILINE
)
RED = "red"
HEADER = "stage             steps     time   whole run"


def read_log(log):
    """Read a log; empty if there is none."""
    try:
        return escape_controls(Path(log).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def read_message(log):
    """Read why a step failed from its log; empty if the log does not say.

    Of an unexpected error the last line is enough, as the log has the rest.
    """
    text = read_log(log).rstrip()
    if killed := KILLED.findall(text):
        return killed[-1]
    if ON_NODE in text:
        return next(reversed(RAISED.findall(text)), "")
    if TRACEBACK in text:
        return text.splitlines()[-1]
    found = list(MESSAGE.finditer(text))
    return text[found[-1].start() :] if found else "\n".join(text.splitlines()[-10:])


def tidy_error(message):
    """Strip the places in the workflow from an error of the user's configuration."""
    if "in load_or_stop" not in message:
        return message
    lines = message.splitlines()[1:]
    return "\n".join(line for line in lines if not re.match(r'  File ".*", line \d+, in ', line))


class Lines:
    """Shows a run in a pipe or a log: one line for each stage that has ended.

    Parameters
    ----------
    stream : text stream
    """

    def __init__(self, stream):
        self.stream = stream
        self.shown = set()

    def begin(self, run):
        """Note what is run."""
        self.run = run

    def tell(self, text, style=None):
        """Write a message."""
        print(text, file=self.stream, flush=True)

    def update(self):
        """Write a line for each stage that has ended since the last call."""
        for stage, steps in self.run.by_stage.items():
            if stage not in self.shown and stages.count_ended(steps) == len(steps):
                self.write_stage(stage, steps, self.run.estimate(self.run.steps))

    def write_stage(self, stage, steps, remaining=""):
        """Write the line of a stage; the first one after what the columns are."""
        if not self.shown:
            self.tell(HEADER)
        self.shown.add(stage)
        self.tell(self.run.describe(stage, steps, remaining))

    def end(self):
        """Write a line for each stage that was begun and has not ended, and one for the run."""
        for stage, steps in self.run.by_stage.items():
            if stage not in self.shown and any(step.began is not None for step in steps):
                self.write_stage(stage, steps)
        self.write_stage("all", self.run.steps)


class Block:
    """Shows a run on a terminal: a line for each stage, updated in place.

    Parameters
    ----------
    stream : text stream
    color : bool
    """

    def __init__(self, stream, color):
        # Imported here, because it takes a tenth of a second that a dry run need not wait.
        from rich.console import Console

        self.console = Console(file=stream, no_color=not color, highlight=False)
        self.live = None

    def begin(self, run):
        """Begin to show a run."""
        from rich.live import Live

        self.run = run
        self.live = Live(get_renderable=self.draw, console=self.console, refresh_per_second=4)
        self.live.start()

    def draw(self):
        """Draw the lines of all stages, and one of the run."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        for stage, steps in [*self.run.by_stage.items(), ("all", self.run.steps)]:
            done, total = stages.count_ended(steps), len(steps)
            begun = any(step.began is not None for step in steps)
            table.add_row(
                stage,
                ProgressBar(total=total, completed=done, width=24, complete_style="green"),
                f"{done}/{total}",
                format_duration(self.run.measure(steps)) if begun else "",
                self.run.estimate(steps) if begun and self.live else "",
            )
        return table

    def tell(self, text, style=None):
        """Write a message above the lines."""
        self.console.print(text, style=style, markup=False, soft_wrap=True)

    def update(self):
        """Show what is new."""
        self.live.refresh()

    def end(self):
        """Show the last state and leave it."""
        live, self.live = self.live, None
        live.stop()


class Run:
    """The steps of a run, by Snakemake's number.

    Parameters
    ----------
    steps : dict of int to stages.Step
    cores : int
    """

    def __init__(self, steps, cores):
        self.by_id = steps
        self.cores = cores
        self.began = time.monotonic()
        self.steps = list(steps.values())
        self.by_stage = {
            stage: [step for step in self.steps if step.stage == stage]
            for stage in stages.list_stages(self.steps)
        }

    def measure(self, steps):
        """Measure the seconds that steps have taken."""
        return stages.measure_elapsed(steps, time.monotonic())

    def estimate(self, steps):
        """Say how much time is left for steps; empty if they have ended."""
        if stages.count_ended(steps) == len(steps):
            return ""
        now = time.monotonic()
        pace = stages.measure_pace(self.steps, now)
        return stages.format_remaining(stages.estimate_remaining(steps, pace, self.cores, now))

    def describe(self, stage, steps, remaining=""):
        """Describe steps in a line."""
        done, total = stages.count_ended(steps), len(steps)
        seconds = format_duration(self.measure(steps))
        line = f"{stage:<11} {done:>4} of {total:<4} {seconds:>6}"
        return f"{line}   {remaining}" if remaining else line


class RunDisplay(logging.Handler):
    """Shows a run by stage in place of what Snakemake writes to the terminal.

    Parameters
    ----------
    own : logging.Handler
        Snakemake's handler, which still writes warnings and what else concerns no job.
    make_run : callable
        Returns the `Run` that is about to begin.
    summarize : callable
        Prints what the results are; called where there is nothing to do.
    nocolor : bool
    """

    def __init__(self, own, make_run, summarize, *, nocolor=False):
        super().__init__(own.level)
        self.own, self.make_run, self.summarize = own, make_run, summarize
        stream = own.stream
        # With conda, the Snakemake that is called may have fewer packages than its jobs.
        terminal = stream.isatty() and os.environ.get("TERM") != "dumb" and find_spec("rich")
        self.screen = Block(stream, not nocolor) if terminal else Lines(stream)
        self.run = None
        self.begun = self.stopped = False
        self.told = {}
        self.on_event = {
            "run_info": self.begin,
            "job_info": self.begin_step,
            "job_finished": self.end_step,
            "job_error": self.tell_failure,
            "error": self.tell_error,
            "group_error": self.tell_group_failure,
            None: self.tell,
        }

    def emit(self, record):
        """Show a record of Snakemake's."""
        try:
            action = self.on_event.get(getattr(record, "event", None))
            if action:
                action(record)
        except BrokenPipeError:
            raise
        except Exception:
            self.handleError(record)

    def begin(self, record):
        """Begin to show a run, if it has steps that make something."""
        self.begun = True
        run = self.make_run()
        if run.steps:
            self.run = run
            self.screen.begin(run)

    def begin_step(self, record):
        """Note that a step begins."""
        if self.run and (step := self.run.by_id.get(record.jobid)):
            step.began = time.monotonic()

    def end_step(self, record):
        """Note that a step has ended."""
        if self.run and (step := self.run.by_id.get(record.job_id)):
            step.ended = time.monotonic()
            self.screen.update()

    def tell_failure(self, record):
        """Tell why a step failed; of one that was submitted with others, its group has told."""
        if not getattr(record, "indent", False):
            self.tell_reason(record.rule_name, record.log)

    def tell_group_failure(self, record):
        """Tell which of the steps that were submitted together failed, and why."""
        failed = [step for log in record.aux_logs for step in FAILED_STEP.findall(read_log(log))]
        for rule, log in failed or [(f"group {record.groupid}", "")]:
            self.tell_reason(rule, [log, *record.aux_logs])

    def tell_reason(self, name, logs):
        """Tell why a step failed, with the log that says so; the same reason only once."""
        if self.stopped:
            return
        found = ((log, read_message(log)) for log in logs)
        log, message = next(((log, told) for log, told in found if told), (None, SILENT))
        if message in self.told:
            self.told[message] += 1
        else:
            self.told[message] = 0
            where = f"\n  log:     {log}" if log else ""
            self.screen.tell(f"\n{name} failed\n{message}{where}\n", RED)

    def tell_error(self, record):
        """Tell an error that is not the echo of a failed step."""
        message = record.getMessage()
        if "CalledProcessError" not in message and not any(text in message for text in FAILED):
            self.screen.tell(tidy_error(message), RED)

    def tell(self, record):
        """Pass on warnings, errors and what a user should know."""
        message = str(record.msg or "")
        self.stopped |= message.startswith(STOPPING)
        if record.levelno >= logging.WARNING:
            shown = not message.startswith(FAILED)
        elif self.begun:
            shown = message.startswith(RUNNING + WHOLE_LOG * bool(self.told))
        else:
            shown = not message.startswith(PREPARING)
        if shown:
            self.pass_on(record)
        if message.startswith(NOTHING):
            self.summarize()

    def pass_on(self, record):
        """Let Snakemake's handler format a record."""
        if self.own.filter(record) and (text := self.own.format(record)):
            self.screen.tell(text, {"WARNING": "yellow", "ERROR": RED}.get(record.levelname))

    def end(self):
        """Show how the run ended."""
        if self.run is None:
            return
        self.screen.end()
        self.run = None
        if more := sum(self.told.values()):
            self.screen.tell(f"{more} more failed for the same reason.", RED)
        if self.stopped:
            self.screen.tell(KEPT)

    def close(self):
        """Leave the terminal as it was."""
        self.end()
        super().close()


def end_quietly(kind, error, trace):
    """Show an error that nobody handled; of an interruption only that it was one."""
    if kind is KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def make_run(workflow):
    """Make the `Run` of the jobs that Snakemake is about to run, without those that only collect files."""
    at_once = "_cores" if workflow.local_exec else "_nodes"
    steps = {
        workflow.dag.jobid(job): stages.Step(
            stage=stages.find_stage(job.rule.snakefile, job.output),
            seconds=stages.expect_seconds(job.rule.name, job.benchmark),
            threads=job.threads,
        )
        for job in workflow.dag.needrun_jobs()
        if job.output
    }
    return Run(steps, workflow.global_resources[at_once].value)


def show_stages(logger, workflow, summarize):
    """Show a run by stage, unless it was asked for Snakemake's own account.

    Parameters
    ----------
    logger : logging.Logger
        Snakemake's.
    workflow : snakemake.workflow.Workflow
    summarize : callable
        As for `RunDisplay`.

    Returns
    -------
    RunDisplay or None
    """
    asked = workflow.output_settings
    own = next((handler for handler in logger.handlers if handler.name == OWN_HANDLER), None)
    if (
        own is None
        or not workflow.is_main_process
        or asked.dryrun
        or asked.quiet
        or asked.printshellcmds
        or asked.verbose
        or asked.debug_dag
    ):
        return None
    display = RunDisplay(own, lambda: make_run(workflow), summarize, nocolor=asked.nocolor)
    sys.excepthook = end_quietly
    logger.removeHandler(own)
    logger.addHandler(display)
    return display
