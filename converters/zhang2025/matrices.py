"""Confusion matrices that the authors saved (.npy).

Rows are people, all machines, each machine; columns are judged human, judged machine. They are compared with
the matrices that the paper prints (`data/published/`), cell by cell; no result rests on them.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from converters.zhang2025 import records
from converters.zhang2025.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.core.strict_json import RESTORE
from turingstats.data import notes
from turingstats.data.printed_matrices import list_printed_rates

PRINTED = Path(__file__).parents[2] / "data/published/zhang2025/notebooks.csv"
CHECK = "matrix that the authors saved, against the printed one"
ROUNDING = 0.0051
"""Largest difference of a share from its print with two decimals."""


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `notes`: which cells differ from the printed ones."""
    path = Path(folder) / file.path
    saved = load_matrix(path)
    printed = list_printed_rates(pd.read_csv(PRINTED, dtype=str), file.task, file.cohort)
    agents = study.tasks[file.task].cohorts[file.cohort].agents
    rows = ["human", "all", *agents][: len(saved)]
    if saved.shape not in ((2, 2), (2 + len(agents), 2)):
        expected = [f"rows human, all, {', '.join(agents)} of shares judged human, judged machine"]
        raise InputError(path, f"a matrix of shape {saved.shape}", allowed=expected)
    cells = []
    for place, agent in enumerate(rows):
        truth = "H" if agent == "human" else "M"
        for column, verdict in enumerate(("human", "machine")):
            rate = printed[agent, f"p_{verdict[0].upper()}{truth}"]
            cells.append((f"{agent} judged {verdict}", saved[place, column], rate))
    different = [
        f"{name}: {a:.3f}, printed {b:.2f}" for name, a, b in cells if abs(a - b) > ROUNDING
    ]
    row = notes.describe(
        "note", CHECK, different, len(cells), "nothing: results are not based on it"
    )
    place = {"study": study.study, "task": file.task, "cohort": file.cohort, "path": file.path}
    row["examples"] = f"{file.path}: {row['examples'] or 'no cell differs'}"
    return {"notes": pd.DataFrame([place | row])}


def load_matrix(path: Path) -> np.ndarray[Any, Any]:
    """Load a matrix of shares; nothing in the file is executed, and no more is read than it holds."""
    try:
        saved = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        # Without what numpy advises: to load it unsafely.
        told = str(error).partition(". ")[0]
        raise InputError(path, f"not a matrix that can be read ({told})", fix=RESTORE) from None
    is_matrix = isinstance(saved, np.ndarray) and saved.ndim == 2 and saved.dtype.kind == "f"
    if not is_matrix or saved.size > 100 or not ((saved >= 0) & (saved <= 1)).all():
        raise InputError(path, "not a small matrix of shares from 0 to 1", fix=RESTORE)
    return saved
