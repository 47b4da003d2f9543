"""Numbers that the authors' notebooks print: on generated data, which lack nothing, every query finds one."""

import pandas as pd
import pytest
from project import ROOT, read_study
from recomputed import compute_results

from demo import write_study
from turingstats.claims import claims_file
from turingstats.claims.ledger import Recomputed, check_claims
from turingstats.config.raw_files import load_sources
from turingstats.data import package_reader, sources

PUBLISHED = ROOT / "data/published/zhang2025"


@pytest.mark.thorough
def test_every_query_finds_its_row_in_generated_data(tmp_path):
    tables = (PUBLISHED / f"{name}.csv" for name in ("design", "demographics"))
    write_study("zhang2025", tables, tmp_path, 2025)
    study = read_study("zhang2025")
    not_public = load_sources(ROOT / "data/sources/zhang2025.yaml").not_public
    cohorts = {task: own.cohorts for task, own in study.tasks.items()}
    _, missing = sources.list_package(tmp_path, cohorts, not_public)
    results = compute_results(*package_reader.read_package(tmp_path, study)[:3])
    columns = {name: list(table) for name, table in results.items()}
    printed = claims_file.read_claims(
        PUBLISHED / "notebooks.csv", study.tasks, columns, claims_file.NOTEBOOK_COLUMNS
    )
    pools = {
        task: {name: cohort.pools for name, cohort in own.cohorts.items()}
        for task, own in study.tasks.items()
    }
    made = Recomputed(results, missing, study.comparisons, "generated data", pools=pools)
    ledger = check_claims(printed, "zhang2025", made).set_index("claim_id")
    listed = pd.read_csv(PUBLISHED / "notebooks.csv").set_index("claim_id")
    assert ledger.index.tolist() == listed.index.tolist()
    assert set(ledger["data"]) == {"generated data"}
    # A file that is not public is not generated either.
    asked = ledger[listed["table"].notna() & listed["missing"].isna()]
    # Generated texts have no tags of parts of speech.
    asked = asked[~asked["why"].str.contains("the printed number counts the tag", na=False)]
    lost = asked[~asked["status"].isin(["reproduced", "close", "differs"])]
    assert lost.empty, lost["why"].to_dict()
    assert (ledger.loc[ledger["status"] == "differs", "why"].str.startswith("generated data")).all()
