# Needs Python 3.10 or newer and make. Everything is installed into .venv, anew whenever pyproject.toml changed.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test lint types bench clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' Makefile

demo: .venv/.ready ## read an example trace and say where its steps' time goes
	@$(BIN)/stepscope report examples/batch_size.slow.pt.trace.json.gz

test: .venv/.ready-test ## run the tests; more options: make test ARGS="-k nesting", and the slow ones too: make test ARGS="-m slow"
	@$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

lint: .venv/.ready-dev ## look for mistakes and for unformatted code
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/.ready-dev ## check the types
	@$(BIN)/mypy

bench: .venv/.ready ## measure the speed of reading; more options: make bench ARGS=...
	@$(BIN)/python benchmarks/run.py $(ARGS)

clean: ## delete .venv and everything else that make and the tools leave behind
	@rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 10) else \
		"stepscope needs Python 3.10 or newer; name one, as in: make PYTHON=python3.12")'
	@echo "Setting up .venv; the first time this takes a minute or two."
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv
	@$(PIP) --editable .
	@touch $@

.venv/.ready-%: pyproject.toml | .venv/.ready
	@$(PIP) --editable '.[$*]'
	@touch $@
