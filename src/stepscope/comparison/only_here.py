"""What runs on one side only: kernels, operators with the shapes and with the types of their inputs, compiled regions,
graph breaks.

A count of kernels may stay the same while all of them are others. Each is a set, without noise: what is in every
recording of its side, and in none of the other's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.compilation.logs import Log
from stepscope.comparison.called import called_operators
from stepscope.comparison.launched import launch_steps
from stepscope.comparison.names import nameless_places, same_kernel
from stepscope.comparison.recorded import compared_steps
from stepscope.readers.formats import COMPILE_LOG
from stepscope.schema import KERNEL
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

BASE, NEW = "base", "new"

ONE_SIDED = {"key": pl.String, "side": pl.String, "name": pl.String, "calls": pl.Float64}

_SHAPES, _TYPES, _BREAKING = "operator_shapes", "operator_types", "breaking_functions"

_REGION = r"^Torch-Compiled Region: "

_Set = Mapping[str, int]
"""Names, with how often the compared steps of a recording have each."""


@dataclass(frozen=True)
class OnlyHere:
    """What each side has that the other has not.

    Attributes:
        found: columns `ONE_SIDED`: key of the set, side, name, and how often a step has it (of functions that break
            graphs, at how many places); the most frequent first.
        unrecorded: keys of what is not compared: a recording holds operators without it.
    """

    found: pl.DataFrame
    unrecorded: tuple[str, ...]

    @property
    def other_inputs(self) -> frozenset[str]:
        """Names of operators that one side calls with shapes or types of inputs that the other one never has."""
        inputs = self.found.filter(pl.col("key").is_in([_SHAPES, _TYPES]))
        return frozenset(inputs["name"].str.replace(r" \[.*$", ""))

    def sizes(self) -> list[tuple[str, int, int]]:
        """Key of each set, how many the base has alone, and how many the new side has alone."""
        many = Counter(self.found.select("key", "side").iter_rows())
        return [(key, many[key, BASE], many[key, NEW]) for key in SETS]


def only_here(base: Sequence[Rank], new: Sequence[Rank]) -> OnlyHere:
    """What each side has alone; what a recording of either side does not hold, as shapes, is compared on neither."""
    rows: list[tuple[str, str, str, float]] = []
    unrecorded, sides_of = [], (base, new)
    for key in SETS:
        sides = [[one_sided_sets(rank)[key] for rank in ranks] for ranks in sides_of]
        known = [[one for one in side if one is not None] for side in sides]
        if [len(side) for side in known] == [len(base), len(new)]:
            steps = [[1 if key == _BREAKING else max(len(compared_steps(one)), 1) for one in side] for side in sides_of]
            rows += [(key, BASE, *one) for one in _alone(known[0], known[1], steps[0])]
            rows += [(key, NEW, *one) for one in _alone(known[1], known[0], steps[1])]
        elif key in (_SHAPES, _TYPES) and all(rank.trace.rows("operator") for rank in (*base, *new)):
            unrecorded.append(key)
    return OnlyHere(pl.DataFrame(rows, schema=ONE_SIDED, orient="row"), tuple(unrecorded))


@per_rank
def one_sided_sets(rank: Rank) -> dict[str, _Set | None]:
    """Each set of a recording, by key."""
    return {key: of(rank) for key, of in SETS.items()}


def _alone(mine: list[_Set], theirs: list[_Set], steps: list[int]) -> list[tuple[str, float]]:
    names = frozenset.intersection(*map(frozenset, mine)).difference(*theirs)
    often = [(name, float(np.mean([one[name] / of for one, of in zip(mine, steps, strict=True)]))) for name in names]
    return sorted(often, key=lambda one: (-one[1], one[0]))


def _kernels(rank: Rank) -> _Set | None:
    """Names of the kernels that the compared steps launch; None without a GPU."""
    activity = rank.whole.activity
    if len(activity) == 0:
        return None
    mine = (activity["activity"] == KERNEL).to_numpy() & (launch_steps(rank) >= 0)
    counted = activity.filter(pl.Series(mine)).group_by("name").len("calls")
    return _summed(counted.with_columns(rank.trace.text(counted["name"])).with_columns(same_kernel(pl.col("name"))))


def _with(column: str) -> Callable[[Rank], _Set | None]:
    """Operators of the compared steps with what a column says of their inputs; None where it says nothing."""

    def found(rank: Rank) -> _Set | None:
        rows = called_operators(rank).filter(pl.col(column).is_not_null())
        counted = rows.group_by("name", column).agg(pl.col("calls").sum())
        texts = counted.with_columns(rank.trace.text(counted[name]) for name in ("name", column))
        texts = texts.filter(pl.col(column).str.contains(r"[^\[\], ]"))
        named = pl.concat_str(nameless_places(pl.col("name")), column, separator=" ").alias("name")
        return _summed(texts.select(named, "calls")) or None

    return found


def _regions(rank: Rank) -> _Set | None:
    """What torch.compile compiled, by name; None where nothing is. A graph break makes two of one."""
    counted = region_calls(rank).group_by("name").agg(pl.col("calls").sum())
    return _summed(counted.with_columns(rank.trace.text(counted["name"]))) or None


def region_calls(rank: Rank) -> pl.DataFrame:
    """Calls of compiled regions in the compared steps: columns name (a code), place (of the step), calls."""
    codes = rank.trace.names(lambda text: text.str.contains(_REGION)).implode()
    ranges = rank.trace.frame("annotation", ["name", "start_ns"])
    place = pl.Series("place", compared_steps(rank).holding(ranges["start_ns"].to_numpy()))
    ranges = ranges.select("name", place, pl.lit(1, pl.Int64).alias("calls")).filter(pl.col("place") >= 0)
    rows = pl.concat([called_operators(rank).select(ranges.columns), ranges])
    return rows.filter(pl.col("name").is_in(codes))


def _graph_breaks(rank: Rank) -> _Set | None:
    """Functions that break a graph, with the reason, and at how many places each does, as the logs of torch.compile
    say; None without any log. By no line, since an edit above one moves it."""
    logs = [Log(rank, one) for one in rank.recordings if one.kind == COMPILE_LOG and one.stored is not None]
    if not logs:
        return None
    frames = [log.frame("graph_break", ("function", "reason", "file"), ("line",)) for log in logs]
    places = pl.concat(frames).select("function", "reason", "file", "line").unique()
    name = pl.concat_str(pl.col("function").fill_null("?"), pl.col("reason").fill_null("?"), separator=": ")
    return _summed(places.select(name.alias("name"), pl.lit(1).alias("calls")))


def graph_breaks(rank: Rank) -> int | None:
    """How many places break a graph; None without a log of torch.compile."""
    found = _graph_breaks(rank)
    return None if found is None else sum(found.values())


def _summed(counted: pl.DataFrame) -> dict[str, int]:
    """Calls by name, in words."""
    summed = counted.drop_nulls("name").group_by("name").agg(pl.col("calls").sum())
    return dict(summed.select("name", "calls").iter_rows())


SETS: dict[str, Callable[[Rank], _Set | None]] = {
    "kernel_names": _kernels,
    _SHAPES: _with("input_dims"),
    _TYPES: _with("input_types"),
    "compiled_regions": _regions,
    "breaking_functions": _graph_breaks,
}
"""By key, what finds the set of a recording."""
