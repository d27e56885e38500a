"""The tables that a reader of logs of torch.compile fills. Texts in them are codes (UInt32)."""

from __future__ import annotations

from typing import Any

import polars as pl

_CODE, _INT = pl.UInt32, pl.Int64

STORED_COMPILATION: dict[str, dict[str, Any]] = {
    # What torch.compile logs of itself. Each part of a compilation lies in the one before it: dynamo, aot, inductor,
    # codegen, kernels. `again` counts the compilations of a function from 0; the reasons of one say which guard failed
    # of each compilation before, `place` is their order.
    "compilation": {
        "event": pl.UInt32,
        "process": _CODE,
        "compile_id": _CODE,
        "again": _INT,
        "attempt": _INT,
        "backward": pl.Boolean,
        "ended": pl.Boolean,
        "function": _CODE,
        "file": _CODE,
        "line": _INT,
        "start_ns": _INT,
        "duration_ns": _INT,
        "dynamo_ns": _INT,
        "aot_ns": _INT,
        "inductor_ns": _INT,
        "codegen_ns": _INT,
        "kernels_ns": _INT,
        "cache": _CODE,
        "guarded": pl.Boolean,
        "operators": _INT,
        "guards": _INT,
        "cached": _INT,
        "restarts": _INT,
        "failure": _CODE,
        "failure_reason": _CODE,
        "failure_file": _CODE,
        "failure_line": _INT,
    },
    "recompile_reason": {
        "compile_id": _CODE,
        "place": _INT,
        "against": _CODE,
        "guard": _CODE,
        "code": _CODE,
        "file": _CODE,
        "line": _INT,
    },
    "graph_break": {
        "event": pl.UInt32,
        "compile_id": _CODE,
        "start_ns": _INT,
        "file": _CODE,
        "line": _INT,
        "function": _CODE,
        "own_file": _CODE,
        "own_line": _INT,
        "reason": _CODE,
        "explanation": _CODE,
        "hint": _CODE,
        "stack": _CODE,
    },
    # A generated kernel, the lines of the program that it comes from (a text of lines), and how these are known; nodes
    # of the graph that it was made of, and what they were before (texts with commas).
    "compiled_kernel": {
        "compile_id": _CODE,
        "name": _CODE,
        "origin": _CODE,
        "lines": _CODE,
        "nodes": _CODE,
        "before": _CODE,
    },
}
