"""Output of ``dcgmi dmon``: a column for each field, by the short names that dcgmi gives them.

It writes no times. A time that stands in front of each line, as ``ts`` of moreutils puts it there, is read; without one
the rounds are taken to be a second apart, which is dcgmi's default, and `TelemetryFacts.assumed_interval_ns` says so.
"""

from __future__ import annotations

import re

import polars as pl

from stepscope.readers.telemetry.samples import SAMPLE

ASSUMED_NS = 10**9
_TITLES = {
    "GPUTL": "DEV_GPU_UTIL (%)",
    "MCUTL": "DEV_MEM_COPY_UTIL (%)",
    "POWER": "DEV_POWER_USAGE (W)",
    "TMPTR": "DEV_GPU_TEMP (C)",
    "MMTMP": "DEV_MEMORY_TEMP (C)",
    "SMCLK": "DEV_SM_CLOCK (MHz)",
    "MMCLK": "DEV_MEM_CLOCK (MHz)",
    "TOTEC": "DEV_TOTAL_ENERGY_CONSUMPTION (mJ)",
    "FBUSD": "DEV_FB_USED (MiB)",
    "FBFRE": "DEV_FB_FREE (MiB)",
    "GRACT": "PROF_GR_ENGINE_ACTIVE",
    "SMACT": "PROF_SM_ACTIVE",
    "SMOCC": "PROF_SM_OCCUPANCY",
    "TENSO": "PROF_PIPE_TENSOR_ACTIVE",
    "DRAMA": "PROF_DRAM_ACTIVE",
    "FP64A": "PROF_PIPE_FP64_ACTIVE",
    "FP32A": "PROF_PIPE_FP32_ACTIVE",
    "FP16A": "PROF_PIPE_FP16_ACTIVE",
    "PCITX": "PROF_PCIE_TX_BYTES (B/s)",
    "PCIRX": "PROF_PCIE_RX_BYTES (B/s)",
    "NVLTX": "PROF_NVLINK_TX_BYTES (B/s)",
    "NVLRX": "PROF_NVLINK_RX_BYTES (B/s)",
}
"""Short names (``dcgmi dmon -l``) and what DCGM's exporter calls the same."""

_HEADER = re.compile(r"#\s*Entity\s+(.*\S)\s*")
_ROW = re.compile(r"(.*?)\b(?:GPU|GPU-I) (\d{1,5})\s+(.*\S)\s*")
_TIME = "%Y-%m-%dT%H:%M:%S%.f"
_IGNORED = re.compile(r"(?i).*\bID\s*|\s*")
_SHORTEST = 3
"""A time stands in front of a line if more than blanks do."""


def dcgm_monitored(text: str) -> tuple[pl.DataFrame, int]:
    """Samples, and how many lines are none of them. Times are null where there are none."""
    titles: list[str] = []
    rows: list[tuple[str, int, str, float | None]] = []
    odd = 0
    for line in text.splitlines():
        header = _HEADER.search(line)
        if header is not None:
            titles = [_TITLES.get(name, name) for name in header[1].split()]
            continue
        found = _ROW.fullmatch(line)
        cells = found[3].split() if found is not None else []
        if found is not None and titles and len(cells) == len(titles):
            moment = found[1].strip()
            rows += [(moment, int(found[2]), title, _value(cell)) for title, cell in zip(titles, cells, strict=True)]
        elif not _IGNORED.fullmatch(line):
            odd += 1
    types = {"moment": pl.String, "gpu": pl.Int64, "counter": pl.String, "value": pl.Float64}
    frame = pl.DataFrame(rows, schema=types, orient="row")
    return frame.select(_times(frame), "gpu", "counter", "value").select(*SAMPLE), odd


def is_timed(text: str) -> bool:
    """Whether times stand in front of the lines."""
    first = next((row for row in map(_ROW.fullmatch, text.splitlines()) if row is not None), None)
    return first is not None and len(first[1].strip()) >= _SHORTEST


def _times(frame: pl.DataFrame) -> pl.Series:
    """Moments in ns since 1970, as if the log's zone were UTC; without any the number of the round, in seconds."""
    moments = frame["moment"]
    # One line with something in front of it does not make times of what the others lack.
    if len(moments) and len(moments[0]) >= _SHORTEST:
        plain = moments.str.replace(" ", "T")
        return plain.str.strptime(pl.Datetime("ns"), _TIME, strict=False).cast(pl.Int64).alias("time_ns")
    turn = pl.int_range(pl.len()).over("gpu", "counter")
    return frame.select((turn * ASSUMED_NS).alias("time_ns")).to_series()


def _value(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value else None
