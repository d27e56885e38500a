"""Make the files of a job of N ranks from the recording of one rank: python benchmarks/many_ranks.py SOURCE N OUT

Every rank does what SOURCE did. On the true clock all ranks leave a collective together. Each rank reaches it a little
later or earlier (``--jitter-us``), and its clock is that of its host (``--per-host`` ranks each), which may be ahead or
behind (``--hosts-offset-us``) and run fast or slow (``--drift-ppm``).

With ``--straggler K`` rank K launches more kernels at the beginning of every step. Its work of the step comes later by
``--extra-ms``, the first collective of the step takes as much longer on all other ranks, and so does the next call of
their hosts that waits for the GPU. Nothing else changes its length.

``truth.json`` beside the files says what was planted. Process groups of the whole job grow to N ranks; a smaller group
of SOURCE becomes one of neighbours. What SOURCE itself waited for shows as transfer on all ranks. Messages between two
ranks cannot be made from one rank's recording: such a SOURCE is refused.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from isal import igzip
from rank_planting import Planted, extra_events, plant
from rank_recording import OWN_RANK, Recording, Times, read, repeated

_TEXT_RANKS = 30
"""PyTorch writes so many ranks of a group into an event."""


@dataclass(frozen=True)
class Host:
    """A machine and its clock: ahead by ``offset_ns`` when the recording begins, gaining ``drift_ppm`` us a second."""

    ranks: tuple[int, ...]
    offset_ns: int
    drift_ppm: float

    def shown(self, times: Times, origin: int) -> Times:
        """What the clock shows at times of the true clock."""
        gained = np.rint((times - origin) * (self.drift_ppm / 1e6)).astype(np.int64)
        return times + self.offset_ns + gained


def make(source: Path, count: int, out: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Write the files ``rankN.json.gz`` and ``truth.json``; what stands in the latter."""
    recording = read(source)
    if any(event.get("args", {}).get("Collective name") in ("send", "recv") for event in recording.events):
        sys.exit(f"{source} has messages between two ranks, whose other side is not in it: take another one")
    if len(recording.steps()) == 0:
        sys.exit(f"{source} has no ProfilerStep ranges: nothing tells where its steps begin")
    if options.steps:
        recording = repeated(recording, options.steps)
    planted = plant(recording, round(options.extra_ms * 1e6) if options.straggler is not None else 0)
    hosts = _hosts(count, options)
    out.mkdir(parents=True, exist_ok=True)
    texts = _texts(recording, count)
    for host in hosts:
        for rank in host.ranks:
            jitter = planted.jitter(np.random.default_rng((options.seed, rank)), round(options.jitter_us * 1e3))
            late = rank == options.straggler
            start, end = planted.times(late, jitter)
            body = _body(texts, recording, host.shown(start, planted.origin), host.shown(end, planted.origin), rank)
            if late:
                body += [_extra(event, host, planted.origin) for event in extra_events(planted, jitter)]
            _write(out / f"rank{rank}.json.gz", _head(recording, rank, count, host.offset_ns), body)
    truth = _truth(source, planted, hosts, options)
    (out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    return truth


def _hosts(count: int, options: argparse.Namespace) -> list[Host]:
    draw = random.Random(options.seed)
    hosts = []
    for number, first in enumerate(range(0, count, options.per_host)):
        offsets, drift = options.hosts_offset_us, options.drift_ppm
        offset = offsets[number % len(offsets)] if offsets else 0.0
        ranks = tuple(range(first, min(first + options.per_host, count)))
        hosts.append(Host(ranks, round(offset * 1e3), draw.uniform(-drift, drift) if number else 0.0))
    return hosts


def _truth(source: Path, planted: Planted, hosts: list[Host], options: argparse.Namespace) -> dict[str, Any]:
    return {
        "source": source.name,
        "ranks": sum(len(host.ranks) for host in hosts),
        "steps": len(planted.recording.steps()),
        "straggler": options.straggler,
        "late_ns_per_step": planted.extra_ns,
        "late_steps": len(planted.late_at),
        "jitter_ns": round(options.jitter_us * 1e3),
        "hosts": [{"ranks": host.ranks, "offset_ns": host.offset_ns, "drift_ppm": host.drift_ppm} for host in hosts],
    }


def _group(size: int, world: int, count: int, rank: int) -> list[int]:
    """The ranks of a group of the source for another number of ranks: the whole job, or neighbours."""
    if size >= world:
        return list(range(count))
    first = rank // size * size
    return list(range(first, min(first + size, count)))


def _head(recording: Recording, rank: int, count: int, offset_ns: int) -> dict[str, Any]:
    info = dict(recording.head.get("distributedInfo", {}))
    world = info.get("world_size", 1)
    groups = []
    for group in info.get("pg_config", []):
        ranks = _group(group.get("pg_size", world), world, count, rank)
        groups.append({**group, "pg_size": len(ranks), "ranks": ranks})
    info |= {"rank": rank, "world_size": count, "pg_config": groups}
    return recording.head | {"distributedInfo": info, "trace_id": f"{rank:032X}", "traceName": f"rank{rank}.json"}


def _texts(recording: Recording, count: int) -> list[tuple[bytes, bool]]:
    """Each event as JSON without its opening brace, and whether it says something of its rank."""
    world = recording.head.get("distributedInfo", {}).get("world_size", 1)
    texts = []
    for event in recording.events:
        args, own = event.get("args", {}), False
        if "Group size" in args and args["Group size"] >= world:
            listed = ", ".join(map(str, range(min(count, _TEXT_RANKS)))) + (", ..." if count > _TEXT_RANKS else "")
            args = args | {"Group size": count, "Process Group Ranks": f"[{listed}]"}
            own = "Rank" in args
            event = event | {"args": args | {"Rank": OWN_RANK} if own else args}
        texts.append((orjson.dumps(event)[1:], own))
    return texts


def _body(texts: list[tuple[bytes, bool]], recording: Recording, start: Times, end: Times, rank: int) -> list[bytes]:
    own = str(rank).encode()
    body = []
    times = zip(texts, recording.timed.tolist(), start.tolist(), (end - start).tolist(), strict=True)
    for (text, says_rank), timed, at, long in times:
        if says_rank:
            text = text.replace(b"%d" % OWN_RANK, own)
        whole, rest = divmod(at, 1000)
        if timed:
            us, ns = divmod(long, 1000)
            body.append(b'{"ts":%d.%03d,"dur":%d.%03d,%b' % (whole, rest, us, ns, text))
        else:
            body.append(b'{"ts":%d.%03d,%b' % (whole, rest, text))
    return body


def _extra(event: dict[str, Any], host: Host, origin: int) -> bytes:
    times = host.shown(np.array([event["start"], event["end"]], np.int64), origin)
    start, end = times.tolist()
    rest = orjson.dumps({name: value for name, value in event.items() if name not in ("start", "end")})[1:]
    return b'{"ts":%d.%03d,"dur":%d.%03d,%b' % (*divmod(start, 1000), *divmod(end - start, 1000), rest)


def _write(path: Path, head: dict[str, Any], body: list[bytes]) -> None:
    with igzip.open(path, "wb", compresslevel=1) as file:
        file.write(orjson.dumps(head)[:-1] + b',"traceEvents":[\n')
        file.write(b",\n".join(body))
        file.write(b"\n]}\n")


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",") if part.strip()]


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path, help="a rank's recording")
    parser.add_argument("count", type=int, metavar="N", help="number of ranks")
    parser.add_argument("out", type=Path, help="folder for the files")
    parser.add_argument("--straggler", type=int, metavar="K", help="rank that is late in every step")
    parser.add_argument("--extra-ms", type=float, default=20.0, metavar="X", help="by how much")
    parser.add_argument("--steps", type=int, default=0, metavar="S", help="repeat the steps until there are so many")
    parser.add_argument("--hosts-offset-us", type=_numbers, default=[], metavar="A,B,...", help="of each host, in turn")
    parser.add_argument("--drift-ppm", type=float, default=0.0, help="most of any host; the first one has none")
    parser.add_argument("--per-host", type=int, default=8, help="ranks of a host")
    parser.add_argument("--jitter-us", type=float, default=20.0, help="by how much arrivals differ at most")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    if asked.straggler is not None and not 0 <= asked.straggler < asked.count:
        parser.error(f"--straggler: the ranks are 0 to {asked.count - 1}")
    if asked.extra_ms < 1:
        parser.error("--extra-ms: at least 1")
    return asked


if __name__ == "__main__":
    asked = options()
    print(json.dumps(make(asked.source, asked.count, asked.out, asked) | {"hosts": "see truth.json"}))
