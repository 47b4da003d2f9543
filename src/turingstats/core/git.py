"""Calls of git."""

import subprocess
from pathlib import Path

from turingstats.core.errors import SourceError


def run_git(folder: Path | str, *arguments: str) -> str:
    """Run git in `folder` and return its output; raise `SourceError` with its error message."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise SourceError(f"git {arguments[0]} failed in {folder}: {done.stderr.strip()}")
    return done.stdout.strip()
