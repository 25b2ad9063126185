# make        sets up whatever is missing and runs the pipeline on the sample world
# make full   the same on the larger sample world, whose figures the README quotes; it changes params.yaml
# make test   sets up whatever is missing, Chromium where it can, and runs the tests but for the heavy ones
# make heavy  the same, and runs the heavy ones: whole pipelines again, clusters, benchmarks, every stage and architecture
# make lint   the same, and runs the linter and the type checker
# make audit  the same, and looks the packages up among those with known vulnerabilities

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := $(CURDIR)/.venv/bin
export PATH := $(BIN):$(PATH)

# The larger sample: images with annotations, subgraphs of each complexity, training images and training steps.
FULL := sample.images=300 walk_subgraphs.per_complexity=100 sample.training_images=30000 train.steps=900

.PHONY: all full test heavy lint audit ready chromium
all: ready
	"$(BIN)/python" -m stages.parameters.params
	python -m dvc repro

full: ready
	python -m dvc exp run $(foreach value,$(FULL),--set-param $(value))

test: ready chromium
	python -m pytest -m "not heavy"

heavy: ready chromium
	python -m pytest -m heavy

lint: ready
	ruff check .
	ruff format --check .
	mypy

audit: ready
	.ci/audit

# The tests of the report drive it; they skip where it cannot be had.
chromium:
	@command -v chromium || command -v chromium-browser || command -v google-chrome || \
	    { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1 || \
	    echo "Chromium is not here and cannot be installed: the tests that need it skip"

ready: .venv/ready .nltk_data/corpora/wordnet

# Debian leaves ensurepip out of python3; its package python3-venv holds it.
.venv/ready: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -c 'import ensurepip' || apt-get install -y python3-venv
	test -x "$(BIN)/python" || $(PYTHON) -m venv .venv
	"$(BIN)/python" -m pip install --quiet --requirement requirements.txt
	touch $@

.nltk_data/corpora/wordnet: | .venv/ready
	python -m stages.text.install_wordnet
