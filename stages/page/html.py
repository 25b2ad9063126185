"""Self-contained HTML pages: one file, no network, and nothing in a caption can become markup or script."""

import base64
import hashlib
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

HERE = Path(__file__).parent


def render(page: str, /, **context: Any) -> str:
    """Return the page of ``page``.html, with ``page``.css and ``page``.js inside it, all three next to this module.

    The template escapes everything that it prints. The page's policy allows no network, and only our script, by its hash:
    an injected script in a stranger's caption does not run even where escaping was forgotten. ``{{ value | tojson }}`` inside
    ``<script type="application/json">`` passes data to the script: it escapes ``<``, ``>``, ``&`` and quotes.
    """
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style, script = (_asset(f"{page}.{kind}") for kind in ("css", "js"))
    return environment.get_template(f"{page}.html").render(style=style, script=script, policy=policy(script), **context)


def policy(script: str) -> str:
    """Return the Content-Security-Policy of a page whose only script is ``script``.

    Inline styles are allowed because drawings have them; without a network they can send nothing.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def data_uri(jpeg: bytes) -> str:
    """Return a JPEG as an address that needs no file and no network."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")


def _asset(name: str) -> Markup:
    text = (HERE / name).read_text(encoding="utf-8")
    if "</script" in text.lower() or "</style" in text.lower():
        raise ValueError(f"{name} would end its own element")
    return Markup(text)  # noqa: S704  the project's file, shipped with this one
