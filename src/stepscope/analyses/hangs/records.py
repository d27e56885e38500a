"""The collectives and messages that the dumps of a profile hold, with the groups that they are of."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from stepscope.analyses.host.frame_names import frame_names
from stepscope.readers.formats import FLIGHT_RECORDER
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile, Rank
from stepscope.store.trace import Trace

SEND, RECEIVE, COALESCED = "send", "recv", "coalesced"
SCHEDULED, COMPLETED = "scheduled", "completed"
DEFAULT = "default_pg"

KEY = ["rank", "group", "p2p", "number"]
"""What names a call: several operations that were coalesced are one."""

_TEXTS = ("name", "group", "group_description", "state", "in_sizes", "out_sizes", "in_dtypes", "out_dtypes", "stack")
_NUMBERS = ("event", "p2p", "retired", "sequence", "p2p_sequence", "created_ns", "timeout_ns", "duration_ns")
_SEEN = ("started_seen_ns", "completed_seen_ns")


@dataclass(frozen=True)
class Dump:
    """The dump of a rank."""

    rank: int
    trace: Trace

    @property
    def overwritten(self) -> int:
        """Records before the first one that it holds."""
        return int(self.trace.meta.get("overwritten") or 0)

    @property
    def only_active(self) -> bool:
        """Whether what has completed was left out of it (TORCH_INCLUDE_ONLY_ACTIVE): its status says that some has."""
        status = self.trace.frame("group_status", ["completed"])["completed"].drop_nulls()
        own = self.trace.frame("collective_record", ["state", "retired"])
        done = (self.trace.text(own["state"]) == COMPLETED).any() or own["retired"].fill_null(False).any()
        return bool((status > 0).any()) and not done

    @property
    def most_entered(self) -> int:
        """The highest number of a collective of any group that its status says was entered."""
        found = self.trace.frame("group_status", ["enqueued"])["enqueued"].max()
        return found if isinstance(found, int) else -1

    def records(self) -> pl.DataFrame:
        """Its records as they are, with texts, and its rank."""
        frame = self.trace.frame("collective_record", [*_TEXTS, *_NUMBERS, *_SEEN])
        texts = [self.trace.text(frame[name]).alias(name) for name in _TEXTS]
        return frame.with_columns(texts).with_columns(pl.lit(self.rank, pl.Int64).alias("rank"))

    def groups(self) -> pl.DataFrame:
        """Columns rank, group, members (ranks in order, as a text; null where the dump does not say them)."""
        frame = self.trace.frame("process_group", ["group", "ranks"])
        group, members = (self.trace.text(frame[name]) for name in ("group", "ranks"))
        return pl.DataFrame({"group": group, "members": members}).with_columns(
            pl.lit(self.rank, pl.Int64).alias("rank")
        )


def is_flight_recorder(rank: Rank) -> bool:
    """Whether nothing but dumps of the flight recorder was recorded of a rank."""
    return rank.trace.kind == FLIGHT_RECORDER


def dumps_of(profile: Profile) -> list[Dump]:
    """The dump of each rank that has one."""
    found = []
    for rank in profile.ranks:
        own = (one.stored for one in rank.recordings if one.kind == FLIGHT_RECORDER and one.stored is not None)
        found += [Dump(rank.number, trace) for trace in list(own)[:1]]
    return found


@per_profile
def records(profile: Profile) -> pl.DataFrame:
    """Every record of all dumps, in the order of each dump.

    Columns: rank, event, backend, collective, group, description, members (as a text; see `Dump.groups`), said (whether
    a dump says the members), p2p, number (place among the calls of the group, or among its messages), from_place,
    to_place (of messages: ranks inside the group), state, done, created_ns, timeout_ns, duration_ns, in_sizes,
    out_sizes, in_dtypes, out_dtypes, source (innermost line of the user's code), stack.
    """
    dumps = dumps_of(profile)
    if not dumps:
        return pl.DataFrame()
    frame = as_calls(pl.concat([dump.records() for dump in dumps]))
    return _with_members(frame, pl.concat([dump.groups() for dump in dumps])).pipe(_with_sources)


def as_calls(frame: pl.DataFrame) -> pl.DataFrame:
    """Records, as `Dump.records` gives them, with what they say: columns of `records` that need no other dump."""
    name = pl.col("name").str.replace(r"^\w+:", "")
    frame = frame.with_columns(
        backend_of("name"),
        name.str.extract(r"^(\S+)").fill_null("").alias("collective"),
        pl.coalesce(name.str.extract(r"^send (\d+)->"), name.str.extract(r"^recv \d+<-(\d+)")).alias("from_place"),
        pl.coalesce(name.str.extract(r"^send \d+->(\d+)"), name.str.extract(r"^recv (\d+)<-")).alias("to_place"),
        pl.col("group_description").alias("description"),
        ((pl.col("state") == COMPLETED) | pl.col("retired").fill_null(False)).fill_null(False).alias("done"),
        pl.col("state").fill_null(SCHEDULED),
    )
    frame = frame.with_columns(pl.col("from_place", "to_place").cast(pl.Int64, strict=False))
    message = pl.col("p2p") | pl.col("collective").is_in([SEND, RECEIVE])
    number = pl.when(pl.col("p2p")).then("p2p_sequence").otherwise("sequence").fill_null(-1)
    return _coalesced(frame.with_columns(message.alias("p2p")).with_columns(number.alias("number")))


def _coalesced(frame: pl.DataFrame) -> pl.DataFrame:
    """Operations of one coalesced call are as far as the entry that stands for all of them, and seen when it was."""
    whole = pl.col("collective") == COALESCED
    of_whole = {name: pl.col(name).filter(whole).last().over(KEY) for name in ("state", "done", *_SEEN)}
    return frame.with_columns(
        *(
            pl.when(whole.any().over(KEY)).then(of_whole[name]).otherwise(name).alias(name)
            for name in ("state", "done")
        ),
        *(pl.coalesce(name, of_whole[name]) for name in _SEEN),
    )


def _with_members(frame: pl.DataFrame, groups: pl.DataFrame) -> pl.DataFrame:
    """The same with the members of each group.

    Where no dump says them, of the default group all ranks that any dump names and all that have one; of another group
    the ranks that recorded it.
    """
    said = groups.filter((pl.col("group") != "") & pl.col("members").is_not_null())
    named = groups["members"].drop_nulls().str.split(",").explode().cast(pl.Int64, strict=False).drop_nulls()
    everyone = _text(set(named) | set(groups["rank"]) | set(frame["rank"]))
    frame = frame.join(said.unique(["rank", "group"], keep="first"), ["rank", "group"], "left", maintain_order="left")
    recorded = pl.col("rank").unique().sort().cast(pl.String).implode().list.join(",").over("group")
    guessed = pl.when(pl.col("description") == DEFAULT).then(pl.lit(everyone)).otherwise(recorded)
    return frame.with_columns(pl.col("members").is_not_null().alias("said"), pl.coalesce("members", guessed))


def _text(ranks: set[int]) -> str:
    return ",".join(map(str, sorted(ranks)))


def _with_sources(frame: pl.DataFrame) -> pl.DataFrame:
    """The same with the innermost line of the user's code of each stack."""
    lines = frame.select(pl.col("stack").drop_nulls().unique(maintain_order=True)).with_row_index("place")
    each = lines.select("place", pl.col("stack").str.split("\n").alias("line")).explode("line")
    known = frame_names(each["line"]).select("source", "is_user")
    own = pl.concat([each, known], how="horizontal").filter("is_user")
    sources = lines.join(own.unique("place", keep="first", maintain_order=True), "place", "left", maintain_order="left")
    return frame.join(sources.select("stack", "source"), "stack", "left", maintain_order="left")


def backend_of(name: str) -> pl.Expr:
    """The column backend of records whose names, as ``nccl:all_reduce``, are in a column."""
    return pl.col(name).str.extract(r"^(\w+):").fill_null("").alias("backend")


def stateful_backends(frame: pl.DataFrame) -> frozenset[str]:
    """Backends whose records say that a collective was started; gloo's never do."""
    return frozenset(frame.filter(pl.col("state") != SCHEDULED)["backend"])


def last_time_ns(frame: pl.DataFrame) -> int | None:
    """The latest time of some records: the dumps were written no earlier."""
    latest = frame.select(pl.max_horizontal(pl.col("created_ns", *_SEEN).max())).item() if len(frame) else None
    return None if latest is None else int(latest)
