"""What ``sweep`` measured, as a picture: a curve for each figure, and batch sizes that did not fit marked."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import stepscope
from stepscope.capture.in_code.timing import BatchSize, Sweep
from stepscope.messages.language import CHINESE, speaking
from stepscope.reporters.svg.batch_sizes import batch_sizes

SVG = "{http://www.w3.org/2000/svg}"
MS = 1_000_000
FITS = BatchSize(8, "ok", 2 * MS, 2 * MS, 2 * MS, 4000.0, 3 << 30, 8e9, 4.0, 20.0)
BEST = BatchSize(32, "ok", 4 * MS, 4 * MS, 4 * MS, 8000.0, 6 << 30, 32e9, 8.0, 40.0)
LOST = BatchSize(128, "out of memory")


def drawn(*rows: BatchSize) -> ET.Element:
    return ET.fromstring(batch_sizes(Sweep(rows).dicts()))


def points(picture: ET.Element) -> list[tuple[str | None, str | None, str]]:
    return [(one.get("cx"), one.get("cy"), "".join(one.itertext())) for one in picture.iter(f"{SVG}circle")]


def texts(picture: ET.Element) -> list[str]:
    return ["".join(one.itertext()) for one in picture.iter(f"{SVG}text")]


def test_each_figure_has_a_curve_and_what_did_not_fit_a_mark() -> None:
    """Three sizes, equally far apart; the first has half of what the second has, in all three panels."""
    picture = drawn(LOST, FITS, BEST)
    assert points(picture) == [
        ("1068.3", "216.0", "128: out of memory"),
        ("301.7", "153.0", "8: 4,000.0"),
        ("685.0", "78.0", "32: 8,000.0"),
        ("1068.3", "440.0", "128: out of memory"),
        ("301.7", "377.0", "8: 3.00 GiB"),
        ("685.0", "302.0", "32: 6.00 GiB"),
        ("1068.3", "664.0", "128: out of memory"),
        ("301.7", "601.0", "8: 20.0 %"),
        ("685.0", "526.0", "32: 40.0 %"),
    ]
    lines = [one.get("points") for one in picture.iter(f"{SVG}polyline") if one.get("stroke") == "#1f45a8"]
    assert lines == ["301.7,153.0 685.0,78.0", "301.7,377.0 685.0,302.0", "301.7,601.0 685.0,526.0"]
    assert texts(picture)[:5] == [
        "Batch sizes 8 to 128: 32 gives most samples a second",
        "Samples a second",
        "0.0",
        "4,000.0",
        "8,000.0",
    ]
    assert texts(picture).count("out of memory") == 3


def test_what_was_not_measured_has_no_curve() -> None:
    """On a CPU memory is not known, and without the device's peak TFLOP/s stand in for MFU."""
    picture = drawn(BatchSize(8, "ok", MS, MS, MS, 8000.0, None, 8e9, 8.0, None))
    said = texts(picture)
    assert "TFLOP/s achieved" in said
    assert [text for text in said if text.startswith(("MFU", "Peak"))] == []


def test_nothing_that_fits_is_said() -> None:
    picture = drawn(LOST)
    assert texts(picture) == ["No batch size fits into memory"]
    assert points(picture) == []


def test_the_order_of_the_rows_does_not_matter() -> None:
    assert batch_sizes(Sweep((LOST, BEST, FITS)).dicts()) == batch_sizes(Sweep((FITS, BEST, LOST)).dicts())


def test_more_sizes_than_have_room_are_left_out_and_counted() -> None:
    rows = [BatchSize(size, "ok", MS, MS, MS, 1.0) for size in range(1, 63)]
    assert "2 larger sizes are not drawn" in texts(drawn(*rows))


def test_it_is_written_in_the_language_of_the_reader(tmp_path: Path) -> None:
    with speaking(CHINESE):
        stepscope.draw(Sweep((FITS, BEST)), str(tmp_path / "sweep.svg"))
    assert "每秒样本数" in (tmp_path / "sweep.svg").read_text(encoding="utf-8")
