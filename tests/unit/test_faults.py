"""Faults of the machine: each is one message that names the file, and nothing that was there is lost."""

import errno
import os
import signal
import subprocess
import sys

import pandas as pd
import pytest

from turingstats.core import errors, files

STEP = """
import errno, os, signal, sys
from turingstats.core.errors import InputError, report_errors
with report_errors(sys.argv[1]):
    print("begun", flush=True)
    {ends}
"""


def run_step(tmp_path, ends):
    """Run a step that ends in a given way; return its exit code, its log and what it shows."""
    log = tmp_path / "logs/step.log"
    command = [sys.executable, "-c", STEP.format(ends=ends), str(log)]
    environment = os.environ | {"PYTHONPATH": "src"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return done.returncode, log.read_text(), done.stderr


@pytest.mark.parametrize(
    ("ends", "code", "said"),
    [
        ("print('done')", 0, "begun\ndone\n"),
        ("raise InputError('a.csv', 'wrong', fix='mend it')", 1, "fix:     mend it"),
        ("raise OSError(errno.ENOSPC, 'full', 'b.csv')", 1, "the disk is full\n  file:    b.csv"),
        ("raise PermissionError(errno.EACCES, 'no lock')", 1, "refused: [Errno 13] no lock"),
        ("raise MemoryError('4 GB')", 1, "memory ran out (4 GB)"),
        # A shell starts what it runs in the background without an answer to SIGINT.
        (
            "signal.signal(signal.SIGINT, signal.default_int_handler); os.kill(os.getpid(), signal.SIGINT)",
            130,
            "Interrupted. Run the same command again",
        ),
        ("open('absent')", 1, "FileNotFoundError"),
    ],
)
def test_log_says_how_a_step_ended(tmp_path, ends, code, said):
    found, log, shown = run_step(tmp_path, ends)
    assert (found, shown) == (code, "")
    assert log.startswith("begun\n") and said in log
    # Only an error that nobody foresaw shows where it happened.
    assert ("Traceback" in log) == ("absent" in ends)


def test_log_of_a_killed_step_says_so(tmp_path):
    code, log, _ = run_step(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    assert code == -signal.SIGKILL
    assert log.startswith("This step did not end") and "memory" in log


@pytest.mark.parametrize("number", errors.FAULTS)
def test_a_file_that_cannot_be_written_is_named_and_its_former_content_kept(tmp_path, number):
    path = tmp_path / "table.csv"
    files.write_frame(pd.DataFrame({"a": [1]}), path)
    expected = pytest.raises(errors.MachineError, match=rf"file:    {path}\n  fix:")
    with expected, files.replace_file(path) as draft:
        draft.write_text("half")
        raise OSError(number, "as the system says")
    assert path.read_text() == "a\n1\n" and list(tmp_path.iterdir()) == [path]


def test_errors_that_are_no_faults_of_the_machine_stay_as_they_are(tmp_path):
    with pytest.raises(FileNotFoundError), files.replace_file(tmp_path / "a.csv"):
        raise FileNotFoundError(errno.ENOENT, "no such file", "other.csv")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("emptied.csv", b""),
        ("damaged.csv", b"\xff\xfe\x00"),
        ("cut.csv", b'a,b\n"1'),
        ("emptied.parquet", b""),
        ("cut.parquet", b"PAR1"),
    ],
)
def test_a_result_that_was_emptied_or_damaged_is_named(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(errors.InputError, match=rf"(?s)emptied or changed.*{name}.*run again"):
        files.read_frame(tmp_path / name)


def test_an_error_of_any_kind_says_what_is_allowed_and_how_to_mend_it():
    error = errors.ConfigError("no task 'x'", allowed="a, b", fix="name one of them")
    assert str(error) == "no task 'x'\n  allowed: a, b\n  fix:     name one of them"
    assert str(errors.ConfigError("no task", allowed="", fix=None)) == "no task"
