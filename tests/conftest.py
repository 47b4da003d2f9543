"""What all tests share: the settings of linear algebra that the rules set for jobs."""

import os

# Before numpy is imported. One thread, and the same instructions on every processor: see common.smk.
os.environ.update(OPENBLAS_NUM_THREADS="1", OPENBLAS_CORETYPE="Prescott")
