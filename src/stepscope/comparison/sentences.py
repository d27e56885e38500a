"""What a comparison says first, as messages of the catalogue ``diff``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from stepscope.comparison.causes import Cause
from stepscope.comparison.compare import Comparison
from stepscope.comparison.testing import CHANGED, SAME
from stepscope.messages import Message

_WORTH_PCT = 2.0
"""A factor of the host below this is not worth a sentence."""

_OF_STEP = 0.005

_OWN = r"^(?!torch/|<)\S*\.py: "
"""A Python function that is not PyTorch's."""


def sentences(found: Comparison) -> list[Message]:
    """The step, the host as a whole, the largest cause; what the recordings themselves differ in comes in front."""
    if is_identical(found):
        return [*_facts(found), Message("diff-identical")]
    return [*_facts(found), *_step(found.step), *_host(found), *_largest(found)]


def is_identical(found: Comparison) -> bool:
    """Whether nothing at all differs."""
    rows = found.rows
    equal = bool((rows["base_ns"] == rows["new_ns"]).all()) and rows["base_calls"].equals(rows["new_calls"])
    return equal and found.counts["base"].equals(found.counts["new"])


def _facts(found: Comparison) -> Iterator[Message]:
    unknown = Message("diff-fact-unknown")
    for one in found.differences:
        yield Message(f"diff-fact-{one.what}", base=one.base or unknown, new=one.new or unknown)


def _step(row: dict[str, Any]) -> Iterator[Message]:
    base, new, delta = row["base_ns"], row["new_ns"], row["delta_ns"]
    if row["status"] == CHANGED:
        size_pct = 100 * abs(delta) / max(base, 1)
        longer = delta > 0
        yield Message(
            "diff-step-changed", size_ns=abs(delta), longer=longer, size_pct=size_pct, base_ns=base, new_ns=new
        )
    elif row["status"] == SAME:
        yield Message("diff-step-same", base_ns=base, new_ns=new)
    else:
        yield Message("diff-step-unknown", base_ns=base, new_ns=new, smallest_ns=row["smallest_ns"])
    low, high = row["low_ns"], row["high_ns"]
    if low < 0 < high:
        yield Message("diff-step-around-zero", low_ns=-low, high_ns=high)
    else:
        near, far = sorted((abs(low), abs(high)))
        yield Message("diff-step-range", low_ns=near, high_ns=far, longer=high > 0)


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


def _largest(found: Comparison) -> Iterator[Message]:
    causes, hidden = found.attribution.causes, found.gpu_work.causes
    if causes:
        effect = causes[0].effect_ns
        size_ns = round(abs(effect))
        yield Message("diff-cause-sentence", cause=cause_message(causes[0]), size_ns=size_ns, longer=effect > 0)
    elif hidden:
        size_ns = round(abs(found.gpu_work.frames_ns))
        yield Message("diff-hidden-sentence", cause=cause_message(hidden[0]), size_ns=size_ns)
    else:
        yield Message("diff-no-cause")


def cause_message(cause: Cause) -> Message:
    """What changed, in a clause."""
    place = cause.path[-1] if cause.path else Message("diff-top-level")
    gone, new = (_names(names) for names in (cause.gone, cause.new))
    if cause.gone and cause.new:
        return Message("diff-replaced", gone=gone, new=new, place=place)
    if cause.gone:
        return Message("diff-gone", gone=gone, place=place)
    if cause.new:
        return Message("diff-new", new=new, place=place)
    return Message("diff-work", name=place, within=_around(cause), more=cause.effect_ns > 0)


def _around(cause: Cause) -> str | None:
    """The user's function around a frame, which tells apart operators of one name."""
    return next((name for name in reversed(cause.path[:-1]) if re.search(_OWN, name)), None)


_MOST_NAMES = 3


def _names(names: tuple[str, ...]) -> Message | tuple[str, ...]:
    shown, rest = names[:_MOST_NAMES], len(names) - _MOST_NAMES
    return Message("diff-names-more", names=list(shown), count=rest) if rest > 0 else shown
