"""Results of the transcribed trials, which several files compare with published ones; made once."""

from recomputed import compute_results
from shared_runs import share


@share
def results(folder, transcribed_tables):
    """Tables of results by name."""
    return compute_results(*transcribed_tables)
