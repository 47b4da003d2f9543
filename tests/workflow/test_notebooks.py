"""The numbers that the authors' notebooks print, as a run looks them up in results of the observed trials."""

import pandas as pd


def ledger_of(project):
    return pd.read_csv(project.folder / "results/zhang2025/claims/notebooks.csv").set_index(
        "claim_id"
    )


def test_numbers_of_the_observed_trials(observed):
    ledger = ledger_of(observed)
    assert ledger["status"].value_counts()[["reproduced", "close", "differs"]].to_dict() == {
        **{"reproduced": 726, "close": 89, "differs": 106}
    }
    assert ledger.loc[ledger["status"] != "reproduced", "why"].notna().all()
    summary = pd.read_csv(observed.folder / "results/zhang2025/claims/notebooks_summary.csv")
    assert summary["n"].sum() == len(ledger)
