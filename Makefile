# `make run` and `make test` prepare everything themselves; running either again is fast.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SHARED ?= ../shared

.PHONY: run test check bench bench-scale bench-parse bench-browser eval eval-law eval-papers peers demo screenshots clean

$(READY): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo '需要 Python 3.11 或更新版本' >&2; exit 1)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $(READY)

run: $(READY)
	$(BIN)/python -m nemo demo --if-empty
	$(BIN)/python -m streamlit run nemo/web/server.py

test: $(READY)
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

demo: $(READY)
	$(BIN)/python -m nemo demo

bench: $(READY)
	$(BIN)/python -m benchmarks.speed --shared $(SHARED)

bench-scale: $(READY)
	$(BIN)/python -m benchmarks.scale --shared $(SHARED)

bench-parse: $(READY)
	$(BIN)/python -m benchmarks.parsing
	$(BIN)/python -m benchmarks.background
	$(BIN)/python -m benchmarks.background --zip
	$(BIN)/python -m benchmarks.background --page

bench-browser: $(READY)
	$(BIN)/python -m benchmarks.browser --shared $(SHARED)

eval: $(READY)
	$(BIN)/python -m benchmarks.quality --shared $(SHARED)

eval-law: $(READY)
	$(BIN)/python -m benchmarks.eval_law --shared $(SHARED)

# BASE: a library that holds ../shared/corpus and ../shared/normative/corpus; it is copied
eval-papers: $(READY)
	$(BIN)/python -m benchmarks.papers --shared $(SHARED) $(if $(BASE),--base $(BASE)) --peer

# PEERS: an interpreter with benchmarks/requirements-peers.txt installed, in an environment of its own
peers: $(READY)
	$(BIN)/python -m benchmarks.peers --python $(PEERS) --shared $(SHARED)

screenshots: $(READY)
	$(BIN)/python -m tests.screenshots

clean:
	rm -rf $(VENV)
