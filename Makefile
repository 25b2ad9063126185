# make        sets up whatever is missing and runs the pipeline on the sample world
# make full   the same on the larger sample world, whose figures the README quotes; it changes params.yaml
# make test   sets up whatever is missing and runs the tests
# make lint   the same, and runs the linter and the type checker
# make audit  the same, and looks the packages up among those with known vulnerabilities

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := $(CURDIR)/.venv/bin
export PATH := $(BIN):$(PATH)

# The larger sample: images with annotations, subgraphs of each complexity, training images and training steps.
FULL := sample.images=350 walk_subgraphs.per_complexity=100 sample.training_images=30000 train.steps=900

.PHONY: all full test lint audit ready
all: ready
	"$(BIN)/python" -m stages.parameters.params
	python -m dvc repro

full: ready
	python -m dvc exp run $(foreach value,$(FULL),--set-param $(value))

test: ready
	python -m pytest

lint: ready
	ruff check .
	ruff format --check .
	mypy

audit: ready
	.ci/audit

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
