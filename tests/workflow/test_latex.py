"""Tables in a manuscript: LaTeX sets every table of every study."""

import shutil
import subprocess

import pytest
from project import STUDIES

LATEX = shutil.which("pdflatex") or shutil.which("tectonic")
DOCUMENT = r"""\documentclass[a3paper,landscape]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp,booktabs,longtable}
\begin{document}
%s
\end{document}
"""


@pytest.mark.slow
@pytest.mark.skipif(LATEX is None, reason="needs pdflatex or tectonic")
def test_every_table_can_be_set_in_one_document(observed, studies, tmp_path):
    folders = [
        observed.folder / "results/zhang2025",
        *(studies.folder / "results/studies" / study for study in STUDIES),
    ]
    tables = [path for folder in folders for path in sorted((folder / "tables").glob("*.tex"))]
    assert len(tables) > 20
    # The name comes before each table, so that an error can be found in the log.
    texts = (f"\\typeout{{{path}}}\n{path.read_text()}\n\\clearpage" for path in tables)
    (tmp_path / "tables.tex").write_text(DOCUMENT % "\n".join(texts))
    options = ["-interaction=nonstopmode", "-halt-on-error"] if "pdflatex" in LATEX else []
    done = subprocess.run(
        [LATEX, *options, "tables.tex"], cwd=tmp_path, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-3000:].decode(errors="replace")
    assert (tmp_path / "tables.pdf").stat().st_size > 50_000
