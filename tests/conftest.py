"""What all tests share: the settings of linear algebra that the rules set for jobs."""

import os

from turingstats.core.processor import SETTINGS

os.environ.update(SETTINGS)
