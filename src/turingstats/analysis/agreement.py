"""Agreement of the judges of a cohort about the same responses."""

from typing import Any

import pandas as pd

from turingstats.analysis.breakdowns import TRUTHS
from turingstats.analysis.responses import (
    GAMES,
    READING,
    RESPONSE,
    UNNAMED,
    count_by_response,
    select_named,
    split_cohorts,
)
from turingstats.analysis.rows import tabulate
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.data.schema import VERDICTS
from turingstats.stats import resampling
from turingstats.stats.agreement import MEASURES, estimate_agreement

METHODS = {
    "percent_agreement": "share of pairs of judges who agree, mean over responses",
    "fleiss_kappa": "Fleiss' kappa for unequal numbers of judges (Gwet 2014)",
    "krippendorff_alpha": "Krippendorff's alpha, nominal",
}


def measure_agreement(
    verdicts: pd.DataFrame, study: Study, config: AnalysisSettings
) -> pd.DataFrame:
    """Measure how far the judges of each cohort agree, about all responses and about people's and machines'.

    n counts responses with two judges or more; n_stimuli, n_judges and n_verdicts are of these. A cohort
    without such responses has one row, whose note says so.
    """
    rows = []
    for keys, whole in split_cohorts(verdicts, study):
        task, cohort = keys["task"], keys["cohort"]
        known = select_named(whole)
        for truth, kinds in TRUTHS.items():
            part = known[known["truth"].isin(kinds)]
            if truth != "all" and (part.empty or len(part) == len(known)):
                continue
            without = GAMES if study.tasks[task].design == "three_party" else UNNAMED
            described = describe_agreement(part, f"{task}.{cohort}.{truth}", config, without)
            rows += [keys | {"truth": truth} | row for row in described]
            if truth == "all" and described[0]["note"]:
                break
    return tabulate(rows, "agreement", reading=READING)


def describe_agreement(
    verdicts: pd.DataFrame, name: str, config: AnalysisSettings, without: str
) -> list[dict[str, Any]]:
    """Describe the agreement about some responses: one row per measure, or one with a note.

    `without` is the note where no response is named.
    """
    codes, responses = count_by_response(verdicts, RESPONSE)
    judged_twice = responses[list(VERDICTS)].sum(axis=1) >= 2
    among = judged_twice.to_numpy()[codes]
    used, stimuli = responses.loc[judged_twice, list(VERDICTS)], responses["stimulus"][judged_twice]
    single = int((~judged_twice).sum())
    shared = {
        "n": len(used),
        "n_stimuli": stimuli.nunique(),
        "n_judges": verdicts.loc[among, "judge"].nunique(),
        "n_verdicts": int(used.to_numpy().sum()),
        "dropped": f"{single} responses with one judge" if single else "",
        "unit": "stimulus",
    }
    if used.empty:
        judges = verdicts["judge"].nunique()
        note = "not computed: no response was judged by two judges"
        note += "; the cohort has one judge" if judges == 1 else ""
        note = note if judges else without
        return [shared | {"quantity": MEASURES[-1], "note": note}]
    rng = resampling.make_generator(config["seed"], f"agreement {name}")
    estimates = estimate_agreement(
        used.to_numpy(), stimuli.to_numpy(str), rng, config["n_bootstrap"], config["confidence"]
    )
    how = f"verdicts {', '.join(used.columns[used.any()])}; "
    how += f"bootstrap of stimuli, {config['n_bootstrap']} draws, percentile"
    return [
        shared
        | {
            "quantity": name,
            **estimate._asdict(),
            "method": f"{METHODS[name]}; {how}",
            "note": ""
            if estimate.value == estimate.value
            else "not defined: all verdicts are the same",
        }
        for name, estimate in estimates.items()
    ]
