# Everything a contributor runs. `make help` lists it.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help install demo test lint bench-fdlibm clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "zeroin needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

install: $(BIN)/.installed  ## make .venv with zeroin and everything it needs

demo: install  ## cover a real function and run the test that comes out
	$(BIN)/python examples/demo.py

test: install  ## run the tests
	$(BIN)/python -m pytest -n auto

lint: install  ## ruff and mypy
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy

bench-fdlibm: install  ## repeat CoverMe's evaluation on fdlibm (10 seeds, about 10 minutes), write RESULTS.md
	$(BIN)/python -m bench.fdlibm.run --seeds 10 --paper --random --speed --write

clean:  ## remove what was built
	rm -rf .venv build dist zeroin-out bench/*/work
