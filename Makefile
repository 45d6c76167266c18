# `make` builds every game into output/, `make test` runs every check and test.
# Only Python 3.11+ and make are assumed; the first call sets up .venv by itself.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
TESTED := $(VENV)/.tested
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: all build test tests forking pythons environments soak mutants mutation lint fuzz bench docs constraints clean
.DEFAULT_GOAL := build

# Tests start the program and import each other hundreds of times: Python keeps what it has compiled of them.
unexport PYTHONDONTWRITEBYTECODE

all: build

# What building needs, and nothing else.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "duckpress needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

# What the tests need besides, in the same environment.
$(TESTED): $(READY)
	$(PIP) --editable '.[dev]'
	@$(PIP) --only-binary atheris --editable '.[fuzz]' 2>/dev/null || echo "no atheris for this system: what needs it will skip"
	@$(PIP) --editable '.[cluster]' 2>/dev/null || echo "no dask.distributed for this system: what needs it will skip"
	@touch $@

build: $(READY)
	$(BIN)/duckpress build --lang all

test: $(TESTED)
	@$(MAKE) --no-print-directory --jobs=3 lint forking tests

tests: $(TESTED)
	$(BIN)/python -m pytest -n auto

# Tests that fork skip in the workers of pytest-xdist, which have threads, so they run without it.
forking: $(TESTED)
	@$(BIN)/python -m pytest -p no:xdist -m "forks and not soak" \
	    tests/proof/test_own_faces.py tests/render/test_drawn.py tests/pool/test_parallel.py tests/share/editions/test_editions_run.py

# The cases that `make test` leaves out, random moments and inputs, some half an hour: `make soak SECONDS=3600` for longer,
# `make soak PART=12` for a fixed twelfth of them.
soak: $(TESTED)
	DUCKPRESS_SOAK_PART=$(or $(PART),1) DUCKPRESS_SOAK_SECONDS=$(or $(SECONDS),0) DUCKPRESS_HYPOTHESIS=$(if $(SECONDS),long,soak) $(BIN)/python -m pytest -n auto -m "soak or hypothesis" -rfEP

# The fast tests once more with every other Python that is found (PATH, /usr/bin, pyenv), each in an environment of its
# own; `make environments` only makes these.
pythons: $(READY)
	$(BIN)/python tests/pythons.py

environments: $(READY)
	@$(BIN)/python tests/pythons.py --only-environments

# Small faults, each put into a copy of the program: who catches the wrong paper, and what survives?
mutants: $(TESTED)
	$(BIN)/python tests/proof/mutants/run.py

# Small faults in what counts, deals, computes and reads tables: which do the tests of it let pass?
# `make mutation FILES="check/dealing.py expressions"` tries some files or folders of the program, EVERY=5 each fifth fault.
mutation: $(TESTED) $(VENV)/.mutation
	$(BIN)/python tests/mutation/run.py $(FILES) --every $(or $(EVERY),1)

$(VENV)/.mutation: pyproject.toml constraints.txt | $(TESTED)
	$(PIP) --editable '.[mutation]'
	@touch $@

lint: $(TESTED)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Two minutes for each door, then hypothesis for long: `make fuzz SECONDS=600`, `make fuzz DOOR=svg`.
fuzz: $(TESTED)
	$(BIN)/python tests/fuzz/run.py $(or $(DOOR),all) --seconds $(or $(SECONDS),120)
	DUCKPRESS_HYPOTHESIS=long $(BIN)/python -m pytest -n auto tests/hostile tests/fuzz -k any_

bench: $(TESTED)
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/games.py
	$(BIN)/python benchmarks/checks.py
	$(BIN)/python benchmarks/tables.py
	$(BIN)/python benchmarks/drawings.py
	$(BIN)/python benchmarks/scripts.py
	$(BIN)/python benchmarks/pictures.py

docs: $(TESTED)
	$(BIN)/python docs/make_pictures.py
	$(BIN)/python docs/make_layout_pictures.py
	$(BIN)/python docs/make_printing_pictures.py
	$(BIN)/python docs/make_language_pictures.py
	$(BIN)/python docs/make_page_pictures.py

constraints: $(TESTED) $(VENV)/.mutation
	@sed -n '/^#/p' constraints.txt > constraints.new
	@$(BIN)/python -m pip freeze --exclude-editable | grep -vi '^duckpress' >> constraints.new
	@mv constraints.new constraints.txt

clean:
	rm -rf $(VENV) .pythons output/*/ build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .fuzz .duckpress-cache
