"""What each stage depends on: its file and the packages that it imports, directly or indirectly. DVC hashes each as a whole.

``python -m tests.dependencies`` prints one line per stage: its lines of Python and its packages.
"""

from tests.test_pipeline import ROOT, STAGES, packages_of


def lines(stage: str) -> int:
    """Return how many lines of Python the stage depends on."""
    packages = [ROOT / "stages" / package for package in packages_of(f"{stage}.py")]
    files = [ROOT / "stages" / f"{stage}.py", *(file for package in packages for file in package.rglob("*.py"))]
    return sum(file.read_text(encoding="utf-8").count("\n") for file in files)


if __name__ == "__main__":
    for number, stage in sorted((lines(stage), stage) for stage in STAGES):
        print(f"{stage:<16} {number:>6,}  {', '.join(sorted(packages_of(f'{stage}.py')))}")
