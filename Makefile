# Every target makes .venv if it is not there, and installs only what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TESTS ?=

# Tests have a process for each core: threads of OpenMP in each of them would only wait for one another.
test test-nojit test-bounds test-cpus coverage: export OMP_NUM_THREADS := 1

.PHONY: demo docs wheel wheel-pure wheel-check pictures test test-nojit test-bounds test-cpus test-slices fuzz fuzz-slice coverage check format bench reproduce reproduce-full clean

demo: $(VENV)/.core
	@echo "== softwood demo"
	$(BIN)/softwood warmup c45 cart soft coalescence
	$(BIN)/softwood demo --output demo.softwood

test: $(VENV)/.test
	@echo "== tests"
	$(BIN)/python -m pytest -q -n auto $(TESTS)

# The kernels as plain Python: slow, but every line counts, and Python checks every index.
test-nojit: $(VENV)/.test
	@echo "== tests without compilation"
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n auto $(TESTS)

test-bounds: $(VENV)/.test
	@echo "== tests with bounds checks in the kernels"
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.numba_cache/bounds-$$(find src/softwood/_kernels -name "*.py" | sort | xargs cat | cksum | cut -d' ' -f1) \
		$(BIN)/python -m pytest -q -n auto $(TESTS)

# What CI runs of both, every time: kernels, and those who hand them arrays that others have made.
SLICE := tests/kernels tests/flow tests/forest tests/persist
COVERED := --cov=softwood.flow --cov=softwood.forest --cov=softwood.persist
FLOOR := 97

test-slices: $(VENV)/.test
	$(MAKE) test-bounds TESTS="$(SLICE)"
	$(MAKE) test-nojit TESTS="$(SLICE) $(COVERED) --cov-report=term --cov-fail-under=$(FLOOR)"

# Numbered cases of hostile tables, model files, commands and faults; `python -m tests.fuzz --help`.
SECONDS ?= 300
KINDS ?=
SEED ?=

fuzz: $(VENV)/.test
	@echo "== hostile cases for $(SECONDS) seconds"
	$(BIN)/python -m tests.fuzz $(KINDS) --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# What CI runs of it every time: cases that depend on their number alone, of a seed that stays, so
# that a commit is judged alike today and tomorrow. Nightly runs take the seed of the day, and all kinds.
fuzz-slice: $(VENV)/.test
	$(MAKE) fuzz SECONDS=240 SEED=1 KINDS="tables functions files texts"

# What may differ from processor to processor, under the other kinds that this one can play.
test-cpus: $(VENV)/.test
	$(BIN)/python -m tests.cpus

coverage: $(VENV)/.test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n auto --cov --cov-report=term-missing:skip-covered $(TESTS)

check: $(VENV)/.test
	@echo "== ruff, format, mypy, import contracts"
	$(BIN)/ruff check src tests benchmarks examples docs
	$(BIN)/ruff format --check src tests benchmarks examples docs
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.test
	$(BIN)/ruff check --fix src tests benchmarks examples docs
	$(BIN)/ruff format src tests benchmarks examples docs

bench: $(VENV)/.test
	cd benchmarks && ../$(BIN)/python bench_trees.py --large && ../$(BIN)/python bench_startup.py && \
	../$(BIN)/python bench_smoothing.py && ../$(BIN)/python bench_anneal.py && ../$(BIN)/python bench_compare.py

# The tables and figures of the papers. Killed, it goes on where it was; `rm -rf build/reproduce` begins anew.
# SOFTWOOD_DATA=FOLDER finds data sets that no package brings. What a full run has found is not
# replaced by a quick one: that is written beside it, to reproduced/PAPER/quick, and compared.
reproduce: $(VENV)/.test
	@echo "== the five papers, in minutes"
	MPLBACKEND=agg $(BIN)/softwood reproduce --all --quick --resume --store build/reproduce -o reproduced

# The same with the numbers of runs that are asked for, or nearly: hours.
reproduce-full: $(VENV)/.test
	@echo "== the five papers, in hours"
	MPLBACKEND=agg $(BIN)/softwood reproduce --all --full --resume --store build/reproduce -o reproduced

# The pages, with no warning and no broken link between them; examples are run for the gallery.
docs: $(VENV)/.docs
	@echo "== docs"
	MPLBACKEND=agg $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python docs/_ext/check_links.py docs/_build/html
	@echo "open docs/_build/html/index.html"

# The pages of the guide make their own pictures.
pictures: $(VENV)/.test
	MPLBACKEND=agg $(BIN)/python docs/images/draw.py
	cd docs/guide/images && for page in ../*.md; do MPLBACKEND=agg ../../../$(BIN)/python -m doctest $$page; done

# A wheel for every system: kernels are compiled where they run.
wheel-pure: $(VENV)/.test
	@echo "== wheel"
	$(BIN)/python -m pip install -q --disable-pip-version-check build
	$(BIN)/python -m build --wheel

# A wheel with kernels for processors like this one.
wheel: $(VENV)/.test
	@echo "== wheel with compiled kernels"
	$(BIN)/python -m pip install -q --disable-pip-version-check build
	rm -rf build/compiled
	$(BIN)/python -m tests.compiled --into build/compiled
	SOFTWOOD_COMPILED=build/compiled $(BIN)/python -m build --wheel

# Whether a wheel with kernels has all of them: WHEEL=dist/softwood-...-cp311-none-linux_x86_64.whl
wheel-check: | $(BIN)/python
	rm -rf build/wheel-venv && $(PYTHON) -m venv build/wheel-venv
	build/wheel-venv/bin/python -m pip install -q --disable-pip-version-check "$(WHEEL)[plot]" pandas pytest pytest-timeout hypothesis
	NUMBA_CACHE_DIR=build/wheel-venv/kernels build/wheel-venv/bin/python -m tests.compiled
	build/wheel-venv/bin/python -m pytest -q -p no:cacheprovider tests/architecture/test_fingerprints.py

clean:
	rm -rf $(VENV) docs/_build docs/gallery docs/api/generated .numba_cache .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@echo "== making $(VENV)"
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(BIN)/python
	@echo "== installing softwood with its plot extra"
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[plot]"
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@echo "== installing softwood with its data, plot and test extras"
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[data,plot,test]"
	@touch $@ $(VENV)/.core

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	@echo "== installing softwood with its docs extra, and what examples need"
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[data,plot,boost,docs]"
	@touch $@ $(VENV)/.core
