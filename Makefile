# book · test · bench · sentences · mutants · budgets · results · records · outputs · lab · lock · twice · clean. Each target makes what it needs; only python3.11, git and make are assumed.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
# Where the CPU build of torch is, without the gigabytes of CUDA; where that cannot be reached, pip's own index serves.
TORCH  ?= https://download.pytorch.org/whl/cpu
BIN     = .venv/bin
TIMED   = @.ci/timed
SOURCES = _config.yml _toc.yml index.md $(shell find book assets src -type f ! -path 'book/api/*' ! -name '*.pyc' ! -path '*/.*' ! -path '*.egg-info/*' 2>/dev/null)
export OMP_NUM_THREADS = 1

.PHONY: writable book test lint types laws bench sentences mutants budgets results records outputs lab lock twice clean
.DELETE_ON_ERROR:

# In words, before pip or Sphinx say it in theirs; all targets need the environment, which needs this.
writable:
	@test -w . || { echo "make: expected a folder that can be written, got $(CURDIR); make the book in a copy (git clone)" >&2; exit 1; }

.venv/.installed: constraints.txt hashes/dev.txt pyproject.toml | writable
	@.ci/python $(PYTHON)
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	$(TIMED) install .ci/install $(BIN)/python $(TORCH)
	@touch $@

# A failed build leaves pages that Sphinx thinks are up to date: without them the next build says the same again.
_build/.built: .venv/.installed $(SOURCES)
	$(TIMED) build $(BIN)/python .ci/book $(BIN)/jupyter-book build . -W -n --keep-going || { rm -rf _build/.doctrees _build/html; exit 1; }
	@touch $@

book: _build/.built
	@echo "the book: $(CURDIR)/_build/html/index.html"

test: lint types laws

lint: .venv/.installed
	$(TIMED) ruff $(BIN)/ruff check .
	$(TIMED) format $(BIN)/ruff format --check .
	$(TIMED) oxlint $(BIN)/oxlint

types: .venv/.installed
	$(TIMED) mypy $(BIN)/mypy

# Tests, examples of docstrings and notebooks, on all cores; conftest.py says what stays together on one of them.
# REQUIRE_BROWSER=1: a missing Chromium fails the tests instead of leaving the browser tests out; REQUIRE_HISTORY=1: so
# does a clone without the earlier commits, to which the record of statements is held.
laws: _build/.built
	$(TIMED) pytest $(BIN)/pytest -n auto --durations=10

# Tries what figures say at random positions of their sliders, where that has changed, and records what came out.
sentences: .venv/.installed
	$(TIMED) sentences $(BIN)/python -m tests.sentences --jobs 2

bench: .venv/.installed
	@for file in benchmarks/*.py; do .ci/timed $$file $(BIN)/python $$file || exit 1; done

# Measures the built site in Chromium (minutes) and records what came out, for the performance page.
budgets: _build/.built
	$(TIMED) budgets env PYTHONPATH=.:benchmarks $(BIN)/python benchmarks/browser/budgets.py

# Runs every claim and control (minutes) and records what came out, for the ledger page.
results: .venv/.installed
	$(TIMED) claims $(BIN)/python -m hal.claims --jobs 2

# Breaks formulas, one at a time, and records whether a test or a claim notices (hours); in slices: MUTANTS="--slice 0:60"
mutants: .venv/.installed
	$(TIMED) mutants $(BIN)/python -m benchmarks.mutants $(MUTANTS)

# Makes what the recorded runs of the chapters lack; with ANEW=1 all of them again (more than an hour of one core).
records: .venv/.installed
	$(TIMED) records $(BIN)/python -m hal.chapters.records --jobs 2 $(if $(ANEW),--anew)

# Runs the chapters and keeps the few outputs that nbval compares.
outputs: .venv/.installed
	$(BIN)/python .ci/outputs book/*.ipynb

lab: .venv/.installed
	$(BIN)/jupyter lab --notebook-dir=book

# After changing pyproject.toml: the newest versions that it allows, as this machine has them, and the digests of their files.
lock:
	PYTHON=$(PYTHON) .ci/lock $$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])') --newest

# Makes the committed book and its release twice from nothing, in other places and at other times, and compares the bytes.
twice: .venv/.installed
	@rm -rf .cache/twice
	$(TIMED) twice $(BIN)/python .ci/twice .cache/twice

clean:
	rm -rf _build .cache .pytest_cache .ruff_cache .mypy_cache
