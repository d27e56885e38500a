"""What the stacks of a memory snapshot say: the line of the user's code, the operator, the part of a training step."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.host.frame_names import frame_names
from stepscope.analyses.memory.snapshot import snapshot_of
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

SETUP, FORWARD, BACKWARD, OPTIMIZER = "setup", "forward", "backward", "optimizer"
LIBRARY, ELSEWHERE = "library", "elsewhere"
"""Where in a program an allocation was made, by the innermost frame that tells; `LIBRARY` is cuBLAS' workspace."""

_OPTIMIZER_FILE = r"(?:^|[/\\])optim(?:izer|izers)?[/\\](?:[^/\\]+[/\\])*[^/\\]+\.py$"
_NOT_STEPPING = ("zero_grad", "__init__", "add_param_group", "load_state_dict", "state_dict")
_ENGINE = r"torch::autograd::(?:Engine|AccumulateGrad|generated)|^_engine_run_backward$"
_FORWARD = ("forward", "_call_impl", "_wrapped_call_impl")
_SETUP = ("__init__", "to", "cuda", "_apply", "convert", "load_state_dict", "from_pretrained", "reset_parameters")
_LIBRARY = r"^at::cuda::(?:getCurrentCUDABlasHandle|getCUDABlasLtWorkspace|setWorkspaceForHandle)"
_OVERLOADS = (
    "out|grad_input|Tensor|Scalar|self|dim|int|dtype|layout|device|memory_format|start|input|generator|names|correction"
)
_OPERATOR = rf"^at::_ops::(\w+?)(?:_(?:{_OVERLOADS})(?:_\w+)?)?::(?:call|redispatch)\("
_ORIGINAL = r'File "([^"\n]+)", line (\d+), in ([^\n]*)'
_BETWEEN = " < "
_MOST_FRAMES = 12


@per_rank(unlimited=True)
def stack_facts(rank: Rank) -> pl.DataFrame:
    """A row for each stack of a rank's snapshot, in order of its number.

    Columns: stack, source (innermost line of the user's code), op (outermost operator of PyTorch; null where C++ was
    not recorded), part (of this module), lines (the user's lines, innermost first).
    """
    snapshot = snapshot_of(rank)
    if snapshot is None:
        raise LookupError("there is no snapshot of the rank")
    trace = snapshot.trace
    frames = trace.frame("memory_frame", ["frame", "file", "line", "function", "original"])
    frames = _with_models(frames.with_columns(trace.text(frames[name]) for name in ("file", "function", "original")))
    frames = pl.concat([frames.with_columns(_part()), _named(frames)], how="horizontal")
    members = trace.frame("memory_stack", ["stack", "frame"])
    known = frames.select("frame", "source", "is_user", "operator", "part", "place")
    members = members.join(known, "frame", "left", maintain_order="left_right")
    user = pl.col("is_user").fill_null(False)
    return (
        members.group_by("stack", maintain_order=True)
        .agg(
            pl.col("source").filter(user).first(),
            pl.col("operator").drop_nulls().last().alias("op"),
            pl.col("part").drop_nulls().first().fill_null(ELSEWHERE),
            pl.concat_str("source", pl.col("place").str.extract(r" in (.+)$").fill_null(""), separator=" ")
            .filter(user)
            .head(_MOST_FRAMES)
            .str.join(_BETWEEN)
            .alias("lines"),
        )
        .sort("stack")
    )


def _with_models(frames: pl.DataFrame) -> pl.DataFrame:
    """The frames, those of generated code after the lines of the model that they come from, innermost first."""
    found = (
        frames.filter(pl.col("original").is_not_null())
        .select("frame", pl.col("original").str.extract_all(_ORIGINAL).list.reverse())
        .explode("original", empty_as_null=False)
    )
    parts = {"file": 1, "line": 2, "function": 3}
    lines = found.select("frame", *(pl.col("original").str.extract(_ORIGINAL, at).alias(n) for n, at in parts.items()))
    lines = lines.with_columns(pl.col("line").cast(pl.Int64, strict=False)).drop_nulls("line")
    both = pl.concat([lines, frames.drop("original")], how="vertical_relaxed")
    return both.sort("frame", maintain_order=True)


def _named(frames: pl.DataFrame) -> pl.DataFrame:
    """Source line and operator of each frame."""
    texts = frames.select(
        pl.format(
            "{}({}): {}", pl.col("file").fill_null(""), pl.col("line").fill_null(0), pl.col("function").fill_null("")
        ).alias("text")
    )["text"]
    operator = pl.lit("aten::") + frames["function"].str.extract(_OPERATOR)
    names = frame_names(texts).select("source", "is_user", "place")
    return names.with_columns(pl.Series("operator", pl.select(operator).to_series()))


def _part() -> pl.Expr:
    """The part of a step that a frame alone tells."""
    name = pl.col("function").fill_null("")
    stepping = pl.col("file").fill_null("").str.contains(_OPTIMIZER_FILE) & ~name.is_in(_NOT_STEPPING)
    return (
        pl.when(name.str.contains(_LIBRARY))
        .then(pl.lit(LIBRARY))
        .when(name.str.contains(_ENGINE))
        .then(pl.lit(BACKWARD))
        .when(stepping)
        .then(pl.lit(OPTIMIZER))
        .when(name.is_in(_FORWARD))
        .then(pl.lit(FORWARD))
        .when(name.is_in(_SETUP))
        .then(pl.lit(SETUP))
        .alias("part")
    )
