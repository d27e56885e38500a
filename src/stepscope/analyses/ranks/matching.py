"""The kernels of one collective, found on all its ranks.

Ranks of a process group run its collectives in one order, so the n-th of one rank is the n-th of another. Which is the
n-th is told, the surest first, by the recorded sequence number; by the step in which it was launched and its place
among the step's calls; without steps by the shift under which names, sizes and times of two ranks agree best. Messages
are matched by pairs of sender and receiver. A call that began before the recording, without step and metadata, counts
from the end of the step before the first one.

Where a rank lacks calls that others have, its calls of that step are laid against those of the rank that has the most
(`lay`), by operation, type and size.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from stepscope.analyses.ranks.call_alignment import best_shift, lay
from stepscope.analyses.ranks.calls import rank_calls
from stepscope.analyses.ranks.operations import MESSAGES
from stepscope.analyses.ranks.step_numbering import step_offsets
from stepscope.numeric.intervals import Ints
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile

UNKNOWN_GROUP = "?"
WITHOUT_STEPS = 0
_NO_STEP = -(1 << 62)
_PLAUSIBLE, _AGREEING = 0.5, 0.9
_UNEQUAL = ("all_to_all", "gather", "scatter", *MESSAGES)
"""Operations whose sizes may differ from rank to rank."""


@per_profile
def matched_calls(profile: Profile) -> pl.DataFrame:
    """Every communication kernel of all ranks with its collective.

    Columns of `calls.rank_calls` but place, and: key (group, of messages with sender and receiver); collective, a
    number that the kernels of one collective share, null where no other rank's kernel was found; job_step, the step in
    which the collective was launched as most ranks number it (`numbering`), 0 where no steps are marked, null for what
    was launched before the first. Of a profile limited to some ranks the others are used, too.
    """
    calls = _keyed(pl.concat([rank_calls(rank) for rank in profile.ranks], how="vertical"))
    lone = calls["lone"]
    groups = calls.filter(~lone).partition_by("key", maintain_order=True)
    calls = pl.concat([*map(_placed, groups), _empty(calls.filter(lone))])
    place = ["key", "bucket", "index"]
    found = (
        calls.filter(pl.col("index").is_not_null())
        .group_by(place)
        .agg(
            pl.col("rank").n_unique().alias("seen"),
            pl.col("ranks").max().alias("size"),
            pl.col("start_ns").min(),
            (pl.col("start_ns").max() < pl.col("end_ns").min()).alias("together"),
        )
    )
    found = found.filter((pl.col("seen") > 1) | (pl.col("size") == 1)).filter(_plausible()).sort("start_ns", *place)
    found = found.with_row_index("collective").select(*place, pl.col("collective").cast(pl.Int64))
    calls = calls.join(found, on=place, how="left", nulls_equal=False)
    offsets = step_offsets(calls)
    of_most = pl.col("step") + pl.col("rank").replace_strict(offsets, default=0, return_dtype=pl.Int64)
    step = pl.when(pl.col("collective").is_null()).then(of_most).otherwise(of_most.max().over("collective"))
    marked = calls["step"].is_not_null().any()
    calls = calls.with_columns((step if marked else pl.lit(WITHOUT_STEPS, pl.Int64)).alias("job_step"))
    return calls.sort("rank", "start_ns", "end_ns", "place").drop(
        "place", "index", "bucket", "sequence", "what", "kind", "lone"
    )


def _plausible() -> pl.Expr:
    """Whether calls whose group is not known may be taken for partners: by order alone they are, if most overlap."""
    return (pl.col("key") != UNKNOWN_GROUP) | (pl.col("together").mean().over("key") >= _PLAUSIBLE)


def _empty(calls: pl.DataFrame) -> pl.DataFrame:
    return calls.with_columns(pl.lit(None, pl.Int64).alias("bucket"), pl.lit(None, pl.Int64).alias("index"))


def _keyed(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls with ``key``, inside which order matches them, and ``what``, in which partners agree."""
    pair = pl.format("{}>{}", "sender", "receiver")
    group = pl.col("group_key").fill_null(UNKNOWN_GROUP)
    message = pl.col("op").is_in(list(MESSAGES)) & pair.is_not_null()
    size = pl.when(~pl.col("op").is_in(list(_UNEQUAL)) & (pl.col("family") != "send_recv")).then(pl.col("bytes"))
    what = pl.struct(
        "family",
        pl.when("known").then(pl.when(pl.col("op").is_in(list(MESSAGES))).then(pl.lit("message")).otherwise("op")),
        pl.when("known").then(pl.col("dtype")),
        pl.when("known").then(size).alias("size"),
    )
    return calls.with_columns(
        pl.when(message).then(pl.concat_str(group, pair, separator=" ")).otherwise(group).alias("key"),
        what.hash(seed=1).alias("what"),
        pl.col("family").hash(seed=1).alias("kind"),
        pl.when(~message).then("sequence").alias("sequence"),
        _several_at_once(message).alias("lone"),
    ).sort("rank", "start_ns", "end_ns", "place")


def _several_at_once(message: pl.Expr) -> pl.Expr:
    """Whether a call sends and receives with nobody knows whom: messages launched as one, in a group of more than two.

    Ranks of a pipeline run different numbers of them, so that order does not tell which belong together.
    """
    named = pl.col("op").is_in([*_UNEQUAL[:3], "send_recv"])
    lone = pl.col("known") & (pl.col("family") == "send_recv") & ~message.fill_null(False) & ~named
    return lone & (pl.col("ranks") != 2).fill_null(True)


def _placed(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls of one key with their place: ``bucket`` and ``index`` in it; index null for one that fits nowhere."""
    if calls["sequence"].is_not_null().any():
        return _by_sequence(calls)
    if calls["step"].is_not_null().any():
        return _by_step(calls)
    return _by_shift(calls)


def _by_sequence(calls: pl.DataFrame) -> pl.DataFrame:
    """By the recorded number; calls without one are counted from their neighbours on the same rank."""
    position = pl.int_range(pl.len(), dtype=pl.Int64).over("rank")
    base = (pl.col("sequence") - position).forward_fill().backward_fill().over("rank")
    return calls.with_columns(pl.lit(0, pl.Int64).alias("bucket"), (base + position).alias("index"))


def _by_step(calls: pl.DataFrame) -> pl.DataFrame:
    """By step and place in it; what was launched before the first step counts back from the first call after it.

    Ranks that have no step in common with the one that has the most calls are shifted against it.
    """
    position = pl.int_range(pl.len(), dtype=pl.Int64).over("rank")
    calls = calls.with_columns(
        position.alias("position"),
        pl.col("step").forward_fill().cum_max().over("rank").alias("bucket"),
    )
    most = calls.filter(pl.col("step").is_not_null()).group_by("rank").len()
    model = int(most.sort("len", "rank", descending=[True, False])["rank"][0])
    steps = calls.filter((pl.col("rank") == model) & pl.col("step").is_not_null())["step"].unique()
    common = pl.col("step").is_in(steps.implode()).fill_null(False).any().over("rank")
    calls = calls.with_columns(common.alias("common"))
    placed = _with_early(calls.filter("common"))
    rest = calls.filter(~pl.col("common")).partition_by("rank", maintain_order=True)
    of_model = placed.filter((pl.col("rank") == model) & pl.col("index").is_not_null()).sort("index")
    found = pl.concat([placed, *(_beside(part, of_model).select(placed.columns) for part in rest)])
    return found.with_columns(pl.lit(0, pl.Int64).alias("bucket")).drop("position", "common")


def _beside(calls: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    """Calls of a rank whose steps are not the others', with the index of the model's under the best shift.

    Null where their kinds do not agree, or most do not run at the same time: then nothing tells which they are.
    """
    shift = best_shift(_facts(calls), _facts(model)) if len(calls) and len(model) else 0
    at = pl.int_range(pl.len(), dtype=pl.Int64) + shift
    known = model.select(
        pl.int_range(pl.len(), dtype=pl.Int64).alias("at"),
        *(pl.col(name).alias(f"{name}_of") for name in ("index", "kind", "start_ns", "end_ns")),
    )
    both = calls.with_columns(at.alias("at")).join(known, on="at", how="left", maintain_order="left")
    agree = pl.col("kind") == pl.col("kind_of")
    beside = agree & (pl.col("start_ns") < pl.col("end_ns_of")) & (pl.col("start_ns_of") < pl.col("end_ns"))
    sure = (agree.mean() >= _AGREEING) & (beside.mean() >= _PLAUSIBLE)
    return both.with_columns(pl.when(sure & agree).then("index_of").alias("index"))


def _with_early(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls with their index in the order of all; those launched before the first step counted back from it."""
    early = calls.filter(pl.col("bucket").is_null())
    placed = _in_steps(calls.filter(pl.col("bucket").is_not_null()))
    index = pl.struct("bucket", "index").rank("dense").cast(pl.Int64)
    placed = placed.with_columns(pl.when(pl.col("index").is_not_null()).then(index).alias("index"))
    first = (
        placed.filter(pl.col("index").is_not_null())
        .group_by("rank")
        .agg((pl.col("index") - pl.col("position")).sort_by("position").first().alias("base"))
    )
    early = early.join(first, on="rank", how="left", maintain_order="left")
    early = early.with_columns((pl.col("base") + pl.col("position")).alias("index")).drop("base")
    found = pl.concat([placed, early.select(placed.columns)])
    # A kernel without metadata is a partner only where it is of the same kind.
    kind = pl.col("kind").sort_by(pl.col("bucket").is_null(), "rank").first().over("index")
    same = pl.col("bucket").is_not_null() | (pl.col("kind") == kind)
    return found.with_columns(pl.when(same).then("index").alias("index"))


def _in_steps(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls whose step is known, with their index in it."""
    calls = calls.with_columns(
        pl.int_range(pl.len(), dtype=pl.Int64).over("rank", "bucket").alias("index"),
        pl.len().cast(pl.Int64).over("rank", "bucket").alias("count"),
        (pl.col("bucket") == pl.col("bucket").min().over("rank")).alias("first"),
    )
    # What is missing of a rank's first step is its beginning.
    shift = pl.when("first").then(pl.col("count").max().over("bucket") - pl.col("count")).otherwise(0)
    calls = calls.with_columns((pl.col("index") + shift).alias("index"))
    return _repaired(calls).drop("count", "first")


def _repaired(calls: pl.DataFrame) -> pl.DataFrame:
    """Lay the calls of a rank and step anew that are fewer or others than those of the rank that has the most."""
    most = calls.sort("count", "rank", descending=[True, False]).group_by("bucket", maintain_order=True).first()
    model = calls.join(most.select("bucket", "rank"), on=["bucket", "rank"])
    columns = ("what", "kind", "known", "count", "start_ns")
    of_model = model.select("bucket", "index", *(pl.col(name).alias(f"model_{name}") for name in columns))
    compared = calls.join(of_model, on=["bucket", "index"], how="left", maintain_order="left")
    both = pl.col("known") & pl.col("model_known")
    agrees = (
        pl.when(both).then(pl.col("what") == pl.col("model_what")).otherwise(pl.col("kind") == pl.col("model_kind"))
    )
    agrees = agrees.fill_null(False).all().over("rank", "bucket")
    compared = compared.with_columns((agrees & (pl.col("count") == pl.col("model_count"))).alias("whole"))
    # Without another step to tell the clocks apart by, what is missing of a first step stays its beginning.
    sure = pl.col("whole") | (pl.col("first") & agrees & ~pl.col("whole").any().over("rank"))
    compared = compared.with_columns(sure.alias("sound"))
    if bool(compared["sound"].all()):
        return calls
    apart = (pl.col("start_ns") - pl.col("model_start_ns")).filter("whole").median()
    clocks = dict(compared.group_by("rank").agg(apart.fill_null(0)).iter_rows())
    models = {key[0]: part for key, part in model.partition_by("bucket", as_dict=True).items()}
    amiss = compared.filter(~pl.col("sound")).select(calls.columns).partition_by("rank", "bucket", as_dict=True)
    laid = [_laid(part, models[bucket], clocks[rank]) for (rank, bucket), part in amiss.items()]
    return pl.concat([compared.filter("sound").select(calls.columns), *laid])


def _laid(calls: pl.DataFrame, model: pl.DataFrame, apart: float) -> pl.DataFrame:
    """Calls of one rank and step with the index of the model's call that each is; null for none."""
    known = bool(calls["known"].all()) and bool(model["known"].all())
    column = "what" if known else "kind"
    times = calls["start_ns"].to_numpy() - int(apart)
    index = lay(calls[column].to_numpy(), model[column].to_numpy(), times, model["start_ns"].to_numpy())
    numbers = model["index"].to_numpy()
    values = [int(numbers[i]) if i >= 0 else None for i in index.tolist()]
    return calls.with_columns(pl.Series("index", values, dtype=pl.Int64))


def _by_shift(calls: pl.DataFrame) -> pl.DataFrame:
    """Without steps: every rank shifted against the one with the most calls."""
    ranks = calls.partition_by("rank", maintain_order=True)
    model = max(ranks, key=len)
    placed = [
        rank.with_columns(pl.lit(_NO_STEP, pl.Int64).alias("bucket"), pl.Series("index", index, dtype=pl.Int64))
        for rank, index in _shifted(ranks, model)
    ]
    return pl.concat(placed)


def _shifted(ranks: list[pl.DataFrame], model: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, Ints]]:
    for rank in ranks:
        shift = 0 if rank is model else best_shift(_facts(rank), _facts(model))
        yield rank, np.arange(len(rank), dtype=np.int64) + shift


def _facts(calls: pl.DataFrame) -> tuple[Ints, Ints, Ints]:
    return calls["kind"].to_numpy(), calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy()
