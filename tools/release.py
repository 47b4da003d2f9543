"""Make the results of a release verifiable: where they come from, and the checksum of every file.

    python -m tools.release                       of all studies in results/
    python -m tools.release compare SUMS SUMS     of the same release made elsewhere

Each study's folder gets RELEASE.json (version, commit, checksums of the data) and SHA256SUMS, which
`sha256sum -c SHA256SUMS` checks. Logs and benchmarks tell how a run went and differ each time; they are left
out.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import turingstats
from turingstats.core import files
from turingstats.core.errors import ConfigError, InputError, TuringError
from turingstats.core.git import ask_git

ROOT = Path(__file__).parents[1]
ACCOUNTS = ("logs", "benchmarks")
SUMS, ABOUT = "SHA256SUMS", "RELEASE.json"
PROVENANCE = "data/provenance.json"


def find_studies(results):
    """Find the folders of finished studies.

    Parameters
    ----------
    results : path-like

    Returns
    -------
    list of pathlib.Path

    Raises
    ------
    ConfigError
        There are none.
    """
    found = sorted(path.parents[1] for path in Path(results).rglob(PROVENANCE))
    if not found:
        raise ConfigError(f"there are no results in {results}\n  fix:     make results")
    return found


def describe_commit(root):
    """Describe the commit of the project, which must have a tag and no changes.

    Parameters
    ----------
    root : path-like

    Returns
    -------
    dict
        tag, commit.

    Raises
    ------
    ConfigError
        There are changes, or the commit has no tag.
    """
    commit = ask_git(root, "rev-parse", "HEAD")
    tag = ask_git(root, "describe", "--tags", "--exact-match")
    if not commit:
        raise ConfigError(f"{root} is no git repository, so that results cannot name their commit")
    if ask_git(root, "status", "--porcelain"):
        raise ConfigError(
            "files have changed since the last commit\n  fix:     commit them, or git stash"
        )
    if not tag:
        raise ConfigError(
            f"commit {commit[:7]} has no tag\n  fix:     git tag v{turingstats.__version__}"
        )
    return {"tag": tag, "commit": commit}


def describe_release(folder, commit):
    """Describe where the results of a study come from.

    Parameters
    ----------
    folder : path-like
        Results of a study.
    commit : dict
        From `describe_commit`.

    Returns
    -------
    dict
    """
    provenance = json.loads((Path(folder) / PROVENANCE).read_text(encoding="utf-8"))
    return {
        "version": turingstats.__version__,
        **commit,
        "requirements_sha256": compute_checksum(ROOT / "envs/requirements.lock"),
        "data": provenance["source"],
    }


def list_reproducible_files(folder):
    """List the files of a study that a rerun makes alike, relative to its folder.

    Parameters
    ----------
    folder : path-like

    Returns
    -------
    list of str
    """
    folder = Path(folder)
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in found
        if path.parts[0] not in ACCOUNTS and path.name != SUMS and not path.name.startswith(".")
    )


def compute_checksum(path):
    """Compute the SHA-256 checksum of a file."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_release(folder, commit):
    """Write the description and checksums of a study's results into their folder.

    Parameters
    ----------
    folder : path-like
    commit : dict
        From `describe_commit`.

    Returns
    -------
    int
        Number of files with a checksum.
    """
    folder = Path(folder)
    about = json.dumps(describe_release(folder, commit), indent=2)
    files.write_text(about + "\n", folder / ABOUT)
    names = list_reproducible_files(folder)
    sums = "".join(f"{compute_checksum(folder / name)}  {name}\n" for name in names)
    files.write_text(sums, folder / SUMS)
    return len(names)


def read_checksums(path):
    """Read a file of checksums.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict of str to str
        Checksum by file.

    Raises
    ------
    InputError
        There is no such file, or it holds something else.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(path, "not a file of checksums", fix=f"name a {SUMS}") from None
    sums = {}
    for number, line in enumerate(lines, start=1):
        checksum, separator, name = line.partition("  ")
        if not separator or len(checksum) != 64:
            raise InputError(path, "not a checksum and a file", row=number, value=line[:100])
        sums[name] = checksum
    return sums


def compare_checksums(first, second):
    """List how two files of checksums differ.

    Parameters
    ----------
    first, second : path-like

    Returns
    -------
    list of str
        A line per file that differs or is in one of them only.
    """
    one, other = read_checksums(first), read_checksums(second)
    lines = [f"only in {first}: {name}" for name in sorted(one.keys() - other.keys())]
    lines += [f"only in {second}: {name}" for name in sorted(other.keys() - one.keys())]
    shared = sorted(one.keys() & other.keys())
    return lines + [f"differs: {name}" for name in shared if one[name] != other[name]]


def main(arguments=None):
    """Run the tool; see the module."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--results", default=ROOT / "results", type=Path)
    actions = parser.add_subparsers(dest="action")
    compare = actions.add_parser("compare", help="list how two files of checksums differ")
    compare.add_argument("first", type=Path)
    compare.add_argument("second", type=Path)
    asked = parser.parse_args(arguments)
    try:
        if asked.action == "compare":
            different = compare_checksums(asked.first, asked.second)
            print("\n".join(different) or f"alike: {len(read_checksums(asked.first))} files")
            return bool(different)
        studies, commit = find_studies(asked.results), describe_commit(ROOT)
        for folder in studies:
            print(f"{folder / SUMS}: {write_release(folder, commit)} files, {commit['tag']}")
    except TuringError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
