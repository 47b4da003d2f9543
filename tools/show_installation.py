"""Show how far pip has got with the packages of a lock file, from what it prints.

    python -m pip install -r requirements.lock | python tools/show_installation.py requirements.lock

Needs nothing but Python, as nothing else is installed yet. If pip should word its messages differently one
day, only the progress is lost: errors go past this script.
"""

import re
import sys
import sysconfig
import threading
from pathlib import Path

POLL = 0.5
"""Seconds between two looks at the packages that are there."""


def count_locked(text):
    """Count the packages of a lock file."""
    return len(re.findall(r"^[\w.\[\]-]+==", text, re.MULTILINE))


def count_installed(folder):
    """Count the packages in a folder of packages."""
    return sum(1 for _ in Path(folder).glob("*.dist-info"))


class Progress:
    """Shows how far the installation is: in place on a terminal, else a line for every tenth.

    Parameters
    ----------
    total : int
        Packages to install.
    stream : text stream
    """

    def __init__(self, total, stream):
        self.total, self.stream = total, stream
        self.tenth = 0

    def show(self, what, number):
        """Show how many packages are downloaded, which is the first half of the work, or installed."""
        number = min(number, self.total)
        done = number + self.total * (what == "installed")
        text = f"  {number:>3} of {self.total} packages {what}"
        if self.stream.isatty():
            self.stream.write(f"\r{text:<40}" + "\n" * (done == 2 * self.total))
        elif 10 * done // (2 * self.total) > self.tenth:
            self.tenth = 10 * done // (2 * self.total)
            self.stream.write(text + "\n")
        self.stream.flush()


def watch_packages(progress, folder, there, ended):
    """Show how many packages have come to a folder, until the event `ended`."""
    while not ended.wait(POLL):
        progress.show("installed", count_installed(folder) - there)


def follow_pip(lines, progress, folder):
    """Show the progress that the lines of pip tell of."""
    there, downloaded = count_installed(folder), 0
    ended = threading.Event()
    watcher = threading.Thread(target=watch_packages, args=(progress, folder, there, ended))
    for line in lines:
        if line.startswith("Ignoring "):  # a package for other systems
            progress.total -= 1
        elif line.startswith(("Collecting ", "Processing ")):  # from the network, or a local file
            downloaded += 1
            progress.show("downloaded", downloaded)
        elif line.startswith("Installing collected packages"):
            watcher.start()
        elif line.startswith("Successfully installed"):
            progress.show("installed", progress.total)
    ended.set()
    if watcher.ident:
        watcher.join()


def main():
    """Follow pip from standard input."""
    total = count_locked(Path(sys.argv[1]).read_text(encoding="utf-8"))
    follow_pip(sys.stdin, Progress(total, sys.stdout), sysconfig.get_path("purelib"))


if __name__ == "__main__":
    main()
