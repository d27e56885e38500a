"""A comparison as the page Compare shows it: the JSON of ``stepscope diff``, and what the page draws and says."""

from __future__ import annotations

import json
from typing import Any

from stepscope.comparison.compare import Comparison
from stepscope.comparison.recorded import IDLE, PHASE, SIDE
from stepscope.comparison.sentences import is_identical
from stepscope.comparison.testing import CHANGED, GONE, NEW, SAME, UNKNOWN
from stepscope.comparison.typical_step import typical_step
from stepscope.comparison.work import (
    CALL,
    COLLECTIVE,
    FUNCTION,
    GPU,
    HOST,
    KERNELS,
    MODULE,
    OPERATOR,
    RANGE,
    WAIT,
)
from stepscope.messages import Message
from stepscope.messages.rendering import in_every_language
from stepscope.reporters.comparison_json import comparison_document
from stepscope.reporters.html.parts import packed
from stepscope.reporters.html.shell import page_with, read_licenses, read_shell
from stepscope.store.profile import Rank

_TITLES = (
    *("base", "new", "delta", "outcome", "name", "calls", "effect", "cause", "host", "gpu", "what", "level", "side"),
    *("kernels", "place", "rank", "own-base", "own-new", "own-delta"),
)
_SECTIONS = ("step", "phases", "idle", "counts", "alone", "causes", "gpu", "replaced", "ranks")
_LABELS = (
    *(f"outcome-{one}" for one in (CHANGED, SAME, UNKNOWN, NEW, GONE)),
    *(f"level-{one}" for one in (MODULE, FUNCTION, RANGE, OPERATOR, CALL, KERNELS, COLLECTIVE)),
    *(f"of-{one}" for one in (HOST, GPU, WAIT)),
    *(f"title-{one}" for one in _TITLES),
    *(f"section-{one}" for one in _SECTIONS),
)


def comparison_html(found: Comparison) -> str:
    """The page Compare as one HTML file.

    Raises:
        BadRequest: this installation has no web app.
    """
    part = packed("compare", json.dumps(comparison_page(found) | {"command": None}, allow_nan=False).encode())
    return page_with(read_shell(), [part], read_licenses())


def comparison_page(found: Comparison) -> dict[str, Any]:
    """The document of `comparison_json`, a typical step of each side, and the words for what stands in it."""
    names: dict[str, int] = {}
    steps = {side: _drawn(ranks[0], names) for side, ranks in (("base", found.base), ("new", found.new))}
    labels = {name: in_every_language(Message(f"diff-{name}")) for name in _labels(found)}
    page = {"identical": is_identical(found), "typical": steps, "names": list(names), "labels": labels}
    return comparison_document(found, in_every_language) | page


def _labels(found: Comparison) -> list[str]:
    """Messages that name rows, counts and outcomes, without the catalogue's name."""
    keyed = found.rows.select("level", "key").rows()
    parts = {f"part-{key}" for level, key in keyed if level in (SIDE, PHASE, IDLE)}
    counted = {f"count-{key}" for key in found.counts["key"]}
    sets = {f"set-{key}" for key in found.only_here.found["key"]}
    unrecorded = {f"unrecorded-{key}" for key in found.only_here.unrecorded}
    return sorted({*parts, *counted, *sets, *unrecorded, *_LABELS})


def _drawn(rank: Rank, names: dict[str, int]) -> dict[str, Any]:
    """A typical step, the names of its events as places in a list of all names."""
    step = typical_step(rank)
    return {
        "step": step.step,
        "length_ns": step.length_ns,
        "lanes": [
            {
                "kind": lane.kind,
                "name": lane.name,
                "left_out": lane.left_out,
                "names": [names.setdefault(name, len(names)) for name in lane.events["name"]],
                "starts": lane.events["start_ns"].to_list(),
                "durations": lane.events["duration_ns"].to_list(),
            }
            for lane in step.lanes
        ],
    }
