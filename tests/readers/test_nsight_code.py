"""Instructions and source lines of reports of Nsight Compute: every figure as on its Source page, and hostile code."""

from __future__ import annotations

import csv
import gzip
import json
import random
import struct
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import stepscope
from readers.contract import check_sound
from readers.ncu_building import bytes_field, lengthed, number_field
from readers.ncu_reading import read_bytes
from report_page import SHELL, held_table
from stepscope.answers.requests import Choice
from stepscope.commands import cli
from stepscope.errors import UnreadableInput
from stepscope.findings.report import make_report
from stepscope.readers.ncu.cubin import functions
from stepscope.readers.ncu.fields import MalformedReport
from stepscope.readers.ncu.line_table import line_rows
from stepscope.readers.ncu.sass import mnemonic
from stepscope.reporters.html.report import html_report
from stepscope.store.opening import open_profile

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
REPORT = RECORDINGS / "ncu_source.ncu-rep.gz"
FIGURES = {
    "samples": "Warp Stall Sampling (All Samples)",
    "not_issued": "Warp Stall Sampling (Not-issued Samples)",
    "executed": "Instructions Executed",
    "thread_executed": "Thread Instructions Executed",
    "excessive_sectors": "L2 Theoretical Sectors Global Excessive",
}
STALLS = {"long_sb": "long_scoreboard", "short_sb": "short_scoreboard", "mio": "mio_throttle", "drain": "drain"}


def printed() -> list[dict[str, Any]]:
    """Lines and instructions that Nsight Compute prints, with the number of their kernel."""
    with gzip.open(RECORDINGS / "ncu_source.source.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    found: list[dict[str, Any]] = []
    header: list[str] = []
    kernel = -1
    for row in rows:
        if row[:1] == ["Function Name"]:
            kernel += 1
        elif row[:1] == ["Line No"]:
            header = ["line", "text", "address", "sass", *row[4:]]
        elif len(row) == len(header):
            found.append({"kernel": kernel, **dict(zip(header, row, strict=True))})
    return found


def test_every_figure_of_an_instruction_equals_the_source_page() -> None:
    rows = stepscope.open(str(REPORT)).show("kernel_instructions")
    # The page prints the instructions of a kernel twice: below their line, and all of them.
    theirs = list({row["address"]: row for row in printed() if row["address"].startswith("0x")}.values())
    assert rows.group_by("id").len().sort("id").rows() == [(0, 32), (1, 144)]
    assert len(theirs) == len(rows)
    for mine, row in zip(rows.iter_rows(named=True), theirs, strict=True):
        assert (mine["id"], mine["line"]) == (row["kernel"], 3 + row["kernel"])
        assert {name: mine[name] for name in FIGURES} == {name: int(row[said]) for name, said in FIGURES.items()}
        words = row["sass"].split()
        assert mine["opcode"] == words[words[0].startswith("@")].partition(".")[0]


def test_every_figure_of_a_line_equals_the_source_page() -> None:
    rows = stepscope.open(str(REPORT)).show("kernel_lines")
    theirs = [row for row in printed() if row["line"]]
    assert [(row["id"], row["file"], row["line"]) for row in rows.iter_rows(named=True)] == [
        (0, "/home/user/code/patterns.cu", 3),
        (1, "/home/user/code/patterns.cu", 4),
    ]
    for mine, row in zip(rows.iter_rows(named=True), theirs, strict=True):
        assert mine["text"] == row["text"]
        own = [name for name in FIGURES if name in mine]
        assert [mine[name] for name in own] == [int(row[FIGURES[name]]) for name in own]
        waits = {name: int(row[f"stall_{short}"]) for short, name in STALLS.items()}
        assert mine["stall"] == max(waits, key=lambda name: waits[name])
        assert mine["samples_pct"] == 100.0
    assert rows["instructions"].to_list() == [32, 144]


@pytest.mark.long
def test_the_text_says_where_samples_fall() -> None:
    result = CliRunner().invoke(cli, ["report", str(REPORT)])
    text = " ".join(result.output.split())
    assert "strided: 100 % of the samples at patterns.cu:4, most in long_scoreboard" in text
    assert "could be saved. 100 % of its samples are at patterns.cu:4." in text
    findings = stepscope.open(str(REPORT)).show("findings")
    assert findings["method"][0].endswith("; 100 % of its samples are at patterns.cu:4")


@pytest.mark.long
def test_a_report_without_source_holds_no_lines() -> None:
    made = make_report(open_profile(str(REPORT)))
    for with_source in (True, False):
        page = html_report(made, [str(REPORT)], Choice(), with_source=with_source, shell=SHELL).text
        assert ("__global__" in json.dumps(held_table(page, "kernel_lines"))) == with_source


@pytest.mark.long
def test_without_code_there_are_values_by_instruction_and_no_lines(tmp_path: Path) -> None:
    names = bytes_field(4, bytes_field(1, "inst_executed"))
    at = bytes_field(3, bytes_field(1, number_field(5, 4096 + 32)) + bytes_field(2, number_field(5, 9)))
    metric = bytes_field(13, number_field(1, 0) + bytes_field(2, number_field(5, 9)) + at)
    kernel = bytes_field(5, "_Z1a") + bytes_field(6, "a") + metric + bytes_field(15, number_field(1, 8))
    place = bytes_field(9, bytes_field(1, bytes_field(1, "_Z1a") + number_field(2, 4096)))
    payload = lengthed(number_field(1, 8) + place) + lengthed(kernel)
    header = number_field(1, 1) + number_field(2, 1) + names + number_field(5, len(payload))
    path = tmp_path / "made.ncu-rep"
    path.write_bytes(b"NVR\0" + lengthed(number_field(1, 7)) + lengthed(header) + payload)
    profile = stepscope.open(path)
    rows = profile.show("kernel_instructions").select("function", "offset", "opcode", "line", "samples", "executed")
    assert rows.rows() == [("a", 32, None, None, None, 9)]
    assert profile.show("kernel_lines").is_empty()
    said = profile.show("health").filter(pl.col("check") == "source_lines")["detail"].to_list()
    assert said == ["instructions have no lines; build with a line table: nvcc -lineinfo"]


def cubin() -> bytes:
    """The code in the real report."""
    content = gzip.decompress(REPORT.read_bytes())
    start = content.index(b"\x7fELF")
    return content[start : start + 122_328]


def test_functions_of_real_code() -> None:
    known = functions(cubin())
    assert known["_Z7stridediiPKfPf"].instructions == 144
    inlined = known["_Z7atomicsiPKfPf"]
    assert {path.rpartition("/")[2] for _, path, _ in inlined.rows} == {"patterns.cu", "sm_20_atomic_functions.hpp"}
    assert inlined.line(0) == ("/home/user/code/patterns.cu", 12)


def test_instructions_of_other_gpus_have_no_names() -> None:
    bits = bytes.fromhex("4d79000000000000000000000000000f")
    assert (mnemonic(bits, 90), mnemonic(bits, 120), mnemonic(bits, 0), mnemonic(bits[:8], 90)) == ("EXIT", "", "", "")
    assert mnemonic(b"\xff" * 16, 90) == ""


@pytest.mark.parametrize("size", [0, 3, 63, 64, 200, 5_880, 100_000])
def test_cut_code_has_no_functions_or_some(size: int) -> None:
    known = functions(cubin()[:size])
    assert all(one.line(0) is None or one.line(0) for one in known.values())


def test_damaged_code_never_raises() -> None:
    dice = random.Random(7)
    whole = cubin()
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(dice.choice((1, 5, 40))):
            at = dice.choice((dice.randrange(64), dice.randrange(3_800, 6_300), dice.randrange(len(data))))
            data[at] = dice.choice((0, 0x7F, 0x80, 0xFF, dice.randrange(256)))
        for one in functions(bytes(data)).values():
            one.line(16)
            one.opcode(16)


LINES = {
    "nothing": b"\x00",
    "longer than there is": struct.pack("<IHI", 1 << 30, 2, 10),
    "a version that is not known": struct.pack("<IHI", 20, 5, 10) + bytes(40),
    "a program before its header": struct.pack("<IHI", 60, 2, 0) + bytes(60),
    "numbers without an end": struct.pack("<IHI", 60, 2, 9) + b"\x01\x01\xfb\x0e\x0a" + b"\xff" * 60,
}


@pytest.mark.parametrize("data", LINES.values(), ids=LINES.keys())
def test_hostile_line_tables_are_malformed(data: bytes) -> None:
    with pytest.raises(MalformedReport):
        line_rows(data, {})


def test_hostile_records_of_code_are_damage(tmp_path: Path) -> None:
    """Addresses near 2^64, a function at 0, texts that are no UTF-8, and code that is none."""
    huge = bytes_field(9, bytes_field(1, bytes_field(1, b"\xff\xfe") + number_field(2, (1 << 64) - 1)))
    files = bytes_field(8, bytes_field(1, bytes_field(1, b"\xff") + bytes_field(2, b"\xff\n")))
    record = number_field(1, (1 << 64) - 1) + bytes_field(4, b"\x7fELF" + b"\xff" * 90) + huge + files
    payload = lengthed(record) + lengthed(b"\x0a\xff") + lengthed(b"")
    header = number_field(1, 2) + number_field(2, 1) + number_field(5, len(payload))
    found = read_bytes(tmp_path, b"NVR\0" + lengthed(number_field(1, 7)) + lengthed(header) + payload)
    assert (found.facts.events, found.facts.damaged) == (2, 1)
    assert found.frames["kernel_report"]["kernel"].to_list() == [0]
    check_sound(found)
    header = number_field(1, 1 << 60) + number_field(5, 1 << 61)
    with pytest.raises(UnreadableInput):
        read_bytes(tmp_path, b"NVR\0" + lengthed(number_field(1, 7)) + lengthed(header) + struct.pack("<I", 0xFFFFFFF0))
