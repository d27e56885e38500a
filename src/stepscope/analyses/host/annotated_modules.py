"""Modules that annotations of CUDA graphs name for the kernels of a replay.

``torch.cuda.graph(enable_annotations=True)`` keeps what was annotated while the graph was captured, and the profiler
writes it as arguments of each kernel that a replay runs: torchtitan's ``module_fqn`` is the path of attributes of the
module (``layers.0.attention``), ``autograd_phase`` is "backward" in the backward pass. A list of annotations stands in
``annotation`` as JSON. This needs neither Python stacks nor operators, which replays do not have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.host.module_calls import Flags, ModuleCalls, Place, standing_for
from stepscope.numeric.nested import NOBODY
from stepscope.store.further_arguments import further_argument
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_MODULE, _LIST, _PHASE = "module_fqn", "annotation", "autograd_phase"
_IN_LIST = r'module_fqn\\*"\s*:\s*\\*"([^"\\]+)'
_INSTANCE = r"(^|/)[0-9]+(/|$)"


@dataclass(frozen=True)
class AnnotatedModules:
    """What annotations say of each activity.

    Attributes:
        calls: one entry for each module, as if it was called once around all of its work.
        place: by row of the table activity.
        backward: by row of the table activity, whether it is of the backward pass.
    """

    calls: ModuleCalls
    place: Place
    backward: Flags


def has_annotated_modules(rank: Rank) -> bool:
    """Whether any kernel may name its module."""
    keys = rank.trace.codes(lambda text: text.is_in([_MODULE, _LIST]))
    return len(keys) > 0 and bool(rank.trace.frame("extras", ["key"])["key"].is_in(keys.implode()).any())


@per_rank(whole=True)
def annotated_modules(rank: Rank) -> AnnotatedModules | None:
    """The modules of a rank's kernels by their annotations, or None without any."""
    if rank.trace.rows("activity") == 0 or not has_annotated_modules(rank):
        return None
    events = rank.trace.frame("activity", ["event"])["event"]
    listed = further_argument(rank.trace, events, _LIST).str.extract(_IN_LIST)
    names = pl.select(pl.coalesce(further_argument(rank.trace, events, _MODULE).replace("", None), listed)).to_series()
    distinct = names.drop_nulls().unique().sort()
    paths = [tuple(part for part in name.split(".") if part) for name in distinct.to_list()]
    known = sorted({path[:depth] for path in paths for depth in range(1, len(path) + 1)})
    if not known:
        return None
    number = {path: i for i, path in enumerate(known)}
    own = [number.get(path, NOBODY) for path in paths]
    call = names.replace_strict(distinct, own, default=NOBODY, return_dtype=pl.Int64).to_numpy()
    backward = (further_argument(rank.trace, events, _PHASE) == "backward").fill_null(False).to_numpy()
    return AnnotatedModules(_calls(rank, known, number), Place(call, np.zeros(len(call), np.int64)), backward)


def _calls(rank: Rank, known: list[tuple[str, ...]], number: dict[tuple[str, ...], int]) -> ModuleCalls:
    count, operators = len(known), rank.trace.rows("operator")
    every, zeros, none = np.arange(count), np.zeros(count, np.int64), np.empty(0, np.int64)
    path = pl.Series("path", ["/".join(path) for path in known], dtype=pl.String)
    # Numbers tell the members of a ModuleList apart. Neighbouring ones share a slash, so that one pass is not enough.
    classes = path.str.replace_all(_INSTANCE, "${1}*${2}").str.replace_all(_INSTANCE, "${1}*${2}")
    modules = pl.DataFrame([pl.Series("name", [".".join(path) for path in known]), path, classes.alias("class_path")])
    nowhere = Place(np.full(operators, NOBODY), np.zeros(operators, np.int64))
    never = np.zeros(count, np.bool_)
    host = standing_for(known, number)
    return ModuleCalls(modules, every, host, none, never, Place(every, zeros), nowhere, np.zeros(operators, np.bool_))
