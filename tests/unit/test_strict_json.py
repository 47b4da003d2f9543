"""JSON that others wrote: read as it is or refused, with the place of the fault."""

import pytest

from turingstats.core.errors import InputError
from turingstats.core.strict_json import parse_json, read_json


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"T_1": {"rt": 1, "b": {}, "rt": 2}}', ["the key rt occurs twice"]),
        ('{"T_1": 1,\n "T_\\u0031": 2}', ["the key T_1 occurs twice"]),
        ('{"T_1": {"rt": NaN}}', ["NaN is not a finite number"]),
        ('{"T_1": {"rt": 1e400}}', ["1e400"]),
        (b'{"T_1": "\xff"}', ["not UTF-8"]),
        ('{"T_1": {"rt": 1}, "T_2": {"r', ["line 1 column 28", "cut short"]),
        ("[" * 100_000, ["nested too deep"]),
        ("", ["line 1 column 1", "cut short"]),
    ],
)
def test_what_is_not_is_refused_with_its_place(content, words):
    with pytest.raises(InputError) as told:
        parse_json(content, "raw.json", row="row 3", column="datastring")
    for word in ("raw.json", "row 3", "datastring", *words):
        assert word in str(told.value)


def test_files_that_cannot_be_read_are_named(tmp_path):
    for path in (tmp_path / "raw.json", tmp_path):
        with pytest.raises(InputError, match=path.name):
            read_json(path)
