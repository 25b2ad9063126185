#!/usr/bin/env bash
# Pillow 12.3.0: Image.entropy() of a blank picture is 0, 1, 1.585 or 2, depending on its mode.
#
# A picture's bands are put into one histogram, one behind the other, and its entropy is returned. So each of n bands is a different
# set of values, and log2(n) is part of the sum even where all of them are equal; the mean of the bands' own entropies is the rest.
# The documentation does not mention bands. Entropy serves to drop blank or flat pictures from collections. So
#   1. white is 0 in L and P, 1 in LA, 1.585 in RGB, HSV and YCbCr, and 2 in RGBA and CMYK: "entropy below 1 is blank" drops no RGB;
#   2. an alpha or black band that is the same everywhere pulls a picture with much in it down: grey noise is 9.54 in RGB, 7.96 in
#      RGBA, 7.95 in L, 4.98 in LA and 3.99 in CMYK. The same pixels pass or fail by the mode in which a file holds them;
# Convert all to L first, or take the mean over split().
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pillow==12.3.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import math

import numpy as np
from PIL import Image

MODES = ("L", "P", "LA", "RGB", "YCbCr", "HSV", "RGBA", "CMYK")
numbers = np.random.default_rng(0)
pictures = {
    "white": Image.new("L", (64, 64), 255),
    "grey noise": Image.fromarray(numbers.integers(0, 256, (64, 64), dtype=np.uint8)),
}
found = {name: {mode: picture.convert(mode) for mode in MODES} for name, picture in pictures.items()}
for name, by_mode in found.items():
    entropies = {mode: picture.entropy() for mode, picture in by_mode.items()}
    print(f"{name}:", {mode: round(abs(value), 2) for mode, value in entropies.items()})
    for mode, picture in by_mode.items():
        bands = picture.split()
        by_band = math.log2(len(bands)) + sum(band.entropy() for band in bands) / len(bands)
        assert abs(entropies[mode] - by_band) < 1e-6, (name, mode)
    found[name] = entropies
white, noise = found["white"], found["grey noise"]
assert [round(abs(white[mode]), 3) for mode in MODES] == [0, 0, 1, 1.585, 1.585, 1.585, 2, 2], white
assert [round(noise[mode], 2) for mode in ("RGB", "RGBA", "L", "LA", "CMYK")] == [9.54, 7.96, 7.95, 4.98, 3.99], noise
PY
