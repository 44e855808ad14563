# `make lab` opens the course; `make test` checks it in a few minutes, `make test-all` completely.
# Each sets up .venv when it is missing or old.

ifeq ($(OS),Windows_NT)
    python := .venv/Scripts/python.exe
else
    python := .venv/bin/python
endif
export PYTHON
minigrad := $(python) -m minigrad.course.cli
install := $(python) -m pip install --quiet --disable-pip-version-check
# Where this is set, each of the many processes here would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE
nbval := -p notebook_kernels --nbval --nbval-current-env \
    --nbval-sanitize-with tests/nbval_sanitize.cfg --nbval-cell-timeout=600
# A process for each core; a file stays in one, since its fixtures are made once. In their own
# order: the slow ones, which grade and browse, come first.
spread := -n logical --dist loadfile --no-loadscope-reorder
engines := $(addprefix tests/,core dynamic static compiler fast on_jax nn files measure \
    test_api.py test_fuzz.py test_peers.py)

N ?= 10000
JOBS ?= 2

.NOTPARALLEL:
.PHONY: lab test test-fast test-all test-rest test-plain test-notebooks cover lint
.PHONY: scripts fuzz demo doctor refresh figures slides site lite bench lowest pins clean

lab: .venv/lab
	$(minigrad) lab

# Every room of the package, the lessons and the linters; the banks of answers by a daily sample.
test: lint test-fast

test-fast: .venv/test
	$(python) -m pytest $(spread) $(nbval) --tier fast notebooks tests

# Everything: all answers of the banks, browser, site, workers, JAX; the engines without the
# shortcuts; the lowest versions of all packages.
test-all: lint test-fast test-rest

# What test-all does beyond test.
test-rest: .venv/test
	$(python) -m pytest $(spread) --tier rest tests
	$(MAKE) --no-print-directory test-plain
	$(MAKE) --no-print-directory lowest

test-plain: .venv/test
	MINIGRAD_PLAIN=1 $(python) -m pytest $(spread) --tier fast $(engines)

# Which lines of the package no test runs; a third slower than the tests alone.
cover: .venv/test
	$(python) -m pytest $(spread) --cov --cov-report=term

lint: .venv/test scripts
	$(python) -m ruff check
	$(python) -m ruff format --check
	$(python) -m mypy
	$(minigrad) lint

# The scripts of pages, where eslint is installed.
scripts:
	@if command -v eslint > /dev/null; then eslint --config .ci/eslint.config.mjs minigrad; \
	else echo "eslint is not installed: the scripts of pages are not looked at"; fi

test-notebooks: .venv/test
	$(python) -m pytest $(spread) $(nbval) notebooks/

# Random programs in every way: make fuzz N=100000 SEED=7 JOBS=2; a broken run goes on.
fuzz: .venv/test
	$(python) tests/fuzz --count $(N) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

demo: .venv/lab
	$(minigrad) demo

doctor: .venv/lab
	$(minigrad) doctor

refresh: .venv/lab
	$(minigrad) refresh

figures: .venv/lab
	$(minigrad) figures

slides: .venv/slides
	$(minigrad) slides

site: .venv/site
	$(minigrad) site

# Some lessons to run in a browser; what is no Python of it comes by npm.
lite: .venv/lite
	$(minigrad) lite

# Choose and set options so: make bench BENCH="chain --rounds 50"; BENCH=--help lists them.
bench: .venv/bench
	$(python) tests/bench $(BENCH)

# The tests that old packages can break, with the lowest versions that we promise, in .venv-lowest.
lowest: .venv/test
	$(install) uv
	sh .ci/lowest $(python)

pins: .venv/lab
	$(install) uv
	.ci/pins $(python)

clean:
	rm -rf .venv .venv-lowest .pytest_cache .ruff_cache .mypy_cache .hypothesis .coverage

# A stamp per set of packages: only a change of what it names installs again.
stamps := .venv/lab .venv/test .venv/site .venv/slides .venv/lite .venv/bench
$(stamps): .venv/%: .ci/%.txt .ci/constraints.txt pyproject.toml .ci/venv
	@sh .ci/venv
	@echo "installing what 'make $*' needs into .venv (once; a minute or two)"
	@$(install) -r .ci/$*.txt
	@touch $@
