"""Costs at full size are extrapolated from small fractions: in proportion, or with a greater exponent."""

import pytest

from tests.benchmarks import costs


@pytest.fixture
def full(tmp_path, monkeypatch):
    """Return the costs at three fractions: parsing grows in proportion, a stage on images with the square."""
    monkeypatch.setattr(costs, "RESULTS", tmp_path / "full_size.json")
    seconds = {0.001: (1, 2), 0.01: (1 + 10, 2 + 9), 0.02: (1 + 20, 2 + 36)}
    of_share = {
        share: {
            stage: {"cpu_s": float(taken), "wall_s": 0.0, "peak_mb": 1000.0, "rows": 1.0}
            for stage, taken in zip(("parse_train", "split"), both, strict=True)
        }
        for share, both in seconds.items()
    }
    costs.take(of_share, 1_000_000)
    return costs.FullSize(costs.read_json(costs.RESULTS, ""))


def test_captions_cost_in_proportion(full):
    assert full.stages["parse_train"].exponent() == pytest.approx(1)
    assert full.hours("parse_train", 6_000_000) == pytest.approx((20 * 100 / 3600,) * 2)


def test_images_cost_by_a_greater_exponent_too(full):
    assert full.stages["split"].exponent() == pytest.approx(2)
    assert full.hours("split", 0) == pytest.approx((36 * 50 / 3600, 36 * 50**2 / 3600))


def test_without_captions_only_images_count(full):
    assert full.total(0) == full.hours("split", 0)


def test_the_table_has_a_row_a_case_and_the_stages_that_cost_most_first(full):
    text = costs.table()
    assert all(name in text for name in costs.NUMBERS)
    assert text.index("`parse_train` 1.1 h, exponent 1.00, 1.0 GB") < text.index("`split` 0.5 h, exponent 2.00, 1.0 GB")
