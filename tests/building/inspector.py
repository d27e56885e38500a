"""Logs of NCCL Inspector made in tests."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

FACTORS = {"AllReduce": lambda n: 2 * (n - 1) / n, "AllGather": lambda n: (n - 1) / n}


class MadeLogs:
    """Lines of several processes."""

    def __init__(self) -> None:
        self.lines: dict[int, list[dict[str, Any]]] = defaultdict(list)

    def call(
        self,
        number: int,
        times_us: dict[int, int],
        communicator: str = "0xa",
        op: str = "AllReduce",
        size: int = 1 << 26,
    ) -> None:
        """A collective of the processes in ``times_us``, in order their ranks in the communicator."""
        ranks = len(times_us)
        for place, (process, time) in enumerate(times_us.items()):
            algbw = size / max(1, time) / 1e3
            performance = {
                "coll": op,
                "coll_sn": number,
                "coll_msg_size_bytes": size,
                "coll_exec_time_us": time,
                "coll_timing_source": "kernel_gpu",
                "coll_algobw_gbs": round(algbw, 6),
                "coll_busbw_gbs": round(algbw * FACTORS[op](ranks), 6),
            }
            self.line(process, place, ranks, communicator, coll_perf=performance)

    def send(self, number: int, process: int, peer: int, time_us: int, size: int = 1 << 20) -> None:
        """A message to another rank, as the sender measured it."""
        performance = {
            "p2p": "Send",
            "p2p_sn": number,
            "p2p_peer": peer,
            "p2p_msg_size_bytes": size,
            "p2p_exec_time_us": time_us,
            "p2p_timing_source": "kernel_gpu",
            "p2p_algobw_gbs": size / time_us / 1e3,
            "p2p_busbw_gbs": size / time_us / 1e3,
        }
        self.line(process, process, 8, "0xp", p2p_perf=performance)

    def line(self, process: int, place: int, ranks: int, communicator: str, **performance: Any) -> None:
        header = {"id": communicator, "comm_name": "unknown", "rank": place, "n_ranks": ranks, "nnodes": 1}
        about = {
            "inspector_output_format_version": "v4.0",
            "git_rev": "",
            "rec_mechanism": "nccl_profiler_interface",
            "dump_timestamp_us": 1_790_856_001_000_000 + len(self.lines[process]),
            "hostname": "node",
            "pid": 100 + process,
        }
        self.lines[process].append({"header": header, "metadata": about, **performance})

    def text(self, process: int) -> str:
        return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in self.lines[process])

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for process in self.lines:
            (folder / f"node-pid{100 + process}.log").write_text(self.text(process))
        return folder


def over_time(calls: int = 40) -> MadeLogs:
    """Four communicators of two ranks; one falls to a third of its bandwidth half way, rank 1 arrives last in its own.

    A line is written every second.
    """
    logs = MadeLogs()
    for number in range(calls):
        for pair in range(4):
            time = 900 if pair == 2 and 2 * number >= calls else 300
            logs.call(number, {2 * pair: time + 150, 2 * pair + 1: time}, communicator=f"0xa{pair}")
    for lines in logs.lines.values():
        for at, line in enumerate(lines):
            line["metadata"]["dump_timestamp_us"] = 1_790_856_001_000_000 + at * 1_000_000
    return logs
