"""Run the declared tests on alignments."""

import numpy as np
import pandas as pd

from turingstats.config.study import Sample, Study
from turingstats.data.schema import TESTS
from turingstats.stats.hypothesis import wilcox

OUTCOME = ["statistic_name", "statistic", "p", "effect_name", "effect", "method"]
"""Fields of a test outcome that are columns of its row."""


def run_tests(study: Study, table: pd.DataFrame) -> pd.DataFrame:
    """Run the declared tests on rows of `ALIGNMENT`; the result has the columns of `TESTS` except `data`."""
    rows = []
    for reading in study.readings:
        reading_rows = table[table["reading"] == reading]
        values = dict(zip(reading_rows["alignment_id"], reading_rows["value"], strict=True))
        for test in study.alignment_tests:
            first, second = (
                find_alignments(sample, values) for sample in (test.first, test.second)
            )
            paired = test.paired and reading == "recommended"
            kept = ~np.isnan(first), ~np.isnan(second)
            if paired:
                kept = (kept[0] & kept[1],) * 2
            lost = len(first) + len(second) - kept[0].sum() - kept[1].sum()
            first, second = first[kept[0]], second[kept[1]]
            if paired:
                name, outcome = "wilcoxon_signed_rank", wilcox.signed_rank(first - second)
            else:
                name, outcome = "wilcoxon_ranksum", wilcox.rank_sum(first, second)
            missing = f"{lost} alignments not at hand" if lost else ""
            rows.append(
                {
                    "test_id": test.id,
                    "study": study.study,
                    "task": test.first.task,
                    "groups": f"{test.first.pairs} {test.first.task}; {test.second.pairs} "
                    f"{test.second.task}",
                    "test": name,
                    "reading": reading,
                    "unit": "system",
                    "n1": len(first),
                    "n2": len(second),
                    "p_adjusted": outcome.p,
                    "correction": "none",
                    "family_size": 1,
                    "dropped": "; ".join(filter(None, [missing, outcome.dropped])),
                    "note": test.note,
                }
                | {column: getattr(outcome, column) for column in OUTCOME}
            )
    return pd.DataFrame(rows, columns=[column for column in TESTS if column != "data"])


def find_alignments(sample: Sample, values: dict[str, float]) -> np.ndarray:
    """Find the alignments of a sample; NaN where a system is missing."""
    alignments = []
    for system, reference in sample.pair_agents():
        names = (f"{reference}.{system}", f"{system}.{reference}")
        keys = [f"{sample.task}.{name}.{sample.pairs}" for name in names]
        alignments.append(next((values[key] for key in keys if key in values), np.nan))
    return np.array(alignments)
