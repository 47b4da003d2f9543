"""Runs that share a folder: who works in it, and locks that a killed run left behind.

Every run holds a lock of the operating system on a file of its own, which ends with its process, however
that ends. Snakemake's lock is a plain file, which a killed run leaves.
"""

import atexit
import contextlib
import fcntl
import json
import os
import socket
import sys
from datetime import datetime
from pathlib import Path

RUNS = Path(".snakemake/runs")
"""Folder with one file per run, named after its process."""
LOCKS = Path(".snakemake/locks")
"""Folder of Snakemake's locks."""


def enter_folder(folder):
    """Register this run in a folder, and clear the locks that killed runs left in it.

    Parameters
    ----------
    folder : path-like
        Working directory of the run.

    Returns
    -------
    str
        What the user should know of other runs in the folder; empty if there is nothing.
    """
    runs, locks = Path(folder) / RUNS, Path(folder) / LOCKS
    try:
        register_run(runs)
        working, ended = list_other_runs(runs)
    except OSError:
        return ""  # a folder without write permission or file locks: Snakemake's own lock has to do
    held = [lock for lock in locks.glob("*.lock") if lock.is_file()]
    if not held:
        return ""
    if working:
        told = "\n".join(f"  {describe_run(run)}" for run in working)
        return (
            f"Another run works in this folder:\n{told}\n"
            "If both make the same files, this run stops at once. Wait until the other one has ended, or "
            "work in a copy of the folder."
        )
    if not ended or {run["host"] for run in ended} != {socket.gethostname()}:
        return ""  # a run on another computer, which this one cannot see
    for lock in held:
        lock.unlink(missing_ok=True)
    return f"{describe_run(ended[-1])} was killed and left its lock, which is removed."


def register_run(runs):
    """Write the file of this run and lock it until the process ends."""
    runs.mkdir(parents=True, exist_ok=True)
    path = runs / f"{os.getpid()}.json"
    stream = path.open("w", encoding="utf-8")
    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    run = {
        "process": os.getpid(),
        "host": socket.gethostname(),
        "since": f"{datetime.now():%Y-%m-%d %H:%M:%S}",
        "command": " ".join(["snakemake", *sys.argv[1:]]),
    }
    json.dump(run, stream)
    stream.flush()
    # The function keeps the file open, and so the lock held.
    atexit.register(leave_folder, stream, path, os.getpid())


def leave_folder(stream, path, process):
    """Remove the file of a run, at the end of its own process and not of one split from it."""
    if os.getpid() == process:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        stream.close()


def list_other_runs(runs):
    """List other runs by their files; files of runs on this computer that ended are removed.

    Returns
    -------
    working, ended : list of dict
        `process`, `host`, `since` and `command` of each.
    """
    working, ended = [], []
    for path in sorted(runs.glob("*.json")):
        if path.stem == str(os.getpid()):
            continue
        with contextlib.suppress(FileNotFoundError, ValueError), path.open("r+") as stream:
            run = json.load(stream)
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                working.append(run)
                continue
            ended.append(run)
            if run["host"] == socket.gethostname():
                path.unlink(missing_ok=True)
    return working, ended


def describe_run(run):
    """Describe a run in a message."""
    return f"`{run['command']}` (process {run['process']} on {run['host']}, since {run['since']})"
