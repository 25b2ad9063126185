#!/usr/bin/env bash
# dvc 3.67.1: a parameter that changes from 1 to 1.0 or true, or from 0 to false, is no change, and its stage is not run again.
#
# DVC compares the values of params.yaml with those of dvc.lock by Python's ==, for which 1, 1.0 and true are one value. To many
# programs they are not: in scikit-learn, max_samples=1 is one row and 1.0 is all of them, max_features likewise. So
#   1. after such an edit dvc status says that the stage is up to date, dvc repro runs nothing, and the old output stays, although a
#      run (dvc repro --force) gives another one;
#   2. the same holds within lists, here for 0 to false as well: dvc.lock keeps the old values;
#   3. where the value stands in cmd (${...}) instead of params, the edit is seen, for the text of the command changes. 1 to 2 is
#      seen by both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check dvc==3.67.1 ruamel.yaml==0.19.1
mkdir "$folder/project"
cd "$folder/project"
export DVC_NO_ANALYTICS=1 PATH="$folder/venv/bin:$PATH"
cat > take.py <<'PY'
from pathlib import Path

from ruamel.yaml import YAML

rows = YAML(typ="safe").load(Path("params.yaml"))["sample"]["rows"]
taken = 100 if rows is True else round(100 * rows) if isinstance(rows, float) else rows
Path("taken.txt").write_text(f"{taken} of 100 rows\n")
PY
cat > dvc.yaml <<'YAML'
stages:
  take:
    cmd: python take.py
    params: [sample]
    outs: [taken.txt]
  command:
    cmd: echo ${sample.rows} > command.txt
    outs: [command.txt]
YAML
dvc init --quiet --no-scm

state() {
    dvc status --quiet "$1" && echo "up to date" || echo "changed"
}

# Runs the stages with sample.rows = $1, edits it to $2, and expects the states $3, and the outputs $4 (repro) and $5 (--force).
edit() {
    printf 'sample:\n  rows: %s\n' "$1" > params.yaml
    dvc repro --quiet --force
    printf 'sample:\n  rows: %s\n' "$2" > params.yaml
    states="$(state take), $(state command)"
    dvc repro --quiet take
    kept=$(cat taken.txt)
    dvc repro --quiet --force take
    forced=$(cat taken.txt)
    echo "$1 to $2: value in params, in cmd: $states; dvc repro: $kept; dvc repro --force: $forced"
    [ "$states, $kept, $forced" = "$3, $4, $5" ]
}
edit 1 1.0 "up to date, changed" "1 of 100 rows" "100 of 100 rows"
edit 1 true "up to date, changed" "1 of 100 rows" "100 of 100 rows"
edit 1.0 1 "up to date, changed" "100 of 100 rows" "1 of 100 rows"
edit 1 2 "changed, changed" "2 of 100 rows" "2 of 100 rows"

printf 'sample:\n  rows: 1\n  folds: [0, 1]\n' > params.yaml
dvc repro --quiet --force take
printf 'sample:\n  rows: 1\n  folds: [false, true]\n' > params.yaml
list=$(state take)
dvc repro --quiet take
kept=$(grep -A 2 'folds:' dvc.lock | tr -d '\n ')
echo "[0, 1] to [false, true]: $list; in dvc.lock: $kept"
[ "$list, $kept" = "up to date, folds:-0-1" ]
