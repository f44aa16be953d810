# `make run` and `make test` prepare everything themselves; running either again is fast.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the app needs, and what tests, checks, training and benchmarks need beside it.
READY := $(VENV)/.ready
DEV := $(VENV)/.ready-dev
SHARED ?= ../shared
# Hundreds of processes start in the tests: each would compile what the one before it compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: ready run test test-failed check bench bench-load bench-scale bench-parse bench-browser eval eval-law cells weekly eval-papers risk same models peers demo screenshots figures decisions mutants docs clean

ready: $(DEV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo '需要 Python 3.11 或更新版本' >&2; exit 1)
	$(PYTHON) -m venv $(VENV)

# What the tests need holds what the app needs.
$(DEV): requirements.txt requirements-models.txt requirements-scale.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $(READY) $(DEV)

$(READY): requirements.txt | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $(READY)

run: $(READY)
	$(BIN)/python -m nemo demo --if-empty
	$(BIN)/python -m streamlit run nemo/web/server.py

test: $(DEV)
	$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder --durations 30 --durations-min 5

# What failed in the last run, one at a time; nothing to run is a failure
test-failed: $(DEV)
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

demo: $(READY)
	$(BIN)/python -m nemo demo

bench: $(DEV)
	$(BIN)/python -m benchmarks.speed --shared $(SHARED)

# LIBRARY: a library that holds ../shared/corpus; it is copied. PEERS: see peers
bench-load: $(DEV)
	$(BIN)/python -m benchmarks.load --shared $(SHARED) $(if $(LIBRARY),--library $(LIBRARY)) $(if $(PEERS),--python $(PEERS))

bench-scale: $(DEV)
	$(BIN)/python -m benchmarks.scale --shared $(SHARED)

bench-parse: $(DEV)
	$(BIN)/python -m benchmarks.parsing
	$(BIN)/python -m benchmarks.background
	$(BIN)/python -m benchmarks.background --zip
	$(BIN)/python -m benchmarks.background --page

bench-browser: $(DEV)
	$(BIN)/python -m benchmarks.browser --shared $(SHARED)

eval: $(DEV)
	$(BIN)/python -m benchmarks.quality --shared $(SHARED)

# OUT: a folder for the questions by province, kind of plant and class
cells: $(DEV)
	$(BIN)/python -m benchmarks.cells $(OUT) --manifest $(SHARED)/corpus/manifest.jsonl --manifest $(SHARED)/normative/corpus/manifest.jsonl

# For cron or CI. OUT as above; LIBRARY: one that holds those texts; exits 1 where a question became worse since the last run
weekly: cells
	$(BIN)/python -m nemo evaluate $(OUT) --library $(LIBRARY) --keep --save $(OUT)/last.json $(if $(wildcard $(OUT)/last.json),--since $(OUT)/last.json)

eval-law: $(DEV)
	$(BIN)/python -m benchmarks.eval_law --shared $(SHARED)

# BASE: a library that holds ../shared/corpus and ../shared/normative/corpus; it is copied
eval-papers: $(DEV)
	$(BIN)/python -m benchmarks.papers --shared $(SHARED) $(if $(BASE),--base $(BASE)) --peer

# STATUTES, PAPERS: libraries that make figures left with --keep
risk: $(DEV)
	$(BIN)/python -m benchmarks.risk --shared $(SHARED) --statutes $(STATUTES) --papers $(PAPERS)

same: $(DEV)
	$(BIN)/python -m benchmarks.same --shared $(SHARED)

# Builds both models into build/models; training/README.md says how they come into data/models.
models: $(DEV)
	$(BIN)/python -m training --shared $(SHARED)

# PEERS: an interpreter with benchmarks/requirements-peers.txt installed, in an environment of its own
peers: $(DEV)
	$(BIN)/python -m benchmarks.peers --python $(PEERS) --shared $(SHARED)

screenshots: $(DEV)
	$(BIN)/python -m tests.screenshots

# KEEP: a folder in which the libraries stay; BEGIN=1: only the first of them is built there
figures: $(DEV)
	$(BIN)/python -m benchmarks.figures --shared $(SHARED) $(if $(KEEP),--keep $(KEEP)) $(if $(BEGIN),--begin)

decisions: $(DEV)
	$(BIN)/python -m benchmarks.constants
	$(BIN)/python -m benchmarks.decisions --write
	NEMO_PATTERNS=write $(BIN)/python -m pytest -q tests/test_patterns.py

# LOG: a file that keeps each verdict; a run that was stopped goes on behind the last one there
mutants: $(DEV)
	$(BIN)/python -m benchmarks.mutants $(if $(LOG),--log $(LOG))

docs: $(DEV)
	$(BIN)/python -m pdoc --docformat google -o build/docs nemo

clean:
	rm -rf $(VENV)
