"""What the results of a study rest on: the sentence of its page, and its row among all studies."""

import pytest

from turingstats.report import at_a_glance

STUDY = {
    "study": "made",
    "data": "observed data",
    "called": "trials",
    "read_cohorts": {"color": {"amt": "Online", "expert": "Experts", "svm": "SVM"}},
}
SIZES = """task,cohort,group_by,reading,quantity,value
color,amt,all,published,n_in_source,1000
color,amt,all,recommended,n_in_source,1000
color,amt,all,published,n_judges_in_source,50
color,amt,all,published,n_judges,48
color,amt,gender,published,n_judges,20
color,expert,all,published,n_in_source,200
color,expert,all,published,n_judges_in_source,11
color,svm,all,published,n_in_source,300
color,svm,all,published,n_judges,1
color,pooled,all,published,n_in_source,1200
color,trained,all,published,n_in_source,900
"""
SUMMARY = """status,n,data
reproduced,5,observed data
close,2,observed data
differs,3,observed data
taken over,4,observed data
impossible,6,observed data
"""


def write(folder, **tables):
    for name, text in tables.items():
        path = folder / f"{name.replace('__', '/')}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_observed_trials_are_counted_once(tmp_path):
    basis = at_a_glance.describe_basis(STUDY, write(tmp_path, statistics__sizes=SIZES))
    # Neither pooled cohorts nor judges trained here bring trials of their own.
    expected = "Observed trials: 1,500 trials of 61 human judges and 1 machine judge"
    assert basis["sentence"] == expected
    no_machines = SIZES.replace("color,svm,all,published,n_judges,1\n", "")
    basis = at_a_glance.describe_basis(STUDY, write(tmp_path, statistics__sizes=no_machines))
    assert basis["sentence"].endswith(" of 61 human judges")
    sources = "path,trials\ncolor_trials.csv,1600\ncolor_judges.csv,\n"
    basis = at_a_glance.describe_basis(STUDY, write(tmp_path, data__sources=sources))
    assert basis["trials"] == 1600


@pytest.mark.parametrize(
    ("called", "table", "sentence"),
    [
        ("games", "success_rates", "Counts printed in the paper; games are generated"),
        ("choices", "printed_rates", "Pass rates printed in the paper; choices are generated"),
    ],
)
def test_printed_numbers_are_told_from_generated_trials(tmp_path, called, table, sentence):
    study = STUDY | {"data": "generated data", "called": called}
    write(tmp_path, **{f"statistics__{table}": "id,data\na,published counts\nb,generated data\n"})
    basis = at_a_glance.describe_basis(study, tmp_path)
    assert (basis["kind"], basis["sentence"]) == ("mixed", sentence)
    row = at_a_glance.make_row(study, tmp_path, tmp_path)
    assert row["Real"].endswith(": 1") and row["Generated"] == f"all {called}"


def test_only_real_data_let_a_claim_hold(tmp_path):
    write(tmp_path, statistics__sizes=SIZES, claims__summary=SUMMARY)
    row = at_a_glance.make_row(STUDY, tmp_path, tmp_path)
    # What was taken over, or contradicts itself, could not have come out otherwise.
    assert row["Claims on real data"] == "7 of 10 hold; 6 contradict the paper itself"
    assert row["Recovery of generated data"] == "none"
    generated = SUMMARY.replace("differs", "not recovered")
    generated = generated.replace("reproduced", "recovered").replace("close", "recovered")
    row = at_a_glance.make_row(STUDY, write(tmp_path, claims__summary=generated), tmp_path)
    # A paper contradicts itself whatever the data are.
    assert row["Claims on real data"] == "none; 6 contradict the paper itself"
    assert row["Recovery of generated data"] == "7 of 10 recovered"
