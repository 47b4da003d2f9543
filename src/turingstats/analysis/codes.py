"""Manual codes of free text: how often each was given, and how accurate those verdicts were.

A study declares a scheme (`codes:`): a column of the judgments with codes, separated by semicolons, and, if
there is one, a file in data/published/<study>/ with the category and label of each code.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.analysis.breakdowns import (
    estimate_mean,
    estimate_share,
    get_stimuli,
    measure_share,
)
from turingstats.analysis.rows import tabulate
from turingstats.config.study import Codes, Study
from turingstats.core.checked_csv import check_unique, read_checked
from turingstats.core.errors import InputError

SCHEME = ["code", "category", "label", "location"]


def read_scheme(path: Path) -> pd.DataFrame:
    """Read a coding scheme, as text; a code that is listed twice is an error."""
    checks = {"code": check_unique("this code is listed twice", "give each kind its own code")}
    table = read_checked(path, SCHEME, checks, what="coding scheme", docs="docs/games.md")
    return table.reset_index(drop=True)


def read_schemes(study: Study, published_folder: Path) -> dict[str, pd.DataFrame]:
    """Read the coding schemes of a study, by name of the codes, from the folder of what the paper prints."""
    declared = {name: codes.scheme for name, codes in study.codes.items() if codes.scheme}
    return {name: read_scheme(published_folder / scheme) for name, scheme in declared.items()}


def list_given_codes(
    judgments: pd.DataFrame, declared: Codes, scheme: pd.DataFrame | None, path: Path | str
) -> pd.DataFrame:
    """List the codes that were given to trials, one row per trial and code; rows of a trial share its index.

    A code that is not in the scheme is an error, whose message names the scheme's `path`. Without a scheme,
    codes are those of the table.
    """
    coded = judgments[judgments["task"].astype(str) == declared.task]
    text = coded[declared.column].astype(object)
    coded = coded.assign(code=text.str.split(";"))[text.notna()].explode("code")
    coded["code"] = coded["code"].str.strip()
    if not declared.scheme:
        coded = coded[coded["code"] != ""]
        return coded.assign(category="", label=coded["code"])
    by_code = scheme.set_index("code")
    wrong = coded[~coded["code"].isin(by_code.index)]
    if len(wrong):
        raise InputError(
            "judgments",
            f"a code that is not in the scheme ({path})",
            row=f"trial {wrong['trial'].iloc[0]}",
            column=declared.column,
            value=wrong["code"].iloc[0],
            allowed=list(by_code.index),
            fix="correct the table, or add the code to the scheme",
        )
    return coded.assign(
        category=coded["code"].map(by_code["category"]), label=coded["code"].map(by_code["label"])
    )


def iterate_subsets(trials: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Iterate over named subsets of the coded trials: all, by truth and verdict, and by agent."""
    truth, verdict = trials["truth"].astype(str), trials["verdict"].astype(str)
    yield "all", trials
    for called in ("machine", "human"):
        yield f"called_{called}", trials[verdict == called]
        for was in ("machine", "human"):
            yield f"{was}_called_{called}", trials[(truth == was) & (verdict == called)]
    for agent in dict.fromkeys(trials["agent"].astype(str)):
        yield f"agent_{agent}", trials[trials["agent"].astype(str) == agent]


def measure_codes(
    judgments: pd.DataFrame, study: Study, schemes: dict[str, pd.DataFrame], level: float
) -> pd.DataFrame:
    """Measure frequency, accuracy and position in the session of every code and category.

    In the published reading, for which a sample was coded, coded trials count even if a filter leaves
    them out of the analysis of verdicts; the recommended reading uses only the analyzed trials.
    Quantities are share (of all codes given in the subset, with Wilson's interval), accuracy (share of
    correct verdicts on trials with the code) and position (the mean position of these trials in the
    session), both with intervals that allow for clustering by judge.
    """
    rows = []
    for name, declared in study.codes.items():
        table = list_given_codes(judgments, declared, schemes.get(name), declared.scheme)
        right = table["verdict"].astype(str) == table["truth"].astype(str)
        table = table.assign(right=right.astype(float), judge=table["judge"].astype(str))
        for reading in study.readings:
            kept = table if reading == "published" else table[table["kept_recommended"]]
            for subset, coded in iterate_subsets(kept):
                for unit in ("category", "code") if declared.scheme else ("code",):
                    for value, part in coded.groupby(unit, sort=True):
                        first = part.iloc[0]
                        shared = {
                            "task": declared.task,
                            "scheme": name,
                            "reading": reading,
                            "subset": subset,
                            "unit": unit,
                            "code": value if unit == "code" else "",
                            "category": first["category"],
                            "label": first["label"] if unit == "code" else value,
                            "n_trials": coded.index.nunique(),
                        }
                        for quantity, numbers in measure_code(
                            part, len(coded), shared, study, level
                        ):
                            keys = {"given": value, "quantity": quantity}
                            rows.append(keys | shared | numbers)
    return tabulate(rows, "codes", study=study.study)


def measure_code(
    given: pd.DataFrame, number: int, place: dict[str, Any], study: Study, level: float
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Measure one code of `number` that were given in a subset; yields quantities and their columns."""
    share = measure_share(len(given), number, level) | {"n_judges": given["judge"].nunique()}
    yield "share", share | {"method": "share of the codes given; Wilson interval"}
    # A trial with two codes of a category is one trial.
    once = given[~given.index.duplicated()]
    # Of choices, the verdict says whether it is right.
    called = () if study.tasks[place["task"]].choice else ("called_machine", "called_human")
    if place["subset"] in ("all", *called):
        stimuli = get_stimuli(once, place["reading"], study)
        accuracy = estimate_share(once["right"], once["judge"], level, stimuli)
        yield "accuracy", accuracy | {"method": f"trials with it; {accuracy['method']}"}
    if place["subset"] == "all" and once["position"].notna().all():
        position = estimate_mean(once["position"], once["judge"], level, positive=True)
        how = "trials with it; t interval of the logarithm, variance between judges"
        yield "position", position | {"method": how}
