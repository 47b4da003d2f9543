# Run by Snakemake, from the top of the project, in the environment that conda has made.
set -e
python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r envs/requirements.lock
