"""Unusable images are found and named before anything is encoded."""

import numpy as np
import pytest
from PIL import Image

from stages.contract.errors import InputError
from stages.images import crops
from stages.images.crops import Crop, ImageFolder, number_of, of_one_colour
from stages.images.fitness import unfit, without_unfit


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a good image, one rotated by EXIF, one of another size, one cut off and an HTML page; 6 is missing."""
    pixels = np.random.default_rng(0).integers(0, 255, (20, 40, 3), dtype=np.uint8)
    for name in ("1.jpg", "3.jpg", "4.jpg", "dog.jpg"):
        Image.fromarray(pixels).save(tmp_path / name)
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(pixels).save(tmp_path / "2.jpg", exif=exif)
    (tmp_path / "4.jpg").write_bytes((tmp_path / "4.jpg").read_bytes()[:300])
    (tmp_path / "5.jpg").write_text("<html>404</html>")
    return ImageFolder(tmp_path, sizes={1: (40, 20), 2: (20, 40), 3: (41, 20)})


def test_every_fault_has_its_reason(folder):
    dog = number_of("dog.jpg")
    assert unfit(folder, [6, 5, 4, 3, 2, 1, dog, 1], workers=3) == {
        3: "has 40 x 20 pixels, not 41 x 20 as annotated",
        4: "cannot be opened",
        5: "cannot be opened",
        6: "is not there",
    }
    assert unfit(ImageFolder(folder.root, sizes={2: (40, 20)}), [2]) == {}, "as it is stored it has the annotated size"


def test_all_are_named_at_once(folder, capsys):
    said = r"3 of the 4 images cannot be used: 3\.jpg has 40 x 20 pixels.*; 4\.jpg cannot be opened; 6\.jpg is not there"
    with pytest.raises(InputError, match=rf"{said}.*evaluate\.missing: leave_out"):
        without_unfit(folder, [1, 3, 4, 6], "stop")
    assert without_unfit(folder, [1, 3, 4, 6], "leave_out") == {3, 4, 6}
    assert "3 of the 4 images" in capsys.readouterr().err
    assert without_unfit(folder, [1, 2], "stop") == set()
    for missing in ("stop", "leave_out"):  # leaving out all of them is no remedy
        with pytest.raises(InputError, match=r"2 of the 2 images.*those in evaluate\.suites\)\.$"):
            without_unfit(folder, [5, 6], missing)


def test_many_are_counted(tmp_path):
    with pytest.raises(InputError, match=r"30 of the 30 images.*19\.jpg is not there; and 10 more"):
        without_unfit(ImageFolder(tmp_path), range(30), "leave_out")


def test_an_image_is_found_by_its_name(folder):
    number = number_of("dog.jpg")
    assert folder.path(number) == folder.root / "dog.jpg" and folder.paths([number, 1]).keys() == {number, 1}
    assert folder.path(number_of("cat.jpg")) is None
    with pytest.raises(InputError, match="one whose name has the digest"):
        folder.paths([number_of("cat.jpg")])


def test_crops_of_one_colour_are_told(tmp_path, capsys):
    image = Image.new("RGB", (40, 20), (9, 9, 9))
    image.putpixel((30, 10), (200, 9, 9))
    image.save(tmp_path / "1.png")
    folder = ImageFolder(tmp_path, {1: "1.png"})
    assert of_one_colour(folder, [Crop(1, 0, 0, 10, 10), Crop(1, 20, 0, 20, 20)]) == {"n": 2, "one_colour": 1}
    said = capsys.readouterr().err
    assert "1 of 2 crops (50.0 %) are of one colour and show nothing; the first is of 1.png, box (0, 0, 10, 10)" in said
    assert of_one_colour(folder, [Crop(1, 20, 0, 20, 20)]) == {"n": 1, "one_colour": 0} and not capsys.readouterr().err


def test_a_sample_of_the_crops_is_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(crops, "SAMPLE", 50)
    Image.new("RGB", (40, 20)).save(tmp_path / "1.png")
    asked = [Crop(1, x, y, 1, 1) for x in range(20) for y in range(20)]
    assert of_one_colour(ImageFolder(tmp_path), asked) == of_one_colour(ImageFolder(tmp_path), asked[::-1])
    assert of_one_colour(ImageFolder(tmp_path), asked)["n"] == 50
