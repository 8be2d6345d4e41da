# book · test · test-all · times · bench · budgets · results · records · outputs · lab · lock · twice · clean. Each target makes what it needs; only python3.11, git and make are assumed.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
# Where the CPU build of torch is, without the gigabytes of CUDA; where that cannot be reached, pip's own index serves.
TORCH  ?= https://download.pytorch.org/whl/cpu
BIN     = .venv/bin
TIMED   = @.ci/timed
TIER    = fast
AGAIN   = --reruns 1 --only-rerun "from pytest-timeout"
SOURCES = _config.yml _toc.yml index.md $(shell find book assets src -type f ! -path 'book/api/*' ! -name '*.pyc' ! -path '*/.*' ! -path '*.egg-info/*' 2>/dev/null)
export OMP_NUM_THREADS = 1

.PHONY: writable book test test-all times lint types laws bench budgets results records outputs lab lock twice clean
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
test-all: TIER = whole
test-all: test

lint: .venv/.installed
	$(TIMED) ruff $(BIN)/ruff check .
	$(TIMED) format $(BIN)/ruff format --check .
	$(TIMED) oxlint $(BIN)/oxlint

types: .venv/.installed
	$(TIMED) mypy $(BIN)/mypy

# Tests and examples of docstrings on all cores, then every notebook; which tests, says tests/tiers.py. A browser that
# hangs gets a second try. REQUIRE_BROWSER=1: a missing Chromium fails the tests instead of leaving the browser tests out.
laws: _build/.built
	$(TIMED) pytest $(BIN)/pytest tests src -n auto --dist worksteal $(AGAIN) --tier $(TIER) $(if $(SHARD),--shard $(SHARD)) --durations=10
	$(TIMED) notebooks $(BIN)/pytest book -n 2 --dist loadfile $(AGAIN)

# Rewrites the list of slow tests, of which the fast tier takes an eighth in turn.
times: _build/.built
	$(BIN)/pytest tests src -n auto --dist worksteal $(AGAIN) --times tests/times.json

bench: .venv/.installed
	@for file in benchmarks/*.py; do .ci/timed $$file $(BIN)/python $$file || exit 1; done

# Measures the built site in Chromium (minutes) and records what came out.
budgets: _build/.built
	$(TIMED) budgets env PYTHONPATH=.:benchmarks $(BIN)/python benchmarks/browser/budgets.py

# Runs every claim and control (minutes) and records what came out, for the ledger page.
results: .venv/.installed
	$(TIMED) claims $(BIN)/python -m hal.claims --jobs 2

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
