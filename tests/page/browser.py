"""A real browser for tests: Debian's Chromium, driven by Playwright. Tests that need it are skipped where there is none."""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# Chromium refuses its sandbox to root, as in a container; the other flags keep it from contacting its maker.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
LOCAL = ("file:", "data:")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="needs Chromium (apt-get install chromium) and Playwright (pip install playwright)",
)


@contextmanager
def browser() -> Iterator[Any]:
    """Yield a running Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield running
        finally:
            running.close()


def watched(running: Any, **context: Any) -> tuple[Any, list[str]]:
    """Return a new page, and a list that collects its errors and its network requests."""
    page = running.new_context(**context).new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on(
        "console", lambda message: troubles.append(f"console: {message.text}") if message.type in ("error", "warning") else None
    )
    page.on("requestfinished", lambda request: troubles.append(request.url) if not request.url.startswith(LOCAL) else None)
    # The page's policy stopped these before they reached anybody.
    page.on("requestfailed", lambda request: troubles.append(request.url) if request.failure != "csp" else None)
    page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    return page, troubles


def eventually(page: Any, expression: str) -> None:
    """Wait until ``expression`` holds in the page. Playwright's own waiting evaluates strings, which the page's policy forbids."""
    for _ in range(100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {expression}")
