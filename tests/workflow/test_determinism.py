"""The same inputs give the same bytes, however many cores work on them and wherever.

A small run has every kind of result; test_golden.py compares larger ones with those of other computers.
"""

RESULTS = "results/smoke/zhang2025"


def test_every_result_is_the_same_on_one_core_in_another_folder(smoke, smoke_elsewhere):
    one, other = smoke.project.results(RESULTS), smoke_elsewhere.results(RESULTS)
    assert one.keys() == other.keys()
    assert {"csv", "parquet", "json", "pdf", "svg", "png", "html", "tex"} <= {
        name.rsplit(".", 1)[-1] for name in one
    }
    assert [name for name in one if one[name] != other[name]] == []
