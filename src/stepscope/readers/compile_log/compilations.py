"""What was compiled: metrics of each compilation, and why it was compiled again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from stepscope.readers.coded_texts import Texts, text, whole
from stepscope.readers.compile_log.values import compile_id, s_to_ns, us_to_ns

METRICS = {"compilation_metrics": False, "bwd_compilation_metrics": True}
"""Records of compilations that ended, and whether they are of a backward pass that was compiled when it first ran."""

_CACHES = {
    **{f"fx_graph_cache_{state}": ("graph", state) for state in ("hit", "miss", "bypass")},
    **{f"aotautograd_cache_{state}": ("autograd", state) for state in ("hit", "miss", "bypass")},
}
_PHASES = {
    "dynamo_ns": ("dynamo_cumulative_compile_time_us", "entire_frame_compile_time_s"),
    "aot_ns": ("aot_autograd_cumulative_compile_time_us", "backend_compile_time_s"),
    "inductor_ns": ("inductor_cumulative_compile_time_us", "inductor_compile_time_s"),
    "codegen_ns": ("inductor_code_gen_cumulative_compile_time_us", "code_gen_time_s"),
    "kernels_ns": ("triton_compile_time_us", ""),
}
"""Times of the parts of a compilation, each within the one before, in microseconds or, of old versions, seconds."""

_GUARD = re.compile(r"^(?:(!?[\d!/]{1,40}): ?)?(.*?)\s*(?:#\s(.*?)\s*)?(?:#\s(\S+):(\d{1,9}) in (.*))?$")
_MOST_REASONS = 100


@dataclass(frozen=True)
class Reason:
    """Why an entry of the cache could not be used.

    Attributes:
        against: the compilation whose guard failed, "" where it does not say.
        guard: what failed.
        code: the line that the guard is from.
        file, line: where that is.
    """

    against: str
    guard: str
    code: str | None = None
    file: str | None = None
    line: int | None = None


def reason(said: str) -> Reason:
    """What a text of ``recompile_reasons`` says.

    >>> reason("0/1: n == 1    # return x * n  # w/a.py:13 in f\\nUser stack trace: ...")
    Reason(against='0/1', guard='n == 1', code='return x * n', file='w/a.py', line=13)
    >>> reason("0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4").guard
    "tensor 'x' size mismatch at index 0. expected 3, actual 4"
    """
    found = _GUARD.match(said.split("\n", 1)[0][:4000])
    if found is None:
        return Reason("", said[:4000])
    line = whole(int(found[5])) if found[5] else None
    return Reason(found[1] or "", found[2], found[3] or None, found[4] or None, line)


class Compilations:
    """Rows of the tables ``compilation`` and ``recompile_reason``."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.rows: list[dict[str, Any]] = []
        self.reasons: list[dict[str, Any]] = []
        self._started: dict[str, dict[str, Any]] = {}
        self._caches: dict[str, set[tuple[str, str]]] = {}

    def start(self, said: dict[str, Any], files: dict[int, str], process: int, ns: int | None) -> None:
        """Take a record ``dynamo_start``: a compilation that may never end."""
        named = compile_id(said)
        about = said.get("dynamo_start")
        stack = about.get("stack") if isinstance(about, dict) else None
        frame = stack[-1] if isinstance(stack, list) and stack and isinstance(stack[-1], dict) else {}
        if named is None:
            return
        place = {"function": text(frame.get("name")), "file": files.get(whole(frame.get("filename")) or -1)}
        row = self._row(said, process, named) | {
            "function": self._texts.code(place["function"]),
            "file": self._texts.code(place["file"]),
            "line": whole(frame.get("line")),
            "start_ns": ns,
        }
        self._started[named] = row

    def again(self, said: dict[str, Any], reasons: Any, payload: str) -> None:
        """Take an artifact ``recompile_reasons``: a list in JSON, or, of one reason, its text as it is."""
        named = compile_id(said)
        texts = [one for one in reasons if isinstance(one, str)] if isinstance(reasons, list) else [payload.strip()]
        for place, one in enumerate(texts[:_MOST_REASONS]):
            found = reason(one)
            self.reasons.append(
                {
                    "compile_id": self._texts.code(named or ""),
                    "place": place,
                    "against": self._texts.code(found.against),
                    "guard": self._texts.code(found.guard),
                    "code": self._texts.code(found.code),
                    "file": self._texts.code(found.file),
                    "line": found.line,
                }
            )

    def cache(self, kind: str, said: dict[str, Any]) -> bool:
        """Take an artifact that says whether a cache had something; False where it is none."""
        if kind not in _CACHES:
            return False
        self._caches.setdefault(compile_id(said) or "", set()).add(_CACHES[kind])
        return True

    def end(self, kind: str, said: dict[str, Any], process: int) -> None:
        """Take metrics of a compilation."""
        metrics = said.get(kind)
        metrics = metrics if isinstance(metrics, dict) else {}
        named = compile_id(said) or text(metrics.get("compile_id"))
        if named is None:
            return
        started = self._started.pop(named, {})
        row = self._row(said, process, named) | self._place(metrics, started) | _times(metrics)
        reasons = metrics.get("restart_reasons")
        restarts = [one for one in reasons if isinstance(one, str)] if isinstance(reasons, list) else []
        guarded = metrics.get("has_guarded_code")
        row |= {
            "backward": METRICS[kind] or metrics.get("is_forward") is False,
            "ended": True,
            "guarded": guarded if isinstance(guarded, bool) else None,
            "operators": whole(metrics.get("graph_op_count")),
            "guards": whole(metrics.get("guard_count")),
            "cached": whole(metrics.get("cache_size")),
            "cache": self._texts.code(_cache(self._caches.pop(named, set()))),
            "failure": self._texts.code(text(metrics.get("fail_type"))),
            "failure_reason": self._texts.code(text(metrics.get("fail_reason"))),
            "failure_file": self._texts.code(text(metrics.get("fail_user_frame_filename"))),
            "failure_line": whole(metrics.get("fail_user_frame_lineno")),
            "restarts": len(restarts),
        }
        if row["start_ns"] is None:
            row["start_ns"] = started.get("start_ns")
        self.rows.append(row)

    def finish(self) -> None:
        """Nothing follows: what has not ended never did."""
        self.rows += self._started.values()
        self._started = {}

    def _row(self, said: dict[str, Any], process: int, named: str) -> dict[str, Any]:
        return {
            "process": self._texts.code(str(process)),
            "compile_id": self._texts.code(named),
            "again": whole(said.get("frame_compile_id")),
            "attempt": whole(said.get("attempt")),
            "backward": False,
            "ended": False,
        }

    def _place(self, metrics: dict[str, Any], started: dict[str, Any]) -> dict[str, Any]:
        own = text(metrics.get("co_name"))
        if own is None:
            return {key: started.get(key) for key in ("function", "file", "line")}
        return {
            "function": self._texts.code(own),
            "file": self._texts.code(text(metrics.get("co_filename"))),
            "line": whole(metrics.get("co_firstlineno")),
        }


def is_cache(kind: str) -> bool:
    """Whether a record says whether a cache had something."""
    return kind in _CACHES


def metrics_read(metrics: dict[str, Any]) -> dict[str, Any]:
    """The metrics of a compilation that are read."""
    return {name: metrics[name] for name in metrics if name in _READ}


_READ = {
    *("compile_id", "co_name", "co_filename", "co_firstlineno", "is_forward", "has_guarded_code", "restart_reasons"),
    *("graph_op_count", "guard_count", "cache_size", "fail_type", "fail_reason", "fail_user_frame_filename"),
    *("fail_user_frame_lineno", "start_time_us", "start_time", "end_time_us", "duration_us"),
    *(name for names in _PHASES.values() for name in names),
}


def _times(metrics: dict[str, Any]) -> dict[str, Any]:
    """When a compilation began, what it took, and its parts as far as they were recorded."""
    start = us_to_ns(metrics.get("start_time_us"))
    length = us_to_ns(metrics.get("duration_us"))
    parts = {name: us_to_ns(metrics.get(us)) for name, (us, _) in _PHASES.items()}
    parts = {
        name: value if value is not None else s_to_ns(metrics.get(_PHASES[name][1])) for name, value in parts.items()
    }
    return {
        "start_ns": start if start is not None else s_to_ns(metrics.get("start_time")),
        # Before torch 2.6, what Dynamo and all that it calls took is the whole.
        "duration_ns": length if length is not None else parts["dynamo_ns"],
        **parts,
    }


def _cache(states: set[tuple[str, str]]) -> str | None:
    """Whether a cache spared the backend's work: all of its graphs were there, or one was not; None without caches."""
    if ("graph", "miss") in states:
        return "miss"
    if ("graph", "hit") in states or ("autograd", "hit") in states:
        return "hit"
    if ("graph", "bypass") in states or ("autograd", "bypass") in states:
        return "bypass"
    return "miss" if states else None
