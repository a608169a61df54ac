# Everything runs in .venv, which is made once and renewed when a pin changes. Nothing needs to be activated.
PYTHON ?= python3
BIN := .venv/bin

# A process for each core: tensors this small are slower on several threads than on one.
test mutants: export OMP_NUM_THREADS := 1

# One more than there are cores, as many wait for the processes that they start; four use 12 GiB.
CORES := $(shell getconf _NPROCESSORS_ONLN)
WORKERS := $(shell echo $$(( $(CORES) < 3 ? $(CORES) + 1 : 4 )))

.PHONY: setup demo test mutants lab build bench docs pictures clean

# pip would compile what it installs on one core, tests and all.
install = test -x $(BIN)/pip || $(PYTHON) -m venv .venv; $(BIN)/python -m pip install --quiet \
	--disable-pip-version-check --no-compile --constraint constraints.txt --editable
compile = $(BIN)/python -m compileall -qq -j 0 -x '/tests?/' .venv/lib || true

setup: .venv/.for-tests

.venv/.for-tests: constraints.txt pyproject.toml
	$(install) '.[test]'
	$(compile)
	touch .venv/.for-instructors $@

.venv/.for-instructors: constraints.txt pyproject.toml
	$(install) '.[instructor]'
	$(compile)
	touch $@

demo: .venv/.for-instructors
	$(BIN)/course demo build/demo

test: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/course build --check
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

mutants: setup
	$(BIN)/python -m tests.mutation.run

lab: setup
	$(BIN)/jupyter lab notebooks

build: setup
	$(BIN)/course build

bench: setup
	$(install) '.[bench]'
	$(BIN)/python -m benchmarks.run

docs: setup
	$(install) '.[docs]'
	$(BIN)/sphinx-build --quiet --fail-on-warning docs build/docs
	$(BIN)/python -m docs.tools.walk build/docs

pictures: setup
	$(BIN)/python -m docs.tools.pictures

clean:
	rm -rf build .venv
