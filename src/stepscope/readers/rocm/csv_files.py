"""Reader of rocprofv3's CSV: the files of one prefix, each a kind of record.

Seen: the examples of its documentation (2024 to 2025).
Read: kernels, copies, calls, ranges, agents. A copy has no size in these files.
Ignored: sums (``*_stats.csv``) and counters. Rows that are no records are counted. Of a file that is cut off the whole
rows are read; one beside the first that cannot be read is left out, and named.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.rocm.format import kind_of
from stepscope.readers.rocm.one_pass import OnePass
from stepscope.readers.rocm.stored import (
    CALL_COLUMNS,
    COPY_COLUMNS,
    KERNEL_COLUMNS,
    Tables,
    with_all,
)
from stepscope.readers.sources import Source, Stream

_NUMBER = r"(\d{1,18})\s*$"
_PROCESS = re.compile(r"(?:^|[/\\])(\d{1,9})_[a-z_]+\.csv$", re.IGNORECASE)
_COLUMNS = {
    "Thread_Id": "thread",
    "Process_Id": "process",
    "Start_Timestamp": "start",
    "End_Timestamp": "end",
    "Correlation_Id": "correlation",
    "Queue_Id": "queue",
    "Stream_Id": "stream",
    "Kernel_Name": "name",
    "Function": "name",
    "Direction": "name",
    "Domain": "domain",
    "LDS_Block_Size": "lds_bytes",
    "Group_Segment_Size": "lds_bytes",
    "VGPR_Count": "vgprs",
    **{f"Grid_Size_{axis.upper()}": f"grid_{axis}" for axis in "xyz"},
    **{f"Workgroup_Size_{axis.upper()}": f"block_{axis}" for axis in "xyz"},
}
_NAMING = {"Kernel_Name", "Direction", "Function", "Agent_Type"}
"""Columns one of which every file has that is read."""

_PIECE = 1 << 20


class CsvReading(OnePass):
    """One pass. Iterate `tables` to the end, then look at `facts`.

    Args:
        given: one file of the recording, and the others as its companions.
    """

    def tables(self) -> Tables:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it holds no record.
        """
        frames = list(self._frames())
        agents = {} if not (found := [frame for kind, frame in frames if kind == "agent"]) else _agents(found[0])
        self.facts.head = {"deviceProperties": [device for _, device in agents.values() if device]}
        named = [self._numbered(kind, frame, agents) for kind, frame in frames if kind != "agent"]
        process = self._process([frame for _, frame in named])
        named = [(kind, frame.with_columns(pl.col("process").fill_null(process))) for kind, frame in named]
        with_gpu = {one for kind, frame in named if kind in ("kernel", "copy") for one in frame["process"].unique()}
        self._stored.settle(with_gpu, {one for _, frame in named for one in frame["process"].unique()})
        for kind, frame in named:
            write = {"kernel": self._stored.kernels, "copy": self._stored.copies, "call": self._stored.calls}
            yield from write.get(kind, self._stored.markers)(frame)
        if self.facts.events == self.facts.broken_times:
            raise self._refused(Message("reader-rocm-no-event"), Message("reader-rocm-record"))
        yield from self._stored.finish()

    def _frames(self) -> Iterator[tuple[str, pl.DataFrame]]:
        stream = self._given.stream
        if stream is None:
            raise self._refused(Message("reader-folder"), Message("reader-name-file-in-it"))
        frame = self._parsed(stream, self._given.source.name)
        yield kind_of(self._given.source.name) or _kind_by_columns(frame), frame
        for path in self._given.source.companions:
            name = Source(path).name
            if kind := kind_of(name):
                try:
                    with Source(path).open(self._given.max_bytes) as stream:
                        beside = self._parsed(stream, name)
                except UnreadableInput:
                    self.facts.unread_files.append(name)
                else:
                    yield kind, beside

    def _parsed(self, stream: Stream, name: str) -> pl.DataFrame:
        """All cells as texts: agents are numbers in some files and names in others."""
        data = bytearray()
        piece = bytearray(_PIECE)
        while count := stream.read_into(memoryview(piece)):
            data += piece[:count]
        self.facts.truncated = self.facts.truncated or stream.damage
        whole = data.rfind(b"\n") + 1
        try:
            frame = pl.read_csv(
                io.BytesIO(bytes(data[:whole])),
                infer_schema=False,
                truncate_ragged_lines=True,
                ignore_errors=True,
                encoding="utf8-lossy",
            )
        except (pl.exceptions.PolarsError, ValueError) as error:
            raise self._refused(Message("reader-rocm-no-records"), Message("reader-rocm-record")) from error
        if not _NAMING & set(frame.columns):
            raise self._refused(Message("reader-rocm-no-records"), Message("reader-rocm-record"))
        if whole < len(data):
            self.facts.cut_files.append(name)
        return frame

    def _numbered(self, kind: str, frame: pl.DataFrame, agents: dict[int, Any]) -> tuple[str, pl.DataFrame]:
        """A frame with the columns of its kind."""
        names = {name: _COLUMNS[name] for name in frame.columns if name in _COLUMNS}
        chosen: dict[str, pl.Expr | pl.Series] = {}
        for name, column in names.items():
            chosen.setdefault(column, pl.col(name).alias(column))
        known = {number: device for number, (device, _) in agents.items()}
        for column in ("Agent_Id", "Source_Agent_Id", "Destination_Agent_Id"):
            if column in frame.columns:
                chosen[column] = _number(frame[column]).alias(column)
        made = frame.select(list(chosen.values())) if chosen else pl.DataFrame({"name": []})
        for column in ("Agent_Id", "Source_Agent_Id", "Destination_Agent_Id"):
            if column in made.columns and known:
                made = made.with_columns(pl.col(column).replace_strict(known, default=None, return_dtype=pl.Int64))
        made = _with_device(made, bool(known))
        wanted = {"kernel": KERNEL_COLUMNS, "copy": COPY_COLUMNS}.get(kind, CALL_COLUMNS)
        made = with_all(made, wanted)
        lacking = [pl.lit("").alias(name) for name in ("name", "domain") if name not in made.columns]
        return kind, made.with_columns(lacking)

    def _process(self, frames: list[pl.DataFrame]) -> int:
        """The process of records that do not name it, as kernels: that of the others, else of the file's name."""
        known: list[int] = [one for frame in frames for one in frame["process"].drop_nulls().head(1)]
        if known:
            return known[0]
        named = _PROCESS.search(self._given.source.path)
        return int(named[1]) if named else 0


def _number(texts: pl.Series) -> pl.Series:
    """The number that an agent's text ends with, as of ``Agent 4``."""
    return texts.cast(pl.String).str.extract(_NUMBER).cast(pl.Int64, strict=False)


def _with_device(frame: pl.DataFrame, is_known: bool) -> pl.DataFrame:
    """The GPU of each record; of a copy to the host the one that it comes from."""
    if "Agent_Id" in frame.columns:
        return frame.with_columns(pl.col("Agent_Id").alias("device"))
    if "Destination_Agent_Id" not in frame.columns or "Source_Agent_Id" not in frame.columns:
        return frame
    source, target = pl.col("Source_Agent_Id"), pl.col("Destination_Agent_Id")
    if is_known:
        return frame.with_columns(pl.coalesce(target, source).alias("device"))
    from_device = pl.col("name").str.ends_with("DEVICE_TO_HOST")
    return frame.with_columns(pl.when(from_device).then(source).otherwise(target).alias("device"))


def _agents(frame: pl.DataFrame) -> dict[int, tuple[int | None, dict[str, Any] | None]]:
    """Of each agent HIP's number of the GPU, None for others, and its properties."""
    names = ("Logical_Node_Id", "Node_Id", "Agent_Type", "Logical_Node_Type_Id", "Product_Name", "Name", "Cu_Count")
    columns = {name: frame[name].to_list() if name in frame.columns else [None] * len(frame) for name in names}
    found: dict[int, tuple[int | None, dict[str, Any] | None]] = {}
    gpus = 0
    for row in range(len(frame)):
        one = {name: values[row] for name, values in columns.items()}
        number = _whole(one["Logical_Node_Id"], _whole(one["Node_Id"], row))
        if "GPU" not in str(one["Agent_Type"]).upper():
            found[number] = (None, None)
            continue
        device = _whole(one["Logical_Node_Type_Id"], gpus)
        gpus += 1
        properties: dict[str, Any] = {"id": device, "name": str(one["Product_Name"] or one["Name"] or "")[:128]}
        units = _whole(one["Cu_Count"], 0)
        found[number] = (device, properties | ({"numSms": units} if units else {}))
    return found


def _whole(text: Any, default: int) -> int:
    return int(text) if text is not None and re.fullmatch(r"\d{1,9}", str(text)) else default


def _kind_by_columns(frame: pl.DataFrame) -> str:
    """What a file of another name holds."""
    if "Kernel_Name" in frame.columns:
        return "kernel"
    if "Direction" in frame.columns:
        return "copy"
    domains = frame["Domain"].drop_nulls() if "Domain" in frame.columns else pl.Series([], dtype=pl.String)
    return "marker" if len(domains) and str(domains[0]).startswith("MARKER") else "call"
