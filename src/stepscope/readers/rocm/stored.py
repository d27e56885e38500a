"""Records of rocprofv3 as tables of the store, whatever file they come from.

Times are ns of the boot clock; nothing relates them to the time of day. A record of several processes says which one
it is of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from stepscope.numeric.pool import SharedPool
from stepscope.readers.facts import OWN, Facts, Process
from stepscope.readers.pooled_texts import codes_of, stored_texts
from stepscope.schema import KERNEL, MEMCPY, PART, STORE_TABLES

Tables = Iterator[tuple[str, pl.DataFrame]]

_DIRECTIONS = {
    "HOST_TO_DEVICE": "HtoD",
    "DEVICE_TO_HOST": "DtoH",
    "DEVICE_TO_DEVICE": "DtoD",
    "HOST_TO_HOST": "HtoH",
}
_CALLS = (("HIP", "hip_runtime"), ("HSA", "hip_driver"))
_OTHER_CALLS = "rccl_api"
_CORRELATION_BITS = 40
_MOST_NS = 1 << 61


@dataclass
class RocmFacts(Facts):
    """Facts of a recording of rocprofv3.

    Attributes:
        broken_times: records without a time, or that end before they start.
        unread_records: records of kinds that are not read.
    """

    recorder: str = "rocprofv3"
    broken_times: int = 0
    unread_records: int = 0
    clock: str = OWN


class Stored:
    """Makes frames of the store, and counts their rows.

    Args:
        facts: are completed by `finish`.
    """

    def __init__(self, facts: RocmFacts) -> None:
        self.facts, self.texts = facts, SharedPool()
        self._rows: Counter[int] = Counter()
        self._with_gpu: set[int] = set()
        self._order: dict[int, int] = {}
        self._parts: dict[int, int] = {}

    def settle(self, with_gpu: set[int], others: set[int]) -> None:
        """Say which processes there are, before the first frame: each with work on a GPU has a part of its own."""
        self._with_gpu = with_gpu
        ordered = [*sorted(with_gpu), *sorted(others - with_gpu)]
        self._order = {process: place for place, process in enumerate(ordered)}
        together = len(with_gpu) < 2
        self._parts = {process: 0 if together else place for process, place in self._order.items()}

    def kernels(self, frame: pl.DataFrame) -> Tables:
        """Columns process, thread, start, end, name, device, queue, stream, correlation, and sizes.

        Sizes (``grid_x`` and so on) are work-items, as HSA counts them; a grid is stored in blocks, as elsewhere.
        """
        sizes = {axis: pl.col(f"block_{axis}").cast(pl.Int64).fill_null(1).clip(lower_bound=1) for axis in "xyz"}
        blocks = [(pl.col(f"grid_{axis}") + sizes[axis] - 1) // sizes[axis] for axis in "xyz"]
        known = pl.col("grid_x").is_not_null()
        frame = frame.with_columns(
            pl.when(known).then(_in_brackets(blocks)).alias("grid"),
            pl.when(known).then(_in_brackets(list(sizes.values()))).alias("block"),
            pl.lit("kernel").alias("category"),
            pl.lit(KERNEL).alias("activity"),
            pl.coalesce("stream", "queue").alias("stream"),
            pl.col("lds_bytes").alias("shared_bytes"),
            pl.col("vgprs").alias("registers"),
        )
        yield from self._on_gpu(frame)

    def copies(self, frame: pl.DataFrame) -> Tables:
        """Columns process, thread, start, end, name, device, stream, correlation, bytes."""
        length = pl.col("end") - pl.col("start")
        frame = frame.with_columns(
            pl.col("name")
            .str.extract(r"([A-Z]+_TO_[A-Z]+)")
            .replace_strict(_DIRECTIONS, default=None, return_dtype=pl.String)
            .alias("direction"),
            pl.lit("gpu_memcpy").alias("category"),
            pl.lit(MEMCPY).alias("activity"),
            pl.when(length > 0).then(pl.col("bytes") / length).alias("bandwidth_gb_per_s"),
        )
        yield from self._on_gpu(frame)

    def calls(self, frame: pl.DataFrame) -> Tables:
        """Columns process, thread, start, end, name, domain, correlation. Calls of RCCL are no launches."""
        category = pl.lit(_OTHER_CALLS)
        for begins, name in _CALLS:
            category = pl.when(pl.col("domain").str.starts_with(begins)).then(pl.lit(name)).otherwise(category)
        frame = frame.with_columns(category.alias("category"))
        launching = frame["category"] != _OTHER_CALLS
        yield from self._table("runtime", frame.filter(launching))
        yield from self._other(frame.filter(~launching), "X")

    def markers(self, frame: pl.DataFrame) -> Tables:
        """Columns process, thread, start, end, name: ranges of ROCTx, and marks, which have no length."""
        is_range = frame.select((pl.col("end") > pl.col("start")).fill_null(True)).to_series()
        ranges = frame.filter(is_range).with_columns(pl.lit("user_annotation").alias("category"))
        yield from self._table("annotation", ranges.drop("domain", strict=False))
        yield from self._other(frame.filter(~is_range).with_columns(pl.lit("nvtx_mark").alias("category")), "i")

    def names(self, frame: pl.DataFrame) -> Tables:
        """Columns process, thread, label_name: names of threads."""
        frame = frame.filter(pl.col("label_name").is_not_null() & pl.col("process").is_in(list(self._order)))
        frame = frame.with_columns(pl.lit("thread_name").alias("name"), pl.lit(0).alias("start_ns"))
        yield from self._written("label", frame)

    def finish(self) -> Tables:
        """The texts; afterwards the facts are complete."""
        facts = self.facts
        facts.damaged = facts.broken_times
        processes = [*sorted(self._with_gpu), *sorted(self._order.keys() - self._with_gpu)]
        ranks = self._with_gpu or set(processes[:1])
        facts.processes = [
            Process(one, self._parts[one], one in ranks, events=self._rows[one]) for one in processes if self._rows[one]
        ]
        yield from stored_texts(self.texts)

    def _on_gpu(self, frame: pl.DataFrame) -> Tables:
        """Work of a GPU lies on its stream, and is of no thread."""
        frame = frame.with_columns(
            pl.col("process").alias("owner"),
            pl.col("device").cast(pl.String).alias("process"),
            pl.col("stream").cast(pl.String).alias("thread"),
        )
        yield from self._table("activity", frame)

    def _other(self, frame: pl.DataFrame, phase: str) -> Tables:
        frame = frame.with_columns(pl.lit(phase).alias("phase"), pl.lit(0).alias("broken"))
        yield from self._table("other", frame)

    def _table(self, name: str, frame: pl.DataFrame) -> Tables:
        sound = pl.col("start").is_between(0, _MOST_NS) & (pl.col("end") >= pl.col("start"))
        sound &= pl.col("end") <= _MOST_NS
        whole = frame.filter(sound.fill_null(False))
        self.facts.broken_times += len(frame) - len(whole)
        self.facts.events += len(frame) - len(whole)
        times = (pl.col("start").alias("start_ns"), (pl.col("end") - pl.col("start")).alias("duration_ns"))
        yield from self._written(name, whole.with_columns(times))

    def _written(self, name: str, frame: pl.DataFrame) -> Tables:
        if len(frame) == 0:
            return
        owner = frame["owner"] if "owner" in frame.columns else frame["process"]
        for process, count in owner.value_counts().iter_rows():
            self._rows[process] += count
        frame = frame.with_row_index("event", self.facts.events)
        self.facts.events += len(frame)
        if "correlation" in frame.columns:
            number = owner.replace_strict(self._order, default=0, return_dtype=pl.Int64)
            frame = frame.with_columns(pl.col("correlation") + number * (1 << _CORRELATION_BITS))
        parts = owner.replace_strict(self._parts, default=0, return_dtype=pl.UInt16).alias(PART)
        types = STORE_TABLES[name]
        columns = [self._column(frame[column], types[column]) for column in frame.columns if column in types]
        yield name, pl.DataFrame([*columns, parts])

    def _column(self, values: pl.Series, dtype: type[pl.DataType]) -> pl.Series:
        """Values as the store has them: texts as their codes."""
        if dtype == pl.UInt32 and values.name != "event":
            return codes_of(values.cast(pl.String), self.texts)
        return values.cast(dtype, strict=False)


def _in_brackets(parts: list[pl.Expr]) -> pl.Expr:
    joined = pl.concat_str([part.cast(pl.String) for part in parts], separator=", ")
    return pl.concat_str(pl.lit("["), joined, pl.lit("]"))


KERNEL_COLUMNS = (
    *("process", "thread", "start", "end", "device", "queue", "stream", "correlation", "lds_bytes", "vgprs"),
    *(f"{what}_{axis}" for what in ("grid", "block") for axis in "xyz"),
)
COPY_COLUMNS = ("process", "thread", "start", "end", "device", "stream", "correlation", "bytes")
CALL_COLUMNS = ("process", "thread", "start", "end", "correlation")


def with_all(frame: pl.DataFrame, numbers: tuple[str, ...]) -> pl.DataFrame:
    """A frame with all of some columns of whole numbers, null where it lacks them."""
    lacking = [pl.lit(None, pl.Int64).alias(name) for name in numbers if name not in frame.columns]
    frame = frame.with_columns(lacking)
    return frame.with_columns(pl.col(name).cast(pl.Int64, strict=False) for name in numbers)
