"""Training of the bundled English pipeline: treebank, silver trees, training. Its tools write tables that ship with the code."""

import gzip
from pathlib import Path

from stages.contract.files import complete


def write_gzip(path: Path, text: str) -> None:
    """Write ``text``, compressed: the same bytes for the same text."""
    with complete(path) as partial:
        partial.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
