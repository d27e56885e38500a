"""What allocations are for, by where they were made and how long they last.

A step has phases: forward, backward, optimizer. Each lasts from its first allocation to the first one of the next
phase; what is allocated elsewhere (a loss computed in the training script) counts to the phase that runs.

- temporaries: released in the phase that they were made in.
- optimizer state: made in an optimizer's step and outlives it.
- gradients: made in a backward phase and outlive it.
- activations: made in a forward phase or behind it, released in a later phase, or still there in the forward phase
  in which the history ends.
- parameters: made while modules were built, moved or loaded, and there to the end; and what was there before the
  history, as far as sizes tell (`older_blocks`).
- unknown: the rest. What is left of a backward phase in which the history ends is as most of its stack has been before.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.memory.lifetimes import KEPT, lifetimes
from stepscope.analyses.memory.older_blocks import with_older
from stepscope.analyses.memory.snapshot import ALLOC, history
from stepscope.analyses.memory.stack_facts import BACKWARD, ELSEWHERE, FORWARD, LIBRARY, OPTIMIZER, SETUP, stack_facts
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

PARAMETERS, GRADIENTS, STATE, ACTIVATIONS, TEMPORARIES, UNKNOWN_CATEGORY = (
    *("parameters", "gradients", "optimizer state", "activations", "temporaries", "unknown"),
)
CATEGORIES = (PARAMETERS, GRADIENTS, STATE, ACTIVATIONS, TEMPORARIES, UNKNOWN_CATEGORY)

_MOSTLY = 0.5


@per_rank(unlimited=True)
def categorised(rank: Rank) -> pl.DataFrame:
    """`lifetimes` with source, op, part, lines (of their stacks) and category."""
    facts = stack_facts(rank).with_columns(pl.col("stack").cast(pl.Int64))
    found = lifetimes(rank).join(facts, "stack", "left", maintain_order="left")
    stacked = history(rank).filter(pl.col("action") == ALLOC)["stack"]
    mostly = len(stacked) > 0 and stacked.null_count() < _MOSTLY * len(stacked)
    # Threads of the autograd engine run no Python: with Python stacks alone theirs are empty.
    empty = pl.lit(BACKWARD) if mostly else pl.lit(ELSEWHERE)
    missing = pl.when(pl.col("born").is_not_null()).then(empty).otherwise(pl.lit(ELSEWHERE))
    found = found.with_columns(pl.col("part").fill_null(missing))
    found = _with_phases(found)
    found = _with_precedents(found.with_columns(_category().alias("category")))
    optimizes = bool(((found["part"] == OPTIMIZER) & found["born"].is_not_null()).any())
    found = with_older(found, PARAMETERS, GRADIENTS, STATE, optimizes=optimizes)
    return found.drop("phase", "end_phase", "end_part", "last")


def _with_phases(found: pl.DataFrame) -> pl.DataFrame:
    """Number of the phase in which each was made and released, what phase the latter was, and which is the last one."""
    telling = found.filter(pl.col("born").is_not_null() & ~pl.col("part").is_in([ELSEWHERE, LIBRARY]))
    telling = telling.select("device", "born", "part").sort("device", "born")
    changed = (pl.col("part") != pl.col("part").shift(1)) | (pl.col("device") != pl.col("device").shift(1))
    phases = telling.filter(changed.fill_null(True)).with_row_index("number")
    begins, parts = phases["born"].to_numpy(), phases["part"].to_list()
    numbers = [
        np.searchsorted(begins, found[name].fill_null(-1).to_numpy(), side="right") - 1 for name in ("born", "end")
    ]
    part_of = [*parts, None]
    return found.with_columns(
        pl.Series("phase", numbers[0]),
        pl.when(pl.col("end").is_not_null()).then(pl.Series("end_phase", numbers[1])).alias("end_phase"),
        pl.Series("end_part", [part_of[one] for one in numbers[1].tolist()], dtype=pl.String),
        pl.Series("last", numbers[0] == len(parts) - 1),
    )


def _category() -> pl.Expr:
    """The category, null where the history ends too early to tell."""
    part, over = pl.col("part"), pl.col("end").is_not_null()
    at_once = over & (pl.col("phase") == pl.col("end_phase")) & pl.col("born").is_not_null()
    made_forward = part.is_in([FORWARD, ELSEWHERE]) & pl.col("born").is_not_null()
    undecided = (pl.col("fate") == KEPT) & pl.col("last") & (part == BACKWARD)
    return (
        pl.when(at_once)
        .then(pl.lit(TEMPORARIES))
        .when(undecided)
        .then(pl.lit(None, pl.String))
        .when(part == OPTIMIZER)
        .then(pl.lit(STATE))
        .when(part == BACKWARD)
        .then(pl.lit(GRADIENTS))
        .when((part == SETUP) & ~over)
        .then(pl.lit(PARAMETERS))
        .when(made_forward & over & ((part == FORWARD) | (pl.col("end_part") == BACKWARD)))
        .then(pl.lit(ACTIVATIONS))
        .when((part == FORWARD) & ~over & pl.col("last") & pl.col("born").is_not_null())
        .then(pl.lit(ACTIVATIONS))
        .otherwise(pl.lit(UNKNOWN_CATEGORY))
    )


def _with_precedents(found: pl.DataFrame) -> pl.DataFrame:
    """What is undecided as most bytes of its stack before; else unknown."""
    decided = found.filter(pl.col("category").is_not_null() & pl.col("stack").is_not_null())
    usual = (
        decided.group_by("stack", "category")
        .agg(pl.col("bytes").sum())
        .sort("bytes", "category", descending=[True, False])
        .unique("stack", keep="first", maintain_order=True)
        .select("stack", pl.col("category").alias("usual"))
    )
    found = found.join(usual, "stack", "left", maintain_order="left")
    return found.with_columns(pl.coalesce("category", "usual", pl.lit(UNKNOWN_CATEGORY)).alias("category")).drop(
        "usual"
    )
