"""What a database holds, as rows of the same kind as those of a timeline."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.readers.ascend.cells import length_ns
from stepscope.readers.ascend.database import AscendDatabase, events, places
from stepscope.readers.ascend.details import RATIOS
from stepscope.readers.ascend.placing import Rows, Table, stored, tables_of
from stepscope.readers.ascend.tasks import operation
from stepscope.schema import CANN, ENQUEUE, TASK_OF_PARTS

_NONE, _NO_CONTEXT = (-1, 0, 0xFFFFFFFF), 0xFFFFFFFF
_OPERATOR, _QUEUE, _FUNCTION, _MARK = 50001, 50002, 50003, 50004
"""Values of PYTORCH_API.type."""

_LEVELS = {"node": "Node", "runtime": "Runtime", "model": "Model", "hccl": "Hccl", "communication": "Communication"}
_ANNOTATION = r"^(?:ProfilerStep#|Optimizer\.|enumerate\(DataLoader\)#)"
_CALL = ("startNs", "endNs", "globalTid", "connectionId", "name")
_EMPTY = pl.DataFrame(schema={"event": pl.UInt32})


class Recorded:
    """One pass over a database.

    Attributes:
        rows: rows so far.
        odd: those of them without a time.
        devices: numbers of the NPUs that worked.
    """

    def __init__(self, base: AscendDatabase) -> None:
        self.rows = self.odd = 0
        self.devices: set[int] = set()
        self._base, self._codes = base, base.codes

    def tables(self) -> Iterator[Table]:
        """Yield (table, frame) of everything but texts."""
        tasks, hardware = self._hardware()
        collectives, groups = self._collectives()
        api = self._api()
        is_frame = pl.col("is_frame").fill_null(False)
        frames, hardware = hardware.filter(is_frame), hardware.filter(~is_frame)
        marked = frames.with_columns(pl.lit(self._codes.code(TASK_OF_PARTS), pl.UInt32).alias("category"))
        rest = marked.with_columns(phase=pl.lit(self._codes.code("X"), pl.UInt32), broken=pl.lit(0, pl.UInt8))
        rows = Rows(hardware, collectives, self._planes(tasks), self._cann(), _EMPTY, _EMPTY, rest)
        flows = pl.DataFrame(schema=dict.fromkeys(("phase", "category", "process", "thread"), pl.UInt32))
        flows = flows.with_columns(pl.lit(None, pl.Int64).alias("flow"), pl.lit(None, pl.Int64).alias("start_ns"))
        yield from tables_of(rows, self._queue(api), flows, groups, self._codes)
        yield from self._functions(api)
        yield from stored("npu_kernel", self._kernels(tasks))

    def _events(self, table: str, *columns: str) -> pl.DataFrame:
        found = self._base.numbers(table, "startNs", "endNs", *columns)
        return self._sound(found)

    def _sound(self, found: pl.DataFrame) -> pl.DataFrame:
        timed = events(found, self.rows)
        self.odd += len(found) - len(timed)
        self.rows += len(timed)
        return timed

    def _hardware(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """All tasks as they are, and as rows of a timeline."""
        base, codes = self._base, self._codes
        tasks = self._events(
            "TASK", "deviceId", "connectionId", "globalTaskId", "taskType", "streamId", "taskId", "contextId"
        )
        self.devices |= set(tasks["deviceId"].drop_nulls().to_list())
        details = base.numbers("COMPUTE_TASK_INFO", "globalTaskId", "name", "taskType")
        known = details.unique("globalTaskId", keep="first", maintain_order=True)
        copies = base.numbers("MEMCPY_INFO", "globalTaskId", "size", "memcpyOperation")
        copies = copies.unique("globalTaskId", keep="first", maintain_order=True)
        joined = tasks.join(known, "globalTaskId", "left", maintain_order="left", suffix="_known")
        joined = joined.join(copies, "globalTaskId", "left", maintain_order="left")
        ways = base.enumeration("ENUM_MEMCPY_OPERATION")
        way = joined["memcpyOperation"].replace_strict(ways, default=None, return_dtype=pl.String)
        kind = base.coded(joined.select(pl.coalesce("taskType_known", "taskType")).to_series())
        name = base.coded(joined.select(pl.coalesce("name", "taskType")).to_series())
        place = {
            "process": codes.codes(joined["deviceId"].cast(pl.String)),
            "thread": codes.codes(joined["streamId"].cast(pl.String)),
        }
        rows = joined.select(
            "event",
            "start_ns",
            "duration_ns",
            name.alias("name"),
            kind.alias("task_type"),
            pl.col("deviceId").alias("device"),
            pl.col("streamId").alias("stream"),
            pl.col("streamId").alias("physical_stream"),
            pl.when(~pl.col("connectionId").is_in(_NONE)).then("connectionId").alias("connection"),
            pl.col("size").alias("copied_bytes"),
            codes.codes(way).alias("operation"),
            *(column.alias(name) for name, column in place.items()),
            *(column.alias(f"row_{name}") for name, column in place.items()),
        )
        return tasks, rows.join(frames_of(tasks), "event", "left", maintain_order="left")

    def _planes(self, tasks: pl.DataFrame) -> pl.DataFrame:
        """Which tasks are parts of collectives, as rows of planes, which are no events of their own."""
        parts = self._base.numbers("COMMUNICATION_TASK_INFO", "globalTaskId").unique()
        found = tasks.join(parts, "globalTaskId", "semi")
        return found.select(
            pl.lit(None, pl.UInt32).alias("event"), "start_ns", device="deviceId", plane_stream="streamId"
        )

    def _collectives(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Collectives as rows of a timeline, and the names of their groups."""
        base, codes = self._base, self._codes
        columns = ("opName", "connectionId", "groupName", "dataType", "count", "deviceId", "rankSize")
        found = self._events("COMMUNICATION_OP", *columns)
        types = base.enumeration("ENUM_HCCL_DATA_TYPE")
        dtype = found["dataType"].replace_strict(types, default=None, return_dtype=pl.String)
        only = next(iter(self.devices)) if len(self.devices) == 1 else None
        process, thread = pl.lit(codes.code("Communication"), pl.UInt32), base.coded(found["groupName"])
        rows = found.select(
            "event",
            "start_ns",
            "duration_ns",
            base.coded(found["opName"]).alias("name"),
            pl.when(~pl.col("connectionId").is_in(_NONE)).then("connectionId").alias("connection"),
            codes.codes(dtype).alias("data_type"),
            pl.col("count").alias("elements"),
            pl.col("rankSize").alias("rank_size"),
            pl.coalesce("deviceId", pl.lit(only, pl.Int64)).alias("device"),
            pl.lit(None, pl.Int64).alias("stream"),
            process.alias("process"),
            thread.alias("thread"),
            process.alias("row_process"),
            thread.alias("row_thread"),
        )
        groups = rows.select("process", "thread", codes.text(thread).alias("group")).unique(["process", "thread"])
        return rows, groups

    def _cann(self) -> pl.DataFrame:
        base, codes = self._base, self._codes
        found = places(self._events("CANN_API", "globalTid", "connectionId", "name", "type"), codes)
        levels = base.enumeration("ENUM_API_TYPE")
        level = found["type"].replace_strict(levels, default=None, return_dtype=pl.String)
        title = level.replace_strict(_LEVELS, default=None, return_dtype=pl.String)
        name = codes.text(base.coded(found["name"])).alias("name")
        named = pl.select(pl.when(title.is_not_null()).then(title + "@" + name).otherwise(name)).to_series()
        return found.select(
            "event",
            "process",
            "thread",
            "start_ns",
            "duration_ns",
            codes.codes(named).alias("name"),
            pl.lit(codes.code(CANN), pl.UInt32).alias("category"),
            pl.when(~pl.col("connectionId").is_in(_NONE)).then("connectionId").alias("connection"),
        )

    def _api(self) -> pl.DataFrame:
        """Rows of PYTORCH_API, whose times are texts."""
        base = self._base
        columns = ("globalTid", "connectionId", "name", "sequenceNumber", "fwdThreadId", "inputDtypes", "inputShapes")
        found = base.numbers("PYTORCH_API", *columns, "callchainId", "type")
        times = base.times("PYTORCH_API", "startNs", "endNs")
        numbers = base.numbers("PYTORCH_API", "startNs", "endNs")
        if len(times) != len(found):
            times = numbers
        whole = pl.concat(
            [found, times.with_columns(pl.coalesce(pl.col(name), numbers[name]) for name in times.columns)],
            how="horizontal",
        )
        timed = places(self._sound(whole), self._codes)
        return timed.with_columns(base.coded(timed["name"]).alias("name"))

    def _queue(self, api: pl.DataFrame) -> pl.DataFrame:
        codes = self._codes
        numbers = self._base.numbers("CONNECTION_IDS", "id", "connectionId").unique(
            "id", keep="first", maintain_order=True
        )
        queue = api.filter(pl.col("type") == _QUEUE)
        known = queue.join(
            numbers.rename({"id": "connectionId", "connectionId": "queue_number"}),
            "connectionId",
            "left",
            maintain_order="left",
        )
        puts = codes.text(known["name"]).str.starts_with("Enqueue").fill_null(False)
        category = (
            pl.when(puts)
            .then(pl.lit(codes.code(ENQUEUE), pl.UInt32))
            .otherwise(pl.lit(codes.code("dequeue"), pl.UInt32))
        )
        return known.select(
            "event", "process", "thread", "start_ns", "duration_ns", "name", "queue_number", category=category
        )

    def _functions(self, api: pl.DataFrame) -> Iterator[Table]:
        """Operators, annotations and Python functions."""
        base, codes = self._base, self._codes
        ran = api.filter(pl.col("type") == _OPERATOR)
        stacks = self._stacks(ran["callchainId"])
        operators = ran.with_columns(
            base.coded(ran["inputShapes"]).alias("input_dims"),
            base.coded(ran["inputDtypes"]).alias("input_types"),
            stacks.alias("call_stack"),
            pl.lit(codes.code("cpu_op"), pl.UInt32).alias("category"),
            sequence="sequenceNumber",
            forward_thread="fwdThreadId",
        )
        marks = codes.text(ran["name"]).str.contains(_ANNOTATION).fill_null(False)
        yield from stored("operator", operators.filter(~marks))
        yield from stored("annotation", operators.filter(marks))
        noted = api.filter(pl.col("type") == _MARK)
        yield from stored("annotation", noted.with_columns(pl.lit(codes.code("mstx"), pl.UInt32).alias("category")))
        called = api.filter(pl.col("type") == _FUNCTION)
        yield from stored(
            "python", called.with_columns(pl.lit(codes.code("python_function"), pl.UInt32).alias("category"))
        )
        rest = api.filter(~pl.col("type").is_in((_OPERATOR, _QUEUE, _FUNCTION, _MARK)).fill_null(False))
        whole = rest.with_columns(phase=pl.lit(codes.code("X"), pl.UInt32), broken=pl.lit(0, pl.UInt8))
        yield from stored("other", whole)

    def _stacks(self, chains: pl.Series) -> pl.Series:
        """Stacks as torch.profiler writes them, innermost first."""
        base, codes = self._base, self._codes
        frames = base.numbers("PYTORCH_CALLCHAINS", "id", "stack", "stackDepth")
        frames = frames.join(chains.alias("id").to_frame().unique().drop_nulls(), "id", "semi")
        texts = frames.with_columns(codes.text(base.coded(frames["stack"])).alias("text")).drop_nulls("text")
        joined = (
            texts.sort("id", "stackDepth").group_by("id", maintain_order=True).agg(pl.col("text").str.join(";\r\n"))
        )
        found = chains.alias("id").to_frame().join(joined, "id", "left", maintain_order="left")["text"]
        return codes.codes(found)

    def _kernels(self, tasks: pl.DataFrame) -> pl.DataFrame:
        """Details of kernels with what their cores did, as `details.kernels` has them."""
        base = self._base
        texts = {
            "name": "name",
            "kind": "opType",
            "core": "taskType",
            "state": "opState",
            "input_shapes": "inputShapes",
            "input_types": "inputDataTypes",
            "input_formats": "inputFormats",
            "output_shapes": "outputShapes",
            "output_types": "outputDataTypes",
            "output_formats": "outputFormats",
        }
        numbers = ("blockNum", "blockDim", "mixBlockNum", "mixBlockDim", "waitNs")
        found = base.numbers("COMPUTE_TASK_INFO", "globalTaskId", *texts.values(), *numbers)
        found = found.unique("globalTaskId", keep="first", maintain_order=True)
        ran = tasks.select("globalTaskId", "start_ns", "duration_ns", device="deviceId", stream="streamId")
        joined = found.join(ran.unique("globalTaskId", keep="first"), "globalTaskId", maintain_order="left")
        joined = joined.join(self._units(), "globalTaskId", "left", maintain_order="left")
        # Beside a number of blocks, a column of the other name holds the shape of a grid.
        is_new = joined["blockNum"].is_not_null().any()
        blocks, mixed = ("blockNum", "mixBlockNum") if is_new else ("blockDim", "mixBlockDim")
        first = self.rows
        self.rows += len(joined)
        return joined.with_columns(
            *(base.coded(found[source].gather(_rows_of(found, joined))).alias(name) for name, source in texts.items()),
            pl.when(pl.col(blocks) > 0).then(blocks).alias("blocks"),
            pl.when(pl.col(mixed) > 0).then(mixed).alias("mix_blocks"),
            pl.col("waitNs").alias("wait_ns"),
            event=pl.int_range(first, first + len(joined), dtype=pl.UInt32, eager=True),
        )

    def _units(self) -> pl.DataFrame:
        """What the units of cores did in each kernel: globalTaskId, columns of `details.RATIOS`, cube_ns, vector_ns."""
        base, codes = self._base, self._codes
        values = base.values("TASK_PMU_INFO", "globalTaskId", "name", "value")
        numbers = values.with_columns(pl.col("globalTaskId", "name").cast(pl.Int64, strict=False))
        titled = numbers.with_columns(codes.text(base.coded(numbers["name"])).alias("title"))
        columns = []
        for name, (header, *_) in RATIOS.items():
            value = pl.col("value").filter(pl.col("title") == header).first().cast(pl.Float64, strict=False)
            columns.append((100.0 * value).alias(name))
        for name, header in (("cube_ns", "aic_total_time"), ("vector_ns", "aiv_total_time")):
            columns.append(pl.col("value").filter(pl.col("title") == header).first().alias(name))
        found = titled.group_by("globalTaskId", maintain_order=True).agg(columns)
        return found.with_columns(length_ns(found[name]).alias(name) for name in ("cube_ns", "vector_ns"))


def frames_of(tasks: pl.DataFrame) -> pl.DataFrame:
    """Tasks that are made of others, which have a context of their own inside them: columns event, is_frame."""
    key = ["deviceId", "streamId", "taskId"]
    has_context = (pl.col("contextId").is_not_null() & (pl.col("contextId") != _NO_CONTEXT)).fill_null(False)
    frames = tasks.filter(~has_context).select(
        *key, "start_ns", frame="event", end_ns=pl.col("start_ns") + pl.col("duration_ns")
    )
    parts = tasks.filter(has_context).select(*key, "start_ns")
    found = parts.sort("start_ns").join_asof(frames.sort("start_ns"), on="start_ns", by=key, check_sortedness=False)
    inside = found.filter((pl.col("start_ns") < pl.col("end_ns")).fill_null(False))
    return inside.select("frame").unique().select(event="frame", is_frame=pl.lit(True))


def _rows_of(found: pl.DataFrame, joined: pl.DataFrame) -> pl.Series:
    """Which row of the first frame each of the second is."""
    numbered = found.select("globalTaskId").with_row_index("row")
    return joined.select("globalTaskId").join(numbered, "globalTaskId", "left", maintain_order="left")["row"]


def steps_of(base: AscendDatabase) -> pl.DataFrame:
    """Table StepTraceTime of the other database: us, as in the CSV."""
    parts = {
        "computing_ns": "computing",
        "exposed_ns": "communication_not_overlapped",
        "overlapped_ns": "overlapped",
        "communication_ns": "communication",
        "free_ns": "free",
        "stage_ns": "stage",
        "bubble_ns": "bubble",
        "preparing_ns": "preparing",
    }
    table = base.values("StepTraceTime", "step", "deviceId", *parts.values())
    numbers = {"step": table["step"], "device": table["deviceId"]}
    frame = pl.DataFrame(
        [
            *(cells.cast(pl.Int64, strict=False).alias(name) for name, cells in numbers.items()),
            *(length_ns(table[source]).alias(name) for name, source in parts.items()),
        ]
    )
    return frame.filter(pl.col("computing_ns").is_not_null())


def collectives_of(base: AscendDatabase) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Tables CommAnalyzerTime and CommAnalyzerBandwidth, as `collectives.collectives` has them."""
    times = {
        "elapse_ns": "elapse_time",
        "transit_ns": "transit_time",
        "wait_ns": "wait_time",
        "synchronization_ns": "synchronization_time",
        "idle_ns": "idle_time",
    }
    table = base.values("CommAnalyzerTime", *_OF_COLLECTIVE, "start_timestamp", *times.values())
    table = table.filter(~pl.col("hccl_op_name").str.contains("Total Op Info").fill_null(True)).with_row_index(
        "collective"
    )
    said = [operation(name)[0] for name in table["hccl_op_name"]]
    rows = pl.DataFrame(
        [
            table["collective"].cast(pl.Int64),
            table["step"].str.strip_prefix("step").cast(pl.Int64, strict=False),
            (table["type"] == "p2p").alias("p2p"),
            table["hccl_op_name"].alias("name"),
            pl.Series("operation", said, pl.String),
            table["group_name"].alias("group"),
            length_ns(table["start_timestamp"]).alias("start_ns"),
            *(length_ns(table[source], 1e6).alias(name) for name, source in times.items()),
        ]
    )
    return rows, _links_of(base, table)


_OF_COLLECTIVE = ("hccl_op_name", "group_name", "step", "type")
"""What names a collective in the other database."""


def _links_of(base: AscendDatabase, table: pl.DataFrame) -> pl.DataFrame:
    links = base.values(
        "CommAnalyzerBandwidth",
        *_OF_COLLECTIVE,
        "transport_type",
        "transit_size",
        "transit_time",
        "large_packet_ratio",
        "count",
    )
    keyed = links.join(table.select("collective", *_OF_COLLECTIVE), [*_OF_COLLECTIVE], nulls_equal=True)
    grouped = keyed.group_by("collective", "transport_type", maintain_order=True).agg(
        pl.col("transit_size", "transit_time", "large_packet_ratio").first(),
        pl.col("count").cast(pl.Float64, strict=False).sum().cast(pl.Int64).alias("packets"),
    )
    made = pl.DataFrame(
        [
            grouped["collective"].cast(pl.Int64),
            grouped["transport_type"].alias("transport"),
            length_ns(grouped["transit_size"], 1e6).alias("bytes"),
            length_ns(grouped["transit_time"], 1e6).alias("transit_ns"),
            grouped["packets"].set(grouped["packets"] == 0, None),
            (grouped["large_packet_ratio"].cast(pl.Float64, strict=False) * 100).alias("large_pct"),
        ]
    )
    return made.filter(pl.col("bytes") > 0)
