"""Each step of each rank on the GPU's clock, with waiting apart from transferring (see docs/tables/).

Exact: compute + exposed_wait + exposed_transfer + exposed_unmatched + exposed_memory + idle = duration. Where one
kernel waits while another transfers, it is transferring.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.lateness import step_lateness
from stepscope.analyses.ranks.parts import step_parts
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def rank_matrix(profile: Profile) -> pl.DataFrame:
    """One row per rank and step, columns of `schema.TABLES` ``rank_matrix``."""
    rows = step_parts(profile)
    late = step_lateness(profile).select("rank", "step", "lateness_ns")
    exposed = pl.sum_horizontal("exposed_wait_ns", "exposed_transfer_ns", "exposed_unmatched_ns")
    whole = pl.col("communication_ns")
    rows = rows.join(late, on=["rank", "step"], how="left", maintain_order="left").with_columns(
        pl.when(whole > 0).then(100.0 * (whole - exposed) / whole).alias("overlap_pct")
    )
    rows = selected(profile, rows)
    return rows.select(pl.col(name).cast(dtype) for name, dtype in TABLES["rank_matrix"].schema.items())


def selected(profile: Profile, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows, with columns rank and step, of the ranks and steps that are selected."""
    whole = [rank.number for rank in profile.ranks if rank.chosen is None]
    steps = [
        pl.DataFrame({"rank": rank.number, "step": rank.steps["step"]}, {"rank": pl.Int64, "step": pl.Int64})
        for rank in profile.ranks
        if rank.chosen is not None
    ]
    if not steps:
        return rows.filter(pl.col("rank").is_in(whole))
    return rows.join(pl.concat(steps), on=["rank", "step"], how="semi", maintain_order="left")


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Which steps the recording cut, and what was not matched."""
    found = unmatched_notes(profile)
    cut = int(frame["cut"].sum())
    if cut:
        found.append(Message("note-steps-cut", cut=cut, steps=len(frame)))
    return found
