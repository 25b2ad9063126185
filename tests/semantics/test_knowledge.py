"""Tests of the benchmark of the project's knowledge of words, on made-up annotations."""

import json
import sys
import zlib
from pathlib import Path

import pytest

from tests.benchmarks import knowledge


def image(image_id: int, relationships: list[tuple[int, str, int]]) -> dict:
    names = ("dog", "table", "zebra")
    return {
        "image_id": image_id,
        "objects": [{"object_id": i, "names": [name]} for i, name in enumerate(names)],
        "relationships": [{"subject_id": s, "predicate": p, "object_id": o} for s, p, o in relationships],
    }


def named(odd: int) -> str:
    """Return a file name whose CRC-32 is odd, or even."""
    return next(name for i in range(99) if zlib.crc32((name := f"{i}.jpg").encode()) % 2 == odd)


def test_images_that_are_set_aside_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    graphs = [image(1, [(0, "is on", 1), (0, "under", 1), (0, "near", 1)]), image(2, [(0, "on", 1), (0, "under", 1)])]
    (tmp_path / "scene_graphs.json").write_text(json.dumps(graphs))
    urls = [{"image_id": 1, "url": f"http://x/{named(1)}"}, {"image_id": 2, "url": f"http://x/{named(0)}"}]
    (tmp_path / "image_data.json").write_text(json.dumps(urls))
    (tmp_path / "dev.csv").write_text('scene_graph\n"( dog , is , wooden ) , ( dog , is , brown ) , ( dog , v:sit on , table )"\n')
    (tmp_path / "all_obj_counts.json").write_text(json.dumps({"dogs": {"1": 3}, "xyzzy": {"1": 1}}))
    monkeypatch.setattr(sys, "argv", ["knowledge", *[str(tmp_path)] * 3])
    knowledge.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["excluded"] == {"share": pytest.approx(1 / 3, abs=1e-4), "count": 1, "of": 3}, "on and under"
    assert found["refused_triples"] == {"share": 0.0, "count": 0, "of": 3}
    assert found["refused_attributes"]["of"] == 2
    assert found["unknown"] == {"share": 0.5, "count": 1, "of": 2}


def test_what_nobody_says_is_refused() -> None:
    odd = knowledge.Triple(1, (0, 1), "table", "ride", "zebra")
    assert knowledge.refused_triples([odd], knowledge.shipped(), 0.2) == knowledge.Share(1, 1)
