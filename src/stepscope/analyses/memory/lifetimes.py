"""Each allocation of a memory snapshot with its release."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.memory.snapshot import ALLOC, ASKED, FREED, blocks, history
from stepscope.numeric.intervals import Ints
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

RELEASED, KEPT, BEFORE, LOST, WAITING = "released", "kept", "from before", "release lost", "awaiting release"

_MINIMUM = 512


@per_rank(unlimited=True)
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
    order = np.lexsort((entries["address"].to_numpy(), entries["device"].to_numpy()))  # stable: rows stay in order
    entries = entries[order]
    if len(entries) == 0:
        return _with_end_state(rank, _of_turns(entries, np.zeros(0, np.int64)))
    action = entries["action"].to_numpy()
    begins = action == ALLOC
    for name in ("device", "address"):
        values = entries[name].to_numpy()
        begins |= np.concatenate([[True], values[1:] != values[:-1]])
    return _with_end_state(rank, _of_turns(entries, np.flatnonzero(begins)))


def _of_turns(entries: pl.DataFrame, starts: Ints) -> pl.DataFrame:
    """A row for each use of an address, which begins with an allocation or with the first entry at it."""
    action, count = entries["action"].to_numpy(), len(entries)

    def first_of(kind: int) -> pl.Series:
        """Place of the first entry of a kind in each use; null without any."""
        places = np.where(action == kind, np.arange(count), count)
        found = np.minimum.reduceat(places, starts) if len(starts) else np.zeros(0, np.int64)
        return pl.Series(found).set(pl.Series(found == count), None)

    born, asked, freed = (first_of(kind) for kind in (ALLOC, ASKED, FREED))
    row, at = entries["row"], entries["at_ns"]
    over = pl.select(pl.coalesce(asked, freed)).to_series()
    found = entries[starts].select("device", "address", "event", "bytes", "stream", "pool")
    found = found.with_columns(
        row.gather(born).alias("born"),
        row.gather(asked).alias("asked"),
        row.gather(freed).alias("freed"),
        at.gather(born).alias("born_ns"),
        at.gather(over).alias("end_ns"),
        entries["stack"].gather(born).alias("stack"),
    )
    return found.with_columns(pl.col("born").shift(-1).over("device", "address").alias("following"))


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
        # Released before the history began, and still used by a stream in the end: allocated at no point of it.
        pl.when("is_allocated").then(pl.lit(BEFORE)).otherwise(pl.lit(WAITING)).alias("fate"),
        pl.when("is_allocated").then(None).otherwise(pl.lit(-1, pl.Int64)).alias("end"),
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
