"""Where a program waits for its data loader: PyTorch's, or another one that its name gives away.

The first of these that the trace holds:

1. ranges of PyTorch's own loader, ``enumerate(DataLoader)#...``, in whatever category (kineto issue 610);
2. annotations that are named as such things are: Lightning's ``[pl][profile]...train_dataloader_next``, data pipes,
   and ``record_function("data_loading")``, ``"get_batch"``, ``"dataloader"`` and the like;
3. Python frames of known loaders: PyTorch's, torchdata's, DALI's, FFCV's, tf.data's, grain's ``__next__``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from stepscope.analyses.host.threads import named_ranges
from stepscope.analyses.steps.unions import LOADER_PREFIX, loader_ranges
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.step_detection import WHOLE

TORCH, ANNOTATION, FRAME = "torch", "annotation", "frame"

_PHASE = r"(?:train(?:ing)?_|val(?:idation)?_|eval_|test_)?"
_ANNOTATED = "|".join(
    (
        r"enumerate_datapipe_.*",
        r"pl_profile_.*(?:dataloader|train|val|test|predict)_next",
        r"pl_profile_get_(?:train_)?batch",
        _PHASE + r"data_?loader(?:_(?:next|iter|fetch|wait))?",
        _PHASE
        + r"(?:data|dataset|batch|batches|input|inputs)_?(?:load|loading|loader|fetch|fetching|wait|waiting|next)",
        r"(?:get|load|loading|fetch|fetching|next|wait_for|read)_(?:next_)?"
        + _PHASE
        + r"(?:data|batch|batches|input|inputs"
        r"|samples?|mini_?batch)",
        r"get_batch_samples|data|loading|load",
    )
)
"""Names in lower case, with every other character than letters and digits as one ``_``, numbers at the end cut off."""

_FRAMES = (
    r"(?:^|/)(?:torch/utils/data/dataloader|torchdata/[\w/]+|nvidia/dali/[\w/]+|ffcv/loader/\w+"
    r"|tensorflow/python/data/ops/\w+|grain/[\w/]+)\.py\(\d+\): __next__$"
)


@dataclass(frozen=True)
class Loader:
    """The ranges in which a rank waits for data.

    Attributes:
        kind: `TORCH`, `ANNOTATION` or `FRAME`.
        ranges: columns name (code), process, thread, start_ns, end_ns.
        names: their distinct names, most frequent first.
    """

    kind: str
    ranges: pl.DataFrame
    names: tuple[str, ...]

    @property
    def workers(self) -> str | None:
        """Whether worker processes make the batches, by the name of PyTorch's iterator."""
        several = any("MultiProcess" in name for name in self.names)
        alone = any("SingleProcess" in name for name in self.names)
        if several == alone:
            return "mixed" if several else None
        return "multi-process" if several else "single-process"


def may_have_loader(rank: Rank) -> bool:
    """Whether any text of its recording could name a loader: without one `find_loader` need not look for its ranges."""
    named = rank.trace.codes(lambda text: text.str.starts_with(LOADER_PREFIX) | _is_annotated(text) | _is_frame(text))
    return len(named) > 0


@per_rank
def find_loader(rank: Rank) -> Loader | None:
    """The loader of a rank, or None where nothing in the trace is named like one."""
    trace = rank.trace
    rules: tuple[tuple[str, Callable[[Rank], pl.DataFrame]], ...] = (
        (TORCH, lambda rank: loader_ranges(rank.trace)),
        (ANNOTATION, _annotated),
        (FRAME, _frames),
    )
    for kind, find in rules:
        ranges = find(rank)
        if len(ranges):
            counts = ranges.group_by("name").len().sort("len", "name", descending=[True, False])
            return Loader(kind, ranges, tuple(trace.text(counts["name"])))
    return None


def _is_annotated(text: pl.Expr) -> pl.Expr:
    plain = text.str.to_lowercase().str.replace_all(r"[^a-z0-9]+", "_").str.replace(r"[_0-9]+$", "")
    return plain.str.strip_chars("_").str.contains(f"^(?:{_ANNOTATED})$")


def _is_frame(text: pl.Expr) -> pl.Expr:
    return text.str.replace_all("\\", "/", literal=True).str.contains(_FRAMES)


def _annotated(rank: Rank) -> pl.DataFrame:
    names = rank.trace.codes(_is_annotated)
    gpu = rank.trace.codes(lambda text: text == "gpu_user_annotation")
    columns = ["name", *PLACE, "start_ns", "duration_ns", "category"]
    frame = rank.trace.frame("annotation", columns).filter(
        pl.col("name").is_in(names.implode()) & ~pl.col("category").is_in(gpu.implode()).fill_null(False)
    )
    # An annotation that was taken for the steps holds the whole step, whatever it is called.
    steps = rank.all_steps.ranges.select("start_ns", "end_ns") if rank.all_steps.source != WHOLE else None
    frame = frame.with_columns((pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns"))
    if steps is not None:
        frame = frame.join(steps, ["start_ns", "end_ns"], "anti", maintain_order="left")
    return frame.select("name", *PLACE, "start_ns", "end_ns")


def _frames(rank: Rank) -> pl.DataFrame:
    if rank.trace.rows("python") == 0:
        return named_ranges(rank.trace, pl.Series([], dtype=pl.UInt32), ("python",))
    names = rank.trace.codes(_is_frame)
    return named_ranges(rank.trace, names, ("python",))


def step_threads(rank: Rank) -> pl.DataFrame | None:
    """Threads that run the steps, columns process and thread; None where no range marks them."""
    ranges = rank.all_steps.ranges
    if rank.all_steps.source == WHOLE or len(ranges) == 0:
        return None
    marks = rank.trace.codes(lambda text: text.str.contains(r"^(ProfilerStep#|Optimizer\.step#)"))
    marked = named_ranges(rank.trace, marks, ("annotation", "operator"))
    marked = marked.filter(pl.col("end_ns").is_in(ranges["end_ns"].implode()))
    whole = rank.trace.frame("annotation", [*PLACE, "start_ns", "duration_ns"])
    whole = whole.with_columns((pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns"))
    whole = whole.join(ranges.select("start_ns", "end_ns"), ["start_ns", "end_ns"], "semi")
    threads = pl.concat([marked.select(PLACE), whole.select(PLACE)]).unique()
    return threads if len(threads) else None
