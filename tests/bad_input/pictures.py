"""Bad pictures, and boxes that do not fit them."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

from stages.images.crops import Crop, ImageFolder, cut, decode
from tests.bad_input.form import VG, Becomes, Case, Gets, Reader, Stops


def picture(mode: str = "RGB", size: tuple[int, int] = (40, 20), kind: str = "JPEG", **options: object) -> bytes:
    """Return a picture that is red on the left and blue on the right."""
    image = Image.new("RGB", size, (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, size[0] // 2, size[1]))
    out = io.BytesIO()
    image.convert(mode).save(out, kind, **options)
    return out.getvalue()


def bomb(side: int) -> bytes:
    """Return a small PNG that claims to have ``side`` x ``side`` pixels."""
    data = bytearray(picture(kind="PNG"))
    data[16:24] = struct.pack(">II", side, side)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    return bytes(data)


def _sixteen_bit() -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.full((20, 40), 40_000, dtype=np.uint16)).save(out, "PNG")
    return out.getvalue()


def _turned() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    return picture(exif=exif)


def _picture(data: bytes | None, folder: Path) -> Gets:
    if data is not None:
        (folder / "13.jpg").write_bytes(data)
    image = decode(ImageFolder(folder).paths([13])[13])
    return Becomes(f"{image.mode}, {image.width} x {image.height}")


def _box(box: tuple[int, int, int, int], folder: Path) -> Gets:
    return Becomes("{} x {}".format(*cut(Image.new("RGB", (40, 20)), Crop(1, *box), folder / "13.jpg").size))


_READ = Becomes("RGB, 40 x 20")
_PICTURES = [
    Case("missing", None, Stops("are missing; the first is 13.jpg"), VG),
    Case("empty file", b"", Stops("is not a readable image")),
    Case("a web page by the name of a picture", b"<!DOCTYPE html><html>404 Not Found</html>", Stops("is not a readable image")),
    Case("JPEG, cut short", picture(size=(400, 300))[:900], Stops("is damaged")),
    Case("PNG, cut short", picture(kind="PNG")[:-30], Stops("is damaged")),
    Case("a format that runs programs", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", Stops("is not a readable image")),
    Case("more pixels than we unpack", bomb(12_000), Stops("has 12000 x 12000 pixels")),
    Case("a decompression bomb", bomb(60_000), Stops("is not a readable image (DecompressionBombError)")),
    Case("CMYK", picture("CMYK"), _READ),
    Case("a palette", picture("P", kind="PNG"), _READ),
    Case("transparency", picture("RGBA", kind="PNG"), _READ),
    Case("shades of grey", picture("L"), _READ, VG),
    Case("16 bits", _sixteen_bit(), _READ),
    Case("turned by a camera's note", _turned(), Becomes("RGB, 20 x 40")),
    Case("a PNG by the name of a JPEG", picture(kind="PNG"), _READ),
    Case("one pixel", picture(size=(1, 1)), Becomes("RGB, 1 x 1")),
    Case("20,000 pixels wide", picture(size=(20_000, 10)), Becomes("RGB, 20000 x 10")),
]
_BOXES = [
    Case("right of the picture", (40, 0, 5, 5), Stops("lies outside")),
    Case("below the picture", (0, 20, 5, 5), Stops("lies outside")),
    Case("left of the picture", (-5, 0, 5, 5), Stops("lies outside")),
    Case("of no height", (0, 0, 5, 0), Stops("lies outside")),
    Case("of negative width", (3, 3, -1, 4), Stops("lies outside")),
    Case("partly outside", (30, -5, 100, 15), Becomes("10 x 10")),
]

READERS = [Reader("Pictures", "", _picture, _PICTURES), Reader("Boxes on a picture", "13.jpg", _box, _BOXES)]
