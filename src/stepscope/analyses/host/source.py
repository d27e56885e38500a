"""Which line of the user's code something on the host came from.

A recording with stacks holds a range for each Python call, named ``file.py(123): function`` after the line where the
function begins. The source of a moment on a thread is the innermost *user* frame that is open there: one of a file
that belongs neither to Python, nor to PyTorch, nor to a library that only drives the training loop. Without any, the
innermost frame with a file. Frames that are no user frames are looked through, and no frame counts as open when its
caller is not: the profiler misses some returns and lets a frame (mostly a ``<built-in method __exit__ ...>``) last for
milliseconds too long.

A backward function runs on a thread of its own, or inside the line that says ``loss.backward()``, so it has the source
of the forward operator that it differentiates, unless user code runs inside the function (a ``torch.autograd.Function``
of the user's, activation checkpointing).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.host.callers import callers
from stepscope.analyses.host.chains import chain_texts, chains
from stepscope.analyses.host.enclosing import rows_at
from stepscope.analyses.host.frame_names import frame_names
from stepscope.numeric.ancestry import nearest, open_ancestor
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY, at
from stepscope.store.autograd import backward_pass
from stepscope.store.memo import per_rank
from stepscope.store.nesting import HostNesting
from stepscope.store.profile import Rank
from stepscope.store.step_detection import PROFILER_FRAME


@dataclass(frozen=True)
class Frames:
    """The Python frames of a rank, nested; arrays by row of table ``python``.

    Attributes:
        host: the nesting.
        caller, end: of each frame, see `callers`.
        user, file: row of the nearest user frame, or frame with a file, on a row's way up, itself included.
        names: columns name (code), source ("path/file.py:123" or null), is_user.
        name: code of each row's name.
    """

    host: HostNesting
    caller: Ints
    end: Ints
    user: Ints
    file: Ints
    names: pl.DataFrame
    name: pl.Series

    def source(self, row: Ints) -> pl.Series:
        """Source of some rows; null for `NOBODY`."""
        codes = self.name.gather(pl.Series(np.where(row == NOBODY, 0, row), dtype=pl.UInt32))
        known = pl.DataFrame({"name": codes.set(pl.Series(row == NOBODY), None)})
        return known.join(self.names, "name", "left", maintain_order="left")["source"]

    def open_ancestor(self, wanted: Ints, row: Ints, times: Ints) -> Ints:
        """See `ancestry.open_ancestor`."""
        return open_ancestor(wanted, self.caller, self.end, row, times)


@per_rank(whole=True)
def frames(rank: Rank) -> Frames:
    """The Python frames of a rank."""
    host = rank.nesting("python")
    name = rank.trace.frame("python", ["name"])["name"]
    names = frame_names(rank.trace.text(name.unique().drop_nulls()), name.unique().drop_nulls())
    running = pl.col("name").is_in(_running_before(rank, host, name).implode())
    names = names.with_columns(pl.when(running).then("place").otherwise("source").alias("source"), running.alias("ran"))
    of_row = pl.DataFrame({"name": name}).join(names, "name", "left", maintain_order="left")
    caller, end = callers(host)
    user = nearest(of_row["is_user"].fill_null(False).to_numpy(), caller)
    file = nearest(of_row["source"].is_not_null().to_numpy(), caller)
    return Frames(host, caller, end, user, file, names, name)


def _running_before(rank: Rank, host: HostNesting, name: pl.Series) -> pl.Series:
    """Names of the frames that were open when the recording began: they hold the line that ran then.

    The profiler puts them down first, its own start innermost; the first built-in function is called by that.
    """
    builtin = rank.trace.codes(lambda text: text.str.starts_with("<built-in"))
    own = rank.trace.codes(lambda text: text.str.contains(PROFILER_FRAME))
    calls = host.start[name.is_in(builtin.implode()).fill_null(False).to_numpy()]
    early = host.start < (calls.min() if len(calls) else 0)
    began = name.is_in(own.implode()).fill_null(False).to_numpy() & early
    return name.filter(pl.Series(early, dtype=pl.Boolean)) if began.any() else name.clear()


def source_at(rank: Rank, process: pl.Series, thread: pl.Series, at_ns: pl.Series | Ints) -> pl.Series:
    """Source line of moments on threads: "path/file.py:123", or null where no Python frame with a file is open.

    Args:
        process, thread: codes as in the stored tables, or numbers; one per moment.
        at_ns: moments on the host's clock.
    """
    times = np.asarray(at_ns, np.int64)
    if rank.trace.rows("python") == 0:
        return pl.Series("source", [None] * len(times), dtype=pl.String)
    found = frames(rank)
    inner = rows_at(found.host, process, thread, times)
    user = found.open_ancestor(found.user, inner, times)
    row = np.where(user == NOBODY, found.open_ancestor(found.file, inner, times), user)
    return found.source(row).alias("source")


@dataclass(frozen=True)
class Calling:
    """A user frame and the frame that it had called at some moment, by their names.

    Attributes:
        ran_before: the caller was open when the recording began.
    """

    caller: str
    callee: str
    ran_before: bool


def calling_at(rank: Rank, process: pl.Series, thread: pl.Series, at_ns: Ints, weight: Ints) -> Calling | None:
    """Which user frame called what at moments on threads, the pair of frames that has most weight; None without one."""
    found = frames(rank)
    inner = rows_at(found.host, process, thread, at_ns)
    user = found.open_ancestor(found.user, inner, at_ns)
    below = _below(found, inner, user)
    codes = found.name.gather
    pairs = pl.DataFrame(
        {"caller": codes(np.maximum(user, 0)), "callee": codes(np.maximum(below, 0)), "weight": weight}
    )
    pairs = pairs.filter(pl.Series((user >= 0) & (below >= 0), dtype=pl.Boolean))
    pairs = pairs.group_by("caller", "callee").agg(pl.col("weight").sum())
    pairs = pairs.with_columns(rank.trace.text(pairs[side]).alias(f"{side}_text") for side in ("caller", "callee"))
    if len(pairs) == 0:
        return None
    most = pairs.sort("weight", "caller_text", "callee_text", descending=[True, False, False]).row(0, named=True)
    before = found.names.filter(pl.col("name") == most["caller"])["ran"][0]
    return Calling(most["caller_text"], most["callee_text"], bool(before))


def _below(found: Frames, inner: Ints, user: Ints) -> Ints:
    """The frame right below each user frame on the way up from the innermost; `NOBODY` where that is the same."""
    below = np.where(inner == user, NOBODY, inner)
    while True:
        up = at(found.caller, below)
        further = np.flatnonzero((below >= 0) & (up != user) & (up >= 0))
        if len(further) == 0:
            return below
        below[further] = up[further]


@per_rank(whole=True)
def operator_sources(rank: Rank) -> pl.Series:
    """Source line of each operator row: by Python frames, else its ``Call stack``, else that of its forward operator.

    Null where none of them is known.
    """
    return _by_origin(rank, _source_texts(rank))


@per_rank(whole=True)
def operator_stacks(rank: Rank) -> pl.Series:
    """User frames around each operator row, innermost first, as "model.py(20): forward;train.py(3): main".

    Found as the source is; where a call stack was recorded as an argument, it is that one, whole.
    """
    return _by_origin(rank, _stack_texts(rank))


@dataclass(frozen=True)
class _Texts:
    """What frames and recorded call stacks are shown as: the text of each frame row, and of each operator's stack."""

    of_frame: Callable[[Ints], pl.Series]
    of_call_stack: pl.Series


def _source_texts(rank: Rank) -> _Texts:
    codes = rank.trace.frame("operator", ["call_stack"])["call_stack"]
    return _Texts(lambda row: frames(rank).source(row), _by_call_stack(rank, codes))


def _stack_texts(rank: Rank) -> _Texts:
    codes = rank.trace.frame("operator", ["call_stack"])["call_stack"]
    stacks = rank.trace.text(codes)
    return _Texts(lambda row: _frame_stacks(frames(rank), rank, row), stacks.set(stacks == "", None))


def _by_origin(rank: Rank, texts: _Texts) -> pl.Series:
    """Text of each operator: by its own frames, by its call stack, by its forward operator; else by any file."""
    if rank.trace.rows("python") == 0 and texts.of_call_stack.null_count() == len(texts.of_call_stack):
        return texts.of_call_stack.alias("source")
    operators = rank.trace.frame("operator", ["process", "thread", "start_ns"])
    backward = backward_pass(rank)
    user, file = _around(rank, operators, backward.function.astype(np.int64))
    own = texts.of_frame(user) if len(user) else texts.of_call_stack
    own = own.zip_with(own.is_not_null(), texts.of_call_stack)
    for forward in (backward.forward, backward.origin):
        borrowed = own.gather(pl.Series(np.where(forward == NOBODY, 0, forward), dtype=pl.UInt32)) if len(own) else own
        own = own.zip_with(own.is_not_null() | pl.Series(forward < 0), borrowed)
    return (own.zip_with(own.is_not_null(), texts.of_frame(file)) if len(file) else own).alias("source")


def _around(rank: Rank, operators: pl.DataFrame, function: Ints) -> tuple[Ints, Ints]:
    """User frame of each operator, inside its backward function if it has one; and any frame with a file.

    Both are empty where the recording has no frames.
    """
    if rank.trace.rows("python") == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    found = frames(rank)
    start = operators["start_ns"].to_numpy()
    inner = rows_at(found.host, operators["process"], operators["thread"], start)
    user = found.open_ancestor(found.user, inner, start)
    outside = (function >= 0) & (at(found.host.start, user) < at(start, function))
    file = np.where(user >= 0, user, found.open_ancestor(found.file, inner, start))
    return np.where(outside, NOBODY, user), file


def _by_call_stack(rank: Rank, codes: pl.Series) -> pl.Series:
    """First user frame of the recorded call stacks, innermost first; else the first with a file."""
    distinct = codes.unique().drop_nulls()
    if len(distinct) == 0:
        return pl.Series("source", [None], pl.String).new_from_index(0, len(codes))
    stacks = pl.DataFrame({"call_stack": distinct, "text": rank.trace.text(distinct)})
    stacks = stacks.with_columns(pl.col("text").str.split(";")).explode("text")
    names = frame_names(stacks["text"].str.strip_chars())
    sources = stacks.select("call_stack", names["source"], names["is_user"]).filter(pl.col("source").is_not_null())
    first = sources.sort("is_user", descending=True, maintain_order=True).unique("call_stack", keep="first")
    return codes.to_frame("call_stack").join(first, "call_stack", "left", maintain_order="left")["source"]


def _frame_stacks(found: Frames, rank: Rank, row: Ints) -> pl.Series:
    """User frames on each row's way up, as one text."""
    every = np.arange(len(found.user))
    users = np.flatnonzero(found.user == every)
    number = np.full(len(every), NOBODY, np.int64)
    number[users] = np.arange(len(users))
    outer = at(number, at(found.user, found.caller[users]))
    chain, distinct = chains(outer, found.name.gather(users).cast(pl.Int64).fill_null(NOBODY).to_numpy())
    texts = rank.trace.text(distinct["name"]).to_list()
    stacks = pl.Series(chain_texts(distinct, texts, ";", innermost_first=True), dtype=pl.String)
    of_row = at(chain, at(number, row))
    alone = rank.trace.text(found.name.gather(pl.Series(np.where(row < 0, 0, row), dtype=pl.UInt32)))
    stack = stacks.gather(pl.Series(np.where(of_row < 0, 0, of_row), dtype=pl.UInt32)) if len(stacks) else alone
    stack = stack.zip_with(pl.Series(of_row >= 0), alone)
    return stack.set(pl.Series(row < 0), None)
