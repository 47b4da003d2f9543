"""Attention prediction: the raw formats of eye movements."""

import pytest
from raw_records import HOST

from converters.zhang2025 import scanpaths
from turingstats.core.errors import InputError


@pytest.mark.parametrize(
    ("path", "variant", "stimulus"),
    [
        # Named after the other set, but in the folder of free viewing.
        (
            "naturalsaliency_conv_gbvs/fig_naturaldesign_conv_only_img83_nfix30.gif",
            *("free viewing", "naturalsaliency img83 nfix30"),
        ),
        (
            "naturaldesign_human/fig_naturaldesign_subj05-xy_img007_nfix4.gif",
            *("visual search", "naturaldesign subj5 img7 nfix4"),
        ),
        ("waldo_conv_IVSN/img54_nfix56.gif", "visual search", "waldo img54 nfix56"),
        ("chatgpt/freeviewing/bg_img077_scanpath_chatgpt.gif", "free viewing", "freeview img77"),
        (
            "freeview_swap/bg_img018_scanpath_subj10-jc_img083.gif",
            *("free viewing", "freeview img18 subj10 img83"),
        ),
        (
            "Ablated_VS/Ablated_Layer_GIF/bg_img122_scanpath_Layer4_5.gif",
            *("visual search", "ablated_vs img122"),
        ),
    ],
)
def test_address_tells_variant_and_stimulus(path, variant, stimulus):
    told = scanpaths.describe_address(HOST + path, "raw", "Trial_1")
    assert told == {"variant": variant, "stimulus": stimulus}


def test_key_tells_the_variant_where_the_folder_does_not():
    address = f"{HOST}gifs/img1.gif"
    told = scanpaths.describe_address(address, "raw", "Trial_VS_9")
    assert told["variant"] == "visual search"
    with pytest.raises(InputError, match="no known picture set") as error:
        scanpaths.describe_address(address, "raw", "Trial_9")
    assert "host.example" not in str(error.value)
