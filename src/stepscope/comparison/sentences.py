"""What a comparison says first, as messages of the catalogue ``diff``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl

from stepscope.analyses.simulation.measured_steps import measured_step
from stepscope.analyses.simulation.ranges import Range
from stepscope.comparison.causes import Cause
from stepscope.comparison.compare import Comparison
from stepscope.comparison.recorded import compared_steps
from stepscope.comparison.testing import CHANGED, SAME
from stepscope.comparison.untraced import UNTRACED
from stepscope.messages import Message
from stepscope.store.autograd import EVALUATE
from stepscope.store.profile import Rank, as_ranges

_WORTH_PCT = 2.0
"""A factor of the host below this is not worth a sentence."""

_OF_STEP = 0.005

_UNLIKE_PCT = 20.0
"""With less of the work than this in both, recordings are of two programs."""

_OWN = r"^(?!torch/|<)\S*\.py: "
"""A Python function that is not PyTorch's."""


def sentences(found: Comparison) -> list[Message]:
    """The step with its largest cause in one sentence, its range, the host as a whole; then what the recordings differ
    in, which rank is compared, and how much of both sides is aligned."""
    if is_identical(found):
        return [Message("diff-identical"), *_others(found), *_facts(found)]
    facts = list(_facts(found))
    first, later = ([Message("diff-unlike"), *facts], []) if _are_unlike(found) else ([], facts)
    return [
        *_step(found),
        *_unprofiled(found),
        *first,
        *_others(found),
        *_host(found),
        *_hidden(found),
        *later,
        *_rank(found),
        *_aligned(found),
    ]


def _are_unlike(found: Comparison) -> bool:
    """Whether hardly any work is in both, as of two programs: then no cause of the difference is one of a change."""
    aligned = found.aligned
    shares = [aligned.host_pct] if aligned.host_pct is not None else []
    if aligned.gpu_pct is not None:
        shares.append(sum(filter(None, (aligned.gpu_pct, aligned.by_sequence_pct, aligned.by_name_pct))))
    return len(shares) > 0 and max(shares) < _UNLIKE_PCT


def is_identical(found: Comparison) -> bool:
    """Whether nothing at all differs."""
    rows = found.rows
    equal = bool((rows["base_ns"] == rows["new_ns"]).all()) and rows["base_calls"].equals(rows["new_calls"])
    return equal and not found.counts["differs"].any()


def _facts(found: Comparison) -> Iterator[Message]:
    unknown = Message("diff-fact-unknown")
    for one in found.differences:
        yield Message(f"diff-fact-{one.what}", base=one.base or unknown, new=one.new or unknown)


def _step(found: Comparison) -> Iterator[Message]:
    row, causes = found.step, found.attribution.causes
    base, new, delta = row["base_ns"], row["new_ns"], row["delta_ns"]
    cause = _largest(causes[0]) if causes else None
    if row["status"] == CHANGED:
        times = {"size_ns": abs(delta), "size_pct": 100 * abs(delta) / max(base, 1), "base_ns": base, "new_ns": new}
        yield Message("diff-step-changed", longer=delta > 0, **times, cause=cause)
    elif row["status"] == SAME:
        yield Message("diff-step-same", base_ns=base, new_ns=new, cause=cause)
    else:
        yield Message("diff-step-unknown", base_ns=base, new_ns=new, smallest_ns=row["smallest_ns"], cause=cause)
    # What is not known of the host cannot have been taken out.
    low, high, factored = row["low_ns"], row["high_ns"], found.host_pct is not None
    if low < 0 < high:
        yield Message("diff-step-around-zero", low_ns=-low, high_ns=high, factored=factored)
    else:
        near, far = sorted((abs(low), abs(high)))
        yield Message("diff-step-range", low_ns=near, high_ns=far, longer=high > 0, factored=factored)


def _unprofiled(found: Comparison) -> Iterator[Message]:
    """What the steps take without the profiler, where every recording has that as measured in its run."""
    base, new = (_measured(side) for side in (found.base, found.new))
    if base is None or new is None:
        return
    yield Message(
        "diff-unprofiled",
        base_ns=round(base.best),
        base_low_ns=round(base.low),
        base_high_ns=round(base.high),
        new_ns=round(new.best),
        new_low_ns=round(new.low),
        new_high_ns=round(new.high),
    )


def _measured(side: Sequence[Rank]) -> Range | None:
    """The median over a side's recordings, and within what four of five steps of each lie."""
    steps = [found for found in map(measured_step, side) if found is not None]
    if len(steps) < len(side):
        return None
    best = float(np.median([one.best for one in steps]))
    return Range(min(one.low for one in steps), best, max(one.high for one in steps))


def _others(found: Comparison) -> Iterator[Message]:
    """Steps that are not compared because they do other work: which, and what the step takes with them."""
    if not found.has_others:
        return
    sides = [[compared_steps(rank).others for rank in side] for side in (found.base, found.new)]
    base, new = ("; ".join(as_ranges(one) for one in side if one) or None for side in sides)
    base_ns, new_ns = map(round, found.every_ns)
    yield Message("diff-other-work", base=base, new=new, base_ns=base_ns, new_ns=new_ns)


def _host(found: Comparison) -> Iterator[Message]:
    if found.host_pct is None:
        yield Message("diff-host-unknown")
        return
    if abs(found.host_pct) < _WORTH_PCT:
        return
    told = {"size_pct": abs(found.host_pct), "slower": found.host_pct > 0, "recordings": len(found.new)}
    size_ns = round(abs(found.attribution.host_ns))
    if size_ns < _OF_STEP * max(found.step["base_ns"], 1):
        yield Message("diff-host-hidden", **told)
    else:
        yield Message("diff-host", **told, size_ns=size_ns)


def _largest(cause: Cause) -> Message:
    size_ns = round(abs(cause.effect_ns))
    return Message("diff-cause-effect", cause=cause_message(cause), size_ns=size_ns, longer=cause.effect_ns > 0)


def _hidden(found: Comparison) -> Iterator[Message]:
    """Without any cause, work of the GPU that the step does not depend on; or that there is none."""
    if found.attribution.causes:
        return
    hidden = found.gpu_work.causes
    if hidden:
        size_ns = round(abs(found.gpu_work.frames_ns))
        yield Message("diff-hidden-sentence", cause=cause_message(hidden[0]), size_ns=size_ns)
    else:
        yield Message("diff-no-cause")


def _rank(found: Comparison) -> Iterator[Message]:
    if found.ranks is None:
        return
    rank = found.base[0].number
    own = found.ranks.row(by_predicate=pl.col("rank") == rank, named=True)["delta_own_ns"]
    yield Message("diff-rank", count=len(found.ranks), rank=rank, size_ns=abs(own), longer=own > 0)


def _aligned(found: Comparison) -> Iterator[Message]:
    aligned = found.aligned
    if aligned.gpu_pct is not None:
        shares = {"by_sequence_pct": aligned.by_sequence_pct, "by_name_pct": aligned.by_name_pct}
        others = {name: share if share is not None and round(share) else None for name, share in shares.items()}
        yield Message("diff-aligned-gpu", joined_pct=aligned.gpu_pct, **others)
    if aligned.host_pct is not None:
        yield Message("diff-aligned-host", joined_pct=aligned.host_pct)


def cause_message(cause: Cause) -> Message:
    """What changed, in a clause."""
    if cause.kind == UNTRACED:
        return _untraced(cause)
    place = cause.path[-1] if cause.path else None
    gone, new = (_names(names) for names in (cause.gone, cause.new))
    if cause.gone and cause.new:
        return Message("diff-replaced", gone=gone, new=new, place=place)
    if cause.gone:
        return Message("diff-gone", gone=gone, place=place)
    if cause.new:
        return Message("diff-new", new=new, place=place)
    name = place or Message("diff-top-level")
    return Message("diff-work", name=name, within=_around(cause), more=cause.effect_ns > 0)


def _untraced(cause: Cause) -> Message:
    gone, new = (_names(tuple(map(_behind, names))) or None for names in (cause.gone, cause.new))
    if gone or new:
        return Message("diff-untraced-elsewhere", gone=gone, new=new)
    after = _behind(cause.path[-1]) if len(cause.path) > 1 else None
    return Message("diff-untraced", after=after, more=cause.effect_ns > 0)


def _behind(name: str) -> str:
    """The name of what such time follows, without the engine's call of a backward function."""
    return name.removeprefix(EVALUATE)


def _around(cause: Cause) -> str | None:
    """The user's function around a frame, which tells apart operators of one name."""
    return next((name for name in reversed(cause.path[:-1]) if re.search(_OWN, name)), None)


Names: TypeAlias = Message | tuple[str, ...]
_MOST_NAMES = 3


def _names(names: tuple[str, ...]) -> Names:
    shown, rest = names[:_MOST_NAMES], len(names) - _MOST_NAMES
    return Message("diff-names-more", names=list(shown), count=rest) if rest > 0 else shown
