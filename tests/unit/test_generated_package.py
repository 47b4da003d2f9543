"""Generated verdicts have effects of judges and of responses."""

import numpy as np
import pandas as pd
import pytest

from demo import verdicts, write_study
from turingstats.core.errors import ConfigError

pytestmark = pytest.mark.thorough


def test_judges_and_responses_have_effects():
    """The same judge, and the same response, gets verdicts that are more alike than by chance."""
    rng = np.random.default_rng(1)
    judge, response = (place.ravel() for place in np.indices((200, 60)))
    trials = pd.DataFrame({"judge": judge, "response": response, "is_machine": True})
    machine = verdicts.draw_machine_verdicts(rng, trials.assign(kind="one", rate=0.4))
    assert machine.mean() == 0.4
    for column, size in (("judge", 60), ("response", 200)):
        shares = pd.Series(machine).groupby(trials[column]).mean()
        assert shares.var() > 3 * 0.24 / size
    unknown = trials.assign(kind="one", rate=0.4, judge=None, response=None)
    shares = pd.Series(verdicts.draw_machine_verdicts(rng, unknown)).groupby(judge).mean()
    assert shares.var() < 1.5 * 0.24 / 60


def test_an_unknown_generator_is_named(tmp_path):
    with pytest.raises(ConfigError, match="unknown generator 'jones2042'"):
        write_study("jones2042", [], tmp_path, 1)
