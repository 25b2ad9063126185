"""Tables that ship with the code: compressed text, with the same bytes for the same text."""

import gzip
from pathlib import Path

from stages.contract.files import complete


def write_gzip(path: Path, text: str) -> None:
    """Write ``text``, compressed, complete or not at all."""
    with complete(path) as partial:
        partial.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
