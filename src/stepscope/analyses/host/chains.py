"""Chains of nested events, told apart by the names on them: call stacks, and the paths of modules."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY


def chains(parent: Ints, name: Ints) -> tuple[Ints, pl.DataFrame]:
    """Number the chain of names from each row up to its outermost ancestor.

    Args:
        parent: row of each row's parent, or `NOBODY`; without cycles.
        name: number of each row's name.

    Returns:
        The chain of each row, and the chains: columns chain, name, outer (the chain of the parent, or `NOBODY`),
        every chain behind its outer one.

    >>> import numpy as np
    >>> rows, distinct = chains(np.array([-1, 0, 0, -1, 3]), np.array([7, 8, 8, 7, 9]))
    >>> rows.tolist(), distinct.rows()
    ([0, 1, 1, 0, 2], [(0, 7, -1), (1, 8, 0), (2, 9, 0)])
    """
    chain = np.full(len(parent), NOBODY, np.int64)
    found = []
    known = 0
    level = np.flatnonzero(parent == NOBODY)
    inner = np.flatnonzero(parent != NOBODY)
    while len(level):
        pairs = pl.DataFrame({"name": name[level], "outer": np.append(chain, NOBODY)[parent[level]]})
        distinct = pairs.unique().sort("outer", "name").with_row_index("chain", known)
        distinct = distinct.select(pl.col("chain").cast(pl.Int64), "name", "outer")
        chain[level] = pairs.join(distinct, ["name", "outer"], "left", maintain_order="left")["chain"].to_numpy()
        found.append(distinct)
        known += len(distinct)
        ready = chain[parent[inner]] != NOBODY
        level, inner = inner[ready], inner[~ready]
    empty = pl.DataFrame(schema={"chain": pl.Int64, "name": pl.Int64, "outer": pl.Int64})
    return chain, pl.concat([empty, *found])


def chain_texts(distinct: pl.DataFrame, texts: list[str], between: str, innermost_first: bool = False) -> list[str]:
    """Each chain of `chains` as one text.

    Args:
        distinct: chains as `chains` returns them.
        texts: text of each chain's own name, by chain.
        between: put between two names.
        innermost_first: begin with the chain's own name.
    """
    made: list[str] = []
    for text, outer in zip(texts, distinct["outer"], strict=True):
        rest = "" if outer == NOBODY else made[outer]
        parts = ([text, rest] if innermost_first else [rest, text]) if rest else [text]
        made.append(between.join(parts))
    return made
