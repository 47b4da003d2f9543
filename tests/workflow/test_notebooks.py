"""The numbers that the authors' notebooks print: every query leads somewhere, and the others say why not."""

import pandas as pd
from project import ROOT

LISTED = ROOT / "data/published/zhang2025/notebooks.csv"


def ledger_of(project):
    return pd.read_csv(project.folder / "results/zhang2025/claims/notebooks.csv").set_index(
        "claim_id"
    )


def test_every_query_finds_its_row_in_generated_data(generated_ledger):
    ledger, listed = ledger_of(generated_ledger), pd.read_csv(LISTED).set_index("claim_id")
    assert ledger.index.tolist() == listed.index.tolist()
    assert set(ledger["data"]) == {"generated data"}
    # A file that is not public is not generated either.
    asked = ledger[listed["table"].notna() & listed["missing"].isna()]
    lost = asked[~asked["status"].isin(["reproduced", "close", "differs"])]
    assert lost.empty, lost["why"].to_dict()
    assert (ledger.loc[ledger["status"] == "differs", "why"].str.startswith("generated data")).all()


def test_numbers_of_the_observed_trials(observed):
    ledger = ledger_of(observed)
    assert ledger["status"].value_counts()[["reproduced", "close", "differs"]].to_dict() == {
        **{"reproduced": 551, "close": 73, "differs": 94}
    }
    assert ledger.loc[ledger["status"] != "reproduced", "why"].notna().all()
    summary = pd.read_csv(observed.folder / "results/zhang2025/claims/notebooks_summary.csv")
    assert summary["n"].sum() == len(ledger)
