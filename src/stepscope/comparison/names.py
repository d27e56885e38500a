"""What names say of the work: places in files and in memory left out, and which functions wait."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.host.host_events import ADDRESS

_LINE = r"^(.*)\(\d+\): "
_INSTANCE = r"^(nn\.Module: .*?|[A-Z]\w*?)_\d+$"
_GRAPH = r"(CompiledFxGraph) \w{20,}"
_GENERATED = r"^(triton_.*?)_\d+(?:d\w*)?$"
_WAITS_FOR_STEPS = r"<built-in method (?:run_backward of torch\._C\._EngineBase|wait of )"
_WAITS = (
    rf"{_WAITS_FOR_STEPS}|<built-in method (?:acquire of _thread\.|poll of select\.)"
    r"|<built-in function (?:sleep|select|wait)>|^<method '(?:acquire|poll)' of |threading\.py(?:\(\d+\))?: wait$"
)


def nameless_places(name: pl.Expr) -> pl.Expr:
    """Names without the line of a function, the address of an object, the number of an instance of a module or of a
    generated kernel, and the hash of a compiled graph."""
    plain = name.str.replace(_LINE, "${1}: ").str.replace(_GRAPH, "${1}")
    return same_kernel(plain).str.replace(_INSTANCE, "${1}")


def same_kernel(name: pl.Expr) -> pl.Expr:
    """Names of kernels without the number that a compiler gives each that it generates, and without addresses."""
    return name.str.replace(_GENERATED, "${1}").str.replace(ADDRESS, "")


def waits(name: pl.Expr) -> pl.Expr:
    """Whether a Python function waits for another thread or process instead of working."""
    return name.str.contains(_WAITS)


def waits_for_steps(name: pl.Expr) -> pl.Expr:
    """Whether a function waits for work that is counted where it is done: by the autograd engine or the GPU."""
    return name.str.contains(_WAITS_FOR_STEPS)
