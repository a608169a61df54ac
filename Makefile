# Everything runs in .venv, which is made once and renewed when a pin changes. Nothing needs to be activated.
PYTHON ?= python3
BIN := .venv/bin

# Two processes on two cores: tensors this small are slower on several threads than on one.
test mutants: export OMP_NUM_THREADS := 1

.PHONY: setup demo test mutants lab build bench docs pictures clean

setup: .venv/.made-from-pins

.venv/.made-from-pins: constraints.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $@

demo: setup
	$(BIN)/course demo build/demo

test: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/course build --check
	$(BIN)/python -m pytest -n 2 --dist loadscope

mutants: setup
	$(BIN)/python -m tests.mutation.run

lab: setup
	$(BIN)/jupyter lab notebooks

build: setup
	$(BIN)/course build

bench: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks.run

docs: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	$(BIN)/sphinx-build --quiet --fail-on-warning docs build/docs

pictures: setup
	$(BIN)/python -m docs.tools.pictures

clean:
	rm -rf build .venv
