"""What all tests share: the settings of linear algebra that the rules set for jobs."""

import os
import sys

from turingstats.core.processor import SETTINGS

assert "numpy" not in sys.modules, "something imports numpy before its settings are made"
os.environ.update(SETTINGS)

pytest_plugins = ["shared_runs"]
