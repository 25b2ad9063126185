"""Names for what is kept between runs: by its content, so that nothing stale is ever read for it."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path


def key_of(*parts: str | bytes) -> bytes:
    """Sixteen bytes that name a content."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


def digest_of_file(path: Path) -> str:
    """SHA-256 over the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of_code(*files: Path) -> str:
    """SHA-256 over what Python files do: comments, docstrings and layout may change."""
    digest = hashlib.sha256()
    for file in files:
        tree = ast.parse(file.read_bytes())
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                node.body = [line for line in body if not _is_text(line)]  # type: ignore[attr-defined]
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()


def _is_text(line: ast.AST) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
