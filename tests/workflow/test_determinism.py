"""The same inputs give the same bytes, however many cores work on them and wherever."""


def test_every_result_is_the_same_on_one_core_in_another_folder(observed, observed_elsewhere):
    one, other = observed.results(), observed_elsewhere.results()
    assert one.keys() == other.keys()
    assert {"csv", "parquet", "json", "pdf", "svg", "png", "html", "tex"} <= {
        name.rsplit(".", 1)[-1] for name in one
    }
    assert [name for name in one if one[name] != other[name]] == []
