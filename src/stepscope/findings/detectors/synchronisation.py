"""Calls that read a value back from the GPU, or wait for it, in the middle of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.idle.unrecorded_work import is_for_unrecorded_work
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed, stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, inside, outermost
from stepscope.findings.detectors.small_copies import COPYING
from stepscope.messages import Message
from stepscope.numeric.replay import WAIT, WAIT_ALL, WAIT_STREAM
from stepscope.schema import MEMCPY

_READS = r"^aten::(?:item|_local_scalar_dense|is_nonzero|equal|allclose)$"
_SIZES = r"^aten::(?:nonzero|masked_select|_unique2|unique_\w+|unique|repeat_interleave)$"
"""How large their result is depends on values, so the host waits for those before it goes on."""
_CALLED = {
    "bool()": r"^aten::is_nonzero$",
    "equal()": r"^aten::(?:equal|allclose)$",
    "masked_select()": r"^aten::masked_select$",
    "unique()": r"^aten::_?unique",
    "repeat_interleave()": r"^aten::repeat_interleave$",
    "nonzero()": r"^aten::nonzero$",
    "item()": r"^aten::(?:item|_local_scalar_dense)$",
}
_AHEAD = r"sparse_data_dist"
"""TorchRec's pipeline, which exchanges the inputs of the next batch."""

_SPLITS = rf"SplitsAllToAllAwaitable|{_AHEAD}|\ball2all_\w+:"
"""TorchRec reads there how much each rank will send to each other one, before it exchanges the inputs; versions before
1.0 name the exchange, as in ``all2all_tw_data:wait``."""

_MASKED = r"^aten::(?:index|index_put_?|_index_put_impl_)$"
_VALUE_BYTES = 1 << 20
"""More is no value but a tensor: how it is copied matters then, which is what copies.py is about."""

_ALL_ELEMENTS = 2.0
"""How much longer kernels take at worst that work on all elements instead of those that a mask selects."""

_CAPTURING = r"torch[/\\](?:cuda[/\\]graphs|_inductor[/\\]cudagraph_trees)\.py"
"""The capture of a CUDA graph waits on purpose, once."""

_WAITS = r"(?i)^(?:cuda|hip|cu)(?:Device|Stream|Event|Ctx)Synchronize|^aclrtSynchronize"


def detect(case: Case) -> list[Cause]:
    """A cause for operators that wait for a value, one for those that wait for a size, one for calls that just wait."""
    items = case.model.host.items.filter(pl.col("kind").is_in([WAIT, WAIT_STREAM, WAIT_ALL]))
    clocks = np.array([clock.thread for clock in case.model.host.clocks])
    thread, at = clocks[items["thread"].to_numpy()], items["at"].to_numpy()
    sizes = outermost(case.named(_SIZES, "operator"))
    reads = outermost(case.named(_READS, "operator").and_those(_reading_copies(case)))
    reads = reads.chosen(~inside(sizes, reads.thread, reads.start))
    causes = []
    for operators, make in ((reads, _reading), (sizes, _sizing)):
        # The wait's moment is the end of its call; the call lies inside the operator.
        waiting = _avoidable(case, operators.chosen(holding(operators, thread, at - 1)))
        if len(waiting.start):
            causes += make(case, waiting)
    alone = case.calls(_WAITS)
    for other in (sizes, case.named(_READS, "operator"), case.named(COPYING, "operator"), case.loading()):
        alone = alone.chosen(~inside(other, alone.thread, alone.start))
    capturing = case.named(_CAPTURING, "python")
    alone = alone.chosen(~inside(capturing, alone.thread, alone.start))
    alone = _avoidable(case, alone)
    if len(alone.start):
        causes.append(_waiting(case, alone))
    return causes


def _avoidable(case: Case, waits: Ranges) -> Ranges:
    """Waits that a program could do without, as far as the recording shows.

    Of a single step the result has to be fetched at its end: what the CPU could do meanwhile, as the next request, is
    not recorded. And a long wait during which nothing recorded runs is for work of somebody else, such as a batch that
    another recording holds.
    """
    explained = ~is_for_unrecorded_work(case.rank, waits.start, waits.end)
    launches = gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    last = int(launches.max()) if len(launches) else 0
    return waits.chosen(explained & ((case.model.steps > 1) | (waits.end < last)))


def _reading_copies(case: Case) -> Ranges:
    """Operators that copy a small tensor to the host: ``.cpu()``, ``.tolist()``, ``.numpy()``."""
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[case.model.gpu.rows]
    back = case.rank.trace.text(activity["name"]).str.contains("DtoH").fill_null(False).to_numpy()
    small = (activity["activity"] == MEMCPY).to_numpy() & (activity["bytes"] < _VALUE_BYTES).fill_null(False).to_numpy()
    of = np.flatnonzero(back & small)
    at = gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    operators = outermost(case.named(COPYING, "operator"))
    return operators.chosen(holding(operators, case.model.gpu.thread[of], at[of]))


def _reading(case: Case, operators: Ranges) -> list[Cause]:
    of_splits = inside(case.named(_SPLITS, "annotation"), operators.thread, operators.start)
    splits, values = operators.chosen(of_splits), operators.chosen(~of_splits)
    causes = [_reading_values(case, values)] if len(values.start) else []
    if len(splits.start) and not len(case.named(_AHEAD, "annotation").start):
        causes.append(_splitting(case, splits))
    return causes


def _reading_values(case: Case, operators: Ranges) -> Cause:
    count = case.a_step(len(operators.start))
    return Cause(
        id="host-synchronisation",
        category="synchronisation",
        title=Message("finding-host-synchronisation-title", times=round(count), seen=_seen(case, operators)),
        fix=_unread(case, operators),
        claims=operators,
        spent_ns=case.a_step(float((operators.end - operators.start).sum())),
        advice=Message("finding-host-synchronisation-advice"),
        change=(
            "total += loss.detach()  # was: total += loss.item()\n"
            "if step % 100 == 0: print(total.item())  # was: in every step"
        ),
        links=(
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
        ),
        where=case.where(operators),
        count=count,
    )


def _splitting(case: Case, operators: Ranges) -> Cause:
    count = case.a_step(len(operators.start))
    return Cause(
        id="input-splits",
        category="synchronisation",
        title=Message("finding-input-splits-title", times=round(count)),
        fix=_unread(case, operators),
        claims=operators,
        spent_ns=case.a_step(float((operators.end - operators.start).sum())),
        advice=Message("finding-input-splits-advice"),
        change=(
            "pipeline = TrainPipelineSparseDist(model, optimizer, device)\n"
            "loss = pipeline.progress(batches)  # was: model(batch) in a loop"
        ),
        links=("https://docs.pytorch.org/torchrec/",),
        where=case.where(operators),
        count=count,
    )


def _sizing(case: Case, operators: Ranges) -> list[Cause]:
    return [_of_unknown_size(case, operators, case.a_step(len(operators.start)))]


def _of_unknown_size(case: Case, operators: Ranges, count: float) -> Cause:
    return Cause(
        id="data-dependent-size",
        category="synchronisation",
        title=Message("finding-data-dependent-size-title", times=round(count), seen=_seen(case, operators)),
        fix=_of_one_size(case, operators),
        claims=operators,
        spent_ns=case.a_step(float((operators.end - operators.start).sum())),
        advice=Message("finding-data-dependent-size-advice"),
        change="y = torch.where(mask, f(x), y)  # was: y[mask] = f(x[mask])",
        links=(
            "https://docs.pytorch.org/docs/stable/generated/torch.where.html",
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
        ),
        unknown=Message("finding-data-dependent-size-unknown"),
        unsure=True,
        where=case.where(operators),
        count=count,
    )


def _unread(case: Case, operators: Ranges) -> Callable[[Edit, int], Edit]:
    """The steps without operators that read, and without the copies that they launch."""

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, operators), 0.0)
        copies = launched_inside(case.rank, case.model, operators)
        return case.removed(edit, operators, copies)

    return fix


def _of_one_size(case: Case, operators: Ranges) -> Callable[[Edit, int], Edit]:
    """The steps without waits for sizes; at worst the kernels behind them work on all elements in place of some."""
    unread = _unread(case, operators)
    thread, at = case.model.gpu.thread, gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    step, first = case.step_of(at), case.step_of(operators.start)
    since = np.full(int(step.max(initial=0)) + 2, np.iinfo(np.int64).max)
    np.minimum.at(since, first, operators.start)
    behind = (at > since[step]) & case.timed(thread)

    def fix(edit: Edit, effort: int) -> Edit:
        edit = unread(edit, effort)
        return stretched(edit, behind & ~edit.gone, _ALL_ELEMENTS) if effort == 0 else edit

    return fix


def _seen(case: Case, operators: Ranges) -> list[Message]:
    """How many of which kind they are a step, most first; what occurs in few steps has no number."""
    left = operators
    found: list[tuple[float, Message]] = []
    for kind, ranges in _kinds(case):
        mine = holding(left, ranges.thread, ranges.start)
        if mine.any():
            count = case.a_step(float(mine.sum()))
            found.append((count, Message("finding-read-kind", times=round(count), kind=kind)))
            left = left.chosen(~mine)
    return [said for _, said in sorted(found, key=lambda one: -one[0])]


def _kinds(case: Case) -> Iterator[tuple[str | Message, Ranges]]:
    """What operators that read are called in a program: the first that is inside one says what it is."""
    masked, nonzero = case.named(_MASKED, "operator"), case.named(r"^aten::nonzero$", "operator")
    yield Message("finding-read-masks"), nonzero.chosen(inside(masked, nonzero.thread, nonzero.start))
    for kind, pattern in _CALLED.items():
        yield kind, case.named(pattern, "operator")
    yield ".cpu()", case.named(COPYING, "operator")


def _waiting(case: Case, calls: Ranges) -> Cause:
    count = case.a_step(len(calls.start))

    def fix(edit: Edit, effort: int) -> Edit:
        return case.freed(edit, calls)

    return Cause(
        id="synchronize",
        category="synchronisation",
        title=Message("finding-synchronize-title", times=max(round(count), 1)),
        fix=fix,
        claims=calls,
        spent_ns=case.a_step(float((calls.end - calls.start).sum())),
        advice=Message("finding-synchronize-advice"),
        change=(
            "start.record(); train_step(batch); end.record()  # torch.cuda.Event(enable_timing=True)\n"
            "# was: torch.cuda.synchronize() around time.time() in every step"
        ),
        links=(
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
        ),
        where=case.where(calls),
        count=count,
    )
