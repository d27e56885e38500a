"""Reports of Nsight Compute: made ones whose truth is known, damaged and hostile ones, and NVIDIA's own CSV beside real
ones."""

from __future__ import annotations

import struct
from pathlib import Path

import polars as pl
import pytest

import stepscope
from readers.contract import check_sound
from readers.ncu_building import (
    MadeKernel,
    MadeRule,
    bytes_field,
    details_page,
    lengthed,
    number_field,
    raw_page,
    report,
    varint,
)
from readers.ncu_files import LABELS, TWO, UNITS
from readers.ncu_reading import cells, every_value_is_printed, read_bytes, read_file, worded
from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.ncu.format import NsightComputePage, NsightComputeReport
from stepscope.readers.ncu.units import based, unit_of
from stepscope.readers.registry import recognised
from stepscope.readers.sources import Source

HEAD = b"NVR\0" + lengthed(number_field(1, 7))
RECORDINGS = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "recordings"


def refused(folder: Path, content: bytes) -> str:
    with pytest.raises(UnreadableInput) as error:
        read_bytes(folder, content)
    return str(error.value)


def test_every_value_of_a_report_is_read(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, report(TWO))
    assert (found.facts.events, found.facts.recorder_version) == (2, "2025.3.1.0")
    assert found.facts.head == {"deviceProperties": [{"id": 0, "name": "NVIDIA H200"}]}
    assert worded(found, "kernel_metric").rows()[:7] == [
        (0, "gpu__time_duration.sum", "ns", 1500.0, "", 0),
        (0, "dram__bytes.sum.per_second", "byte/s", 2.5e12, "", 0),
        (0, "launch__registers_per_thread", "register/thread", 24.0, "", 3),
        (0, "launch__func_cache_config", "", None, "CachePreferNone", 0),
        (0, "launch__device_id", "", 0.0, "", 0),
        (0, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "%", 62.5, "", 0),
        (0, "numa__cpu_affinity", "", None, "", 0),
    ]
    assert worded(found, "kernel_rule").rows() == [
        (
            *(0, "SpeedOfLight", "SOLBottleneck", "Title of SOLBottleneck", "OPT"),
            *("Look at the Launch Statistics section.", "global", 12.5),
        )
    ]
    kernels = worded(found, "kernel_report").select("kernel", "name", "function", "process", "device", "grid_x")
    assert kernels.rows() == [
        (0, "scale(float *)", "scale", "train", 0, 64),
        (1, "void add<int>(int *, int)", "void add<int>", "train", 0, 64),
    ]


def test_pages_say_the_same_as_the_report(tmp_path: Path) -> None:
    whole = worded(read_bytes(tmp_path, report(TWO)), "kernel_metric")
    raw = read_bytes(tmp_path, raw_page(TWO, UNITS).encode(), NsightComputePage())
    kept = ["kernel", "name", "value", "text"]
    assert worded(raw, "kernel_metric").select(kept).equals(whole.select(kept))
    details = read_bytes(tmp_path, details_page(TWO, LABELS).encode(), NsightComputePage())
    listed = whole.filter(pl.col("name").is_in(list(LABELS)))
    assert worded(details, "kernel_metric").select(kept).equals(listed.select(kept))
    said = ["kernel", "section", "name", "kind", "message", "scope", "speedup_pct"]
    rules = worded(read_bytes(tmp_path, report(TWO)), "kernel_rule")
    assert worded(details, "kernel_rule").select(said).equals(rules.select(said))


def test_a_page_may_stand_behind_other_output(tmp_path: Path) -> None:
    text = '==PROF== Connected to process 7\nstep 1, loss "2"\n' + raw_page(TWO, UNITS)
    assert read_bytes(tmp_path, text.encode(), NsightComputePage()).facts.events == 2


def test_a_page_of_an_old_version_has_other_words_for_units(tmp_path: Path) -> None:
    units = {"gpu__time_duration.sum": ("usecond", 1e3), "dram__bytes.sum.per_second": ("Gbyte/second", 1e9)}
    found = read_bytes(tmp_path, raw_page(TWO[:1], units).encode(), NsightComputePage())
    rows = worded(found, "kernel_metric").select("unit", "value").rows()
    assert rows[:2] == [("ns", 1500.0), ("byte/s", 2.5e12)]


def test_strings_are_numbered_through_all_blocks(tmp_path: Path) -> None:
    """The second kernel's block brings a name of its own, and refers to one of the first block."""
    kernels = [MadeKernel("a", {"one": 1, "two": 2}), MadeKernel("b", {"three": 3, "one": 4})]
    rows = worded(read_bytes(tmp_path, report(kernels)), "kernel_metric").select("kernel", "name", "value").rows()
    assert rows == [(0, "one", 1.0), (0, "two", 2.0), (1, "three", 3.0), (1, "one", 4.0)]


def test_results_of_graphs_are_counted(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, report(TWO, graphs=3))
    assert found.facts.unread_results == {"graph": 3}  # type: ignore[attr-defined]
    assert (found.facts.events, found.facts.truncated) == (2, None)


def test_what_a_cut_report_holds_is_kept(tmp_path: Path) -> None:
    content = report(TWO)
    found = read_bytes(tmp_path, content[:-10])
    assert found.facts.events == 1
    assert found.facts.truncated is not None
    check_sound(found)


def test_a_damaged_kernel_is_counted_and_the_others_are_read(tmp_path: Path) -> None:
    content = bytearray(report(TWO))
    at = content.index(b"scale(float *)") - 1
    content[at] = 0xFF  # longer than its message
    found = read_bytes(tmp_path, bytes(content))
    assert (found.facts.events, found.facts.damaged) == (2, 1)
    assert worded(found, "kernel_report")["name"].to_list() == ["void add<int>(int *, int)"]


def test_health_names_a_damaged_kernel_and_its_file(tmp_path: Path) -> None:
    """Seen with a flipped byte: "1 damaged event", and shares without a word that a kernel is missing."""
    whole = report(TWO)
    for name, field in (("a", b"scale(float *)"), ("b", b"void add<int>(int *, int)")):
        content = bytearray(whole)
        content[content.index(b"SpeedOfLight", content.index(field)) - 1] = 0xFF  # longer than its message
        (tmp_path / f"{name}.ncu-rep").write_bytes(content)
    table = stepscope.open(tmp_path).show("health").filter(pl.col("check").is_in(["damaged_events", "damaged_files"]))
    assert table["detail"].to_list() == [
        "kernel 0 (scale(float *)) of a.ncu-rep could not be read: times and shares are without it",
        "b.ncu-rep: kernel 1 (void add<int>(int *, int)) could not be read: times and shares are without it",
    ]


def test_a_page_that_is_named_beside_its_report_is_not_counted_twice(tmp_path: Path) -> None:
    """Seen with a shell's ``kernels*``: every kernel stood twice. In a folder the page was left out."""
    (tmp_path / "a.ncu-rep").write_bytes(report(TWO))
    (tmp_path / "a.raw.csv").write_text(raw_page(TWO, UNITS))
    profile = stepscope.open([tmp_path / "a.ncu-rep", tmp_path / "a.raw.csv"])
    assert len(profile.show("kernel_reports")) == 2
    (detail,) = profile.show("health").filter(pl.col("check") == "skipped_files")["detail"]
    assert detail == "not read: a.raw.csv (it is a page of a.ncu-rep, which is read and holds more)"


SOURCE_PAGE = (
    '"Kernel Name","scale(float *)"\n"#","Address","Source","Warp Stall Sampling (All Samples)","# Samples"\n'
    '"0","140089","LDC R1, c[0x0][0x28] ","3","3"\n'
)


def test_pages_that_cannot_be_read_say_what_they_are(tmp_path: Path) -> None:
    """Seen of both: "it holds no profiled kernel" of a page that was cut off, and "it is text" of the source page."""
    said = []
    for name, text in (("source.csv", SOURCE_PAGE), ("raw.csv", raw_page(TWO, UNITS)[:200])):
        (tmp_path / name).write_text(text)
        with pytest.raises(UnreadableInput) as error:
            stepscope.open(tmp_path / name)
        said.append(str(error.value).partition(f"{name}: ")[2])
    assert said == [
        (
            "it is the source page of Nsight Compute (--page source), which is not read. Open the report (.ncu-rep) "
            "itself: kernel_lines and kernel_instructions show what is on that page."
        ),
        "its last row is incomplete. Copy or record it again.",
    ]


def test_a_raw_page_without_its_row_of_units_is_refused(tmp_path: Path) -> None:
    """Seen of a page whose second row had been removed: its first kernel was taken for the units and lost, and
    durations of ms were shown as so many ns."""
    header, _, *kernels = raw_page(TWO, UNITS).splitlines(keepends=True)
    (tmp_path / "raw.csv").write_text("".join([header, *kernels]))
    with pytest.raises(UnreadableInput) as error:
        stepscope.open(tmp_path / "raw.csv")
    assert str(error.value).partition("raw.csv: ")[2] == (
        "it is a raw page of Nsight Compute without its second row, which says the units. Export it again, with all "
        "rows: ncu --import REPORT --csv --page raw"
    )


def block(payload: bytes, results: int, size: int | None = None) -> bytes:
    header = number_field(2, results) + number_field(5, len(payload) if size is None else size)
    return lengthed(header) + payload


HOSTILE = {
    "nothing": HEAD,
    "a header that promises 4 GB": b"NVR\0" + struct.pack("<I", 0xFFFFFFFF) + b"abc",
    "a block that promises 16 EB": HEAD + block(b"", 1, (1 << 64) - 1),
    "a message that promises 4 GB": HEAD + block(struct.pack("<I", 0xFFFFFFF0), 1, 1 << 40),
    "more results than bytes": HEAD + block(b"", 1 << 62),
    "results without a payload": HEAD + block(b"", 5, 0),
    "a name that is not in the report": HEAD + block(lengthed(bytes_field(13, number_field(1, 9))), 1),
    "a name below zero": HEAD + block(lengthed(bytes_field(13, number_field(1, (1 << 64) - 5))), 1),
    "a metric within a metric": HEAD + block(lengthed(bytes_field(13, bytes_field(2, b"\xff"))), 1),
    "a number that does not end": HEAD + block(lengthed(b"\x08" + b"\xff" * 30), 1),
    "empty messages": HEAD + block(lengthed(b"") * 3, 4),
    "messages in messages": HEAD + lengthed(bytes_field(4, bytes_field(4, bytes_field(4, b"\x0a" * 99)))),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_reports_are_a_sentence_or_a_sound_result(tmp_path: Path, content: bytes) -> None:
    try:
        found = read_bytes(tmp_path, content)
    except UnreadableInput as error:
        said = str(error)
    else:
        check_sound(found)
        said = "" if "kernel_metric" not in found.frames else "values\nof nothing"
    assert "\n" not in said


def test_a_kernel_of_nothing_is_no_harm(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, HEAD + block(lengthed(b""), 1))
    assert worded(found, "kernel_report").select("kernel", "name", "grid_x", "device").rows() == [(0, "", None, None)]


def test_numbers_too_large_for_the_store_are_missing(tmp_path: Path) -> None:
    huge = number_field(22, (1 << 64) - 1) + bytes_field(10, number_field(1, 1 << 63))
    found = read_bytes(tmp_path, HEAD + block(lengthed(huge), 1))
    assert worded(found, "kernel_report").select("context", "grid_x").rows() == [(None, None)]


def test_a_metric_that_stands_twice_counts_once_the_last(tmp_path: Path) -> None:
    strings = lengthed(bytes_field(4, bytes_field(1, "one")))
    metrics = b"".join(bytes_field(13, number_field(1, 0) + bytes_field(2, number_field(5, value))) for value in (1, 2))
    found = read_bytes(tmp_path, HEAD + strings + block(lengthed(metrics), 1))
    assert worded(found, "kernel_metric").select("name", "value").rows() == [("one", 2.0)]


def test_numbers_keep_their_length_in_any_form(tmp_path: Path) -> None:
    """A number may be written with more bytes than it needs."""
    assert varint(1) == b"\x01"
    strings = lengthed(bytes_field(4, bytes_field(1, "one")))
    metric = bytes_field(13, number_field(1, 0) + bytes_field(2, b"\x28\x85\x80\x80\x00"))
    found = read_bytes(tmp_path, HEAD + strings + block(lengthed(metric), 1))
    assert worded(found, "kernel_metric")["value"].to_list() == [5.0]


def test_a_report_without_kernels_is_refused(tmp_path: Path) -> None:
    assert "it holds no profiled kernel" in refused(tmp_path, report([]))
    assert "the report ends within a block" in refused(tmp_path, report(TWO)[:60])


def test_what_is_only_named_like_a_report_says_so(tmp_path: Path) -> None:
    """A file of another kind under that name was no recording at all, without a word."""
    assert "begins otherwise" in refused(tmp_path, b"hello, world")
    match = recognised(Source(str(tmp_path / "made.ncu-rep")))
    assert (match.kind, match.reason) == ("kernel_report", Message("reader-ncu-other"))


def test_pages_of_a_report_belong_to_it() -> None:
    beside = ["a.ncu-rep.gz", "a.raw.csv", "a.details.CSV", "ab.csv", "a.json"]
    assert NsightComputeReport().companions("a.ncu-rep.gz", beside) == ("a.raw.csv", "a.details.CSV")


def test_odd_rows_of_a_page_are_counted(tmp_path: Path) -> None:
    text = raw_page(TWO, UNITS) + '"2","815"\n'
    found = read_bytes(tmp_path, text.encode(), NsightComputePage())
    assert (found.facts.events, found.facts.damaged) == (3, 1)


def test_kernels_of_one_number_stay_apart(tmp_path: Path) -> None:
    first, second = (raw_page([kernel], UNITS).splitlines() for kernel in TWO)
    text = "\n".join([*first, second[-1]]) + "\n"
    found = read_bytes(tmp_path, text.encode(), NsightComputePage())
    assert worded(found, "kernel_report")["kernel"].to_list() == [0, 1]


def test_rules_without_words_are_none(tmp_path: Path) -> None:
    kernel = MadeKernel("a", {"one": 1}, rules=[MadeRule("S", "R", 4, ""), MadeRule("S", "R", 9, "Said.")])
    assert worded(read_bytes(tmp_path, report([kernel])), "kernel_rule").select("kind", "message").rows() == [
        ("9", "Said.")
    ]


# Real reports, and what NVIDIA's own program prints of them.


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["patterns_basic", "patterns_full"])
def test_every_value_equals_the_raw_page(shared_data: Path, name: str) -> None:
    folder = shared_data / "h200" / "ncu"
    found = read_file(folder / f"{name}.ncu-rep.gz")
    assert every_value_is_printed(found, folder / f"{name}.raw.csv", fixed=11) > 4000


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["patterns_basic", "patterns_full"])
def test_every_value_and_rule_equals_the_details_page(shared_data: Path, name: str) -> None:
    folder = shared_data / "h200" / "ncu"
    whole, page = read_file(folder / f"{name}.ncu-rep.gz"), read_file(folder / f"{name}.details.csv")
    keys = ["kernel", "section", "name", "message"]
    mine, theirs = (worded(one, "kernel_rule").sort(keys) for one in (whole, page))
    assert mine.select(*keys, "kind", "scope").equals(theirs.select(*keys, "kind", "scope"))
    apart = (mine["speedup_pct"] / theirs["speedup_pct"] - 1).abs()
    assert mine["speedup_pct"].is_null().equals(theirs["speedup_pct"].is_null())
    assert apart.max() < 1e-3  # type: ignore[operator]
    own = worded(whole, "kernel_metric").select("kernel", "name", "value", "text")
    both = worded(page, "kernel_metric").join(own, ["kernel", "name"], suffix="_whole", maintain_order="left")
    assert len(both) > 200
    assert both["text"].equals(both["text_whole"].alias("text"))
    rounding = 0.006 * 10 ** (both["value"].abs().log10().floor().fill_nan(0).clip(0))
    assert ((both["value"] - both["value_whole"]).abs() <= rounding).fill_null(True).all()


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["patterns_basic", "patterns_full"])
def test_units_are_those_that_the_page_prints(shared_data: Path, name: str) -> None:
    header, units, _ = cells(shared_data / "h200" / "ncu" / f"{name}.raw.csv")
    wrong = {
        metric: (unit_of(metric), unit)
        for metric, unit in zip(header[11:], units[11:], strict=True)
        if unit and unit_of(metric) not in ("", based(unit)[1])
    }
    assert wrong == {}
    known = sum(bool(unit_of(metric)) for metric, unit in zip(header[11:], units[11:], strict=True) if unit)
    assert known / sum(map(bool, units[11:])) > 0.9


def test_the_report_of_the_tutorial_is_read() -> None:
    found = read_file(RECORDINGS / "nsight_compute.ncu-rep.gz")
    kernels = worded(found, "kernel_report")
    assert kernels["function"].to_list() == [
        *("saxpy", "strided", "bank_conflict", "divergent", "low_occupancy", "tail", "flops", "atomics")
    ]
    durations = worded(found, "kernel_metric").filter(pl.col("name") == "gpu__time_duration.sum")["value"]
    assert 10_000 < durations.min() < durations.max() < 30_000_000  # type: ignore[operator]


def test_an_empty_report_is_said_to_be_empty(tmp_path: Path) -> None:
    """Seen of a report of 0 bytes: "the report ends within a block"."""
    (tmp_path / "a.ncu-rep").write_bytes(b"")
    with pytest.raises(UnreadableInput) as error:
        stepscope.open(tmp_path / "a.ncu-rep")
    assert str(error.value).partition("a.ncu-rep: ")[2].startswith("the file is empty. ")
