# `make` alone lists the commands. Everything happens in .venv; nothing else is touched.

SHELL  := bash
PYTHON ?= python3
# Processes that the tests are spread over; auto is one for each core.
JOBS   ?= auto

BIN        := .venv/bin
CATALOGUES := src/diloti/words/catalogues
LANGUAGES  := el pt ru
PO_FILES   := $(wildcard $(CATALOGUES)/*/LC_MESSAGES/*.po)
CORE_COVER := 95

# Compiled code of the tests and proofs, kept apart from the player's own.
KERNELS    := NUMBA_CACHE_DIR='$(CURDIR)/.cache/numba'
# The database of the tests, where there is one.
SERVICES   := DILOTI_TEST_POSTGRESQL="$$(cat .cache/postgresql 2>/dev/null)"

# pip, told to say one line for each package.
define pip_install
@set -o pipefail; $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off \
	--require-hashes -r $(1) \
	| while read -r word what _; do case $$word in \
		Collecting|Processing) what=$${what##*/}; echo "    $${what%-*-*-*.whl}" ;; \
		Installing) echo "    unpacking ..." ;; \
	esac; done
endef

.DEFAULT_GOAL := help
.PHONY: help setup play terminal services test proof lint types layers tests-compiled tests-interpreted \
	format bench study study-quick weights catalogues wheel requirements clean

help: ## Lists these commands.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# --- To play -----------------------------------------------------------------

setup: .venv/ready ## Installs the game into .venv (about a minute, once; later runs do nothing).

play: setup ## Starts the table for the browser, and opens its page.
	@$(BIN)/diloti serve --open

terminal: setup ## Starts the game in this terminal.
	@$(BIN)/diloti play

.venv/bin/python:
	@$(PYTHON) -c '' 2>/dev/null || { \
		echo "Python was not found as '$(PYTHON)'. Install Python 3.11 or newer, or name it:"; \
		echo "    make setup PYTHON=/path/to/python3"; exit 1; } >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Diloti needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1)."; \
		echo "If a newer one is installed, name it:  make setup PYTHON=python3.12"; exit 1; } >&2
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "This Python lacks its modules venv and ensurepip, which make .venv."; \
		echo "On Debian or Ubuntu:  apt install python3-venv"; exit 1; } >&2
	@echo "==> Making .venv with $$($(PYTHON) -V) (a few seconds)"
	@rm -rf .venv && $(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

.venv/packages: requirements/play.txt | .venv/bin/python
	@echo "==> Installing what the game needs (half a minute to two minutes: about 80 MB)"
	$(call pip_install,requirements/play.txt)
	@touch $@

.venv/ready: .venv/packages pyproject.toml hatch_build.py $(PO_FILES)
	@echo "==> Installing the game itself (a few seconds)"
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet \
		--no-build-isolation --no-deps --editable .
	@touch $@
	@echo "==> Ready: 'make play' starts the game, and $(BIN)/diloti is the program"

# --- To develop ---------------------------------------------------------------

.venv/dev: requirements/dev.txt .venv/ready
	@echo "==> Installing the developers' tools (about half a minute)"
	$(call pip_install,requirements/dev.txt)
	@touch $@

.venv/bench: requirements/bench.txt .venv/ready
	@echo "==> Installing what the benchmark compares with (a few seconds)"
	$(call pip_install,requirements/bench.txt)
	@touch $@

.venv/yardsticks: requirements/yardsticks.txt .venv/bench .venv/dev
	@echo "==> Installing environments of others to compare with (a minute: 700 MB)"
	$(call pip_install,requirements/yardsticks.txt)
	@touch $@

test: lint types layers tests-compiled tests-interpreted ## Checks everything but the proofs: style, types, layers, tests.

lint: .venv/dev ## Looks for mistakes and bad style with ruff.
	@echo "==> Style"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { echo "'make format' puts these files right."; exit 1; }

types: .venv/dev ## Checks the types with mypy.
	@echo "==> Types"
	@$(BIN)/mypy

layers: .venv/dev ## Checks which module imports which with import-linter.
	@echo "==> Layers"
	@$(BIN)/lint-imports --no-logo --cache-dir .cache/import-linter

services: ## Installs and starts the browser and the database of the tests, where it can.
	@.ci/services

tests-compiled: .venv/dev services ## Runs the tests on the compiled code, array bounds checked.
	@echo "==> Tests, compiled, array bounds checked"
	@$(KERNELS) $(SERVICES) NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(JOBS)

# What needs the bots' thinking, or is not about rules, takes minutes interpreted and shows nothing new.
COMPILED_ONLY := web_* app* score* study* dataset* executors* examples* \
	envs_batch* envs_decisions* envs_spiel* envs_zoo*

tests-interpreted: .venv/dev ## Runs those of the engine interpreted, measuring coverage.
	@echo "==> Tests, interpreted, coverage measured"
	@mkdir -p .cache
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(JOBS) --cov --cov-report= \
		$(foreach name,$(COMPILED_ONLY),--ignore-glob='tests/test_$(name)')
	@$(BIN)/coverage report --include='src/diloti/core/*' --fail-under=$(CORE_COVER)

proof: .venv/dev .venv/bench services ## Runs the long checks, those marked "proof", and a load of 150 tables.
	@echo "==> Proofs"
	@$(KERNELS) $(SERVICES) $(BIN)/python -m pytest -n $(JOBS) -m proof
	@echo "==> Load"
	@$(KERNELS) $(BIN)/python bench/table_load.py --tables 150 --at-most 100
	@database="$$(cat .cache/postgresql)"; [ -z "$$database" ] || \
		$(KERNELS) $(BIN)/python bench/table_load.py --tables 150 --at-most 100 --database "$$database"

format: .venv/dev ## Lays out the Python files, and mends what ruff can mend.
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

bench: .venv/yardsticks services ## Measures the engine, environments, search, data sets, the page and a full server.
	@$(BIN)/python bench/random_play.py
	@$(BIN)/python bench/environments.py
	@$(BIN)/python bench/search.py
	@$(BIN)/python bench/review.py
	@$(BIN)/python bench/generate.py
	@$(BIN)/python bench/page_speed.py
	@$(BIN)/python bench/table_load.py

study: .venv/dev ## Makes docs/study.md anew: figures about the game (about twenty minutes on two cores).
	@$(KERNELS) $(BIN)/diloti study --folder .cache/study
	@rm -rf docs/study && cp -R .cache/study/study .cache/study/study.md docs/

study-quick: .venv/dev ## The same with fewer games, in .cache/study-quick (three minutes at most).
	@$(KERNELS) $(BIN)/diloti study --quick --folder .cache/study-quick

weights: .venv/dev ## Trains the networks that judge positions anew (ten minutes each, on one core).
	@OMP_NUM_THREADS=1 $(BIN)/python -u -m diloti.lab.training classic taverna

catalogues: .venv/ready ## Collects the messages from the source, and updates each language's .po.
	@mkdir -p .cache
	@$(BIN)/pybabel --quiet extract --mapping-file=pyproject.toml --project=diloti --version=0.1.0 \
		--copyright-holder="Diloti contributors" --add-location=file --sort-by-file \
		-k N_ -k say -k say_count:1,2 -o .cache/diloti.pot src/diloti
	@for language in $(LANGUAGES); do \
		po=$(CATALOGUES)/$$language/LC_MESSAGES/diloti.po; \
		if [ -f $$po ]; then what="update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --width 100"; else what=init; fi; \
		$(BIN)/pybabel --quiet $$what -D diloti -i .cache/diloti.pot -o $$po -l $$language || exit 1; \
		echo "$$po"; \
	done

wheel: .venv/dev ## Builds the sdist, and from it the wheel, into dist/.
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist

# uv resolves for all platforms and Pythons at once; the run is kept clear of the machine's
# own settings, so that no address or path of it gets into the files.
LOCK = env -u PIP_FIND_LINKS -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL .cache/uv/bin/uv \
	pip compile --no-config --universal --python-version 3.11 --generate-hashes --upgrade \
	--no-header --no-emit-index-url --no-emit-find-links --quiet

requirements: ## Pins the newest versions in requirements/*.txt again.
	@[ -x .cache/uv/bin/uv ] || { $(PYTHON) -m venv .cache/uv && .cache/uv/bin/pip install -q uv; }
	$(LOCK) pyproject.toml --extra terminal --extra web requirements/play.in -o requirements/play.txt
	$(LOCK) -c requirements/play.txt pyproject.toml --extra web --extra postgresql requirements/play.in \
		-o requirements/serve.txt
	$(LOCK) -c requirements/play.txt pyproject.toml --extra terminal --extra web requirements/play.in \
		requirements/dev.in -o requirements/dev.txt
	$(LOCK) -c requirements/dev.txt pyproject.toml --extra terminal --extra web requirements/play.in \
		requirements/bench.in -o requirements/bench.txt
	$(LOCK) -c requirements/dev.txt -c requirements/bench.txt pyproject.toml --extra envs \
		requirements/play.in requirements/yardsticks.in -o requirements/yardsticks.txt

clean: ## Removes .venv, the caches and all that was built.
	@rm -rf .venv .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage build dist
	@find src tests bench \( -name __pycache__ -o -name '*.mo' \) -prune -exec rm -rf {} + 2>/dev/null || true
