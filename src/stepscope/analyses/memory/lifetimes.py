"""Each allocation of a memory snapshot with its release."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.snapshot import ALLOC, ASKED, FREED, blocks, history
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

RELEASED, KEPT, BEFORE, LOST, WAITING = "released", "kept", "from before", "release lost", "awaiting release"

_MINIMUM = 512


@per_rank(whole=True)
def lifetimes(rank: Rank) -> pl.DataFrame:
    """A row for each allocation, by device, address and time.

    An address is used again and again: from one allocation to the next one at it, the entries are of one block. What
    was released and never allocated is from before the history, and so is what is in use in the end without an entry.

    Columns: device, address, event (of the allocation, else of the release, else null), bytes (as asked for),
    block_bytes, born, asked, freed (rows of `history`; asked is when the program let go of it, freed when the allocator
    could use it again), end (what ends it as far as allocated_bytes goes, null while it is in use), born_ns, end_ns,
    fate, stack, stream, pool.
    """
    entries = history(rank).filter((pl.col("action") <= FREED) & pl.col("address").is_not_null())
    entries = entries.sort("device", "address", "row")
    turn = (pl.col("action") == ALLOC).cum_sum().over("device", "address").alias("turn")
    of_alloc, of_asked, of_freed = (pl.col("action") == action for action in (ALLOC, ASKED, FREED))
    release = pl.coalesce(pl.col("at_ns").filter(of_asked).first(), pl.col("at_ns").filter(of_freed).first())
    found = (
        entries.with_columns(turn)
        .group_by("device", "address", "turn", maintain_order=True)
        .agg(
            pl.col("event").first(),
            pl.col("bytes").first(),
            pl.col("row").filter(of_alloc).first().alias("born"),
            pl.col("row").filter(of_asked).first().alias("asked"),
            pl.col("row").filter(of_freed).first().alias("freed"),
            pl.col("at_ns").filter(of_alloc).first().alias("born_ns"),
            release.alias("end_ns"),
            pl.col("stack").filter(of_alloc).first(),
            pl.col("stream").first(),
            pl.col("pool").first(),
        )
    )
    following = pl.col("born").shift(-1).over("device", "address")
    return _with_end_state(rank, found.with_columns(following.alias("following")).drop("turn"))


def _with_end_state(rank: Rank, found: pl.DataFrame) -> pl.DataFrame:
    """What became of each, with the blocks that are in use in the end and have no entry."""
    held = blocks(rank).filter(pl.col("is_active") & pl.col("address").is_not_null()).unique(["device", "address"])
    there = held.select(
        "device", "address", pl.col("bytes").alias("block_bytes"), pl.col("stack").alias("block_stack"), "is_allocated"
    )
    over = pl.coalesce("asked", "freed")
    last = over.is_null() & pl.col("following").is_null()
    found = found.join(there, ["device", "address"], "left", maintain_order="left")
    is_held = pl.col("following").is_null() & pl.col("freed").is_null() & pl.col("block_bytes").is_not_null()
    known = pl.lit(len(blocks(rank)) > 0)
    found = found.with_columns(
        _fate(over, last, is_held, known).alias("fate"),
        pl.when(is_held).then("block_bytes").otherwise(_rounded()).alias("block_bytes"),
        pl.coalesce(over, "following").alias("end"),
        pl.when(is_held).then(pl.coalesce("stack", "block_stack")).otherwise(pl.col("stack")).alias("stack"),
        is_held.fill_null(False).alias("held"),
    )
    older = held.join(found.filter("held"), ["device", "address"], "anti").select(
        *("device", "address", "stack"),
        pl.col("requested_bytes").alias("bytes"),
        pl.col("bytes").alias("block_bytes"),
        pl.lit(BEFORE).alias("fate"),
    )
    return pl.concat([found.drop("following", "block_stack", "is_allocated"), older], how="diagonal").with_columns(
        pl.col("held").fill_null(True)
    )


def _fate(over: pl.Expr, last: pl.Expr, is_held: pl.Expr, known: pl.Expr) -> pl.Expr:
    return (
        pl.when(pl.col("born").is_null())
        .then(pl.lit(BEFORE))
        .when(over.is_not_null() & is_held)
        .then(pl.lit(WAITING))
        .when(over.is_not_null())
        .then(pl.lit(RELEASED))
        .when(last & (is_held | ~known))
        .then(pl.lit(KEPT))
        .otherwise(pl.lit(LOST))
    )


def _rounded() -> pl.Expr:
    """The least size of a block for what was asked for (kMinBlockSize of PyTorch's allocator)."""
    return (pl.col("bytes") + _MINIMUM - 1) // _MINIMUM * _MINIMUM


def is_alive(row: int) -> pl.Expr:
    """Whether lifetimes count in the level behind a row of `history`; -1 for the level before it."""
    born = pl.col("born").is_null() | (pl.col("born") <= row)
    return born & (pl.col("end").is_null() | (pl.col("end") > row)) & (pl.col("fate") != LOST)
