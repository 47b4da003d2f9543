"""Single studies, drawn one by one, and tested by the functions with which the pipeline tests them."""

import numpy as np
import pandas as pd
from scipy.special import expit

from turingstats.analysis.comparisons import crossed as comparisons
from turingstats.analysis.estimates.recommended import estimate_recommended
from turingstats.analysis.models.trials import prepare_model_trials, select_trials
from turingstats.data.counts import arrange_counts
from turingstats.stats import equivalence
from turingstats.stats.power.draws import find_constant

ASKED = {
    "people": ([("detectability", "one")], 0.5),
    "chance": ([("p_HM", "one")], 0.5),
    "agents": ([("p_HM", "one"), ("p_HM", "two")], None),
    "d_prime": ([("d_prime", "one")], 0.0),
}
"""Elements of each contrast: quantities and agents, and the value that they are compared with."""


def prepare_trials(model, judgments, groups, study, people=None):
    """Prepare all trials that a declared model may be fitted to."""
    trials = select_trials(model, judgments, groups, study, people)
    return prepare_model_trials(model, trials, study)


def simulate_study(design, rates, spreads, rng):
    """Draw the verdicts of one study: judge, stimulus, side (0 people, 1 and 2 agents), human."""
    shares = np.clip([*design.shares, 1 - sum(design.shares)], 0, 1)
    ends = np.rint(np.cumsum([0, *shares]) * design.trials).astype(int)
    sides = np.tile(np.repeat(range(4), np.diff(ends)), design.judges)
    judges = np.repeat(np.arange(design.judges), design.trials)
    order = rng.permuted(np.tile(np.arange(design.stimuli), (design.judges, 1)), axis=1)
    stimuli = order[:, : design.trials].ravel()
    table = pd.DataFrame({"judge": judges, "stimulus": stimuli, "side": sides})[sides < 3]
    made_by = (table["side"] > 0).astype(int)
    judge, judge_made_by, stimulus, stimulus_made_by = spreads
    logits = np.array([find_constant(rate, spreads.total) for rate in rates])[table["side"]]
    logits += rng.normal(0, judge, design.judges)[table["judge"]]
    logits += rng.normal(0, judge_made_by, (design.judges, 2))[table["judge"], made_by]
    logits += rng.normal(0, stimulus, design.stimuli)[table["stimulus"]]
    logits += rng.normal(0, stimulus_made_by, (design.stimuli, 2))[table["stimulus"], made_by]
    return table.assign(human=rng.random(len(table)) < expit(logits))


def arrange_cells(rows):
    """Arrange the verdicts of one study, as the pipeline does."""
    agents = ["human", "one", "two"]
    counts = rows[["judge", "stimulus"]].astype(str)
    counts["agent"] = np.array(agents)[rows["side"]]
    human = rows["human"].astype(int)
    counts = counts.assign(n=1, n_human=human, n_machine=1 - human)
    counts = counts.assign(person="", group_by="all", group="all")
    nobody = pd.DataFrame(columns=["judge", "group_by", "group"])
    return arrange_counts(counts, nobody, agents[1:])


def assess_contrast(cells, contrast):
    """Test a contrast as the comparison crossed_t does."""
    rows = np.ones(len(cells.judges), bool)
    quantities, against = ASKED[contrast]
    elements = [comparisons.measure_element(cells, 0, rows, *one) for one in quantities]
    return comparisons.compare_elements(elements, against, 0.95, quantities[0][0])


def judge_equivalence(cells, margin=0.1):
    """Judge equivalence as the pipeline does: rows by what is compared, and the width of the interval."""
    found = estimate_recommended(cells, (), 0.95)
    asked = [("p_HH", "human"), ("p_HM", "one"), ("detectability", "one")]
    table = found.set_index(["quantity", "agent"]).loc[asked].reset_index()
    width = (table["ci_high"] - table["ci_low"]).iloc[-1]
    names = {"study": "s", "task": "t", "cohort": "c", "judge_kind": "human", "group_by": "all"}
    table = table.assign(reading="recommended", **names)
    config = {"margin": margin, "power": 0.8, "confidence": 0.95}
    judged = equivalence.assess_agents(table, config).set_index("against").to_dict("index")
    return judged | {"width": width}
