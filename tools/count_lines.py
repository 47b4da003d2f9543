"""Count lines of code, long functions, lines of tests, and words of the docs, of the files that git knows.

    python -m tools.count_lines

Code is what is neither blank, comment nor docstring: explanations cost nothing.
"""

import ast
import subprocess
import tokenize
from pathlib import Path

FOLDERS = ("src", "scripts", "converters", "tools", "demo")
LONG_FUNCTION = 50
"""Lines of a function, with its docstring, beyond which it is counted as long."""
NOT_CODE = "COMMENT NL NEWLINE INDENT DEDENT ENDMARKER".split()
"""Tokens of which no line of code consists alone."""


def list_files(*patterns: str) -> list[Path]:
    """List the files of the project that match any of the patterns."""
    command = ["git", "ls-files", "-z", *patterns]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in listed.split("\0") if name]


def count_code(path: Path) -> tuple[int, int]:
    """Count the lines of code of a file, and its long functions."""
    nodes = list(ast.walk(ast.parse(path.read_bytes())))
    with tokenize.open(path) as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    lines = {
        line
        for token in tokens
        if tokenize.tok_name[token.type] not in NOT_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    # A text that is a statement of its own documents what stands above it.
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    functions = (n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    sizes = [(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions]
    return len(lines), sum(size > LONG_FUNCTION for size in sizes)


def main() -> None:
    """Print the counts, one per line."""
    total = 0
    for folder in FOLDERS:
        lines, functions = zip(*map(count_code, list_files(f"{folder}/*.py")), strict=True)
        total += sum(lines)
        print(f"{folder}: {sum(lines):,} lines of code, {sum(functions)} long functions")
    print(f"code: {total:,} lines")
    texts = [path.read_text() for path in list_files("tests/*.py")]
    print(f"tests: {sum(text.count(chr(10)) for text in texts):,} lines")
    words = [len(path.read_text().split()) for path in list_files("docs/*.md")]
    print(f"docs: {sum(words):,} words")
    print(f"README: {Path('README.md').stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
