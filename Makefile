# make results    regenerate every statistic, figure and table into results/
# make test       run the quick tests
# make test-all   run the tests of continuous integration: also runs of the workflow, and pages in a browser
# make test-slow  run the tests that simulate for minutes
# make coverage-tests   run the quick tests, and list the code that they do not reach
# make test-install   install into fresh environments, with old and new versions of Python and pip
# make browser    install Chromium for the tests of pages (Debian)
# make calibration   simulate how often each test rejects true null hypotheses, into docs/
# make coverage   simulate the coverage of intervals, into docs/; ARGS=games: in studies of one kind
# make bench      time the pipeline, and check its jobs and memory; ARGS="--large 1000000" or "--votes 1000000": a large study
# make check      rerun, and compare numbers and pictures with the accepted ones
# make accept     accept the numbers and pictures of a rerun
# make lint       style of Python and Snakemake files
# make docs       rewrite what follows from the configuration model, and pictures and numbers of the results
# make site       the documentation as a site, in results/site/
# make release    results of a tagged commit, with SHA256SUMS for `sha256sum -c`
# make lock       renew the lock files in envs/ from pyproject.toml
# make wheelhouse download all packages, to install without a network: make results WHEELHOUSE=wheelhouse
# make add        install further packages: ARGS=openai
# make sbom       list the packages of a run with their licenses, and as bill of materials, in results/
# make audit      look for known vulnerabilities of all packages
# make clean      remove results and generated raw data
# make            show these lines
#
# Needs Python 3.11 or newer with venv, and git for public data; everything else is
# installed into .venv/ from the lock files, what a run needs first, the rest when tests or docs ask for it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
DEV := $(VENV)/ready-dev
RUN := PYTHONPATH=src $(BIN)/python -m
# What to make, and with which options: make results ARGS="figures --config seed=7"
ARGS ?=
# Files of tests go to two processes in turn.
SPREAD := -n 2 --dist loadfile --no-loadscope-reorder
# Folder of packages to install from, instead of the network: see make wheelhouse.
WHEELHOUSE ?=
FROM := $(if $(WHEELHOUSE),--no-index --find-links $(WHEELHOUSE))
# Packages are installed by the uv that is there, if it is as new as pyproject.toml asks, or by one in .venv.
OWN_UV := $(shell uv cache dir >/dev/null 2>&1 && command -v uv)
UV := $(or $(OWN_UV),$(BIN)/uv)
SYNC = $(UV) pip sync --python $(BIN)/python --require-hashes $(FROM) envs/requirements.lock
COMPILE := pip compile --quiet --universal --generate-hashes --upgrade --custom-compile-command "make lock"
ifndef OWN_UV
# Nothing is written outside of the project, and packages are linked from the cache, not copied.
export UV_CACHE_DIR ?= $(abspath $(VENV))/cache
endif

# Modules are compiled once, and not by each step of a run, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help

.PHONY: help results test test-all test-slow test-install coverage-tests browser calibration coverage bench \
  check accept lint docs site lock add clean release wheelhouse sbom audit

results: $(READY)
	$(BIN)/snakemake $(ARGS)

test: $(DEV)
	$(BIN)/python -m pytest $(SPREAD) -m "not (workflow or browser or slow)" $(ARGS)

test-all: $(DEV)
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest $(SPREAD) $(ARGS)

test-slow: $(DEV)
	$(BIN)/python -m pytest -m slow $(ARGS)

test-install: $(DEV)
	$(BIN)/python -m pytest -m install $(ARGS)

coverage-tests: $(DEV)
	$(MAKE) --no-print-directory test ARGS="--cov --cov-report=term $(ARGS)"

# Chromium comes from the system; where apt is not, any that is installed will do.
browser:
	command -v chromium || command -v chromium-browser || command -v google-chrome || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }

calibration: $(DEV)
	$(RUN) tools.simulations calibration joint $(ARGS)

coverage: $(DEV)
	$(RUN) tools.simulations $(ARGS)

bench: $(DEV)
	$(RUN) tools.bench $(ARGS)

check: $(DEV)
	$(RUN) tools.check $(ARGS)

accept: $(DEV)
	$(RUN) tools.check --accept $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check converters demo scripts src tests tools
	$(BIN)/ruff format --check converters demo scripts src tests tools
	$(BIN)/snakefmt --check Snakefile workflow
	PYTHONPATH=src $(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/snakemake --lint

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3"; exit 1; }
ifdef OWN_UV
	@uv venv --quiet --clear --python "$$(command -v $(PYTHON))" $(VENV)
else
	@$(PYTHON) -m venv --clear $(VENV) || \
	  { echo "Python's venv is missing (on Debian: apt-get install python3-venv)"; exit 1; }
endif

$(BIN)/uv: envs/uv.txt | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(FROM) --require-hashes -r $<
	@touch $@

# Packages of a run, and those of tests as well if they were there before.
$(READY): envs/requirements.lock $(if $(OWN_UV),,$(BIN)/uv) | $(BIN)/python
	@echo "Installing the packages into $(VENV) (once)"
	@$(SYNC) $(if $(wildcard $(DEV)),envs/dev.lock)
	@rm -rf $(VENV)/cache
	@touch $@

$(DEV): envs/dev.lock $(READY)
	@$(SYNC) envs/dev.lock
	@rm -rf $(VENV)/cache
	@touch $@

add: $(READY)
	$(UV) pip install --python $(BIN)/python --constraint envs/dev.lock --constraint envs/requirements.lock $(FROM) $(ARGS)

docs: $(DEV)
	$(RUN) tools.references
	$(BIN)/snakemake --quiet all
	$(RUN) tools.write_docs
	$(BIN)/snakemake --quiet all --config study=all
	$(RUN) tools.gallery
	$(RUN) tools.notebook

# Of a commit with a tag and without changes. Logs and benchmarks differ each time and get no checksum.
release: $(READY)
	git diff --quiet HEAD && git describe --tags --exact-match
	$(BIN)/snakemake $(ARGS)
	for page in results/*/report/index.html; do (cd $$(dirname $$page)/.. && \
	  find . -type f ! -path "./logs/*" ! -path "./benchmarks/*" ! -name ".*" ! -name SHA256SUMS | \
	  LC_ALL=C sort | sed "s|^./||" | xargs -d "\n" sha256sum > SHA256SUMS); done

wheelhouse: $(READY)
	$(UV) tool run --python $(BIN)/python pip download --quiet --disable-pip-version-check --no-deps \
	  --require-hashes --dest wheelhouse -r envs/uv.txt -r envs/requirements.lock

# It fails on a license under which the pipeline could not be used; UNKNOWN is what a package does not state.
sbom: $(READY)
	mkdir -p results
	$(UV) tool run --from cyclonedx-bom cyclonedx-py environment --pyproject pyproject.toml \
	  --output-file results/sbom.cdx.json $(BIN)/python
	$(UV) tool run pip-licenses --python $(BIN)/python --from mixed --format markdown --with-urls \
	  --partial-match --fail-on "Affero;AGPL;NonCommercial;Proprietary" --output-file results/licenses.md

# Nothing is installed: the lock files name every package. A package that cannot be looked up is a failure.
audit: $(READY)
	$(UV) tool run pip-audit --vulnerability-service osv --timeout 10 --strict --require-hashes --disable-pip \
	  --progress-spinner off --format json --output $(VENV)/audit.json -r envs/requirements.lock -r envs/dev.lock

help:
	@sed -n '/^# make/s/^# //p' Makefile

site: $(DEV)
	$(UV) pip install --quiet --python $(BIN)/python --constraint envs/dev.lock --constraint envs/requirements.lock --group docs
	PYTHONPATH=src $(BIN)/sphinx-build -q -W --keep-going -c docs/site docs results/site

lock: $(READY)
	$(UV) $(COMPILE) pyproject.toml -o envs/requirements.lock
	$(UV) $(COMPILE) --group dev --constraint envs/requirements.lock -o envs/dev.lock
	echo uv | $(UV) $(COMPILE) - -o envs/uv.txt

clean:
	rm -rf results data/raw .snakemake
