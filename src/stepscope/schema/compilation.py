"""Tables about what torch.compile did, from its structured logs."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import (
    Table,
    amount,
    flag,
    ident,
    kernel,
    label,
    message,
    moment,
    named,
    ns,
    prose,
    rank,
    step,
)

_FROM = ("compile_log",)
_FILE = named("file", "log that it is from", "Log")
_ID = ident("compile_id", "number of the function and of its compilation, as torch writes it", "Compilation", pl.String)
_STEP = step("step in which it began; null outside of steps, and without a trace on its clock")
_START = moment("start_ns", "when it began, on the trace's clock; null where that is not known")

COMPILATIONS = Table(
    "compilations",
    "every compilation by torch.compile: what it took, in which phase, and how it ended",
    (
        rank(),
        _FILE,
        _ID,
        label("direction", "forward, or backward where that was compiled when it first ran"),
        named("function", "function that was compiled; one that continues behind a graph break says so in its name"),
        named("source", "file and line of the function", "Source line"),
        _STEP,
        _START,
        ns("duration_ns", "from the start to the end of it; null where it did not end", adds=True),
        ns("dynamo_ns", "of that in Dynamo: tracing, guards, and what is in no other part", "Dynamo", adds=True),
        ns("autograd_ns", "of that in AOTAutograd", "AOTAutograd", adds=True),
        ns("inductor_ns", "of that in Inductor, before code is made", adds=True),
        ns("codegen_ns", "of that making code", "Code generation", adds=True),
        ns("kernels_ns", "of that waiting for compiled kernels", "Kernels compiled", adds=True),
        label("cache", "hit: the graph was in a cache; miss, bypass; null where none was asked"),
        label("outcome", "compiled, no code (nothing to compile), failed, or unfinished: the log ends before it does"),
        flag("recompile", "whether the function had been compiled before", "Recompilation"),
        amount("operators", "operators in its graph"),
        amount("guards", "conditions that are checked on each call"),
        amount("graph_breaks", "graph breaks met in it"),
        amount("restarts", "how many times it began anew, by a graph break or by sizes that became dynamic"),
        prose("failure", "why it failed", "Failed because"),
    ),
    key=("rank", "file", "compile_id", "direction", "start_ns"),
    rows="compilation",
    page="compilation",
    recordings=_FROM,
    first=("rank", "compile_id", "direction", "function", "source", "step", "duration_ns", "cache", "outcome"),
    needs=_FROM,
)

RECOMPILES = Table(
    "recompiles",
    "every recompilation: which guard failed, what it cost, and what to do",
    (
        rank(),
        _FILE,
        _ID,
        named("function", "function that was compiled again"),
        named("source", "file and line of the function", "Source line"),
        label("kind", "what changed: size, dynamic size, value, dtype, object, requires_grad, layout, mode or other"),
        prose("reason", "guard that failed, of the compilation before it", wide=True),
        named("guard_source", "line that the guard is from; null where the log does not say", "Guard from"),
        amount("cached", "compilations of the function before it: each of their guards failed", "Before it"),
        _STEP,
        _START,
        ns("duration_ns", "time of it, with that of its backward pass", adds=True),
        label("outcome", "compiled, failed, limit (not compiled any more, runs eagerly), or unfinished"),
        message("advice", "what to do", "Recommendation"),
    ),
    key=("rank", "file", "compile_id", "start_ns"),
    rows="recompilation",
    page="compilation",
    recordings=_FROM,
    first=("rank", "compile_id", "function", "kind", "reason", "guard_source", "step", "duration_ns", "outcome"),
    needs=_FROM,
)

GRAPH_BREAKS = Table(
    "graph_breaks",
    "where functions could not be compiled as one graph, by line and reason",
    (
        rank(),
        named("source", "line of the program at which the graph ends", "Source line"),
        named("at", "line that broke it, where that is in a library; else the same", "Broken at"),
        named("function", "function of that line"),
        prose("reason", "what could not be compiled", wide=True),
        prose("explanation", "what Dynamo says of it", wide=True),
        prose("hint", "what Dynamo advises first", wide=True),
        amount("compilations", "compilations that met it"),
        ns("first_ns", "what compiling the functions that continue behind it took; null where none does", "Behind it"),
        prose("stack", "where it was called, outermost first"),
    ),
    key=("rank", "source", "at", "reason", "explanation"),
    rows="line and reason",
    page="compilation",
    recordings=_FROM,
    first=("rank", "source", "reason", "explanation", "hint", "compilations"),
    needs=_FROM,
)

COMPILED_KERNELS = Table(
    "compiled_kernels",
    "which lines of the program each generated kernel comes from",
    (
        rank(),
        kernel("kernel", "name of the kernel; several graphs may have one of this name", wide=True),
        prose("lines", "lines of the program that it comes from; null where the log does not say", "Source lines"),
        label("origin", "how they are known: provenance (Inductor says so) or graph (by the nodes of its graph)"),
        prose("nodes", "nodes of the graph that it was made of"),
        prose("before", "operations of the program that these nodes were", "Operations"),
        amount("compilations", "compilations that have a kernel of this name"),
        prose("compile_ids", "which these are", "Compilation IDs"),
        amount("calls", "kernels of this name that the trace has; null without GPU activity beside the log"),
        ns("gpu_ns", "GPU time of these", "GPU time", adds=True),
    ),
    key=("rank", "kernel"),
    rows="name of a kernel",
    page="compilation",
    recordings=_FROM,
    first=("rank", "kernel", "lines", "origin", "before", "compilations", "calls", "gpu_ns"),
    needs=_FROM,
)
