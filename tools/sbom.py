"""List what the pipeline is built from: a bill of materials (CycloneDX) and a table of licenses.

    python -m tools.sbom      writes envs/sbom.cdx.json and docs/licenses.md

Packages and versions come from the lock file, licenses from the metadata of the installed packages. A license
that is not known to be usable is an error.
"""

import json
import re
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import turingstats
from turingstats.core import files
from turingstats.core.errors import ConfigError, TuringError

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "envs/requirements.lock"
SBOM = ROOT / "envs/sbom.cdx.json"
TABLE = ROOT / "docs/licenses.md"
PINNED = re.compile(r"^([\w.-]+)==([^\s;\\]+)(?: *; *([^\\\n]*[^\\\n ]))?", re.MULTILINE)
ELSEWHERE = {
    "colorama": "BSD-3-Clause",
    "pyreadline3": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
}
"""Licenses of packages that are only installed on other systems, as their metadata states them."""
SPDX = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "Apache Software License": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "GNU General Public License (GPL)": "GPL-3.0-or-later",
    "GPL-3.0": "GPL-3.0-only",
    "Public Domain": "LicenseRef-Public-Domain",
}
"""Identifiers of licenses that metadata name in words."""
PERMISSIVE = set(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 CNRI-Python ISC LicenseRef-Public-Domain MIT MIT-CMU "
    "OFL-1.1 PSF-2.0 Unlicense Zlib".split()
)
# Importing them, unchanged and from their own packages, is what their terms allow: see docs/licenses.md.
COPYLEFT = set("GPL-3.0-only GPL-3.0-or-later LGPL-3.0-or-later MPL-2.0".split())


PAGE = """# Licenses of the packages that are installed

The pipeline itself is under the MIT license. It contains none of these packages: they are installed
from [the lock file](../envs/requirements.lock), which has their checksums, and used unchanged.

Terms that ask for more than a notice apply to {strict}.
Who passes on an environment or a container image passes these on under their terms.

`make sbom` writes this table and [a bill of materials](../envs/sbom.cdx.json) (CycloneDX 1.5). It fails
if the license of a package is not known, or not one under which the pipeline can use it.

| package | version | license | installed |
| --- | --- | --- | --- |
{rows}
"""


@dataclass(frozen=True)
class Package:
    """A package of the lock file."""

    name: str
    version: str
    marker: str
    """Where it is installed; empty: everywhere."""
    license: str
    """Expression of SPDX identifiers."""


def read_lock(path=LOCK):
    """Read the packages of a lock file, with their licenses.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    list of Package

    Raises
    ------
    ConfigError
        A license is unknown.
    """
    found = PINNED.findall(Path(path).read_text(encoding="utf-8"))
    return [Package(name, version, marker, find_license(name)) for name, version, marker in found]


def find_license(name):
    """Find the license of a package in its metadata, or at the top of its license file.

    Parameters
    ----------
    name : str

    Returns
    -------
    str
        Expression of SPDX identifiers.

    Raises
    ------
    ConfigError
        Nothing is stated, or it is not known what it means.
    """
    try:
        package = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        if name in ELSEWHERE:
            return ELSEWHERE[name]
        raise ConfigError(
            f"{name} is in {LOCK.name} but not installed\n"
            "  fix:     make results, or add its license to ELSEWHERE in tools/sbom.py"
        ) from None
    stated = package.metadata
    if expression := stated.get("License-Expression"):
        return expression
    short = (stated.get("License") or "").strip()
    classes = [
        kind.rsplit(" :: ", 1)[1]
        for kind in stated.get_all("Classifier", [])
        if kind.startswith("License :: ") and not kind.endswith(" :: OSI Approved")
    ]
    # A name in the field is more exact than a class, but some hold the whole text of a license.
    if set(re.split(r" (?:AND|OR) ", SPDX.get(short, short))) <= PERMISSIVE | COPYLEFT:
        return SPDX.get(short, short)
    if not classes:
        texts = [f for f in package.files or () if f.name.upper().startswith("LICEN")]
        classes = [text.read_text().strip().splitlines()[0].strip() for text in texts[:1]]
    if not classes or not set(classes) <= SPDX.keys():
        raise ConfigError(f"{name} states no license that is known here: {classes or short[:60]}")
    # Several classes are a choice, or parts: whichever is the stricter reading is shown.
    return " AND ".join(dict.fromkeys(SPDX[kind] for kind in classes))


def require_usable(packages):
    """Require that each license is one that the project can use.

    Parameters
    ----------
    packages : list of Package

    Raises
    ------
    ConfigError
    """
    for package in packages:
        parts = set(re.split(r" (?:AND|OR) ", package.license.replace("(", "").replace(")", "")))
        if unknown := sorted(parts - PERMISSIVE - COPYLEFT):
            raise ConfigError(
                f"{package.name} {package.version} has the license {', '.join(unknown)}\n"
                "  fix:     do without it, or add the license to tools/sbom.py if it can be used"
            )


def build_sbom(packages):
    """Build a bill of materials in CycloneDX 1.5.

    Parameters
    ----------
    packages : list of Package

    Returns
    -------
    dict
    """
    own = {"type": "application", "name": "turingstats", "version": turingstats.__version__}
    parts = [
        {
            "type": "library",
            "bom-ref": f"{package.name}@{package.version}",
            "name": package.name,
            "version": package.version,
            "scope": "optional" if package.marker else "required",
            "licenses": [{"expression": package.license}],
            "properties": [{"name": "turingstats:marker", "value": package.marker or "everywhere"}],
        }
        for package in packages
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own | {"licenses": [{"license": {"id": "MIT"}}]}},
        "components": parts,
    }


def write_table(packages):
    """Write the table of licenses as Markdown.

    Parameters
    ----------
    packages : list of Package

    Returns
    -------
    str
    """
    strict = [p.name for p in packages if COPYLEFT & set(re.split(r"\W(?:AND|OR)\W", p.license))]
    rows = [
        f"| {p.name} | {p.version} | {p.license} | {f'`{p.marker}`' if p.marker else 'everywhere'} |"
        for p in packages
    ]
    return PAGE.format(strict=", ".join(dict.fromkeys(strict)), rows="\n".join(rows))


def main():
    """Write both files."""
    try:
        packages = read_lock()
        require_usable(packages)
    except TuringError as error:
        print(error, file=sys.stderr)
        return 1
    files.write_text(json.dumps(build_sbom(packages), indent=1) + "\n", SBOM)
    files.write_text(write_table(packages), TABLE)
    print(f"{len(packages)} packages in {SBOM.relative_to(ROOT)} and {TABLE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
