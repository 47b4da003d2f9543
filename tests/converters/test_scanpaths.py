"""Attention prediction: the raw formats of eye movements."""

import pytest
from raw_records import HOST

from converters.zhang2025 import scanpaths
from turingstats.core.errors import InputError


def test_key_tells_the_variant_where_the_folder_does_not():
    address = f"{HOST}gifs/img1.gif"
    told = scanpaths.describe_address(address, "raw", "Trial_VS_9")
    assert told["variant"] == "visual search"
    with pytest.raises(InputError, match="no known picture set") as error:
        scanpaths.describe_address(address, "raw", "Trial_9")
    assert "host.example" not in str(error.value)
