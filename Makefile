# make results    regenerate every statistic, figure and table into results/
# make test       run the quick tests
# make test-all   run the tests of continuous integration: also runs of the workflow, and pages in a browser
# make test-slow  run the tests that simulate for minutes
# make coverage-tests   run the quick tests, and list the code that they do not reach
# make browser    install what the tests of pages need: Chromium, Playwright, axe-core
# make slurm      install a Slurm for the slow test of profiles/slurm (Debian)
# make calibration   simulate how often each test rejects true null hypotheses, into docs/
# make coverage   simulate how often intervals hold the truth, into docs/
# make bench      time the pipeline against its budgets
# make bench-large      time a study of a million judgments, or of ten: ARGS="--judgments 10000000"
# make bench-statistics   time mixed models and the statistics of ratings
# make check      rerun, and compare numbers and pictures with the accepted ones
# make accept     accept the numbers and pictures of a rerun
# make lint       style of Python and Snakemake files
# make docs       rewrite what follows from the configuration model, and pictures and numbers of the results
# make release    results of a tagged commit, with SHA256SUMS for `sha256sum -c`
# make lock       renew the lock files in envs/ from requirements.in and browser.in
# make wheelhouse download all packages, to install without a network: make results WHEELHOUSE=wheelhouse
# make sbom       rewrite the bill of materials and the table of licenses of all packages
# make audit      look for known vulnerabilities of all packages
# make clean      remove results and generated raw data
# make            show these lines
#
# Needs Python 3.11 or newer with venv, and git for public data; everything else is installed
# into .venv/ from the lock file.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
RUN := PYTHONPATH=src $(BIN)/python -m
# What to make, and with which options: make results ARGS="figures --config seed=7"
ARGS ?=
# Files of tests go to two processes in turn.
SPREAD := -n 2 --dist loadfile --no-loadscope-reorder
# Folder of packages to install from, instead of the network: see make wheelhouse.
WHEELHOUSE ?=
FROM := $(if $(WHEELHOUSE),--no-index --find-links $(WHEELHOUSE))

# Modules are compiled once, and not by each step of a run, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help

.PHONY: help results test test-all test-slow coverage-tests browser slurm calibration coverage bench bench-large \
  bench-statistics check accept lint docs lock clean release wheelhouse sbom audit

results: $(READY)
	$(BIN)/snakemake $(ARGS)

test: $(READY)
	$(BIN)/python -m pytest $(SPREAD) -m "not (workflow or browser or slow)" $(ARGS)

test-all: $(READY)
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest $(SPREAD) $(ARGS)

test-slow: $(READY)
	$(BIN)/python -m pytest -m slow $(ARGS)

coverage-tests: $(READY)
	$(MAKE) --no-print-directory test ARGS="--cov --cov-report=term $(ARGS)"

# Chromium comes from the system; where apt is not, any that is installed will do.
browser: $(READY)
	command -v chromium || command -v chromium-browser || command -v google-chrome || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(FROM) --require-hashes -r envs/browser.lock

slurm:
	command -v slurmctld || { apt-get update -qq && apt-get install -y -qq --no-install-recommends slurm-wlm munge; }

calibration: $(READY)
	$(RUN) tools.calibrate $(ARGS)

coverage: $(READY)
	$(RUN) tools.coverage $(ARGS)

bench: $(READY)
	$(RUN) tools.bench $(ARGS)

bench-large: $(READY)
	$(RUN) tools.bench_large $(ARGS)

bench-statistics: $(READY)
	$(RUN) tools.bench_statistics

check: $(READY)
	$(RUN) tools.check $(ARGS)

accept: $(READY)
	$(RUN) tools.check --accept $(ARGS)

lint: $(READY)
	$(BIN)/ruff check converters demo scripts src tests tools
	$(BIN)/ruff format --check converters demo scripts src tests tools
	$(BIN)/snakefmt --check Snakefile workflow
	PYTHONPATH=src $(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/snakemake --lint

$(READY): envs/requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3"; exit 1; }
	@echo "Installing the packages into $(VENV) (2 to 5 minutes, once)"
	@$(PYTHON) -m venv --clear $(VENV) || \
	  { echo "Python's venv is missing (on Debian: apt-get install python3-venv)"; exit 1; }
	@{ $(BIN)/python -m pip install --progress-bar off --disable-pip-version-check $(FROM) --require-hashes -r $< && \
	  touch $@; } | $(BIN)/python tools/show_installation.py $<
	@test -e $@

docs: $(READY)
	$(RUN) turingstats.config.settings_files
	$(RUN) tools.study_reference
	$(BIN)/snakemake --quiet all
	$(RUN) tools.write_docs
	$(BIN)/snakemake --quiet all --config study=all
	$(RUN) tools.gallery
	$(RUN) tools.notebook

release: $(READY)
	$(BIN)/snakemake $(ARGS)
	$(RUN) tools.release

# One package is built when it is installed, for which it needs setuptools.
wheelhouse: $(READY)
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --require-hashes \
	  --dest wheelhouse -r envs/requirements.lock
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --dest wheelhouse setuptools wheel

sbom: $(READY)
	$(RUN) tools.sbom

# Nothing is installed: the lock file names every package. A package that cannot be looked up is a failure.
audit:
	$(PYTHON) -m venv --clear .venv-audit
	.venv-audit/bin/pip install --quiet --disable-pip-version-check --retries 1 --timeout 10 pip-audit
	.venv-audit/bin/pip-audit --vulnerability-service osv --timeout 10 --strict --require-hashes \
	  --disable-pip --progress-spinner off --format json --output .venv-audit/found.json \
	  -r envs/requirements.lock -r envs/browser.lock

help:
	@sed -n '/^# make/s/^# //p' Makefile

lock:
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/pip install --quiet uv
	.venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade \
	  --python-version 3.11 envs/requirements.in -o envs/requirements.lock
	.venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade \
	  --python-version 3.11 -c envs/requirements.lock envs/browser.in -o envs/browser.lock
	rm -rf .venv-lock

clean:
	rm -rf results data/raw .snakemake
