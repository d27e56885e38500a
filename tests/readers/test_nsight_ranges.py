"""Ranges of kernels in reports of Nsight Compute: every value as its own CSV has it, and nothing of a single launch."""

from __future__ import annotations

import struct
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import stepscope
from readers.ncu_building import MadeKernel, bytes_field, lengthed, made_range, number_field, report
from readers.ncu_files import TWO
from readers.ncu_reading import every_value_is_printed, read_bytes, read_file, worded
from stepscope.commands import cli
from stepscope.errors import UnreadableInput
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.redaction.report_copy import ReportCopy
from stepscope.readers.sources import Source

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
NAMES = ["ncu_range", "ncu_apprange"]


def recording(name: str) -> Path:
    return RECORDINGS / f"{name}.ncu-rep.gz"


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_a_range_equals_the_raw_page(name: str) -> None:
    compared = every_value_is_printed(read_file(recording(name)), RECORDINGS / f"{name}.raw.csv.gz", fixed=9)
    assert compared > 1000


@pytest.mark.parametrize("name", NAMES)
def test_a_range_names_its_kernels_and_has_nothing_of_one_launch(name: str) -> None:
    rows = stepscope.open(str(recording(name))).show("kernel_reports")
    assert rows.select("id", "name", "kind", "kernels", "device").rows() == [
        (0, "range: scale", "range", 4, 0),
        (1, "range: scale, add", "range", 5, 0),
    ]
    of_a_launch = ("grid", "block", "registers", "theoretical_occupancy_pct", "occupancy", "calls", "bound_pct")
    assert set(rows.select(of_a_launch).row(0)) | set(rows.select(of_a_launch).row(1)) == {None}
    assert (rows["memory_throughput_pct"] > 0).all()
    assert stepscope.open(str(recording(name))).show("kernel_occupancy").is_empty()


def test_tables_that_a_range_leaves_empty_say_why() -> None:
    """Before: "nothing of this kind happened in the selection"."""
    profile = stepscope.open(str(recording("ncu_range")))
    assert [profile.notes(table) for table in ("kernel_occupancy", "kernel_pipes")] == [
        [
            (
                "no rows: this is measured for single kernels only, and the report holds ranges of kernels; profile "
                "with ncu --replay-mode kernel"
            )
        ],
        ["no rows: these metrics were not collected; record with ncu --set full"],
    ]


def test_kernel_details_have_their_units_at_100_columns() -> None:
    """Seen of ranges: the unit was left out, and a count of 132 was 132.00."""
    arguments = ["show", "kernel_details", str(recording("ncu_range"))]
    lines = CliRunner(env={"COLUMNS": "100"}).invoke(cli, arguments).output.split("\n")
    assert lines[0].split() == ["ID", "kernel", "section", "figure", "value", "unit", "rank"]
    (line,) = (line for line in lines if "Register…er Thread" in line and line.startswith(" 0"))
    assert (
        line == " 0  range: scale  Launch Statistics     Register…er Thread                 16  register/thread     0"
    )


def test_the_finding_of_a_range_says_how_long_its_kernels_ran() -> None:
    rows = stepscope.open(str(recording("ncu_range"))).show("kernel_reports")
    assert rows["finding"][0] == "no unit is above 22 % over the range, and SMs were active for 40 % of it"


@pytest.mark.long
def test_the_head_of_a_report_counts_the_kernels_of_all_files(tmp_path: Path) -> None:
    """Before, those of the first file."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.ncu-rep.gz").write_bytes(recording("ncu_range").read_bytes())
    output = CliRunner().invoke(cli, ["report", str(tmp_path)]).output
    assert "4 profiled kernels and ranges" in output
    assert "4 ranges of kernels profiled by Nsight Compute" in output


@pytest.mark.long
def test_the_report_counts_ranges() -> None:
    result = CliRunner().invoke(cli, ["report", str(recording("ncu_range"))])
    assert "2 ranges of kernels profiled by Nsight Compute" in result.output
    assert "range: scale, add (535 us, 52 %)" in " ".join(result.output.split())
    assert "not recorded: occupancy" not in result.output


def test_a_page_of_ranges_is_read_like_the_report() -> None:
    whole = stepscope.open(str(recording("ncu_range"))).show("kernel_reports")
    page = stepscope.open(str(RECORDINGS / "ncu_range.raw.csv.gz")).show("kernel_reports")
    assert page.select("name", "kind", "grid", "registers").rows() == [("range", "range", None, None)] * 2
    assert page["duration_ns"].to_list() == pytest.approx(whole["duration_ns"].to_list(), rel=1e-4)


def test_kernels_and_ranges_of_a_report_stand_together(tmp_path: Path) -> None:
    made = MadeKernel("", {"launch__block_size": 48, "gpu__time_duration.sum": 5.0})
    found = read_bytes(tmp_path, report(TWO, ranges=[made_range(made, ["a", "b", "a", "c", "d"])]))
    rows = worded(found, "kernel_report").select("kernel", "name", "kind", "kernels", "block_x")
    assert rows.rows()[0] == (0, "scale(float *)", "kernel", None, 256)
    assert rows.rows()[2] == (2, "range: a, b, c, …", "range", 5, None)


def test_a_range_without_names_of_its_kernels_is_one(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, report([], ranges=[made_range(MadeKernel("", {"one": 1}), [])]))
    assert worded(found, "kernel_report").select("name", "kind", "kernels").rows() == [("range", "range", None)]


def test_names_that_come_with_the_next_block_are_waited_for(tmp_path: Path) -> None:
    """The first block has a metric of which the second one brings the name; ranges keep their order."""
    metric = bytes_field(4, number_field(1, 0) + bytes_field(2, number_field(5, 7)))
    early = lengthed(number_field(5, len(metric) + 4) + number_field(7, 1)) + lengthed(metric)
    late = lengthed(bytes_field(4, bytes_field(1, "one")) + number_field(5, 4) + number_field(7, 1)) + lengthed(b"")
    begin = b"NVR\0" + lengthed(number_field(1, 7))
    found = read_bytes(tmp_path, begin + early + late)
    assert worded(found, "kernel_metric").select("kernel", "name", "value").rows() == [(0, "one", 7.0)]
    assert (found.facts.events, found.facts.damaged) == (2, 0)
    with pytest.raises(UnreadableInput):
        read_bytes(tmp_path, begin + early)


def test_many_results_without_names_do_not_pile_up(tmp_path: Path) -> None:
    metric = bytes_field(13, number_field(1, 1 << 40) + bytes_field(2, number_field(5, 7)))
    results = lengthed(metric) * 500 + lengthed(b"")
    header = number_field(2, 501) + number_field(5, len(results))
    found = read_bytes(tmp_path, b"NVR\0" + lengthed(number_field(1, 7)) + lengthed(header) + results)
    assert (found.facts.events, found.facts.damaged) == (501, 500)


def test_hostile_ranges_are_damage(tmp_path: Path) -> None:
    names = bytes_field(4, bytes_field(1, "launch__kernel_name"))
    cut = bytes_field(4, number_field(1, 0) + bytes_field(3, b"\x12\xff"))
    huge = bytes_field(4, number_field(1, (1 << 64) - 1))
    results = lengthed(cut) + lengthed(huge) + lengthed(b"\xff") + lengthed(b"")
    header = names + number_field(5, len(results)) + number_field(7, 4)
    found = read_bytes(tmp_path, b"NVR\0" + lengthed(number_field(1, 7)) + lengthed(header) + results)
    assert (found.facts.events, found.facts.damaged) == (4, 3)
    promised = number_field(5, 4) + number_field(7, 1 << 62)
    with pytest.raises(UnreadableInput):
        read_bytes(tmp_path, b"NVR\0" + lengthed(promised) + struct.pack("<I", 0xFFFFFFF0))


def test_a_copy_keeps_ranges_and_says_nothing_of_the_machine(tmp_path: Path) -> None:
    with Source(str(recording("ncu_range"))).open() as stream:
        copy = ReportCopy(stream, Hiding(["add"]))
        content = b"".join(copy.pieces())
    assert (copy.kernels, copy.whole) == (2, True)
    assert b"/opt/app" not in content
    assert b"--replay-mode" not in content
    before = worded(read_file(recording("ncu_range")), "kernel_metric")
    found = read_bytes(tmp_path, content)
    assert worded(found, "kernel_report")["name"].to_list() == ["range: scale", "range: scale, xxx"]
    assert worded(found, "kernel_metric").select(pl.col("value")).equals(before.select("value"))
