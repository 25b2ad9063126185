"""A stage's command line as a typed object: a field an option."""

import argparse
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, get_type_hints

from stages.contract import inputs
from stages.contract.files import check_place

T = TypeVar("T")
Output: TypeAlias = Annotated[Path, "a file that the stage writes"]
OutputFolder: TypeAlias = Annotated[Path, "a folder that the stage writes"]


def parse(options: type[T], doc: str | None) -> T:
    """Return the options of the command line, by the annotated names of ``options``, a ``NamedTuple`` of paths and words.

    ``scene_graphs: Path`` is ``--scene-graphs PATH``; options with a default may be left out. ``--help`` shows ``doc``. Where
    an :data:`Output` or :data:`OutputFolder` cannot be written, the stage stops before hours of work.

    Raises:
        InputError, OSError: as :func:`stages.contract.files.check_place`.
    """
    form, whole = argparse.RawDescriptionHelpFormatter, "dvc.yaml has the command with the pipeline's own files."
    parser = argparse.ArgumentParser(description=doc, epilog=whole, formatter_class=form, allow_abbrev=False)
    defaults: dict[str, Any] = options._field_defaults  # type: ignore[attr-defined]
    kinds = get_type_hints(options, include_extras=True)
    for name, kind in kinds.items():
        option, converter = f"--{name.replace('_', '-')}", str if kind is str else Path
        parser.add_argument(option, type=converter, required=name not in defaults, default=defaults.get(name))
    given = vars(parser.parse_args())
    inputs.forget()
    read = (given[name] for name, kind in kinds.items() if kind not in (Output, OutputFolder))
    inputs.watch([Path("params.yaml"), *(path for path in read if isinstance(path, Path) and path.is_file())])
    for name, kind in kinds.items():
        if kind in (Output, OutputFolder):
            check_place(given[name], folder=kind == OutputFolder)
    return options(**given)
