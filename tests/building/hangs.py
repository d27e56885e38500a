"""Dumps of the flight recorder made in tests: a job whose ranks call collectives, as NCCL's recorder writes them."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

START_NS = 1_790_856_000_000_000_000
SECOND = 10**9


def frames(line: int, file: str = "/home/me/train.py") -> list[dict[str, Any]]:
    """A stack that ends in a line of the user's."""
    inner = {"name": "all_reduce", "filename": "/opt/site-packages/torch/distributed/distributed_c10d.py", "line": 9}
    return [inner, {"name": "step", "filename": file, "line": line}]


class MadeJob:
    """Ranks with groups; each call is recorded by those ranks that make it.

    Attributes:
        entries: of each rank.
        groups: name of each group, its description and members.
        now_ns: time of the next call; each takes a second.
    """

    def __init__(self, ranks: int, backend: str = "nccl") -> None:
        self.entries: dict[int, list[dict[str, Any]]] = {rank: [] for rank in range(ranks)}
        self.groups: dict[str, tuple[str, list[int]]] = {}
        self.now_ns = START_NS
        self.backend = backend
        self._counts: Counter[tuple[str, int, bool]] = Counter()
        self.group("0", "default_pg", range(ranks))

    def group(self, name: str, description: str, members: Iterable[int]) -> None:
        self.groups[name] = description, list(members)

    def call(
        self,
        name: str = "all_reduce",
        group: str = "0",
        ranks: Sequence[int] | None = None,
        state: str = "completed",
        size: Sequence[int] = (4, 2),
        line: int = 10,
        **other: Any,
    ) -> None:
        """A call by some ranks of a group, unless given by all of them."""
        for rank in self.groups[group][1] if ranks is None else ranks:
            self.record(rank, name, group, state, size, line, **other)
        self.now_ns += SECOND

    def record(
        self, rank: int, name: str, group: str, state: str, size: Sequence[int], line: int, **other: Any
    ) -> None:
        """One entry of a rank. ``again`` puts it under the number of the last one, as coalesced calls have it."""
        p2p = name.startswith(("send", "recv")) or bool(other.pop("p2p", False))
        again = other.pop("again", False)
        self._counts[group, rank, p2p] += not again
        done = state == "completed"
        entry = {
            "record_id": len(self.entries[rank]),
            "pg_id": sorted(self.groups).index(group),
            "process_group": (group, self.groups[group][0]),
            "collective_seq_id": self._counts[group, rank, False],
            "p2p_seq_id": self._counts[group, rank, True],
            "op_id": len(self.entries[rank]),
            "profiling_name": f"{self.backend}:{name}",
            "time_created_ns": self.now_ns + rank,
            "input_sizes": [list(size)],
            "input_dtypes": ["Float"],
            "output_sizes": [list(size)],
            "output_dtypes": ["Float"],
            "state": state,
            "time_discovered_started_ns": None if state == "scheduled" else self.now_ns + SECOND // 2,
            "time_discovered_completed_ns": self.now_ns + SECOND // 2 if done else None,
            "retired": done,
            "timeout_ms": 600_000,
            "is_p2p": p2p,
            "thread_id": "1",
            "thread_name": "python",
            "frames": frames(line),
        }
        self.entries[rank].append(entry | other)

    def document(self, rank: int) -> dict[str, Any]:
        """What a rank's recorder holds."""
        own = {name: about for name, about in self.groups.items() if rank in about[1]}
        return {
            "version": "2.10",
            "comm_lib_version": "2.27.5",
            "pg_config": {
                name: {"name": name, "desc": description, "ranks": str(members)}
                for name, (description, members) in own.items()
            },
            "pg_status": {
                str(sorted(self.groups).index(name)): {
                    "last_enqueued_collective": self._counts[name, rank, False],
                    "last_completed_collective": self._completed(rank, name),
                }
                for name in own
            },
            "entries": self.entries[rank],
        }

    def _completed(self, rank: int, group: str) -> int:
        own = [one for one in self.entries[rank] if one["process_group"][0] == group and not one["is_p2p"]]
        return max((one["collective_seq_id"] for one in own if one["state"] == "completed"), default=-1)

    def pickled(self, rank: int) -> bytes:
        return pickle.dumps(self.document(rank), 2)

    def json(self, rank: int) -> bytes:
        """The same as the recorder writes JSON: without stacks, 0 for no time."""
        document = self.document(rank)
        document["entries"] = [
            {name: 0 if value is None else value for name, value in entry.items() if name != "frames"}
            for entry in document["entries"]
        ]
        return json.dumps(document, sort_keys=True).encode()

    def write(self, folder: Path, without: Iterable[int] = (), as_json: bool = False) -> Path:
        """A dump of each rank but some, in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for rank in self.entries.keys() - set(without):
            name = f"dump_rank_{rank}.json" if as_json else f"nccl_trace_rank_{rank}"
            (folder / name).write_bytes(self.json(rank) if as_json else self.pickled(rank))
        return folder


def one_left() -> MadeJob:
    """Four ranks of which one left; it is in a second group with rank 0, where nothing hangs."""
    job = MadeJob(4)
    job.group("1", "tp", [0, 3])
    for line in range(3):
        job.call(line=10 + line)
    job.call(group="1")
    job.call(ranks=[0, 1, 2], state="started", line=88)
    return job
