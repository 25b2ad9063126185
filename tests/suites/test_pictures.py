"""PNG that others read, and files that hold each picture once."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from stages.suites.pictures import to_png, write_rows


def noise(width, height):
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8))


@pytest.mark.parametrize(
    "image",
    [noise(1, 1), noise(1, 7), noise(9, 1), noise(64, 48), Image.new("RGB", (300, 200), (255, 0, 7))],
    ids=lambda image: "x".join(map(str, image.size)),
)
def test_a_png_has_the_pixels_of_its_crop(image):
    again = Image.open(io.BytesIO(to_png(image)))
    again.load()
    assert (again.format, again.mode, again.size) == ("PNG", "RGB", image.size)
    assert again.tobytes() == image.tobytes()


def test_a_picture_of_several_rows_is_in_the_file_once(tmp_path):
    pictures = [to_png(noise(64, 64 + i)) for i in range(3)]
    rows = [{"query_id": f"{i}", "image": {"bytes": pictures[i // 40], "path": None}, "label": i} for i in range(120)]
    write_rows(tmp_path / "one" / "test.parquet", {"label": pa.int32()}, rows)
    path = tmp_path / "one" / "test.parquet"
    assert pq.read_table(path).to_pylist() == rows
    assert path.stat().st_size < 5 * len(pictures[0]), "two row groups share one of the three"
