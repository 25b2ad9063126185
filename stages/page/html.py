"""Self-contained HTML pages: one file, no network, and nothing in a caption can become markup or script."""

import base64
import hashlib
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

HERE = Path(__file__).parent


def render(page: str, /, **context: Any) -> str:
    """The page of ``page``.html, with ``page``.css and ``page``.js inside it, all three next to this module.

    Everything that the template prints is escaped. The page's policy allows no network at all, and no script but ours, by its hash:
    what a stranger's caption might smuggle in is not run even if an escape were forgotten. ``{{ value | tojson }}`` inside
    ``<script type="application/json">`` is how data reaches the script: it escapes ``<``, ``>``, ``&`` and quotes.
    """
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style, script = (_asset(f"{page}.{kind}") for kind in ("css", "js"))
    return environment.get_template(f"{page}.html").render(style=style, script=script, policy=policy(script), **context)


def policy(script: str) -> str:
    """The Content-Security-Policy of a page whose only script is ``script``.

    Styles may stand inline because drawings carry them; without a network they send nothing anywhere.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def data_uri(jpeg: bytes) -> str:
    """A JPEG as an address that needs no file and no network."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")


def _asset(name: str) -> Markup:
    text = (HERE / name).read_text(encoding="utf-8")
    if "</script" in text.lower() or "</style" in text.lower():
        raise ValueError(f"{name} would end its own element")
    return Markup(text)  # noqa: S704  our own file, shipped with this one
