"""Count lines, words and configuration keys, as a table with one column per revision.

    python -m tools.count_lines 713f19a HEAD

Keys are those of the configuration and of study files.
"""

import io
import re
import subprocess
import sys
import tarfile
from collections import Counter

CODE = ("src", "scripts", "converters", "tools", "demo")
REFERENCES = {"docs/study_file.md": r"^\| `", "config/config.yaml": r"^ *\w+: \S"}
"""Files with all keys, each with the pattern of a line that begins with a key."""


def read_files(revision: str) -> dict[str, str]:
    """Read the text files of a revision by path, from an archive that git makes of it."""
    archive = subprocess.run(["git", "archive", revision], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        return {
            member.name: files.extractfile(member).read().decode("utf-8", "replace")
            for member in files
            if member.isfile()
            and member.name.endswith((".py", ".smk", ".md", "Snakefile", "config.yaml"))
        }


def count_sizes(files: dict[str, str]) -> Counter[str]:
    """Count lines of Python per folder, lines of the workflow, words of the docs, and keys."""
    sizes = Counter()
    for path, text in files.items():
        folder = path.split("/")[0]
        if path.endswith(".py") and folder in (*CODE, "tests"):
            sizes[f"{folder}: lines of Python"] += text.count("\n")
        if path.endswith((".smk", "Snakefile")):
            sizes["workflow: lines of rules"] += text.count("\n")
            sizes["workflow: rules"] += len(re.findall(r"^ *(?:rule|checkpoint)\b", text, re.M))
        if path.endswith(".md") and folder == "docs":
            sizes["docs: words"] += len(text.split())
        if path in REFERENCES:
            sizes["configuration: keys"] += len(re.findall(REFERENCES[path], text, re.M))
    sizes["code but tests: lines of Python"] = sum(
        sizes[f"{folder}: lines of Python"] for folder in CODE
    )
    sizes["scripts: files"] = sum(bool(re.match(r"scripts/\w+\.py", path)) for path in files)
    return sizes


def main() -> None:
    """Print the table of the revisions that the command line names."""
    revisions = sys.argv[1:] or ["HEAD"]
    columns = [count_sizes(read_files(revision)) for revision in revisions]
    print(f"| | {' | '.join(revisions)} |")
    print(f"| --- |{' --- |' * len(revisions)}")
    for name in sorted({name for sizes in columns for name in sizes}):
        print(f"| {name} | {' | '.join(f'{sizes[name]:,}' for sizes in columns)} |")


if __name__ == "__main__":
    main()
