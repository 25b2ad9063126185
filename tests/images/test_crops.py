"""Tests of pictures as they come: every fault of a file has its own clear error."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image, ImageOps

from stages.contract.errors import InputError
from stages.images import crops
from stages.images.crops import Crop, ImageFolder, cut, decode


def save(path, image, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, **options)
    return path


def red_left(width=40, height=20, mode="RGB"):
    """Return a picture that is red on the left half and blue on the right."""
    image = Image.new("RGB", (width, height), (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, width // 2, height))
    return image.convert(mode)


@pytest.mark.parametrize(
    "name",
    [
        *("VG_100K/7.jpg", "VG_100K_2/7.jpg", "7.jpg", "000000000007.jpg", "COCO_train2014_000000000007.jpg"),
        *("7.JPG", "7.png", "sa_7.jpg", "IMG_0007.png", "images/7.jpeg", "VG_100K/7.webp", "a/b/photo7.png"),
    ],
)
def test_an_image_is_found_by_its_number(tmp_path, name):
    path = save(tmp_path / name, red_left())
    assert ImageFolder(tmp_path).path(7) == path
    assert ImageFolder(tmp_path).path(8) is None


def test_the_number_alone_goes_before_one_with_a_word_and_two_of_a_kind_stop(tmp_path):
    path = save(tmp_path / "a" / "7.png", red_left())
    save(tmp_path / "sa_7.jpg", red_left())
    assert ImageFolder(tmp_path).path(7) == path
    save(tmp_path / "b" / "07.png", red_left())
    with pytest.raises(InputError, match=r"two pictures with the number 7, 7\.png and 07\.png"):
        ImageFolder(tmp_path).path(7)


def test_a_picture_of_no_numbers_is_none(tmp_path):
    path = tmp_path / "7.tiff"
    Image.fromarray(np.full((2, 2), np.nan, np.float32)).save(path)
    with pytest.raises(InputError, match="none of its values is a number"):
        decode(path)


@pytest.mark.parametrize("image_id", ["../secret", "/etc/passwd", "7.jpg"])
def test_an_id_that_is_no_number_leads_nowhere(tmp_path, image_id):
    with pytest.raises(ValueError, match="Unknown format code"):
        ImageFolder(tmp_path).path(image_id)


def test_a_named_image_may_be_a_link_into_a_hubs_cache(tmp_path):
    blob = save(tmp_path / "blobs" / "0a.jpg", red_left())
    (tmp_path / "snapshot" / "images").mkdir(parents=True)
    (tmp_path / "snapshot" / "images" / "ex_0.png").symlink_to(blob)
    folder = ImageFolder(tmp_path / "snapshot", {1: "images/ex_0.png", 2: "images/ex_1.png"})
    assert folder.paths([1]) == {1: tmp_path / "snapshot/images/ex_0.png"} and folder.path(2) is None


def test_missing_images_are_counted_and_the_first_named(tmp_path):
    save(tmp_path / "1.jpg", red_left())
    with pytest.raises(InputError, match=r"2 of the 3 images .* first is 5\.jpg\. Remedy: put Visual Genome's folders"):
        ImageFolder(tmp_path).paths([9, 1, 5, 5])
    for name, wrong in (("1.jpg", "is no folder"), ("pictures", "there is no such folder")):
        with pytest.raises(InputError, match=f"{name}: {wrong}"):
            ImageFolder(tmp_path / name).paths([1])


@pytest.mark.parametrize(
    ("image", "name", "options"),
    [
        (red_left(mode="CMYK"), "1.jpg", {"quality": 100}),
        (red_left(mode="P"), "1.png", {}),
        (red_left(mode="RGBA"), "1.png", {}),
        (red_left(), "1.gif", {}),
    ],
)
def test_every_mode_becomes_rgb(tmp_path, image, name, options):
    decoded = decode(save(tmp_path / name, image, **options))
    assert decoded.mode == "RGB"
    left, right = np.asarray(decoded, dtype=int)[10, [5, 35]]
    assert left[0] > left[2] + 100 and right[2] > right[0] + 100


def test_sixteen_bits_are_scaled_and_not_clipped(tmp_path):
    grey = Image.fromarray(np.array([[0, 128 * 256, 255 * 256]], dtype=np.uint16))
    assert np.asarray(decode(save(tmp_path / "1.png", grey)))[0, :, 0].tolist() == [0, 128, 255]


def test_exif_turns_the_picture(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright: turn by 90 degrees
    turned = decode(save(tmp_path / "1.jpg", red_left(), exif=exif))
    assert turned.size == (20, 40)
    assert turned.getpixel((10, 5))[0] > 200


def test_boxes_are_cut_from_the_picture_that_was_annotated(tmp_path):
    """A copy of another size would be cut in the wrong place; a picture that was annotated as stored is not rotated."""
    exif = Image.Exif()
    exif[0x0112] = 6
    save(tmp_path / "1.jpg", red_left(), exif=exif)
    box = Crop(1, 0, 0, 20, 20)
    for size, where in (((40, 20), (5, 10)), ((20, 40), (10, 5))):
        [(_, cut)] = ImageFolder(tmp_path, sizes={1: size}).crops([box], lambda image: image)
        assert cut.size == (20, 20) and cut.getpixel(where)[0] > 200
    wrong = r"1\.jpg: has 20 x 40 pixels, but its annotations are for 80 x 40\. Remedy: use the annotated picture"
    with pytest.raises(InputError, match=wrong):
        list(ImageFolder(tmp_path, sizes={1: (80, 40)}).crops([box], lambda image: image))


@pytest.mark.parametrize("way", [1, 2, 3, 4, 5, 6, 7, 8, 9])
def test_every_way_that_a_camera_was_held_is_undone_as_pillow_undoes_it(tmp_path, way):
    exif = Image.Exif()
    exif[0x0112] = way
    path = save(tmp_path / "1.png", Image.fromarray(np.arange(72, dtype=np.uint8).reshape(4, 6, 3)), exif=exif)
    with Image.open(path) as image:
        assert np.array_equal(decode(path), ImageOps.exif_transpose(image))


def test_broken_exif_costs_no_picture(tmp_path):
    """The EXIF type of a fraction says that it is text, which makes Pillow's own rotation fail."""
    exif = Image.Exif()
    exif[0x0112], exif[0x011A] = 6, 72.0
    path = save(tmp_path / "1.jpg", red_left(), exif=exif)
    whole = path.read_bytes()
    assert whole.count(b"\x01\x1a\x00\x05") == 1
    path.write_bytes(whole.replace(b"\x01\x1a\x00\x05", b"\x01\x1a\x00\x02"))
    with pytest.raises(TypeError), Image.open(path) as image:
        ImageOps.exif_transpose(image)
    assert decode(path).size == (20, 40)


def test_a_wide_and_a_tiny_picture(tmp_path):
    assert decode(save(tmp_path / "1.png", Image.new("RGB", (20_000, 10)))).size == (20_000, 10)
    assert decode(save(tmp_path / "2.png", Image.new("L", (1, 1)))).size == (1, 1)


def jpeg() -> bytes:
    buffer = io.BytesIO()
    red_left(400, 300).save(buffer, "JPEG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<!DOCTYPE html><html><body>404 Not Found</body></html>", "not a readable image"),
        (b"", "not a readable image"),
        (jpeg()[: len(jpeg()) // 2], "damaged"),
        (jpeg()[:30], "not a readable image|damaged"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a readable image"),
    ],
)
def test_a_file_that_is_no_picture_is_named(tmp_path, data, said):
    (tmp_path / "13.jpg").write_bytes(data)
    with pytest.raises(InputError, match=rf"13\.jpg: is ({said})"):
        decode(tmp_path / "13.jpg")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    path = save(tmp_path / "1.png", Image.new("L", (300, 300)))
    monkeypatch.setattr(crops, "MAX_PIXELS", 300 * 299)
    with pytest.raises(InputError, match="300 x 300 pixels"):
        decode(path)


@pytest.mark.parametrize("side", [10_001, 14_000, 60_000])
def test_a_bomb_of_few_bytes_is_refused_by_its_head(tmp_path, side):
    """A hundred bytes would unpack to gigabytes; no memory is spent on them."""
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")]
    data = b"".join(struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    (tmp_path / "1.png").write_bytes(b"\x89PNG\r\n\x1a\n" + data)
    with pytest.raises(InputError, match=f"{side} x {side} pixels|DecompressionBombError"):
        decode(tmp_path / "1.png")


def test_a_palette_with_transparency_and_a_mask_become_rgb(tmp_path):
    palette = red_left(mode="P")
    palette.info["transparency"] = 0
    assert decode(save(tmp_path / "1.png", palette)).mode == "RGB"
    assert decode(save(tmp_path / "2.png", red_left(mode="LA"))).mode == "RGB"
    assert decode(save(tmp_path / "3.png", red_left(mode="1"))).getpixel((0, 0)) in {(0, 0, 0), (255, 255, 255)}


@pytest.mark.parametrize("mode", ["I;16", "I;16B", "I"])
def test_sixteen_bit_tiffs_are_scaled_too(tmp_path, mode):
    values = np.array([[0, 128 * 256, 255 * 256]], dtype=np.int32)
    image = Image.fromarray(values, "I")
    if mode != "I":
        image = Image.frombytes(mode, (3, 1), values.astype("<u2" if mode == "I;16" else ">u2").tobytes())
    assert np.asarray(decode(save(tmp_path / "1.tif", image)))[0, :, 0].tolist() == [0, 128, 255]


@pytest.mark.parametrize("mode", ["I;16", "I"])
@pytest.mark.parametrize("bits", [8, 12])
def test_few_bits_in_a_tiff_of_sixteen_are_no_black_picture(tmp_path, mode, bits):
    values = np.array([[0, 128, 255]], dtype=np.int32) << (bits - 8)
    image = Image.frombytes(mode, (3, 1), values.astype("<u2").tobytes()) if mode != "I" else Image.fromarray(values, "I")
    assert np.asarray(decode(save(tmp_path / "1.tif", image)))[0, :, 0].tolist() == [0, 128, 255]


@pytest.mark.parametrize(("mode", "white"), [("F", 1), ("F", 255), ("I", 255)])
def test_tiffs_of_32_bits_are_scaled_too(tmp_path, mode, white):
    values = np.array([[0, 128 / 255 * white, white]], dtype=np.float32 if mode == "F" else np.int32)
    decoded = decode(save(tmp_path / "1.tif", Image.fromarray(values, mode)))
    assert np.asarray(decoded)[0, :, 0].tolist() == [0, 128, 255]


@pytest.mark.parametrize(("mode", "high", "whites"), [("F", 7000, "1 or to 255"), ("I", 70_000, "255 or to 4095 or to 65535")])
def test_a_tiff_without_a_white_is_told(tmp_path, mode, high, whites):
    for values in ([-3, 200], [0, high]):
        image = Image.fromarray(np.array([values], dtype=np.float32 if mode == "F" else np.int32), mode)
        with pytest.raises(InputError, match=f"its values go from {values[0]} to {values[1]}, not from 0 to {whites}"):
            decode(save(tmp_path / "1.tif", image))


def test_a_picture_of_one_pixel_and_of_20_000_can_be_asked_about(tmp_path):
    save(tmp_path / "1.jpg", Image.new("RGB", (1, 1), (9, 8, 7)))
    save(tmp_path / "2.jpg", Image.new("RGB", (20_000, 3)))
    asked = [Crop.whole(1), Crop(2, 19_990, 0, 500, 500)]
    assert dict(ImageFolder(tmp_path).crops(asked, lambda image: image.size)) == {asked[0]: (1, 1), asked[1]: (10, 3)}


def test_one_bad_picture_stops_the_reading_with_its_name(tmp_path):
    for number in range(1, 9):
        save(tmp_path / f"{number}.jpg", red_left())
    (tmp_path / "5.jpg").write_bytes(jpeg()[:900])
    with pytest.raises(InputError, match=r"5\.jpg: is damaged.*fetch it again"):
        list(ImageFolder(tmp_path).crops([Crop(i, 0, 0, 9, 9) for i in range(1, 9)], lambda image: image.size, 3))


def test_a_box_is_cut_to_the_image(tmp_path):
    image = red_left()
    assert cut(image, Crop(1, -5, -5, 15, 100), tmp_path).size == (10, 20)
    assert cut(image, Crop(1, 30, 10, 100, 5), tmp_path).size == (10, 5)
    assert cut(image, Crop.whole(1), tmp_path).size == (40, 20)


@pytest.mark.parametrize("box", [(40, 0, 5, 5), (0, 20, 5, 5), (-5, 0, 5, 5), (0, 0, 0, 5), (3, 3, -1, 4)])
def test_a_box_outside_the_image_is_an_error(tmp_path, box):
    with pytest.raises(InputError, match="lies outside"):
        cut(red_left(), Crop(1, *box), tmp_path / "1.jpg")


@pytest.mark.parametrize("workers", [1, 3])
def test_each_image_is_decoded_once_and_the_order_is_the_same(tmp_path, monkeypatch, workers):
    for number in (1, 2, 3):
        save(tmp_path / f"{number}.jpg", red_left())
    decoded = []
    monkeypatch.setattr(crops, "decode", lambda path, size: decoded.append(path.name) or decode(path, size))
    wanted = [Crop(i, x, 0, 10, 10) for x in (9, 0, 5) for i in (3, 1, 2)]
    found = list(ImageFolder(tmp_path).crops([*wanted, *wanted], lambda image: image.size, workers))
    assert sorted(decoded) == ["1.jpg", "2.jpg", "3.jpg"]
    assert [crop for crop, _ in found] == sorted(wanted)
    assert all(size == (10, 10) for _, size in found)
