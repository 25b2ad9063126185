#!/usr/bin/env bash
# transformers 5.23.0 with tokenizers: whether special tokens are split is kept in the fast tokenizer, not in the call.
#
# A call with split_special_tokens=True sets a property of the Rust tokenizer and leaves it set until the next call of the Python
# object sets it again. So
#   1. code that shares that Rust tokenizer (backend_tokenizer, a copy of the processor's reference, a saved file) sees it: the same
#      text gives one id before such a call and several after it, and tokenizer.json is saved without any trace of it;
#   2. two threads that share a tokenizer get each other's setting: a processor that expands image tokens in one thread reports
#      "Mismatch in `image` token count" while another thread tokenizes user text with special tokens split. The calls need a lock.
# apply_chat_template(sanitize_control_tokens=True) makes such calls itself where the text holds a control token.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check transformers==5.23.0 tokenizers
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import sys
import threading

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

vocabulary = {text: i for i, text in enumerate(["<unk>", "<image>", "<", "image", ">", "dog"])}
raw = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
raw.add_special_tokens(["<image>"])
fast = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="<unk>")
backend = fast.backend_tokenizer

before = backend.encode("<image> dog", add_special_tokens=False).tokens
split = fast("<image> dog", add_special_tokens=False, split_special_tokens=True).tokens()
after = backend.encode("<image> dog", add_special_tokens=False).tokens
whole = fast("<image> dog", add_special_tokens=False).tokens()
again = backend.encode("<image> dog", add_special_tokens=False).tokens
print("backend, at first:                   ", before)
print("call with split_special_tokens=True: ", split)
print("backend, after that call:            ", after)
print("call without:                        ", whole)
print("backend, after that call:            ", again)
assert before == whole == again == ["<image>", "dog"]
assert split == after == ["<", "image", ">", "dog"]

sys.setswitchinterval(1e-6)
wrong = 0
stop = threading.Event()


def splits() -> None:
    while not stop.is_set():
        fast("dog", add_special_tokens=False, split_special_tokens=True)


other = threading.Thread(target=splits)
other.start()
for _ in range(20_000):
    wrong += len(fast("<image> dog", add_special_tokens=False).input_ids) != 2
stop.set()
other.join()
print(f"two threads, one tokenizer: {wrong:,} of 20,000 calls without the option were split all the same")
assert wrong > 0
PY
