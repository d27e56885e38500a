"""Reads reports of Nsight Compute in tests, and the pages that its own program prints of them."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import polars as pl

from readers.contract import Read, read
from stepscope.readers.formats import Reader
from stepscope.readers.ncu.format import NsightComputeReport
from stepscope.readers.ncu.units import based
from stepscope.readers.registry import reader_of
from stepscope.readers.sources import Source


def read_bytes(folder: Path, content: bytes, reader: Reader | None = None) -> Read:
    path = folder / "made.ncu-rep"
    path.write_bytes(content)
    return read(reader or NsightComputeReport(), Source(str(path)))


def read_file(path: Path) -> Read:
    source = Source(str(path))
    with source.open() as stream:
        reader = reader_of(source, stream)
    return read(reader, source)


def worded(found: Read, table: str) -> pl.DataFrame:
    """A table with texts instead of codes."""
    frame, texts = found.frames[table], found.frames["texts"]["text"]
    coded = [name for name, dtype in frame.schema.items() if dtype == pl.UInt32 and name != "event"]
    return frame.with_columns([texts.gather(frame[name]).alias(name) for name in coded])


def every_value_is_printed(found: Read, page: Path, fixed: int) -> int:
    """Check each value against a raw page; returns how many were compared.

    Args:
        fixed: columns in front of the metrics.
    """
    known = {(row[0], row[1]): row[2:] for row in worded(found, "kernel_metric").rows()}
    header, units, rows = cells(page)
    for row in rows:
        for metric, unit, cell in zip(header[fixed:], units[fixed:], row[fixed:], strict=True):
            own_unit, value, text, _ = known[int(row[0]), metric]
            factor, base = based(unit)
            assert own_unit in ("", base) or unit == "", metric
            if cell in ("", "no data", "nan"):
                assert (value, text) == (None, "")
            elif value is None:
                assert text == cell
            else:
                assert printed_as(value / factor, cell), (metric, value, cell)
    beyond = {metric for _, metric in known} - set(header)
    assert all(metric.startswith(("breakdown:", "group:")) for metric in beyond), beyond
    return len(rows) * (len(header) - fixed)


def cells(path: Path) -> tuple[list[str], list[str], list[list[str]]]:
    """Header, units and rows of a raw page."""
    data = path.read_bytes()
    text = gzip.decompress(data).decode() if path.suffix == ".gz" else data.decode()
    header, units, *rows = csv.reader(io.StringIO(text))
    return header, units, rows


def printed_as(value: float, cell: str) -> bool:
    """Whether a value may be printed so: to the digits that there are, shares below zero as zero."""
    number = float(cell.replace(",", ""))
    digits = len(cell.partition(".")[2])
    return abs(value - number) <= 0.51 * 10.0**-digits + 1e-9 * abs(number) or (value < 0 and number == 0)
