"""Titles of figures that say what was found, from the numbers that the figure shows.

A difference is stated where a corrected test of the figure shows it; other titles give counts and ends of the
numbers drawn. A figure about which neither can be said keeps its plain title.
"""

from collections.abc import Callable, Iterator

import pandas as pd

from turingstats.core.labels import find_alpha, format_with_noun


def find_title(name: str, data: pd.DataFrame, plain: str) -> str:
    """Find the title of a figure from its source data; the plain one where nothing can be said."""
    if data.empty:
        return plain
    if name in TITLES:
        return TITLES[name](data) or plain
    if not {"kind", "quantity"} <= set(data):
        return plain
    sentences = (say(data) for say in SENTENCES)
    return next(filter(None, sentences), plain)


# --- figures of panels --------------------------------------------------------------------------


def tell_tests(data: pd.DataFrame) -> str:
    """Tell how many corrected tests between groups, or else against chance, are significant."""
    if "p_adjusted" not in data:
        return ""
    tested = data[data["p_adjusted"].notna() & (data["correction"] != "none")]
    p, alpha = tested["p_adjusted"], find_alpha(data["level"].iloc[0])
    groups = tested["kind"] == "group test"
    if groups.any():
        differ, tests = (
            (groups & (p < alpha)).sum(),
            format_with_noun(groups.sum(), "corrected test"),
        )
        if differ:
            return f"Groups of judges differ in detection in {differ} of {tests}"
        return f"No difference in detection between groups of judges is shown by {tests}"
    against = tested["kind"].isin(["bars", "intervals"])
    if not against.any():
        return ""
    values = tested.loc[against & (p < alpha), "value"]
    below = f", below it in {(values < 0.5).sum()}" if (values < 0.5).any() else ""
    tests = format_with_noun(against.sum(), "corrected test")
    return f"Judges detect machines above chance in {(values > 0.5).sum()} of {tests}{below}"


def tell_rates(data: pd.DataFrame) -> str:
    """Tell how often people and machines were judged human, by people if these judge in the figure."""
    shown = data[(data["kind"] == "matrix") & data["value"].notna()]
    if shown.empty:
        return ""
    by_people = shown["judge_kind"] == "human"
    shown = shown[by_people] if by_people.any() else shown
    shown = shown[shown["group"].isna()] if shown["group"].isna().any() else shown
    people = shown.loc[shown["quantity"] == "p_HH", "value"]
    machines = shown[shown["quantity"] == "p_HM"]
    single = machines[machines["agent"] != "all"]
    machines = single if len(single) else machines
    if people.empty or machines.empty:
        return ""
    return (
        f"People were judged human in {format_ends(people)} of verdicts, "
        f"machines in {format_ends(machines['value'])}"
    )


def tell_correlation(data: pd.DataFrame) -> str:
    """Tell the correlation with a score of the literature, if a test shows it."""
    rows = data[data["kind"] == "correlation"]
    if rows.empty:
        return ""
    shown = (rows["p_adjusted"] < find_alpha(data["level"].iloc[0])).sum()
    scores = format_with_noun(len(rows), "score")
    return f"Detection correlates with {shown} of {scores} of the literature" if shown else ""


def tell_listed(data: pd.DataFrame) -> str:
    """Tell the highest of listed numbers of one kind; the lowest may be left out of the figure."""
    rows = data[(data["kind"] == "listed") & data["value"].notna()]
    if len(rows) < 2 or rows["quantity"].nunique() > 1:
        return ""
    *_, highest = name_ends(rows, "agent_label")
    return f"{rows['quantity'].iloc[0]}: highest {highest}"


def tell_alignment(data: pd.DataFrame) -> str:
    """Tell which system is most and which is least aligned with the reference."""
    rows = data[(data["kind"] == "alignment") & (data["quantity"] == "all") & data["value"].notna()]
    if len(rows) < 2:
        return ""
    best, worst = (rows.loc[rows["value"].idxmax()], rows.loc[rows["value"].idxmin()])
    return (
        f"{best['label']} is most aligned with {best['with']} (ρ = {best['value']:z.2f}), "
        f"{worst['label']} least (ρ = {worst['value']:z.2f})"
    )


# --- figures of their own -----------------------------------------------------------------------


def tell_equivalence(data: pd.DataFrame) -> str:
    """Tell the corrected conclusions of comparisons with people, or of choices with one half."""
    baseline = "people" if (data["against"] == "people").any() else "chance"
    shown = data[data["against"] == baseline]
    count = shown["conclusion"].value_counts()
    apart = count.get("distinguishable", 0) + count.get("different, but within the margin", 0)
    return (
        f"Machines differ from {baseline} in {apart} of {format_with_noun(len(shown), 'comparison')}; "
        f"{count.get('equivalent', 0)} equivalent within {shown['margin'].iloc[0]:g}, "
        f"{count.get('undecided', 0)} undecided"
    )


def tell_forest(data: pd.DataFrame) -> str:
    """Tell which agents of the mixed models are the least and the most detectable."""
    rows = data[(data["source"] == "mixed model") & data["value"].notna()]
    if len(rows) < 2:
        return ""
    return f"Detectability from {' to '.join(name_ends(rows, 'agent_label'))}"


def tell_judge_spread(data: pd.DataFrame) -> str:
    """Tell in how many groups the median judge was right more often than not."""
    sides = []
    for truth, whose in (("human", "people's"), ("machine", "machines'")):
        of_side = data[data["truth"] == truth]
        medians = of_side.groupby(["task", "cohort"])["value"].median()
        if len(medians):
            sides.append(f"{whose} responses in {(medians > 0.5).sum()} of {len(medians)} groups")
    return f"The median judge is mostly right on {', on '.join(sides)}" if sides else ""


def tell_people_and_machines(data: pd.DataFrame) -> str:
    """Tell how often machine judges were right more often than people."""
    gaps = data["accuracy_difference"].dropna()
    if gaps.empty:
        return ""
    pairs = format_with_noun(len(gaps), "comparison")
    return f"Machine judges were right more often than people in {(gaps < 0).sum()} of {pairs}"


def tell_ranking(data: pd.DataFrame) -> str:
    """Tell who is first in each ranking, if there is one, and who is not told apart from the first."""
    ranked = data[data["rank"].notna()]
    if ranked.empty or ranked.duplicated("agent").any():
        return ""
    first = ranked.loc[ranked["rank"].idxmin()]
    letters = set(str(first["group"]))
    alike = sum(bool(letters & set(str(group))) for group in ranked["group"]) - 1
    others = "told apart from all others" if not alike else f"not told apart from {alike} others"
    others = "not told apart from one other" if alike == 1 else others
    return f"{first['agent_label']} ranks first of {len(ranked)}, {others}"


def tell_claims(data: pd.DataFrame) -> str:
    """Tell how many of the numbers drawn equal the printed ones, or are recovered from generated data."""
    holds = data["status"].isin(["reproduced", "taken over", "recovered"]).sum()
    generated = data["status"].isin(["recovered", "not recovered"]).any()
    what = "are reproduced, or recovered from generated data" if generated else "are reproduced"
    return f"{holds:,} of {format_with_noun(len(data), 'printed number')} {what}"


TITLES: dict[str, Callable[[pd.DataFrame], str]] = {
    "equivalence": tell_equivalence,
    "forest": tell_forest,
    "judge_spread": tell_judge_spread,
    "people_and_machines": tell_people_and_machines,
    "ranking": tell_ranking,
    "claims_overview": tell_claims,
}
"""What tells the finding of figures that are made for every study."""


SENTENCES = (tell_tests, tell_rates, tell_correlation, tell_alignment, tell_listed)
"""What tells the finding of figures of panels; the first that finds something."""


def format_ends(shares: pd.Series) -> str:
    """Format the lowest and the highest share in percent."""
    ends = dict.fromkeys(f"{100 * end:.0f}" for end in (shares.min(), shares.max()))
    return f"{' to '.join(ends)}%"


def name_ends(rows: pd.DataFrame, name: str) -> Iterator[str]:
    """Name the lowest and the highest value."""
    for at in (rows["value"].idxmin(), rows["value"].idxmax()):
        row = rows.loc[at]
        of = [row[name], row["task_label"]] if rows["task_label"].nunique() > 1 else [row[name]]
        yield f"{row['value']:.2f} ({', '.join(of)})"
