"""The bill of materials and the licenses of what is installed."""

import json

import pytest

from tools import sbom
from turingstats.core.errors import ConfigError


def list_locked():
    """Names and versions in the lock file, read in another way than the tool does."""
    lines = sbom.LOCK.read_text().splitlines()
    return {tuple(line.split()[0].split("==")) for line in lines if line[:1].isalnum()}


def test_every_package_of_the_lock_is_listed_with_a_usable_license():
    listed = json.loads(sbom.SBOM.read_text())["components"]
    assert {(part["name"], part["version"]) for part in listed} == list_locked()
    table = sbom.TABLE.read_text()
    for part in listed:
        license = part["licenses"][0]["expression"]
        assert f"| {part['name']} | {part['version']} | {license} |" in table
        sbom.require_usable([sbom.Package(part["name"], part["version"], "", license)])


def test_the_files_are_those_of_the_lock():
    packages = sbom.read_lock()
    assert sbom.SBOM.read_text() == json.dumps(sbom.build_sbom(packages), indent=1) + "\n"
    assert sbom.TABLE.read_text() == sbom.write_table(packages)


@pytest.mark.parametrize(
    "license", ["AGPL-3.0-only", "MIT AND LicenseRef-Proprietary", "", "CC-BY-NC-4.0"]
)
def test_licenses_that_cannot_be_used_are_refused(license):
    with pytest.raises(ConfigError, match="x 1 has the license"):
        sbom.require_usable([sbom.Package("x", "1", "", license)])


def test_packages_of_unknown_license_are_named(tmp_path):
    lock = tmp_path / "some.lock"
    lock.write_text(
        "numpy==1 \\\n    --hash=sha256:0\nnothing-of-this-name==2 ; sys_platform == 'win32' \\\n"
    )
    with pytest.raises(
        ConfigError, match=r"nothing-of-this-name is in requirements\.lock but not installed"
    ):
        sbom.read_lock(lock)
