"""Tables that ship with the code: text, packed, with the same bytes whenever it is the same text."""

import gzip
from pathlib import Path

from stages.contract.files import complete


def write_gzip(path: Path, text: str) -> None:
    """Write ``text``, packed, whole or not at all."""
    with complete(path) as partial:
        partial.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
