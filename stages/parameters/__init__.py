"""Reading ``params.yaml``: its sections with the kinds and bounds of their keys, and what a person is told of what is wrong."""

# First of all, since it has Ctrl-C and a lack of packages end with one line while the packages are imported.
import stages.contract  # noqa: F401
