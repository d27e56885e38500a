"""How far a trace can be trusted. Comes before any number.

Each check is a small function of a rank that returns a `Check` or None where it does not apply. What cannot be shown
because it was not recorded is a warning that names the profiler option that records it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from stepscope.analyses.steps import steps
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import FROM_ORDER, Profile, Rank
from stepscope.store.stepping import ANNOTATION, OPTIMIZER, PROFILER, WHOLE

OK, WARNING, ERROR = "ok", "warning", "error"

_BROKEN_REASONS = {
    1: "no usable start time",
    2: "no usable duration",
    3: "negative duration",
    4: "no phase",
}
_KNOWN_OTHER = {"Trace", "overhead", "cuda_profiler_range", "cpu_instant_event", "user_annotation", "Memory"}
_LAUNCHING = r"(?i)launch|memcpy|memset"
_NOT_LAUNCHING = r"(?i)LaunchHostFunc|GetLaunch"


@dataclass(frozen=True)
class Check:
    """One row of the table ``health``."""

    check: str
    status: str
    value: str
    detail: str


def health(profile: Profile) -> pl.DataFrame:
    """One row per check and rank (rank null for the whole profile), columns of `schema.TABLES` ``health``."""
    rows: list[dict[str, object]] = [{"rank": None, **vars(check)} for check in _profile_checks(profile)]
    for rank in profile.ranks:
        for make in _CHECKS:
            check = make(rank)
            if check is not None:
                rows.append({"rank": rank.number, **vars(check)})
    return pl.DataFrame(rows, schema=TABLES["health"].schema)


def _profile_checks(profile: Profile) -> list[Check]:
    checks = []
    if profile.skipped:
        names = "; ".join(f"{skipped.path.rsplit('/', 1)[-1]} ({skipped.reason})" for skipped in profile.skipped[:5])
        more = f" and {len(profile.skipped) - 5} more" if len(profile.skipped) > 5 else ""
        checks.append(Check("skipped_files", WARNING, str(len(profile.skipped)), f"not read: {names}{more}"))
    if len(profile.ranks) > 1:
        checks.append(_rank_numbers(profile))
    missing = _missing_ranks(profile)
    return [*checks, missing] if missing else checks


def _rank_numbers(profile: Profile) -> Check:
    guessed = [rank.number for rank in profile.ranks if rank.origin == FROM_ORDER]
    if not guessed:
        return Check("rank_numbers", OK, f"{len(profile.ranks)} ranks", "as recorded or as in the file names")
    return Check(
        "rank_numbers",
        WARNING,
        f"{len(guessed)} of {len(profile.ranks)} numbered by order",
        "these files name no rank or one that is taken: are they ranks of one run? Compare runs one by one",
    )


def _missing_ranks(profile: Profile) -> Check | None:
    sizes = {rank.trace.head.get("distributedInfo", {}).get("world_size") for rank in profile.ranks}
    known = [size for size in sizes if isinstance(size, int)]
    if not known or max(known) <= len(profile.ranks):
        return None
    return Check(
        "ranks",
        OK,
        f"{len(profile.ranks)} of {max(known)}",
        "the job had more ranks than files are open: waiting for the others cannot be told from transfer",
    )


def _events(rank: Rank) -> Check:
    return Check("events", OK, f"{rank.trace.events:,}", f"{rank.trace.meta['json_bytes']:,} bytes of JSON")


def _complete(rank: Rank) -> Check:
    reason = rank.trace.meta["truncated"]
    if reason is None:
        return Check("complete", OK, "yes", "the file ends as it should")
    lost = int(rank.trace.meta["lost_bytes"])
    return Check(
        "complete",
        ERROR,
        "cut off",
        f"{reason}; events after the cut are missing ({lost:,} bytes of an unfinished event were dropped)",
    )


def _damaged(rank: Rank) -> Check:
    damaged, odd = int(rank.trace.meta["damaged"]), int(rank.trace.meta["not_objects"])
    if damaged + odd == 0:
        return Check("damaged_events", OK, "0", "every event is valid JSON")
    return Check(
        "damaged_events",
        WARNING,
        f"{damaged + odd:,}",
        f"{damaged:,} events are broken JSON and were skipped, {odd:,} entries are no events",
    )


def _broken(rank: Rank) -> Check:
    counts = rank.trace.frame("other", ["broken"]).filter(pl.col("broken") > 0).group_by("broken").len().sort("broken")
    if len(counts) == 0:
        return Check("broken_events", OK, "0", "every timed event has a start and a duration")
    reasons = ", ".join(f"{count:,} with {_BROKEN_REASONS[code]}" for code, count in counts.iter_rows())
    return Check("broken_events", WARNING, f"{counts['len'].sum():,}", f"left out of every time: {reasons}")


def _clock(rank: Rank) -> Check:
    rounded = int(rank.trace.meta["rounded_times"])
    early = rank.activity.filter(pl.col("start_ns") < pl.col("launch_start_ns"))
    notes = []
    if rounded:
        notes.append(f"{rounded:,} times finer than 1 ns were rounded")
    negative = _negative_times(rank)
    if negative:
        notes.append(f"{negative:,} events start before time zero")
    if len(early):
        worst = int((early["launch_start_ns"] - early["start_ns"]).max())
        notes.append(
            f"{len(early):,} activities start before their launch, by up to {worst:,} ns: host and GPU clocks differ"
        )
        return Check("clock", WARNING, f"{len(early):,} before launch", "; ".join(notes))
    value = "whole ns" if not rounded else f"{rounded:,} rounded"
    return Check(
        "clock", WARNING if negative else OK, value, "; ".join(notes) or "no activity starts before its launch"
    )


def _negative_times(rank: Rank) -> int:
    tables = ("activity", "operator", "runtime", "annotation", "python")
    return sum(int((rank.trace.frame(table, ["start_ns"])["start_ns"] < 0).sum()) for table in tables)


def _gpu_activity(rank: Rank) -> Check:
    count = rank.trace.rows("activity")
    if count:
        return Check("gpu_activity", OK, f"{count:,}", "kernels, copies and fills")
    if rank.trace.rows("runtime"):
        return Check(
            "gpu_activity",
            ERROR,
            "none",
            "GPU calls were recorded but no GPU activity: another profiler held the GPU (CUPTI), "
            "or the window was too short",
        )
    return Check(
        "gpu_activity", WARNING, "none", "only the host was recorded; on a GPU add ProfilerActivity.CUDA to activities"
    )


def _linked(rank: Rank) -> Check | None:
    activity = rank.activity
    if len(activity) == 0:
        return None
    unlinked = activity.filter(pl.col("launch").is_null())
    share = 100.0 * (1 - len(unlinked) / len(activity))
    value = f"{_percent(share)}"
    if len(unlinked) == 0:
        by_flow = int(activity["by_flow"].sum())
        how = f", {by_flow:,} through flow arrows" if by_flow else ""
        return Check("linked_launches", OK, value, f"every activity has its launch{how}")
    first = rank.trace.frame("runtime", ["start_ns"])["start_ns"].min()
    before = len(unlinked) if first is None else int((unlinked["start_ns"] < _first_linked(activity)).sum())
    time = int(unlinked["duration_ns"].sum()) / max(1, int(activity["duration_ns"].sum()))
    detail = f"{len(unlinked):,} activities ({_percent(100 * time)} of GPU time) have no launch in the trace"
    if before:
        detail += f"; {before:,} of them run before anything launched here does: work queued before the recording began"
    return Check("linked_launches", WARNING, value, detail)


def _first_linked(activity: pl.DataFrame) -> int:
    first = activity.filter(pl.col("launch").is_not_null())["start_ns"].min()
    return int(first) if isinstance(first, int) else 1 << 62


def _percent(share: float) -> str:
    """Two significant places near the ends, so that 99.97 % does not read 100 %.

    >>> _percent(99.97), _percent(100.0), _percent(37.04)
    ('99.97 %', '100 %', '37.0 %')
    """
    if share in (0.0, 100.0):
        return f"{share:.0f} %"
    if share < 0.1 or share > 99.9:
        return f"{share:.2g} %" if share < 0.1 else f"{min(share, 99.99):.2f} %"
    return f"{share:.1f} %"


def _attributed(rank: Rank) -> Check | None:
    activity = rank.activity
    linked = activity.filter(pl.col("launch").is_not_null())
    whole = int(activity["duration_ns"].sum())
    if whole == 0:
        return None
    outside = linked.filter(pl.col("operator").is_null())
    share = 100.0 * int(activity.filter(pl.col("operator").is_not_null())["duration_ns"].sum()) / whole
    if share == 100.0:
        return Check("attributed_to_operators", OK, "100 %", "of GPU time was launched inside an operator")
    detail = f"of GPU time was launched inside an operator; {len(outside):,} activities were launched outside any"
    graphs = _graph_launches(rank, outside)
    if graphs:
        detail += f", {graphs:,} of them by replaying a CUDA graph, which records no operators"
    return Check("attributed_to_operators", WARNING if share < 99.0 else OK, _percent(share), detail)


def _graph_launches(rank: Rank, activity: pl.DataFrame) -> int:
    names = rank.trace.codes(lambda text: text.str.contains("(?i)^(?:cuda|hip|cu)GraphLaunch")).implode()
    calls = rank.trace.frame("runtime", ["name"])["name"].gather(activity["launch"])
    return int(calls.is_in(names).sum())


def _inside_steps(rank: Rank) -> Check | None:
    activity = rank.activity
    whole = int(activity["duration_ns"].sum())
    if whole == 0:
        return None
    inside = pl.lit(False)
    launched = pl.col("launch_start_ns")
    for start, end in rank.all_steps.ranges.select("start_ns", "end_ns").iter_rows():
        inside = inside | ((launched >= start) & (launched < end))
    outside = activity.filter(~inside.fill_null(False))
    share = 100.0 * (1 - int(outside["duration_ns"].sum()) / whole)
    if len(outside) == 0:
        return Check("inside_steps", OK, "100 %", "of GPU time was launched inside a step")
    return Check(
        "inside_steps",
        WARNING if share < 95.0 else OK,
        _percent(share),
        f"of GPU time was launched inside a step; {len(outside):,} activities were not, or their launch is unknown",
    )


def _steps_found(rank: Rank) -> Check:
    found = rank.all_steps
    count = len(found.ranges)
    how = {
        PROFILER: "ProfilerStep ranges",
        OPTIMIZER: f"no ProfilerStep ranges; cut at the ends of {found.name}",
        ANNOTATION: f'no ProfilerStep ranges; each "{found.name}" taken as a step',
        WHOLE: "no ProfilerStep ranges, optimizer steps or repeated ranges: the whole trace is taken as one step; "
        "call profiler.step() in the loop",
    }[found.source]
    return Check("steps", OK if found.source == PROFILER else WARNING, str(count), how)


def _steps_cut(rank: Rank) -> Check:
    table = steps(Profile("", (rank,)))
    cut = table.filter(pl.col("cut"))["step"].to_list()
    if not cut:
        return Check("steps_cut", OK, "0", "no step is cut by the recording's window")
    return Check(
        "steps_cut", WARNING, str(len(cut)), f"step {', '.join(map(str, cut))} is not complete; means leave it out"
    )


def _host_ahead(rank: Rank) -> Check | None:
    table = steps(Profile("", (rank,))).filter(pl.col("lag_ns").is_not_null())
    late = table.filter(pl.col("lag_ns") > 0.1 * pl.col("duration_ns"))
    if len(table) == 0:
        return None
    if len(late) == 0:
        return Check("host_ahead", OK, "no", "the GPU ends its work within the step that launched it")
    worst = late.sort(pl.col("lag_ns") / pl.col("duration_ns")).row(-1, named=True)
    return Check(
        "host_ahead",
        WARNING,
        f"{len(late)} of {len(table)} steps",
        f"in step {worst['step']} the GPU ends {worst['lag_ns'] / 1e6:.1f} ms after the host's range of "
        f"{worst['duration_ns'] / 1e6:.1f} ms: read period_ns, the step's time on the GPU, not duration_ns",
    )


def _overlapping(rank: Rank) -> Check:
    counts = {}
    for table in ("operator", "python", "annotation", "runtime"):
        if rank.trace.rows(table):
            counts[table] = int(rank.nesting(table).nesting.sticks_out.sum())
    total = sum(counts.values())
    if total == 0:
        return Check("overlapping_events", OK, "0", "host events nest")
    parts = ", ".join(f"{count:,} in table {table}" for table, count in counts.items() if count)
    return Check(
        "overlapping_events",
        WARNING if total > 0.01 * sum(rank.trace.rows(table) for table in counts) else OK,
        f"{total:,}",
        f"host events end after the one around them ({parts}); kept whole, self times count each moment once",
    )


def _lost_activity(rank: Rank) -> Check | None:
    """Launch calls without an activity: the profiler drops activity silently when its buffers run out."""
    if rank.trace.rows("activity") == 0 or rank.chosen is not None:
        return None
    names = rank.trace.codes(lambda text: text.str.contains(_LAUNCHING) & ~text.str.contains(_NOT_LAUNCHING)).implode()
    calls = rank.trace.frame("runtime", ["name", "correlation"]).with_row_index("launch")
    calls = calls.filter(pl.col("name").is_in(names) & (pl.col("correlation") != 0))
    if len(calls) == 0:
        return None
    lost = calls.join(rank.activity.select("launch").drop_nulls().unique(), "launch", "anti")
    if len(lost) == 0:
        return Check("launches_with_activity", OK, "100 %", "every launch call has its activity")
    share = 100.0 * (1 - len(lost) / len(calls))
    return Check(
        "launches_with_activity",
        WARNING if share < 99.0 else OK,
        _percent(share),
        f"{len(lost):,} of {len(calls):,} launch calls have no activity: still queued when the recording ended, "
        "dropped by the profiler, captured into a graph, or copied by the host",
    )


def _communication(rank: Rank) -> Check | None:
    kernels = rank.activity.filter((pl.col("activity") == KERNEL) & pl.col("communication"))
    if len(kernels) == 0:
        return None
    collective = rank.trace.frame("activity", ["collective"])["collective"][kernels["row"]]
    named = len(kernels) - collective.null_count()
    detail = "communication kernels carry their collective's name and sizes"
    if named == len(kernels):
        return Check("communication_metadata", OK, "100 %", f"all {named:,} {detail}")
    return Check(
        "communication_metadata",
        WARNING,
        _percent(100.0 * named / len(kernels)),
        f"{named:,} of {len(kernels):,} {detail}; the others are told by their operator or name",
    )


def _overhead(rank: Rank) -> Check:
    names = rank.trace.codes(lambda text: text == "overhead").implode()
    frame = rank.trace.frame("other", ["category", "name", "duration_ns", "broken"])
    frame = frame.filter(pl.col("category").is_in(names) & (pl.col("broken") == 0))
    if len(frame) == 0:
        return Check(
            "profiler_overhead",
            OK,
            "0",
            "no event of the profiler's own work; its cost per call is still in the host's times",
        )
    kinds = ", ".join(sorted(set(rank.trace.text(frame["name"]).drop_nulls().to_list())))
    total = int(frame["duration_ns"].sum())
    return Check(
        "profiler_overhead",
        WARNING,
        f"{total / 1e6:.1f} ms",
        f"{len(frame):,} events of the profiler's own work: {kinds}",
    )


def _unknown(rank: Rank) -> Check:
    trace = rank.trace
    known = trace.codes(lambda text: text.is_in(sorted(_KNOWN_OTHER))).implode()
    timed = trace.codes(lambda text: text == "X").implode()
    frame = trace.frame("other", ["category", "phase", "broken"])
    frame = frame.filter(
        pl.col("phase").is_in(timed) & (pl.col("broken") == 0) & ~pl.col("category").is_in(known).fill_null(False)
    )
    if len(frame) == 0:
        return Check("unknown_categories", OK, "0", "every timed event is of a known category")
    names = sorted({name or "(none)" for name in trace.text(frame["category"].unique()).to_list()})
    return Check(
        "unknown_categories",
        WARNING,
        f"{len(frame):,}",
        f"timed events kept but not analysed, of category {', '.join(names[:8])}",
    )


def _recorded(check: str, option: str, lost: str, present: Callable[[Rank], bool]) -> Callable[[Rank], Check]:
    """A check whether something was recorded."""

    def make(rank: Rank) -> Check:
        if present(rank):
            return Check(check, OK, "recorded", "")
        return Check(check, WARNING, "not recorded", f"cannot show {lost}; record with {option}")

    return make


def _has(table: str, column: str) -> Callable[[Rank], bool]:
    return lambda rank: bool(rank.trace.frame(table, [column])[column].is_not_null().any())


def _has_stacks(rank: Rank) -> bool:
    if rank.trace.rows("python"):
        return True
    stacks = rank.trace.frame("operator", ["call_stack"])["call_stack"].drop_nulls().unique()
    return bool((rank.trace.text(stacks) != "").any())


def _has_operators(rank: Rank) -> bool:
    return rank.trace.rows("operator") > 0


_CHECKS: list[Callable[[Rank], Check | None]] = [
    _events,
    _complete,
    _damaged,
    _broken,
    _clock,
    _gpu_activity,
    _linked,
    _lost_activity,
    _attributed,
    _steps_found,
    _steps_cut,
    _inside_steps,
    _host_ahead,
    _overlapping,
    _communication,
    _unknown,
    _overhead,
    _recorded(
        "operators",
        "ProfilerActivity.CPU in activities",
        "operators, self times and launches by operator",
        _has_operators,
    ),
    _recorded("shapes", "record_shapes=True", "operators by shape, FLOPs", _has("operator", "input_dims")),
    _recorded("stacks", "with_stack=True", "source lines and modules", _has_stacks),
    _recorded("memory", "profile_memory=True", "memory over time", lambda rank: rank.trace.rows("memory") > 0),
]
