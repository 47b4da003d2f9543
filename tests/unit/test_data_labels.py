"""What numbers rest on: kinds of data by their label, and no panel with two of them."""

import pandas as pd
import pytest

from turingstats.core import data_labels
from turingstats.core.errors import ConfigError
from turingstats.figures import source_data

KINDS = {"generated data": "generated", "generated data, studies simulated": "generated"}
KINDS |= {"public data": "public", "observed data": "observed"}
KINDS |= {"published counts": "printed", "published table": "printed"}


@pytest.mark.parametrize(("data", "kind"), KINDS.items())
def test_a_label_tells_the_kind_of_data(data, kind):
    assert data_labels.find_data_kind(data) == kind
    assert data_labels.is_generated(data) == (kind == "generated")


def table(**data):
    rows = [(panel, said) for panel, labels in data.items() for said in labels]
    return pd.DataFrame(rows, columns=["panel", "data"])


def test_a_panel_never_mixes_observed_and_generated_data(tmp_path):
    path = tmp_path / "fig2.csv"
    apart = table(A=["published counts"] * 2, B=["generated data"] * 2)
    source_data.write_source_data(apart, path)
    assert len(pd.read_csv(path)) == 4
    mixed = table(A=["observed data"] * 2, B=["observed data", "generated data"])
    with pytest.raises(ConfigError, match=r"fig3\.panels\.B rests on observed data and generated"):
        source_data.write_source_data(mixed, tmp_path / "fig3.csv")
    assert not (tmp_path / "fig3.csv").exists()
    with pytest.raises(ConfigError, match="data without a name"):
        source_data.write_source_data(table(A=[None, None]), path)


@pytest.mark.parametrize("labels", [["public data", "observed data"], ["public data", None]])
def test_a_figure_without_panels_is_one_panel(tmp_path, labels):
    rows = pd.DataFrame({"value": [1, 2], "data": labels})
    with pytest.raises(ConfigError, match="forest rests on public data and"):
        source_data.write_source_data(rows, tmp_path / "forest.csv")
