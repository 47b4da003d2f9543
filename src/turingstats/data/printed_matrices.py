"""Confusion matrices that a paper prints, as facts: cells of the list of numbers in its notebooks."""

import re

import pandas as pd


def list_printed_rates(printed: pd.DataFrame, task: str, cohort: str) -> pd.Series:
    """List the rates that figures print of a cohort, by agent and quantity, such as azure and p_HM."""
    start = re.escape(f"task={task}, cohort={cohort}, group=all, agent=")
    form = rf"^{start}(?P<agent>\w+), quantity=(?P<quantity>p_[HM][HM])$"
    rates = printed["rows"].str.extract(form).assign(value=printed["value"])
    rates = rates[printed["location"].str.startswith("Fig ", na=False)].dropna()
    rates = rates.drop_duplicates(["agent", "quantity"]).set_index(["agent", "quantity"])
    return rates["value"].astype(float)
