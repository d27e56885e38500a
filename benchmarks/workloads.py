"""What the measured processes do: ``python workloads.py NAME FILE``.

A workload that measures parts of itself prints them as JSON: ``{"part": [wall seconds, CPU seconds]}``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

Clock = Callable[[], float]


class Stopwatch:
    """Adds up the time of each part."""

    def __init__(self, cpu: Clock = time.process_time) -> None:
        self.seconds: dict[str, list[float]] = {}
        self._cpu = cpu

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), self._cpu()
        yield
        spent = self.seconds.setdefault(part, [0.0, 0.0])
        spent[0] += time.perf_counter() - wall
        spent[1] += self._cpu() - cpu


def json_load(path: str) -> None:
    """The usual way to read a trace: every event becomes a dict."""
    import gzip

    with gzip.open(path) as file:
        json.load(file)


def validate(path: str) -> None:
    """Check the JSON and skip all of it: the part ``validate``."""
    import msgspec
    from isal import igzip

    class Nothing(msgspec.Struct):
        pass

    with igzip.open(path) as file:
        data = file.read()
    watch = Stopwatch(time.thread_time)
    with watch("validate"):
        msgspec.json.decode(data, type=Nothing)
    print(json.dumps(watch.seconds))


def sqlite_rows(path: str) -> None:
    """Fetch the rows that the reader of Nsight Systems takes: the part ``fetch``."""
    import sqlite3

    from nsys_export import TABLES

    watch = Stopwatch()
    with watch("fetch"):
        database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        for table in TABLES:
            database.execute(f"SELECT * FROM {table}").fetchall()
    database.close()
    print(json.dumps(watch.seconds))


def opened(path: str) -> None:
    """Open a recording: ``open``."""
    from stepscope.store.opening import open_profile

    watch = Stopwatch()
    with watch("open"):
        open_profile(path)
    print(json.dumps(watch.seconds))


def scan(path: str) -> None:
    """Scan a trace that lies inflated in memory, all columns, in one thread: the part ``scan``."""
    from stepscope.numeric.scanner import ENDS, GOES_ON
    from stepscope.readers.blocks import BLOCK_BYTES, Buffers, read_blocks
    from stepscope.readers.detect import locate_events
    from stepscope.readers.head import Head
    from stepscope.readers.kineto_plan import kineto_plan
    from stepscope.readers.scans import Room, scan_block
    from stepscope.readers.sources import Source

    with Source(path).open() as stream:
        begin = locate_events(stream, Head())
        blocks = list(read_blocks(stream, Buffers(), begin.rest))
    room = Room(kineto_plan(), BLOCK_BYTES // 128)
    # The first call loads the compiled code and touches the output arrays.
    scan_block(blocks[0], room, GOES_ON)
    watch = Stopwatch(time.thread_time)
    with watch("scan"):
        for block in blocks:
            scan_block(block, room, ENDS if block.final else GOES_ON)
    print(json.dumps(watch.seconds))


def tables(path: str) -> None:
    """Open a trace and make every table of it, each as the first one asked for: ``open`` and a part per table."""
    from stepscope.analyses import make_table, table_notes
    from stepscope.schema import TABLES
    from stepscope.store.opening import open_profile

    watch = Stopwatch()
    with watch("open"):
        open_profile(path)
    for name in TABLES:
        profile = open_profile(path)
        with watch(name):
            table_notes(profile, name, make_table(profile, name))
    print(json.dumps(watch.seconds))


def snapshot_tables(path: str) -> None:
    """Open a memory snapshot and make every table that it feeds, in every grouping."""
    import stepscope
    from stepscope.schema import TABLES

    profile = stepscope.open(path)
    for name, table in TABLES.items():
        if "memory_snapshot" in table.recordings and name != "recordings":
            for by in ("", *table.by):
                profile.show(name, by=by)


def snapshot_pickle(path: str) -> None:
    """The usual way to read a snapshot: everything becomes objects, the collector of garbage on."""
    import pickle

    with open(path, "rb") as file:
        pickle.load(file)


def findings(path: str) -> None:
    """Open a trace and look for what could be fixed: ``open`` and ``findings``.

    As a report does both: analyses and compiled code are loaded while the trace is read.
    """
    from stepscope.analyses import load_analyses, make_table
    from stepscope.commands.preloading import preloading
    from stepscope.store.opening import ReadOptions, open_profile

    watch = Stopwatch()
    with watch("open"):
        profile = open_profile(path, ReadOptions(began=preloading()))
    with watch("findings"):
        load_analyses()
        make_table(profile, "findings")
    print(json.dumps(watch.seconds))


def diff(paths: str) -> None:
    """Open two traces and compare them, as the command does: what compares is imported, and the first trace examined,
    while the second one is read."""
    from stepscope.analyses import load_analyses
    from stepscope.commands.diff import preload_comparing
    from stepscope.commands.preloading import opened_in_turn
    from stepscope.reporters.comparison_json import comparison_json
    from stepscope.store.opening import open_profile

    load_analyses()
    watch = Stopwatch()
    with watch("diff"):
        preload_comparing()
        base, new = opened_in_turn([partial(open_profile, path) for path in paths.split(os.pathsep)])
        from stepscope.comparison.job import compare_profiles

        comparison_json(compare_profiles([base], [new]))
    print(json.dumps(watch.seconds))


def open_both(paths: str) -> None:
    """Open traces one after another: ``open``."""
    from stepscope.analyses import load_analyses
    from stepscope.store.opening import open_profile

    load_analyses()
    watch = Stopwatch()
    with watch("open"):
        profiles = [open_profile(path) for path in paths.split(os.pathsep)]
    print(json.dumps(watch.seconds))
    del profiles  # as long as the comparison has them


def flame_graph(path: str) -> None:
    """The flame graph of half of an opened run's time: ``frames``, and ``joins`` for its stacks by Polars.

    Before, in ``first``, the stacks are nested and numbered once for the run.
    """
    from stepscope.analyses import make_table
    from stepscope.analyses.area import in_area
    from stepscope.analyses.host.chains import chains
    from stepscope.analyses.host.host_stacks import host_stacks
    from stepscope.store.opening import open_profile

    profile = open_profile(path)
    watch = Stopwatch()
    with watch("first"):
        make_table(profile, "flame_graph")
    area = in_area(profile, 0, (profile.span[1] - profile.span[0]) // 2)
    with watch("frames"):
        make_table(area, "flame_graph")
    for rank in profile.ranks:
        stacks = host_stacks(rank)
        with watch("joins"):
            chains(stacks.host.nesting.parent.astype("int64"), stacks.name)
    print(json.dumps(watch.seconds))


def timeline(path: str) -> None:
    """Open a trace and make its timeline: ``open``, then ``lanes`` (the pyramid of all events) and ``whole``, with idle
    time and counters as well."""
    from stepscope.store.opening import open_profile
    from stepscope.timeline import open_timeline
    from stepscope.timeline.lane_cache import event_lanes

    watch = Stopwatch()
    with watch("open"):
        profile = open_profile(path)
    with watch("whole"):
        with watch("lanes"):
            for rank in profile.ranks:
                event_lanes(rank)
        open_timeline(profile)
    print(json.dumps(watch.seconds))


_WINDOWS = 40
_PIXELS = 1600


def window(path: str) -> None:
    """Windows of a stored timeline at five zooms: ``pyramid``, and ``group_by`` for the same cells by Polars."""
    import random

    import polars as pl

    from stepscope.store.opening import open_profile
    from stepscope.timeline import open_timeline
    from stepscope.timeline.windows import level_for

    shown = open_timeline(open_profile(path))
    shown.window(0, shown.end, _PIXELS)
    parts = []
    for part in shown.parts:
        lanes = part.lanes
        lane = pl.Series(range(lanes.lanes), dtype=pl.UInt32).repeat_by(pl.Series(lanes["lane_first"]).diff()[1:])
        columns = {name: lanes[name][: lanes.events] for name in ("start", "end", "name")}
        parts.append(pl.DataFrame({"lane": lane.explode() + part.first_lane, **columns}))
    events = pl.concat(parts)
    busy = (pl.col("end") - pl.col("start")).sum().alias("busy")
    source, watch = random.Random(0), Stopwatch()
    for share in (1.0, 0.1, 0.01, 0.001, 0.0001):
        for _ in range(_WINDOWS // 5):
            length = int(shown.end * share)
            begin = source.randrange(shown.end - length + 1)
            with watch("pyramid"):
                shown.window(begin, begin + length, _PIXELS)
            low, high = shown.origin_ns + begin, shown.origin_ns + begin + length
            cell = (pl.col("start") // (1 << level_for(length, _PIXELS))).alias("cell")
            inside = (pl.col("start") < high) & (pl.col("end") > low)
            facts = [pl.col("start").min(), pl.col("end").max(), pl.len(), busy, pl.col("name").first()]
            with watch("group_by"):
                events.lazy().filter(inside).group_by("lane", cell).agg(facts).collect()
    print(json.dumps(watch.seconds))


def replay(path: str) -> None:
    """Steps timed again: ``model`` makes them ready, ``replay`` runs eight passes, ``plain`` one in plain Python."""
    from stepscope.analyses.simulation.model import step_model
    from stepscope.store.opening import open_profile

    watch = Stopwatch()
    rank = open_profile(path).ranks[0]
    with watch("model"):
        model = step_model(rank)
    assert model is not None
    edit = model.unchanged()
    model.timed(edit)
    with watch("replay"):
        model.timed(edit)
    with watch("plain"):
        plain_pass(model.host.items.rows(named=True), [column.tolist() for column in model.gpu.activities])
    events = len(model.host.items) + len(model.gpu.rows)
    print(f"{events:,} items and activities", file=sys.stderr)
    print(json.dumps(watch.seconds))


def plain_pass(items: list[dict[str, int]], activities: list[list[int]]) -> int:
    """Launches and activities alone, without waits: what any replay has to do at least."""
    stream, duration, latency, gap, *_ = activities
    clock: dict[int, int] = {}
    free: dict[int, int] = {}
    for item in items:
        now = clock[item["thread"]] = clock.get(item["thread"], 0) + item["own"]
        for a in range(item["first"], item["last"]):
            free[stream[a]] = max(now + latency[a], free.get(stream[a], 0) + gap[a]) + duration[a]
    return max(free.values(), default=0)


_OF_TRACES = (json_load, validate, scan, tables, findings, diff, open_both, flame_graph, timeline, window, replay)
_OF_OTHERS = (sqlite_rows, opened, snapshot_tables, snapshot_pickle)
WORKLOADS = {work.__name__: work for work in (*_OF_TRACES, *_OF_OTHERS)}

if __name__ == "__main__":
    WORKLOADS[sys.argv[1]](sys.argv[2])
