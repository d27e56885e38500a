"""Logs of torch.compile made in tests."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

EPOCH_US = 1_795_647_281_000_000
"""2026-11-25 22:54:41 UTC, where a log begins unless it says otherwise."""

BREAK = """\
Graph break in user code at {file}:{line}
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):

{reason}
  Explanation: {explanation}
  Hint: {hint}

User code traceback:
  File "/w/train.py", line 39, in <module>
    p = model(x)
        ^^^^^^^^
  File "{file}", line {line}, in {function}
    broken()

Traceback (most recent call last):
  File "/p/torch/_dynamo/symbolic_convert.py", line 1076, in wrapper
    return inner_fn(self, inst)
"""


class MadeLog:
    """Records of a process.

    Args:
        ahead_h: what the clock on the wall of its machine is ahead of UTC.
        start_us: time of its first record, since 1970.
    """

    def __init__(self, ahead_h: float = 0, start_us: int = EPOCH_US, rank: int | None = None) -> None:
        self.us = start_us
        self.lines: list[str] = []
        self._zone = timezone(timedelta(hours=ahead_h))
        self._rank = rank

    def record(self, said: dict[str, Any], payload: str | None = None, compile_id: str = "", attempt: int = 0) -> None:
        """A record now."""
        frame = {}
        if compile_id:
            number, again = map(int, compile_id.split("/"))
            frame = {"frame_id": number, "frame_compile_id": again, "attempt": attempt}
        whose = ({} if self._rank is None else {"rank": self._rank}) | frame
        if payload is not None:
            whose["has_payload"] = hashlib.md5(payload.encode()).hexdigest()
        when = datetime.fromtimestamp(self.us / 1e6, self._zone)
        head = f"V{when:%m%d %H:%M:%S}.{self.us % 1_000_000 // 1000:03}000 4242 torch/_dynamo/utils.py:1900]"
        self.lines.append(f"{head} {json.dumps(said | whose)}")
        self.lines += ["\t" + line for line in (payload or "").split("\n")] if payload is not None else []

    def artifact(self, name: str, payload: str, compile_id: str = "", encoding: str = "string") -> None:
        self.record({"artifact": {"name": name, "encoding": encoding}}, payload, compile_id)

    def event(self, name: str, phase: str, compile_id: str = "") -> None:
        """An event that begins or ends a phase now."""
        said = {"name": name, "ts": float(self.us), "args": {"compile_id": compile_id}, "ph": phase, "tid": 0, "pid": 0}
        self.record({"chromium_event": {}}, json.dumps(said, indent=0), compile_id)

    def compiled(
        self,
        compile_id: str,
        function: str,
        line: int,
        took_us: int,
        *,
        reasons: list[str] | None = None,
        backward: bool = False,
        parts_us: tuple[int, ...] = (),
        **metrics: Any,
    ) -> None:
        """A compilation from now on, with what it logs."""
        if reasons is not None:
            payload = reasons[0] if len(reasons) == 1 else json.dumps(reasons, indent=0)
            self.artifact("recompile_reasons", payload, compile_id, "json")
        start = self.us
        phase = "entire_backward_compile" if backward else "dynamo"
        self.event(phase, "B", compile_id)
        self.event("inductor_compile", "B", compile_id)
        self.us += took_us
        self.event("inductor_compile", "E", compile_id)
        self.event(phase, "E", compile_id)
        names = ("aot_autograd_cumulative", "inductor_cumulative", "inductor_code_gen_cumulative", "triton")
        parts = {f"{name}_compile_time_us": us for name, us in zip(names, parts_us, strict=False)}
        about = {
            "compile_id": compile_id,
            "co_name": function,
            "co_filename": "/w/train.py",
            "co_firstlineno": line,
            "start_time_us": start,
            "end_time_us": self.us,
            "duration_us": took_us,
            "has_guarded_code": True,
            "fail_type": None,
            "restart_reasons": [],
            "is_forward": not backward,
            **parts,
        }
        kind = "bwd_compilation_metrics" if backward else "compilation_metrics"
        self.record({kind: about | metrics}, None, compile_id)

    def broken(self, compile_id: str, line: int, reason: str, file: str = "/w/train.py") -> None:
        """A graph break."""
        about = {"explanation": f"Dynamo cannot trace {reason}.", "hint": f"Avoid {reason}.", "function": "forward"}
        said = BREAK.format(file=file, line=line, reason=reason, **about)
        self.artifact("dynamo_graph_break_reason", said, compile_id)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def write(self, folder: Path, name: str = "dedicated_log_torch_trace_abc123.log") -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text(self.text())
        return path


def training(**options: Any) -> MadeLog:
    """A log of two functions: one compiled three times and then no more, with a graph break; another one once."""
    log = MadeLog(**options)
    version = {"pytorch_version": "2.13.0", "oss": True}
    log.artifact("torch_version", json.dumps(version, indent=0), encoding="json")
    log.broken("0/0", 17, "print")
    log.artifact("fx_graph_cache_miss", "{}", "0/0", "json")
    log.compiled("0/0", "forward", 15, 9_000_000, parts_us=(8_000_000, 6_000_000, 5_000_000, 1_000_000), guard_count=7)
    log.compiled("0/0", "", 0, 2_000_000, backward=True, co_name=None, co_filename=None, co_firstlineno=None)
    log.us += 1_000_000
    log.compiled("1/0", "torch_dynamo_resume_in_forward_at_17", 17, 3_000_000)
    log.artifact("fx_graph_cache_hit", "{}", "0/1", "json")
    log.compiled(
        "0/1", "forward", 15, 4_000_000, reasons=["0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4"]
    )
    guard = "scale == 1.0      # y = x * scale  # w/train.py:16 in forward\nUser stack trace:\n  File ..."
    log.compiled("0/2", "forward", 15, 1_000_000, reasons=[f"0/1: {guard}", f"0/0: {guard}"])
    failed = {"fail_type": "Unsupported", "fail_reason": "Dynamo recompile limit exceeded\n  Explanation: ..."}
    log.compiled("0/3", "", 0, 10_000, reasons=["0/2: n == 3"], co_name=None, has_guarded_code=None, **failed)
    return log
