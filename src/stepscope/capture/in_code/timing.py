"""How long something takes on CPU and GPU together, on every rank; and how that changes with the batch size."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from stepscope.capture.in_code.said import sentence

OK, OUT_OF_MEMORY = "ok", "out of memory"
"""What became of a batch size."""

_NS = 10**9
_BAR = 20
"""Letters of the longest bar."""


@dataclass(frozen=True)
class Timing:
    """What `timed` measured on this rank.

    Attributes:
        times_ns: of each call, in order.
        rank_ns: the median of each rank, by number; of one process only its own.
    """

    times_ns: tuple[int, ...]
    rank_ns: dict[int, int] = field(default_factory=dict)

    @property
    def median_ns(self) -> int:
        """Of this rank."""
        return round(statistics.median(self.times_ns))

    @property
    def low_ns(self) -> int:
        """First quartile of this rank."""
        return self._quartile(0)

    @property
    def high_ns(self) -> int:
        """Third quartile of this rank."""
        return self._quartile(2)

    @property
    def max_ns(self) -> int:
        """The median of the slowest rank, which the others wait for."""
        return max(self.rank_ns.values(), default=self.median_ns)

    @property
    def slowest_rank(self) -> int:
        """The rank that this is of; of several the first."""
        return min(self.rank_ns, key=lambda rank: (-self.rank_ns[rank], rank), default=0)

    def _quartile(self, at: int) -> int:
        if len(self.times_ns) < 2:
            return self.times_ns[0]
        return round(statistics.quantiles(self.times_ns, n=4, method="inclusive")[at])


def timed(
    function: Callable[[], Any], sync: bool = True, barrier: bool | Any = False, *, warmup: int = 3, repeat: int = 10
) -> Timing:
    """Call something several times and measure each call by the host's clock.

    Args:
        sync: wait for the GPU before and after each call; without it launching is what is timed.
        barrier: have all ranks begin each call together: True, or a group of them. Every rank has to call `timed` then.
        warmup: calls before that are not measured.
        repeat: calls that are measured.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    wait = _synchronizing(torch) if sync else _nothing
    meet = _meeting(torch, barrier)
    for _ in range(warmup):
        function()
    times = []
    for _ in range(max(1, repeat)):
        meet()
        wait()
        begin = time.perf_counter_ns()
        function()
        wait()
        times.append(time.perf_counter_ns() - begin)
    return Timing(tuple(times), _of_all_ranks(torch, round(statistics.median(times)), barrier))


@dataclass(frozen=True)
class BatchSize:
    """What one batch size gives.

    Attributes:
        outcome: `OK` or `OUT_OF_MEMORY`; of the latter all else is None.
        step_ns: median of the steps, of the slowest rank; low_ns and high_ns are quartiles of this one.
        samples_per_s: of this process.
        peak_bytes: most that the CUDA allocator gave at a time; None without CUDA.
        flops: of a step; None where they were neither given nor could be counted.
        tflops_per_s: achieved.
        mfu_pct: that as a share of ``peak_flops``; None where that was not given.
    """

    batch_size: int
    outcome: str
    step_ns: int | None = None
    low_ns: int | None = None
    high_ns: int | None = None
    samples_per_s: float | None = None
    peak_bytes: int | None = None
    flops: float | None = None
    tflops_per_s: float | None = None
    mfu_pct: float | None = None


@dataclass(frozen=True)
class Sweep:
    """A row for each batch size; printed, a table with bars of samples a second; ``stepscope.draw`` makes a picture."""

    rows: tuple[BatchSize, ...]

    @property
    def best(self) -> BatchSize | None:
        """The one with most samples a second; None where none fits."""
        return max(
            (row for row in self.rows if row.samples_per_s), key=lambda row: row.samples_per_s or 0, default=None
        )

    def dicts(self) -> list[dict[str, Any]]:
        """For ``polars.DataFrame`` or ``pandas.DataFrame``."""
        return [asdict(row) for row in self.rows]

    def __str__(self) -> str:
        head = ("batch size", "step", "samples/s", "peak memory", "TFLOP/s", "MFU")
        lines = [head, *(_cells(row) for row in self.rows)]
        widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
        bars = ["", *(self._bar(row) for row in self.rows)]
        return "\n".join(_line(line, widths, bar) for line, bar in zip(lines, bars, strict=True))

    def _bar(self, row: BatchSize) -> str:
        """Samples a second, of the most that any batch size gave."""
        most = self.best.samples_per_s if self.best is not None else None
        return "#" * max(1, round(_BAR * (row.samples_per_s or 0) / most)) if row.samples_per_s and most else ""


def sweep(
    step: Callable[[int], Any],
    batch_sizes: Sequence[int],
    *,
    flops: Callable[[int], float] | None = None,
    peak_flops: float | None = None,
    warmup: int = 3,
    repeat: int = 10,
    barrier: bool | Any = False,
) -> Sweep:
    """Run a step with several batch sizes: throughput, memory, TFLOP/s and MFU of each.

    A batch that does not fit is a row that says so. With ``barrier``, on several ranks, all have to run out of memory
    alike: one alone leaves the others waiting.

    Args:
        step: runs one step with this batch size.
        flops: of a step by batch size; without it torch counts those of matrix products, convolutions and attention
            in one more step (``torch.utils.flop_counter``).
        peak_flops: what the device can do a second, for MFU, as ``989e12``.
        warmup, repeat, barrier: as of `timed`.

    Raises:
        ValueError: there is no batch size, or one below 1.
    """
    import torch

    if not batch_sizes or any(size < 1 for size in batch_sizes):
        raise ValueError(sentence("no-batches"))
    rows = []
    for size in batch_sizes:
        try:
            rows.append(_row(torch, step, size, flops, peak_flops, (warmup, repeat, barrier)))
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(torch, error):
                raise
            rows.append(BatchSize(size, OUT_OF_MEMORY))
        # Outside the handler: until then the error holds the tensors of the step that failed.
        _release(torch)
    return Sweep(tuple(rows))


def is_out_of_memory(torch: Any, error: BaseException) -> bool:
    """Whether an error says that memory of the GPU or of the host does not suffice."""
    kinds = [getattr(torch, "OutOfMemoryError", None), getattr(torch.cuda, "OutOfMemoryError", None), MemoryError]
    text = str(error).lower()
    return isinstance(error, tuple(kind for kind in kinds if kind is not None)) or (
        "out of memory" in text or "can't allocate memory" in text or "not enough memory" in text
    )


def _row(
    torch: Any,
    step: Callable[[int], Any],
    size: int,
    flops: Callable[[int], float] | None,
    peak_flops: float | None,
    how: tuple[int, int, bool | Any],
) -> BatchSize:
    warmup, repeat, barrier = how
    counted = flops(size) if flops is not None else _counted(torch, step, size)
    if _uses_cuda(torch):
        torch.cuda.reset_peak_memory_stats()
    found = timed(lambda: step(size), barrier=barrier, warmup=warmup, repeat=repeat)
    pace = None if counted is None else counted * _NS / found.max_ns
    return BatchSize(
        size,
        OK,
        found.max_ns,
        found.low_ns,
        found.high_ns,
        size * _NS / found.max_ns,
        torch.cuda.max_memory_allocated() if _uses_cuda(torch) else None,
        counted,
        None if pace is None else pace / 1e12,
        None if pace is None or not peak_flops else 100.0 * pace / peak_flops,
    )


def _counted(torch: Any, step: Callable[[int], Any], size: int) -> float | None:
    try:
        from torch.utils.flop_counter import FlopCounterMode  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    with FlopCounterMode(display=False) as counter:
        step(size)
    return float(counter.get_total_flops()) or None


def _release(torch: Any) -> None:
    if _uses_cuda(torch):
        torch.cuda.empty_cache()


def _line(cells: tuple[str, ...], widths: list[int], bar: str) -> str:
    return "  ".join([*(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)), bar]).rstrip()


def _cells(row: BatchSize) -> tuple[str, ...]:
    if row.step_ns is None:
        return (str(row.batch_size), row.outcome, "", "", "", "")
    return (
        str(row.batch_size),
        f"{row.step_ns / 1e6:.3f} ms",
        f"{row.samples_per_s:,.1f}",
        "-" if row.peak_bytes is None else f"{row.peak_bytes / 2**30:.2f} GiB",
        "-" if row.tflops_per_s is None else f"{row.tflops_per_s:.3f}",
        "-" if row.mfu_pct is None else f"{row.mfu_pct:.1f} %",
    )


def _nothing() -> None:
    return None


def _uses_cuda(torch: Any) -> bool:
    cuda = getattr(torch, "cuda", None)
    return cuda is not None and bool(cuda.is_initialized())


def _synchronizing(torch: Any) -> Callable[[], Any]:
    """Waits for the GPU, once something has begun to use it."""
    return lambda: torch.cuda.synchronize() if _uses_cuda(torch) else None


def _distributed(torch: Any) -> Any:
    """``torch.distributed`` where it is initialised."""
    found = getattr(torch, "distributed", None)
    try:
        return found if found is not None and found.is_available() and found.is_initialized() else None
    except (AttributeError, RuntimeError):
        return None


def _meeting(torch: Any, barrier: bool | Any) -> Callable[[], Any]:
    distributed = _distributed(torch)
    if not barrier or distributed is None:
        return _nothing
    return lambda: distributed.barrier(group=None if barrier is True else barrier)


def _of_all_ranks(torch: Any, median_ns: int, barrier: bool | Any) -> dict[int, int]:
    """The median of each rank: of this one alone unless all take part."""
    distributed = _distributed(torch)
    if distributed is None:
        return {0: median_ns}
    own = (distributed.get_rank(), median_ns)
    if not barrier:
        return dict([own])
    group = None if barrier is True else barrier
    found: list[Any] = [None] * distributed.get_world_size(group)
    distributed.all_gather_object(found, own, group=group)
    return dict(sorted(found))
