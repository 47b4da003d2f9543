"""Files of the repository that are written from the model of the configuration."""

import pytest
from project import ROOT

from turingstats.config import settings, settings_files
from turingstats.core import checked_yaml

# Files that are written from the one model of the configuration.
WRITTEN = {
    "config/config.yaml": settings_files.write_default_yaml,
    "docs/configuration.md": settings_files.write_reference,
}


@pytest.mark.parametrize("name", WRITTEN)
def test_files_written_from_the_model_are_up_to_date(name):
    written = WRITTEN[name]
    problem = (
        f"{name} does not hold what turingstats.config.settings_files.{written.__name__}() writes"
    )
    assert written() in (ROOT / name).read_text(), problem


def test_default_configuration_holds_the_defaults_and_nothing_else():
    values = checked_yaml.read_mapping(ROOT / "config/config.yaml")
    assert values == settings.Config().model_dump(mode="json")
