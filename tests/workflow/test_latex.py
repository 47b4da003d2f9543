"""Tables in a manuscript: LaTeX sets every table of the shared runs within the margins."""

import re
import shutil
import subprocess

import pytest

LATEX = shutil.which("pdflatex") or shutil.which("tectonic")
DOCUMENT = r"""\documentclass[PAPER]{article}
\usepackage[T1]{fontenc}
\usepackage[margin=1in]{geometry}
\usepackage{textcomp,array,booktabs,longtable,pdflscape}
\begin{document}
%s
\end{document}
"""


OVERFULL = re.compile(
    r"^SET (?P<table>.+)$|Overfull \\hbox \((?P<over>[\d.]+)pt|Float too large .*by (?P<high>[\d.]+)pt",
    re.MULTILINE,
)


def list_overfull(log):
    """List the tables that exceed the text block by more than a point, and by how much."""
    found, table = [], None
    for match in OVERFULL.finditer(log):
        table = match["table"] or table
        if float(match["over"] or match["high"] or 0) > 1:
            found.append((table, match[0]))
    return found


@pytest.mark.slow
@pytest.mark.skipif(LATEX is None, reason="needs pdflatex or tectonic")
@pytest.mark.parametrize("paper", ["a4paper", "letterpaper"])
def test_every_table_fits_the_page(observed, jones2024, tmp_path, paper):
    folders = [observed.folder / "results/zhang2025"]
    folders.append(jones2024.folder / "results/studies/jones2024")
    tables = [path for folder in folders for path in sorted((folder / "tables").glob("*.tex"))]
    assert len(tables) > 20
    # The name comes before each table, so that an error can be found in the log.
    texts = (f"\\typeout{{SET {path}}}\n{path.read_text()}\n\\clearpage" for path in tables)
    document = DOCUMENT.replace("PAPER", paper) % "\n".join(texts)
    (tmp_path / "tables.tex").write_text(document)
    options = ["-interaction=nonstopmode", "-halt-on-error"] if "pdflatex" in LATEX else ["-k"]
    # The second time with the widths of long tables that the first has found.
    for _ in range(2):
        command = [LATEX, *options, "tables.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout[-3000:].decode(errors="replace")
    log = (done.stdout + done.stderr).decode(errors="replace")
    assert "SET " in log and not list_overfull(log)
    assert (tmp_path / "tables.pdf").stat().st_size > 50_000
