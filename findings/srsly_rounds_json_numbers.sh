#!/usr/bin/env bash
# srsly 2.5.6, spaCy's reader and writer of JSON: it writes numbers with 9 decimals, and reads many short ones as others.
#
# Writing keeps nine digits behind the point, whatever the size of the number; reading does not always take the nearest float. The
# documentation of these functions names neither, and they have no option for it. So
#   1. a probability of 1e-12 is written as 0.0 (its logarithm is gone), and 0.12345678901 as 0.123456789, by json_dumps, write_json
#      and write_jsonl. With sort_keys=True, json_dumps writes all digits: the order of keys decides how exact numbers are;
#   2. of 0.000, 0.001 ... 0.999 as Python's json writes them, more than a tenth are read as a neighbour: 0.477 becomes
#      0.47700000000000004, which neither equals the 0.477 of another reader nor passes a limit of at most 0.477.
# srsly's msgpack functions keep every bit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check srsly==2.5.6
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import json
from pathlib import Path

import srsly

scores = {"p": 1e-12, "score": 0.12345678901}
srsly.write_json("scores.json", scores)
srsly.write_jsonl("scores.jsonl", [scores])
written = {
    "json_dumps": srsly.json_dumps(scores),
    "write_json": json.dumps(json.loads(Path("scores.json").read_text()), separators=(",", ":")),
    "write_jsonl": Path("scores.jsonl").read_text().strip(),
    "json_dumps, sort_keys": srsly.json_dumps(scores, sort_keys=True),
}
for name, text in written.items():
    print(f"{name}: {text}")
exact = written.pop("json_dumps, sort_keys")
assert exact == '{"p":1e-12,"score":0.12345678901}', exact
assert set(written.values()) == {'{"p":0.0,"score":0.123456789}'}, written
assert srsly.msgpack_loads(srsly.msgpack_dumps(scores)) == scores

short = [number / 1000 for number in range(1000)]
text = json.dumps(short)
assert json.loads(text) == short
read = srsly.json_loads(text)
others = [(number, other) for number, other in zip(short, read, strict=True) if number != other]
print(f"0.000 to 0.999: {len(others)} of 1,000 are read as another number, such as {others[:2]}")
assert len(others) > 100 and srsly.json_loads("0.477") == 0.47700000000000004
print(f"0.477 of a file against 0.477: equal {srsly.json_loads('0.477') == 0.477}, at most {srsly.json_loads('0.477') <= 0.477}")
assert not srsly.json_loads("0.477") <= 0.477
PY
