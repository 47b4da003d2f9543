"""Count lines, words and configuration keys, as a table with one column per revision.

    python -m tools.count_lines 713f19a HEAD

Keys are those of the configuration and of study files.
"""

import subprocess
import sys
from collections import Counter

CODE = ("src", "scripts", "converters", "tools", "demo")
WORKFLOW = (":(glob)**/*.smk", ":(glob)**/Snakefile")


def search_lines(revision: str, pattern: str, *paths: str) -> list[tuple[str, str]]:
    """Search the lines of files of a revision that match a pattern; each with its file."""
    command = ["git", "grep", "--full-name", "-I", "-P", pattern, revision, "--", *paths]
    found = subprocess.run(command, capture_output=True, text=True).stdout
    lines = (line.removeprefix(f"{revision}:").partition(":") for line in found.splitlines())
    return [(path, text) for path, _, text in lines]


def count_sizes(revision: str) -> Counter[str]:
    """Count lines of Python per folder, lines of the workflow, words of the docs, and keys."""
    python = Counter(path.split("/")[0] for path, _ in search_lines(revision, "^", "*.py"))
    sizes = Counter({f"{name}: lines of Python": python[name] for name in (*CODE, "tests")})
    sizes["code but tests: lines of Python"] = sum(python[name] for name in CODE)
    scripts = {path for path, _ in search_lines(revision, "^", ":(glob)scripts/*.py")}
    sizes["scripts: files"] = len(scripts)
    sizes["workflow: lines of rules"] = len(search_lines(revision, "^", *WORKFLOW))
    rules = search_lines(revision, r"^ *(rule|checkpoint)\b", *WORKFLOW)
    sizes["workflow: rules"] = len(rules)
    words = [text.split() for _, text in search_lines(revision, "^", "docs/*.md")]
    sizes["docs: words"] = sum(map(len, words))
    keys = search_lines(revision, r"^\| `", "docs/study_file.md")
    keys += search_lines(revision, r"^ *\w+: \S", "config/config.yaml")
    sizes["configuration: keys"] = len(keys)
    return sizes


def main() -> None:
    """Print the table of the revisions that the command line names."""
    revisions = sys.argv[1:] or ["HEAD"]
    columns = [count_sizes(revision) for revision in revisions]
    print(f"| | {' | '.join(revisions)} |")
    print(f"| --- |{' --- |' * len(revisions)}")
    for name in sorted(columns[0]):
        print(f"| {name} | {' | '.join(f'{sizes[name]:,}' for sizes in columns)} |")


if __name__ == "__main__":
    main()
