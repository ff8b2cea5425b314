# Everything a contributor runs. `make help` lists it.
PYTHON ?= python3
BIN := .venv/bin

unexport PYTHONDONTWRITEBYTECODE  # hundreds of processes would each compile all of src

TESTS := $(BIN)/python -m pytest -n auto --dist worksteal
CODE := src tests bench tools

.PHONY: docs browser dist help install demo test test-all slow-tests test-long truth coverage lint format bench-smoke bench-fdlibm bench-decided bench-boundary bench-faults bench-budgets bench-python bench-slow bench-flopsy bench-concolic-walk bench-concolic-walk-programs bench-concolic-walk-alone bench-qf-fp bench-hostile bench-reading bench-fitnex bench-packages bench-packages-python bench-first-hour bench-mutants bench-libraries bench-explore bench-enhanced bench-truth bench-one-float bench-pages bench-reports bench-values clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "zeroin needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

install: $(BIN)/.installed  ## make .venv with zeroin and everything it needs

demo: install  ## cover real functions and run the tests that come out
	$(BIN)/python examples/demo.py

test: install  ## run the tests, but for slow ones (5 to 8 minutes on two cores)
	$(TESTS) -m "not slow" tests/languages  # in two halves: what tests load stays in memory
	$(TESTS) -m "not slow" --ignore tests/languages

test-all: install  ## run all tests (about 25 minutes on two cores)
	$(TESTS)

slow-tests: install  ## measure all tests on a quiet machine, and write tests/slow.txt
	$(BIN)/python tools/slow_tests.py

test-long: install  ## run all tests with many more random examples
	$(TESTS) --hypothesis-profile long

$(BIN)/.docs: $(BIN)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

docs: $(BIN)/.docs  ## build the documentation as a site, in site/; a dead link is an error
	$(BIN)/python docs/reference/generate.py --check
	$(BIN)/python -m mkdocs build --strict --quiet

$(BIN)/.browser: $(BIN)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[browser]'
	@touch $@

browser: $(BIN)/.browser  ## look at the HTML report in headless Chromium (fetched by npm if there is none), take the pictures of the documentation
	$(BIN)/python tools/browser.py --pictures

$(BIN)/.release: $(BIN)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[release]'
	@touch $@

dist: $(BIN)/.release  ## build wheel and sdist in dist/, check them, run the README's commands with the wheel in a new environment
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python tools/check_dist.py dist

truth: install  ## verdicts and tests of 160 random programs against runs of all their inputs (about 4 minutes)
	$(BIN)/python -m bench.truth.run --programs 160

coverage: install  ## run all tests, show which lines of src they run
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest -n auto --dist worksteal
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

lint: install  ## ruff and mypy
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy

format: install  ## have ruff format the code and repair what it can
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

bench-smoke: install  ## run each benchmark with the least of everything, to see that it works: writes no page
	$(BIN)/python -m bench.startup --runs 1 --functions 4
	$(BIN)/python -m bench.python.run --only classics.triangle --budget 1 --alone
	$(BIN)/python -m bench.python.speed --only classics:triangle
	$(BIN)/python -m bench.python.slow --budget 0.2 --every 30
	$(BIN)/python -m bench.python.decided --only guards.log_ladder --attack 1
	$(BIN)/python -m bench.python.decided --only guards.log_ladder --boundary --beside product --budget 2
	$(BIN)/python -m bench.fdlibm.decided --find cast,intoverflow --budget 1
	$(BIN)/python -m bench.budgets --jobs 2 --evals 2000 --every 33
	$(BIN)/python -m bench.work --every 400 --work 0.01
	$(BIN)/python -m bench.packages_python.run --only numpy_financial --budget 2
	$(BIN)/python -m bench.first_hour.run sat_add_i32 rotl --budget 2
	-$(BIN)/python -m bench.values.run --only sat_add_i32 --only rotl --budget 2
	$(BIN)/python -m bench.mutants.run clz32 rotl --most 5 --budget 2
	$(BIN)/python -m bench.python.engines --seeds 1 --only needles.mixed_needle --budget 3
	$(BIN)/python -m bench.python.readable --only needles.mixed_needle
	$(BIN)/python -m bench.flopsy.run --seeds 1
	$(BIN)/python -m bench.concolic_walk.run bench/smoke/conditions.json --seeds 1 --budget 0.2
	$(BIN)/python -m bench.concolic_walk.speed bench/smoke/conditions.json
	$(BIN)/python -m bench.concolic_walk.explore --conditions bench/smoke/conditions.json --only coral --only blind --runs 1 --seconds 1
	$(BIN)/python -m bench.qf_fp.run bench/smoke/files --budget 2 --alone
	$(BIN)/python -m bench.fdlibm.run --only tanh --budget 0.2 --paper --random --speed
	$(BIN)/python -m bench.reading.run --only tanh --runs 20
	$(BIN)/python -m bench.fitnex.run --only sums --seeds 1 --seconds 5
	$(BIN)/python -m bench.packages.run --only AngNormalize --seconds 1
	$(BIN)/python -m bench.libraries.decided --only atanf --only eraAnp --attack 1
	$(BIN)/python -m bench.explore.run --only easter --seconds 2
	$(BIN)/python -m bench.explore.decided --only easter --seconds 2
	$(BIN)/python -m bench.hostile.run --only ending.c:exits_at_once --only ending.py:exits
	$(BIN)/python -m bench.hostile.faults --only 'kill' --every 67
	$(BIN)/python -m bench.hostile.malformed --every 300
	$(BIN)/python -m bench.truth.run --programs 8

bench-fdlibm: install  ## repeat CoverMe's evaluation on fdlibm (10 seeds, about 12 minutes), write RESULTS.md
	$(BIN)/python -m bench.fdlibm.run --seeds 10 --paper --random --coverme 3 --speed --write

bench-decided: install  ## branches of fdlibm and of our Python functions covered or proved infeasible, and an attack on each proof (about an hour), write RESULTS-decided.md
	$(BIN)/python -m bench.fdlibm.decided --seeds 3 --attack 60 --write
	$(BIN)/python -m bench.python.decided --seeds 3 --attack 60 --write

bench-boundary: install  ## boundaries of fdlibm's comparisons met or proved to be out of reach, and an attack on each proof (about two hours), write RESULTS-boundary.md
	$(BIN)/python -m bench.fdlibm.decided --boundary --seeds 3 --attack 60 --beside product --beside "product(factors=logarithmic)" --write

bench-budgets: install  ## the same suites for --jobs 1, 2 and 8, and how far beyond its budget a search goes (about 15 minutes), write RESULTS-budgets.md
	$(BIN)/python -m bench.budgets --write
	$(BIN)/python -m bench.work --write

bench-reports: install  ## public reports of numerical faults, rebuilt: which are found in 10 s each (about 25 minutes), write RESULTS.md
	$(BIN)/python -m bench.reports.run --write

bench-pages: install  ## how long the HTML report of 100 functions takes, and its size (about 10 minutes), write RESULTS-pages.md
	$(BIN)/python -m bench.pages --write

bench-faults: install  ## faults of fdlibm's operations found or proved impossible, and an attack on each proof (about 15 minutes), write RESULTS-faults.md
	$(BIN)/python -m bench.fdlibm.decided --find overflow,nan,divzero,cancel,cast,intoverflow,bounds --attack 10 --write

bench-python: install  ## cover our 59 Python functions (5 seeds, about 15 minutes), write RESULTS.md
	$(BIN)/python -m bench.python.run --tools zeroin --seeds 5 --jobs 2 --write

bench-slow: install  ## the same functions made slow (about 12 minutes), write RESULTS-slow.md
	$(BIN)/python -m bench.python.slow --write

bench-flopsy: install  ## FloPSy's six functions, and variants, by fifteen configurations, 30 seeds (about 8 minutes), write RESULTS.md
	$(BIN)/python -m bench.flopsy.run --write

bench-concolic-walk: install  ## CORAL's conditions by all solvers, 7 seeds (about 25 minutes): make bench-concolic-walk CONDITIONS=file.json
	$(BIN)/python -m bench.concolic_walk.run $(CONDITIONS) --write

bench-concolic-walk-programs: install  ## the programs of the Concolic Walk paper by exploration, 7 runs (hours): make bench-concolic-walk-programs CONDITIONS=file.json
	$(BIN)/python -m bench.concolic_walk.explore --conditions $(CONDITIONS) --write

bench-concolic-walk-alone: install  ## the same programs by the paper's walk alone, with parts of it changed (an hour): make bench-concolic-walk-alone CONDITIONS=file.json
	$(BIN)/python -m bench.concolic_walk.explore --conditions $(CONDITIONS) --seconds 3 --target-seconds 1.5 --walk --write

bench-hostile: install  ## cover 720 functions that do what test subjects must not do, 172 attacks, 724 faults, 3,000 malformed inputs (about two hours), write RESULTS.md
	-$(BIN)/python -m bench.hostile.run --jobs 1 --budget 2 --write
	-$(BIN)/python -m bench.hostile.run --jobs 1 --budget 10 --every 6 --write
	-$(BIN)/python -m bench.hostile.attacks --write
	-$(BIN)/python -m bench.hostile.faults --write
	-$(BIN)/python -m bench.hostile.malformed --write

bench-reading: install  ## check what is read against 1,000 runs of each function (about an hour), write RESULTS.md
	$(BIN)/python -m bench.reading.run --write

bench-qf-fp: install  ## SMT-LIB files with labels.json by all solvers, 10 s each: make bench-qf-fp FOLDER=folder
	$(BIN)/python -m bench.qf_fp.run $(FOLDER) --write

bench-fitnex: install  ## runs until hard statements are covered, by strategy of exploration (an hour or more)
	$(BIN)/python -m bench.fitnex.run --write

bench-enhanced: install  ## one search a branch with the standard and the enhanced fitness (about 15 minutes), write RESULTS.md and RESULTS-declared.md
	$(BIN)/python -m bench.enhanced.run --write
	$(BIN)/python -m bench.enhanced.run --declared --write
	$(BIN)/python -m bench.enhanced.inside --write

bench-packages: install  ## two C libraries and two Python packages by exploration, with FloPSy's solvers beside ours (about 15 minutes)
	$(BIN)/python -m bench.packages.run --write

bench-packages-python: install  ## sixty functions of twelve Python packages, without an option (about 6 minutes), write RESULTS.md
	$(BIN)/python -m bench.packages_python.run --write

bench-first-hour: install  ## sixty functions of a practitioner's first hour, without an option (about 4 minutes), write RESULTS.md
	-$(BIN)/python -m bench.first_hour.run --write

bench-values: install  ## the share of plausible values in the tests of 120 functions (about 15 minutes), write RESULTS.md
	-$(BIN)/python -m bench.values.run --write

bench-mutants: install  ## mutants of forty functions that the suites kill (about 6 minutes), write RESULTS.md; SET=fdlibm or SET=python: of those
	$(BIN)/python -m bench.mutants.run --set $(or $(SET),realistic) --write

bench-libraries: install  ## branches of 273 functions of three C libraries covered or proved infeasible, and an attack on each proof (20 minutes), write RESULTS-decided.md
	$(BIN)/python -m bench.libraries.decided --attack 5 --write

bench-truth: install  ## verdicts and tests of 600 random programs against runs of all their inputs (half an hour), write RESULTS.md
	-$(BIN)/python -m bench.truth.run --programs 600 --write

bench-one-float: install  ## functions of one float against runs of all 2^32 inputs (about 5 minutes), write RESULTS.md
	-$(BIN)/python -m bench.one_float.run --write

bench-explore: install  ## exploration alone, and the branches that are decided, beside CrossHair and angr (two hours)
	$(BIN)/python -m bench.explore.run --write
	$(BIN)/python -m bench.explore.decided --write

clean:  ## remove what was built
	rm -rf .venv build dist site zeroin-out bench/*/work .coverage .coverage.*
