"""A stage's command line as a typed object: a field an option."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")


def parse(options: type[T], doc: str | None) -> T:
    """The options of the command line, by the annotated names of ``options``, a ``NamedTuple`` of paths and words.

    ``scene_graphs: Path`` is ``--scene-graphs PATH``; what has a default may be left out. ``doc`` is shown by ``--help``.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    defaults: dict[str, Any] = options._field_defaults  # type: ignore[attr-defined]
    for name, kind in get_type_hints(options).items():
        converter = str if kind is str else Path
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=converter, required=name not in defaults, default=defaults.get(name)
        )
    return options(**vars(parser.parse_args(sys.argv[1:])))
