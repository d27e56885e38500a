"""Reader of rocprofv3's JSON: an element for each process, with a list for each kind of record.

Seen: `rocprofv3 --output-format json` of 2025, kernels only; made files with calls, copies and ranges.
Read: kernels, copies, calls of HIP, HSA and RCCL, ranges of ROCTx, agents, names of kernels.
Ignored: node, command and configuration, code objects, counters, allocations, sampled instructions; the number of
records of these is said.
Specification: ``generateJSON.cpp`` of rocprofiler-sdk.

Only the members named here are decoded, straight into columns.
"""

from __future__ import annotations

import io
import re
from typing import Any

import polars as pl

from stepscope.messages import Message
from stepscope.readers.rocm.one_pass import OnePass
from stepscope.readers.rocm.stored import (
    CALL_COLUMNS,
    COPY_COLUMNS,
    KERNEL_COLUMNS,
    Tables,
    with_all,
)
from stepscope.readers.sources import Stream

_INT, _TEXT = pl.UInt64, pl.String
_HANDLE = pl.Struct({"handle": _INT})
_SIZE = pl.Struct(dict.fromkeys("xyz", _INT))
_RECORD: dict[str, Any] = {
    "kind": _INT,
    "operation": _INT,
    "thread_id": _INT,
    "correlation_id": pl.Struct({"internal": _INT}),
    "start_timestamp": _INT,
    "end_timestamp": _INT,
}
_DISPATCH = pl.Struct(
    {
        "agent_id": _HANDLE,
        "queue_id": _HANDLE,
        "kernel_id": _INT,
        "group_segment_size": _INT,
        "workgroup_size": _SIZE,
        "grid_size": _SIZE,
    }
)
_KERNEL = pl.Struct(_RECORD | {"dispatch_info": _DISPATCH, "stream_id": _HANDLE})
_COPY = pl.Struct(_RECORD | {"src_agent_id": _HANDLE, "dst_agent_id": _HANDLE, "bytes": _INT, "stream_id": _HANDLE})
_CALLS, _MARKERS = ("hip_api", "hsa_api", "rccl_api"), "marker_api"
_UNREAD = ("memory_allocation", "scratch_memory", "rocdecode_api", "rocjpeg_api", "pc_sample_host_trap")
_AGENT = pl.Struct(
    {
        "id": _HANDLE,
        "type": _INT,
        "name": _TEXT,
        "product_name": _TEXT,
        "logical_node_type_id": _INT,
        "cu_count": _INT,
        "wave_front_size": _INT,
        "lds_size_in_kb": _INT,
    }
)
_RECORDS: dict[str, Any] = {
    "kernel_dispatch": pl.List(_KERNEL),
    "memory_copy": pl.List(_COPY),
    **dict.fromkeys((*_CALLS, _MARKERS), pl.List(pl.Struct(_RECORD))),
    **dict.fromkeys(_UNREAD, pl.List(pl.Struct({"kind": _INT}))),
}
_PROCESS = pl.Struct(
    {
        "metadata": pl.Struct({"pid": _INT}),
        "agents": pl.List(_AGENT),
        "strings": pl.Struct(
            {
                "buffer_records": pl.List(pl.Struct({"kind": _TEXT, "operations": pl.List(_TEXT)})),
                "marker_api": pl.List(pl.Struct({"key": _INT, "value": _TEXT})),
            }
        ),
        "kernel_symbols": pl.List(pl.Struct({"kernel_id": _INT, "formatted_kernel_name": _TEXT, "kernel_name": _TEXT})),
        "buffer_records": pl.Struct(_RECORDS),
    }
)
_ROOT = "rocprofiler-sdk-tool"
DOCUMENT = pl.Struct({_ROOT: pl.List(_PROCESS)})
"""All that is read of a document."""

_END = re.compile(rb"\]\s*\}\s*$")
_PIECE = 1 << 20
_GPU = 2


class DocumentReading(OnePass):
    """One pass. Iterate `tables` to the end, then look at `facts`.

    Args:
        given: the file.
    """

    def tables(self) -> Tables:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it is no such document, or holds no record.
        """
        stream = self._given.stream
        if stream is None:
            raise self._refused(Message("reader-folder"), Message("reader-name-file-in-it"))
        processes = [_Process(row, place) for place, row in enumerate(self._parsed(stream))]
        self._stored.settle({one.number for one in processes if one.uses_gpu}, {one.number for one in processes})
        self.facts.head = {"deviceProperties": processes[0].properties()}
        for one in processes:
            self.facts.unread_records += one.unread()
            yield from self._stored.kernels(one.kernels())
            yield from self._stored.copies(one.copies())
            for name in _CALLS:
                yield from self._stored.calls(one.calls(name))
            yield from self._stored.markers(one.markers())
        if self.facts.events == self.facts.broken_times:
            raise self._refused(Message("reader-rocm-no-event"), Message("reader-rocm-record"))
        yield from self._stored.finish()

    def _parsed(self, stream: Stream) -> list[pl.DataFrame]:
        """A frame of one row for each process."""
        data = bytearray()
        piece = bytearray(_PIECE)
        while count := stream.read_into(memoryview(piece)):
            data += piece[:count]
        try:
            frame = pl.read_json(io.BytesIO(bytes(data)), schema={_ROOT: pl.List(_PROCESS)})
            found = frame.explode(_ROOT).filter(pl.col(_ROOT).is_not_null()).unnest(_ROOT)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError) as error:
            is_whole = _END.search(data[-64:])
            reason = stream.damage or Message("reader-rocm-no-records" if is_whole else "reader-rocm-cut")
            raise self._refused(reason, Message("reader-rocm-record")) from error
        if len(found) == 0:
            raise self._refused(Message("reader-rocm-no-records"), Message("reader-rocm-record"))
        return [found[row] for row in range(len(found))]


class _Process:
    """Records of one process.

    Args:
        row: the process, in a frame of one row.
        place: of it in the document.
    """

    def __init__(self, row: pl.DataFrame, place: int) -> None:
        self._row = row
        pid = row["metadata"].struct.field("pid")[0]
        self.number = int(pid) if pid is not None and pid < 1 << 31 else place
        self._agents = self._members("agents")
        self._kernels, self._copies = self._records("kernel_dispatch"), self._records("memory_copy")
        self.uses_gpu = len(self._kernels) + len(self._copies) > 0

    def properties(self) -> list[dict[str, Any]]:
        """GPUs as a trace's ``deviceProperties`` has them, by the number that HIP gives them."""
        gpus = self._agents.filter(pl.col("type") == _GPU)
        found = []
        for row in gpus.to_dicts():
            if row["logical_node_type_id"] is None:
                continue
            name = (row["product_name"] or row["name"] or "")[:128]
            one = {"id": row["logical_node_type_id"], "name": name, "numSms": row["cu_count"] or None}
            one["warpSize"] = row["wave_front_size"] or None
            found.append({key: value for key, value in one.items() if value is not None})
        return found

    def unread(self) -> int:
        """Records of kinds that are not read."""
        return sum(len(self._records(name)) for name in _UNREAD)

    def kernels(self) -> pl.DataFrame:
        symbols = self._members("kernel_symbols")
        symbols = symbols.select("kernel_id", pl.coalesce("formatted_kernel_name", "kernel_name").alias("name"))
        frame = self._kernels.unnest("dispatch_info")
        sizes = [
            pl.col(f"{what}_size").struct.field(axis).alias(f"{name}_{axis}")
            for what, name in (("grid", "grid"), ("workgroup", "block"))
            for axis in "xyz"
        ]
        frame = frame.with_columns(
            *sizes,
            self._devices(frame["agent_id"]).alias("device"),
            _handle("queue_id").alias("queue"),
            _handle("stream_id").alias("stream"),
            pl.col("group_segment_size").alias("lds_bytes"),
        )
        frame = frame.join(symbols.unique("kernel_id", keep="first"), "kernel_id", "left", maintain_order="left")
        return with_all(frame, KERNEL_COLUMNS)

    def copies(self) -> pl.DataFrame:
        frame = self._copies
        source, target = (self._devices(frame[name]) for name in ("src_agent_id", "dst_agent_id"))
        frame = frame.with_columns(target.fill_null(source).alias("device"), _handle("stream_id").alias("stream"))
        return with_all(self._with_names(frame), COPY_COLUMNS)

    def calls(self, name: str) -> pl.DataFrame:
        return with_all(self._with_names(self._records(name)), CALL_COLUMNS)

    def markers(self) -> pl.DataFrame:
        frame = self._with_names(self._records(_MARKERS))
        said = self._row["strings"].struct.field("marker_api").explode().drop_nulls()
        texts = (
            said.to_frame("text").unnest("text") if len(said) else pl.DataFrame(schema={"key": _INT, "value": _TEXT})
        )
        texts = texts.rename({"key": "internal"}).unique("internal", keep="first")
        frame = frame.with_columns(pl.col("correlation").cast(_INT).alias("internal"))
        frame = frame.join(texts, "internal", "left", maintain_order="left")
        return with_all(frame.with_columns(pl.coalesce("value", "name").alias("name")), CALL_COLUMNS)

    def _with_names(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Records with their domain and what they are called: both stand once, by numbers."""
        kinds = self._row["strings"].struct.field("buffer_records").explode().to_frame("kind").unnest("kind")
        kinds = kinds.rename({"kind": "domain"}).with_columns(pl.int_range(pl.len(), dtype=_INT).alias("kind"))
        names = kinds.explode("operations").rename({"operations": "name"})
        place = pl.int_range(pl.len(), dtype=_INT).over("kind").alias("operation")
        names = names.with_columns(place).select("kind", "operation", "domain", "name")
        frame = frame.join(names, ["kind", "operation"], "left", maintain_order="left")
        return frame.with_columns(pl.col("domain").fill_null(""))

    def _records(self, name: str) -> pl.DataFrame:
        """Records of a kind, with the columns that all have."""
        frame = _exploded(self._row["buffer_records"].struct.field(name))
        if "thread_id" not in frame.columns:
            return frame
        return frame.with_columns(
            pl.lit(self.number, pl.Int64).alias("process"),
            pl.col("thread_id").alias("thread"),
            pl.col("start_timestamp").alias("start"),
            pl.col("end_timestamp").alias("end"),
            pl.col("correlation_id").struct.field("internal").alias("correlation"),
        )

    def _members(self, name: str) -> pl.DataFrame:
        return _exploded(self._row[name])

    def _devices(self, agents: pl.Series) -> pl.Series:
        """HIP's numbers of GPUs; null for other agents."""
        gpus = self._agents.filter(pl.col("type") == _GPU)
        known = gpus.select(pl.col("id").struct.field("handle"), pl.col("logical_node_type_id").alias("device"))
        handles = agents.struct.field("handle").to_frame("handle")
        joined = handles.join(known.unique("handle", keep="first"), "handle", "left", maintain_order="left")
        return joined["device"].cast(pl.Int64, strict=False)


def _exploded(several: pl.Series) -> pl.DataFrame:
    """A list of structures in one row as a frame."""
    return several.explode().drop_nulls().to_frame("one").unnest("one")


def _handle(name: str) -> pl.Expr:
    return pl.col(name).struct.field("handle")
