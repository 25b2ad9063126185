"""Reading ``params.yaml``: its sections with the types and bounds of their keys, and clear errors."""

# First, so that Ctrl-C and missing packages end with one line while the packages are imported.
import stages.contract  # noqa: F401
