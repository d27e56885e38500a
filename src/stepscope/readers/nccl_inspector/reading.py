"""One pass over a log: a row for each collective or message, all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import EPOCH, Facts
from stepscope.readers.formats import Input
from stepscope.readers.nccl_inspector.format import RECORDER
from stepscope.readers.telemetry.samples import whole_text
from stepscope.schema import STORE_TABLES

_WHOLE, _REAL, _TEXT = r"(-?\d{1,18})\b", r"(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)", r'"([^"\\]{0,200})"'
_MOST_US = 1 << 52


@dataclass
class LogFacts(Facts):
    """Facts of a log.

    Attributes:
        recorder: see `Facts`; its version is that of the format.
    """

    recorder: str = RECORDER


class LogReading:
    """Iterate `tables` to the end, then look at `facts`."""

    def __init__(self, given: Input) -> None:
        self.facts = LogFacts(clock=EPOCH)
        self._given = given

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame), ``texts`` last.

        Raises:
            UnreadableInput: it holds no collective.
        """
        text = whole_text(self._given)
        lines = pl.DataFrame({"line": [line for line in text.splitlines() if line.strip()]}, {"line": pl.String})
        rows = _rows(lines)
        good = rows.filter(_is_good())
        self.facts.events, self.facts.damaged = len(lines), len(lines) - len(good)
        stream = self._given.stream
        self.facts.truncated = stream.damage if stream is not None else None
        if len(good) == 0:
            tried = Message("error-cannot-read", path=self._given.source.path)
            raise UnreadableInput(tried, Message("reader-inspector-empty"), Message("reader-inspector-advice"))
        self.facts.recorder_version = good["version"].drop_nulls().first() or ""  # type: ignore[assignment]  # a text
        yield from _stored(good)


def _field(key: str, value: str) -> pl.Expr:
    return pl.col("line").str.extract(rf'"{key}"\s*:\s*{value}')


def _rows(lines: pl.DataFrame) -> pl.DataFrame:
    """Every line with the values under its keys; each key stands in a line once."""
    kinds = ("coll", "p2p")
    either = {
        name: pl.coalesce(_field(f"{kind}{ending}", value) for kind in kinds)
        for name, ending, value in (
            ("operation", "", _TEXT),
            ("sequence", "_sn", _WHOLE),
            ("bytes", "_msg_size_bytes", _WHOLE),
            ("time_us", "_exec_time_us", _WHOLE),
            ("timing", "_timing_source", _TEXT),
            ("algbw", "_algobw_gbs", _REAL),
            ("busbw", "_busbw_gbs", _REAL),
        )
    }
    whole = {
        "place": "rank",
        "ranks": "n_ranks",
        "nodes": "nnodes",
        "peer": "p2p_peer",
        "dumped_us": "dump_timestamp_us",
    }
    numbers = ("sequence", "bytes", "time_us", *whole)
    frame = lines.with_row_index("event").select(
        "event",
        _field("id", _TEXT).alias("communicator"),
        _field("comm_name", _TEXT).alias("communicator_name"),
        _field("inspector_output_format_version", _TEXT).alias("version"),
        *(_field(key, _WHOLE).alias(name) for name, key in whole.items()),
        *(value.alias(name) for name, value in either.items()),
        pl.col("line").str.contains('"p2p_perf"').alias("p2p"),
        pl.col("line").str.contains(r"\}\s*$").alias("ended"),
    )
    real = pl.col("algbw", "busbw").cast(pl.Float64, strict=False)
    return frame.with_columns(pl.col(*numbers).cast(pl.Int64, strict=False), real)


def _is_good() -> pl.Expr:
    """Whether a line says which collective of which communicator took how long."""
    known = pl.all_horizontal(pl.col("communicator", "operation", "sequence", "place", "ranks").is_not_null())
    sound = pl.col("time_us").is_between(0, _MOST_US) & (pl.col("bytes") >= 0)
    inside = (pl.col("place") >= 0) & (pl.col("place") < pl.col("ranks"))
    return (known & sound & inside & pl.col("ended")).fill_null(False)


def _stored(good: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    named = ("communicator", "communicator_name", "operation", "timing")
    texts = list(dict.fromkeys(text for name in named for text in good[name].drop_nulls().unique(maintain_order=True)))
    codes = {text: code for code, text in enumerate(texts)}
    dumped = pl.when(pl.col("dumped_us").is_between(0, _MOST_US)).then(pl.col("dumped_us") * 1000).alias("dumped_ns")
    frame = good.with_columns(
        *(pl.col(name).replace_strict(codes, default=None, return_dtype=pl.UInt32) for name in named),
        (pl.col("time_us") * 1000).alias("duration_ns"),
        dumped,
        *(
            pl.when(pl.col(name).is_finite() & (pl.col(name) >= 0)).then(name).alias(name)
            for name in ("algbw", "busbw")
        ),
    )
    types = STORE_TABLES["collective_time"]
    yield "collective_time", frame.select(pl.col(name).cast(dtype) for name, dtype in types.items())
    yield "texts", pl.DataFrame({"text": texts}, {"text": pl.String})
