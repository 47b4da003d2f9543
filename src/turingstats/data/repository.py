"""Files of a repository: fetched from its commits, or those of a local checkout.

A commit hash guarantees the content of every file in it, so files with the hashes that the commit lists need
no further checksum. Git lists commits and fetches contents; it never lays out files, so that no setting,
filter or hook of a folder from somewhere else is obeyed.
"""

import hashlib
import re
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from turingstats.core import files
from turingstats.core.errors import SourceError

ANY = "any"
"""In place of a commit: whatever is there."""
SAFE = "core.hooksPath=/dev/null core.fsmonitor=false protocol.ext.allow=never".split()
TRANSPORTS = "file git http https ssh".split()
OFFLINE = [f"protocol.{name}.allow=never" for name in TRANSPORTS]
"""Settings of git: a folder from somewhere else, with a configuration of its own, runs no command."""


def run_git(
    folder: Path | str, *arguments: str, settings: Sequence[str] = (), given: str = ""
) -> bytes:
    """Run git in `folder`, with text as its input, and return its output; its error is a `SourceError`."""
    options = [part for setting in (*SAFE, *settings) for part in ("-c", setting)]
    done = subprocess.run(
        ["git", "-C", str(folder), *options, *arguments],
        capture_output=True,
        input=given.encode(),
    )
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()
        raise SourceError(f"git {arguments[0]} failed in {folder}: {message}")
    return done.stdout


def find_commit(folder: Path | str) -> str:
    """Find the commit that a checkout is at."""
    return run_git(folder, "rev-parse", "--verify", "HEAD", settings=OFFLINE).decode().strip()


def list_blobs(folder: Path | str, commit: str) -> dict[str, str]:
    """List the files of a commit, each with the hash of its content; links are none."""
    listed = run_git(folder, "ls-tree", "-r", "-z", "--full-tree", commit, settings=OFFLINE)
    entries = [entry.split("\t", 1) for entry in listed.decode(errors="replace").split("\0")[:-1]]
    return {path: about.split()[2] for about, path in entries if about.startswith("100")}


def hash_blob(content: bytes) -> str:
    """Compute the hash by which git knows the content of a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def match_paths(paths: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """List the paths that one of some patterns names: **/ is any folders, * anything in a name."""
    parts = {"**/": "(?:.*/)?", "*": "[^/]*"}
    form = "|".join(
        "".join(parts.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*)", pattern))
        for pattern in patterns
    )
    return [path for path in paths if re.fullmatch(form, path)]


def name_commit(path: str, commits: Mapping[str, str]) -> str:
    """Name the commit of a file: `commits` has that of each folder, and of all others under an empty name."""
    folders = [folder for folder in commits if path.startswith(folder)]
    return commits[max(folders, key=len)]


def fetch_files(
    repository: str, commits: Mapping[str, str], paths: Sequence[str], folder: str | Path
) -> None:
    """Fetch files of a repository into a folder, each from its commit; those a commit lacks are left out.

    Only the contents of these files are fetched, so that a few megabytes suffice for a repository of
    gigabytes. They are checked by the hashes that the commit lists, whatever the folder held before.
    A path may be a pattern (`match_paths`).
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if Path(repository).exists():
        repository = Path(repository).resolve().as_uri()
    wanted: dict[str, str] = {}
    for commit in dict.fromkeys(name_commit(path, commits) for path in paths):
        patterns = [path for path in paths if name_commit(path, commits) == commit]
        try:
            blobs = list_blobs(folder, commit) if has_commit(folder, commit) else None
            if blobs is None:
                fetch_objects(folder, repository, [commit], "--depth=1")
                blobs = list_blobs(folder, commit)
        except SourceError as error:
            raise SourceError(
                f"The public data could not be fetched: commit {commit} of {repository}.\n{error}",
                fix="check the network, or data.repository and data.commit in the configuration; without "
                "a network use data.source: observed, demo, or <path of a checkout you have>",
            ) from None
        wanted |= {path: blobs[path] for path in match_paths(blobs, patterns)}
    update_files(folder, repository, wanted)


def has_commit(folder: Path, commit: str) -> bool:
    """Return whether a folder with a repository of its own holds a commit; make the repository first."""
    if not (folder / ".git").exists():
        run_git(folder, "init", "--quiet", "--template=")
    try:
        run_git(folder, "cat-file", "-e", f"{commit}^{{tree}}", settings=OFFLINE)
    except SourceError:
        return False
    return True


def fetch_objects(folder: Path, repository: str, objects: Collection[str], *options: str) -> None:
    """Fetch objects by their hashes, without the contents of files that are not named."""
    for name, value in (
        ("remote.origin.url", repository),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "blob:none"),
    ):
        run_git(folder, "config", "--replace-all", name, value)
    run_git(
        folder,
        *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--filter=blob:none"),
        *("--upload-pack=git-upload-pack", *options, "--stdin", "--", "origin"),
        given="".join(f"{name}\n" for name in objects),
    )


def update_files(folder: Path, repository: str, wanted: Mapping[str, str]) -> None:
    """Make a folder hold these files alone, each with the content of its hash."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(".git/") and name not in wanted and not path.is_dir():
            path.unlink()
    stale = {
        path: blob
        for path, blob in wanted.items()
        if not (folder / path).is_file() or hash_blob((folder / path).read_bytes()) != blob
    }
    if stale:
        fetch_objects(folder, repository, dict.fromkeys(stale.values()))
    for path, blob in stale.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with files.replace_file(folder / path) as draft:
            draft.write_bytes(run_git(folder, "cat-file", "blob", blob))


def verify_checkout(folder: str | Path, commits: Collection[str], paths: Sequence[str]) -> str:
    """Check that a folder holds the files of one of some commits, unchanged, and name the commit."""
    folder = Path(folder)
    expected = " or ".join(dict.fromkeys(commits))
    if not folder.is_dir():
        fix = "use observed, public, demo, or the path of a checkout of the public repository"
        raise SourceError(f"data.source: {folder} is not a folder", fix=fix)
    if not (folder / ".git").exists():
        if ANY not in commits:
            problem = f"{folder} is not a git checkout, so its content cannot be verified"
            fix = f"use a checkout of commit {expected}, or set data.commit: any to use it as it is"
            raise SourceError(problem, fix=fix)
        return "unverified"
    head = find_commit(folder)
    if ANY not in commits and head not in commits:
        raise SourceError(
            f"{folder} is at commit {head}, expected {expected}",
            fix=f"run `git -C {folder} checkout {next(iter(commits))}`, or set data.commit to the commit "
            "you want (any accepts whatever is there)",
        )
    changed = list_changed(folder, head, paths)
    if changed and ANY not in commits:
        listed = "\n".join(f"  {path}" for path in changed)
        fix = f"undo the changes with `git -C {folder} restore .`, or set data.commit: any to use them"
        raise SourceError(f"{folder} has changed files:\n{listed}", fix=fix)
    return head + ("-dirty" if changed else "")


def list_changed(folder: Path, commit: str, paths: Sequence[str]) -> list[str]:
    """List the files of a checkout that differ from those of its commit."""
    blobs = list_blobs(folder, commit)
    there = {
        path.relative_to(folder).as_posix(): hash_blob(path.read_bytes())
        for name in paths
        for path in folder.glob(name)
        if path.is_file()
    }
    gone = set(match_paths(blobs, paths)) - there.keys()
    return sorted(gone | {path for path, blob in there.items() if blobs.get(path) != blob})
