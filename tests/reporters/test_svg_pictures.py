"""Tables as pictures: to scale, bounded, with every text of the recording escaped."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import stepscope
from building.snapshots import MadeSnapshot, random_history, small_training
from stepscope.messages.language import CHINESE, speaking
from stepscope.reporters.svg.drawing import CATEGORY_COLOURS, MARGIN, WIDTH
from stepscope.reporters.svg.pictures import PICTURES

MIB = 1 << 20
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('x')</script>\x00\x1b]&\"\u202e\ud800.py:3 <b>main</b>"


def drawn(profile: stepscope.OpenProfile, table: str) -> ET.Element:
    picture = PICTURES[table]
    return ET.fromstring(picture.draw(profile.show(picture.table, by=picture.by)))


def boxes(picture: ET.Element, colour: str) -> list[tuple[float, float, float]]:
    """x, y and width of the boxes of a colour that have a title, as those in the legend have not."""
    found = [
        one for one in picture.iter(f"{SVG}rect") if one.get("fill") == colour and one.find(f"{SVG}title") is not None
    ]
    return [(float(one.get("x", 0)), float(one.get("y", 0)), float(one.get("width", 0))) for one in found]


def texts(picture: ET.Element) -> str:
    return "\n".join("".join(one.itertext()) for one in picture.iter(f"{SVG}text"))


def titles(picture: ET.Element) -> list[str]:
    return [one.text or "" for one in picture.iter(f"{SVG}title")]


def test_the_map_of_segments_is_to_scale(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large, small = made.segment(40 * MIB), made.segment(20 * MIB)
    made.alloc(large, 10 * MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    made.free(made.alloc(large, 5 * MIB, "train.py:4 main"))
    made.alloc(small, 20 * MIB - 100_000, "torch/optim/adamw.py:9 step", "train.py:8 main")
    made.blocks[small]["size"] = 20 * MIB
    made.segments[small]["next"] = small + 20 * MIB
    picture = drawn(made.opened(tmp_path), "memory_segments")
    (weights,), (state,) = (
        boxes(picture, CATEGORY_COLOURS["parameters"]),
        boxes(picture, CATEGORY_COLOURS["optimizer state"]),
    )
    room = WIDTH - MARGIN - weights[0]
    assert weights[2] == pytest.approx(room / 4, abs=0.1)
    assert state[2] == pytest.approx(room / 2, abs=0.1)
    assert state[1] > weights[1]
    assert "inactive: 5.00 MiB" in titles(picture)
    assert "parameters · 10.0 MiB · active_allocated · train.py:3" in titles(picture)
    assert [one for one in picture.iter(f"{SVG}rect") if one.get("fill") == "url(#hatch)"][1:]
    assert "2 segments of 60.0 MiB when the snapshot was taken" in texts(picture)
    assert "rounding 97.7 KiB" in texts(picture)


def test_the_flame_graph_goes_from_the_outermost_line_to_the_operator(tmp_path: Path) -> None:
    picture = drawn(small_training().opened(tmp_path), "memory_peak")
    (activation,) = [one for one in titles(picture) if one.startswith("train.py:9 forward()")]
    assert activation == "train.py:9 forward(): 7.63 MiB (50.0 %) · activations 7.63 MiB"
    levels = {y for _, y, _ in boxes(picture, CATEGORY_COLOURS["activations"])}
    assert len(levels) == 3  # the device, the line, the operator that was not recorded
    lines = [width for _, y, width in boxes(picture, CATEGORY_COLOURS["activations"]) if y == sorted(levels)[1]]
    assert lines == [pytest.approx((WIDTH - 2 * MARGIN) / 2, abs=0.1)]
    assert "(operator not recorded)" in texts(picture)


def test_bands_end_at_the_peak(tmp_path: Path) -> None:
    picture = drawn(random_history(1, 2000).opened(tmp_path), "memory_categories")
    areas = list(picture.iter(f"{SVG}polygon"))
    highest = min(float(point.split(",")[1]) for area in areas for point in area.get("points", "").split())
    lowest = max(float(point.split(",")[1]) for area in areas for point in area.get("points", "").split())
    assert lowest - highest == pytest.approx(360, abs=0.2)
    assert "Allocated memory by category, rank 0 cuda:0: peak" in texts(picture)


@pytest.mark.parametrize("table", PICTURES)
@pytest.mark.parametrize("timed", [True, False])
def test_every_picture_of_a_hostile_recording_is_bounded_and_plain(tmp_path: Path, table: str, timed: bool) -> None:
    made = random_history(2, 3000, timed=timed)
    for entry in made.history:
        for frame in entry["frames"]:
            frame["name"] = HOSTILE + frame["name"]
    for number in range(300):
        segment = made.segment(2 * MIB, pool=(0, number))
        made.alloc(segment, 1 * MIB, "train.py:3 main")
    profile = made.opened(tmp_path)
    picture = PICTURES[table]
    text = picture.draw(profile.show(picture.table, by=picture.by))
    assert len(text) < 2_000_000
    assert "<script" not in text
    names = {one.tag.removeprefix(SVG) for one in ET.fromstring(text).iter()}
    assert names <= {"svg", "title", "defs", "pattern", "path", "rect", "text", "polygon"}
    if table == "memory_segments":
        assert "181 more segments of 362 MiB in all are not drawn" in text


@pytest.mark.long
def test_a_deep_and_wide_flame_graph_says_what_it_leaves_out(tmp_path: Path) -> None:
    rows = [(f"leaf.py:{at} x < mid.py:{at % 500} y < top.py:1 z", "aten::mm", 1 + at % 7) for at in range(20_000)]
    peak = pl.DataFrame(
        {
            "rank": 0,
            "device": "cuda:0",
            "lines": [row[0] for row in rows],
            "op": [row[1] for row in rows],
            "source": "",
            "category": "activations",
            "alive_bytes": [row[2] for row in rows],
        }
    )
    text = PICTURES["memory_peak"].draw(peak)
    assert len(text) < 1_500_000
    assert "narrow frames are not drawn" in text


@pytest.mark.parametrize("table", PICTURES)
def test_recordings_without_memory_have_an_empty_picture(tmp_path: Path, table: str, examples: Path) -> None:
    profile = stepscope.open(examples / "batch_size.slow.pt.trace.json.gz")
    assert len(list(drawn(profile, table).iter(f"{SVG}text"))) >= 1


def test_pictures_speak_chinese(tmp_path: Path) -> None:
    profile = small_training().opened(tmp_path)
    with speaking(CHINESE):
        assert "快照时的 1 个段" in texts(drawn(profile, "memory_segments"))
