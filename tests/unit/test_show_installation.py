"""How far the installation of the packages is, from what pip prints."""

import io

from tools import show_installation

LOCK = """\
numpy==2.4.0 \\
    --hash=sha256:abc
    # via pandas
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:abd
uvicorn[standard]==1.0 \\
    --hash=sha256:abe
"""


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self):
        """Say that it is one."""
        return True


def follow(stream, folder, total=20):
    """Follow an installation of packages, one of them for another system."""
    lines = [
        "Ignoring colorama: markers 'sys_platform' don't match your environment\n",
        *(f"Collecting package{number}\n" for number in range(10)),
        *(f"Processing ./package{number}.whl\n" for number in range(9)),
        "Installing collected packages: ...\n",
        "Successfully installed ...\n",
    ]
    show_installation.follow_pip(lines, show_installation.Progress(total, stream), folder)
    return stream.getvalue()


def test_packages_of_a_lock_file():
    assert show_installation.count_locked(LOCK) == 3


def test_a_pipe_gets_a_line_for_every_tenth(tmp_path):
    lines = follow(io.StringIO(), tmp_path).splitlines()
    assert lines[0].split() == ["4", "of", "19", "packages", "downloaded"]
    assert lines[-1].split() == ["19", "of", "19", "packages", "installed"]
    assert len(lines) == 6


def test_a_terminal_gets_one_line(tmp_path):
    text = follow(Terminal(), tmp_path)
    assert text.count("\n") == 1 and text.endswith("\n")
    assert text.split("\r")[-1].strip() == "19 of 19 packages installed"


def test_packages_that_are_there(tmp_path):
    (tmp_path / "numpy-2.4.0.dist-info").mkdir()
    (tmp_path / "numpy").mkdir()
    assert show_installation.count_installed(tmp_path) == 1
