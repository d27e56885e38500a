"""How far the clocks of ranks are apart, from the ends of the collectives they share.

Ranks leave a collective that needs all of them (`operations.TOGETHER`) at about one time, so the median difference of
their ends is the offset of their clocks, and a line through the differences its drift. What the differences scatter is
the uncertainty; it is never put below `END_SKEW_NS`, by which ends differ on one clock, too. No rank can leave before
the last has come: that bounds the offset from both sides, whatever the ends say.

An offset smaller than its uncertainty is not applied: then the ranks are taken to share one clock. Ranks of one machine
do share one; files that torch names ``MACHINE_PROCESS.TIME.pt.trace.json`` say which do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.operations import MESSAGES, TOGETHER
from stepscope.numeric.intervals import Ints
from stepscope.readers.formats import FLIGHT_RECORDER
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile

END_SKEW_NS = 20_000
"""Ends of one collective differ by up to about so much on ranks that share a clock."""

MAX_DRIFT = 200e-6
"""Crystals of computers differ by less."""

_DRIFT_CALLS = 20
_MACHINE = re.compile(r"^(.{1,128}?)_\d+(?:\.\d+)?\.pt\.trace\.json(?:\.gz)?$")

REFERENCE, SAME_HOST = "the job's clock", "same machine as the job's clock"
ENDS, MESSAGE_ENDS, APART = "ends of collectives", "ends of messages", "no collective in common"
ONE_CLOCK, WALL = "taken for one clock", "wall clock of its host"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Clock:
    """A rank's clock against that of the first rank, which is the job's.

    Attributes:
        offset_ns: taken off a time of the rank to have it on the job's clock.
        drift: seconds that it gains in a second, or None where that cannot be told.
        middle_ns: where the offset holds if there is a drift, on the job's clock.
        uncertainty_ns: half the range in which the offset lies, or None where nothing joins it to the job's.
        collectives: from so many.
        method: how it was found.
        host: machine, where known.
    """

    offset_ns: int
    drift: float | None
    middle_ns: int
    uncertainty_ns: int | None
    collectives: int
    method: str
    host: str = ""

    def on_job(self, times: pl.Expr) -> pl.Expr:
        """Times of the rank in ns, on the job's clock; exact without a drift."""
        moved = times - self.offset_ns
        if not self.drift:
            return moved
        gained = ((moved - self.middle_ns).cast(pl.Float64) * self.drift).round().cast(pl.Int64)
        return moved - gained


@dataclass(frozen=True)
class Ends:
    """What two machines' collectives say, one element for each, in ns: time, difference of ends, and its bounds."""

    at: Floats
    difference: Ints
    low: Ints
    high: Ints


@per_profile
def rank_clocks(profile: Profile) -> dict[int, Clock]:
    """The clock of every rank of a profile."""
    if not profile.ranks:
        return {}
    hosts = {rank.number: _machine(rank.source) or f"rank {rank.number}" for rank in profile.ranks}
    calls = matched_calls(profile).filter(pl.col("collective").is_not_null())
    middle = int(np.median(calls["start_ns"].to_numpy())) if len(calls) else 0
    links = _links(calls.filter(pl.col("op").is_in(list(TOGETHER))), hosts, middle)
    messages = _links(calls.filter(pl.col("op").is_in(list(MESSAGES))), hosts, middle)
    found = _joined_up(links, messages, list(dict.fromkeys(hosts.values())), middle)
    first = profile.ranks[0].number
    dumps = {rank.number for rank in profile.ranks if rank.trace.kind == FLIGHT_RECORDER}
    clocks = {}
    for rank, host in hosts.items():
        clock = found[host]
        named = host if _machine_known(host, rank) else ""
        method = REFERENCE if rank == first else SAME_HOST if host == hosts[first] else clock.method
        # Dumps of flight recorders count from 1970 and hold no ends of collectives that are exact.
        method = WALL if method == APART and rank in dumps else method
        clocks[rank] = replace(clock, host=named, method=method)
    return clocks


def rank_shifts(profile: Profile) -> dict[int, int]:
    """What is taken off the times of each rank to have them on the job's clock, in ns."""
    return {rank: clock.offset_ns for rank, clock in rank_clocks(profile).items()}


def _joined_up(
    links: dict[tuple[str, str], Clock], messages: dict[tuple[str, str], Clock], hosts: list[str], middle: int
) -> dict[str, Clock]:
    """Clocks of all machines: along collectives, where none joins them along messages, and else among themselves."""
    found = _spread(links, {hosts[0]: Clock(0, None, middle, 0, 0, REFERENCE)})
    while len(found) < len(hosts):
        bridges = [
            (clock.uncertainty_ns or 0, pair)
            for pair, clock in messages.items()
            if (pair[0] in found) != (pair[1] in found)
        ]
        if bridges:
            ours, theirs = min(bridges)[1]
            near, far, sign = (ours, theirs, 1) if ours in found else (theirs, ours, -1)
            found[far] = replace(_joined(found[near], messages[ours, theirs], sign), method=MESSAGE_ENDS)
        else:
            # Nothing joins the rest to the first: the clock of the next one stands for them.
            alone = next(host for host in hosts if host not in found)
            found[alone] = Clock(0, None, middle, None, 0, APART)
        found = _spread(links, found)
    return found


def _machine(source: str) -> str | None:
    """Machine named by a file that `torch.profiler.tensorboard_trace_handler` wrote."""
    match = _MACHINE.match(re.split(r"[/\\]", source)[-1])
    return match.group(1) if match else None


def _machine_known(host: str, rank: int) -> bool:
    return host != f"rank {rank}"


def _links(calls: pl.DataFrame, hosts: dict[int, str], middle: int) -> dict[tuple[str, str], Clock]:
    """The clock of one machine against another, for each pair that groups join: the first of a group with the rest."""
    host = pl.col("rank").replace_strict(hosts, return_dtype=pl.String).alias("host")
    ends = (
        calls.with_columns(host)
        .group_by("key", "collective", "host")
        .agg(
            pl.col("end_ns").median().cast(pl.Int64).alias("end"),
            pl.col("end_ns").min().alias("first_end"),
            pl.col("start_ns").max().alias("last_start"),
            pl.col("rank").min(),
        )
        .sort("collective", "rank")
    )
    model = pl.col("rank").min().over("key") == pl.col("rank")
    models = ends.filter(model).drop("rank", "key")
    pairs = ends.filter(~model).join(models, on="collective", suffix="_of").sort("collective", "rank")
    found = {}
    for (ours, theirs), part in pairs.partition_by("host_of", "host", as_dict=True).items():
        found[ours, theirs] = _fitted(_ends(part), middle)
    return found


def _ends(pairs: pl.DataFrame) -> Ends:
    column = pairs.get_column
    return Ends(
        column("end_of").to_numpy().astype(np.float64),
        (column("end") - column("end_of")).to_numpy(),
        (column("last_start") - column("first_end_of")).to_numpy(),
        (column("first_end") - column("last_start_of")).to_numpy(),
    )


def _fitted(ends: Ends, middle: int) -> Clock:
    """Offset, drift and uncertainty from the ends of two machines."""
    slope = _slope(ends)
    gained = slope * (ends.at - middle)
    rest = ends.difference - gained
    offset = float(np.median(rest))
    uncertainty = max(float(np.quantile(np.abs(rest - offset), 0.9)), END_SKEW_NS)
    low, high = float((ends.low - gained).max()), float((ends.high - gained).min())
    if low <= high:
        offset = min(max(offset, low), high)
        uncertainty = min(uncertainty, max(high - offset, offset - low))
    possible = low <= 0 <= high or low > high
    if possible and abs(offset) <= uncertainty and not slope:
        return Clock(0, None, middle, round(uncertainty), len(ends.at), ONE_CLOCK)
    drift = slope if slope else None
    return Clock(round(offset), drift, middle, round(uncertainty), len(ends.at), ENDS)


def _slope(ends: Ends) -> float:
    """Drift: the median slope between calls half the recording apart; 0 where it explains little."""
    count = len(ends.at)
    if count < _DRIFT_CALLS:
        return 0.0
    order = np.argsort(ends.at)
    at, difference = ends.at[order], ends.difference[order]
    half = count // 2
    apart = at[half : 2 * half] - at[:half]
    slope = float(np.median((difference[half : 2 * half] - difference[:half]) / np.maximum(apart, 1.0)))
    level = difference - np.median(difference)
    line = difference - slope * (at - at.mean())
    line = line - np.median(line)
    before, after = (float(np.quantile(np.abs(part), 0.9)) for part in (level, line))
    explains = after < 0.5 * before and abs(slope) * (at[-1] - at[0]) > END_SKEW_NS
    return slope if explains and abs(slope) <= MAX_DRIFT else 0.0


def _spread(links: dict[tuple[str, str], Clock], known: dict[str, Clock]) -> dict[str, Clock]:
    """Clocks of what links join to known ones, along those whose uncertainties add up to least."""
    found = dict(known)
    neighbours: dict[str, list[tuple[str, Clock, int]]] = {}
    for (ours, theirs), clock in links.items():
        neighbours.setdefault(ours, []).append((theirs, clock, 1))
        neighbours.setdefault(theirs, []).append((ours, clock, -1))
    waiting = set(found)
    while waiting:
        near = min(waiting, key=lambda host: (found[host].uncertainty_ns or 0, host))
        waiting.remove(near)
        for host, clock, sign in neighbours.get(near, []):
            further = _joined(found[near], clock, sign)
            before = found.get(host)
            if before is None or (host not in known and _less_sure(before, further)):
                found[host] = further
                waiting.add(host)
    return found


def _less_sure(clock: Clock, than: Clock) -> bool:
    return (clock.uncertainty_ns or 0) > (than.uncertainty_ns or 0)


def _joined(near: Clock, link: Clock, sign: int) -> Clock:
    drift = (near.drift or 0.0) + sign * (link.drift or 0.0)
    # One clock with a rank whose clock is another than the job's: found as that one was. And what hangs on a clock that
    # nothing joins to the job's is not joined to it either.
    as_near = near.method == APART or (link.method == ONE_CLOCK and near.method in (ENDS, MESSAGE_ENDS))
    return Clock(
        near.offset_ns + sign * link.offset_ns,
        drift or None,
        near.middle_ns,
        (near.uncertainty_ns or 0) + (link.uncertainty_ns or 0),
        link.collectives,
        near.method if as_near else link.method,
    )
