"""What kind of change made a guard fail, by its text, and what to do about it."""

from __future__ import annotations

import polars as pl

SIZE, DYNAMIC, VALUE, DTYPE, OBJECT, GRADIENT, LAYOUT, MODE, OTHER = (
    *("size", "dynamic size", "value", "dtype", "object", "requires_grad", "layout", "mode", "other"),
)

_PATTERNS = (
    (SIZE, r"size mismatch|rank mismatch|\.size\(\)\[\d+\] ==|len\(.*\) =="),
    (LAYOUT, r"stride mismatch|dispatch key set mismatch|device(?: index)? mismatch"),
    (DTYPE, r"dtype mismatch|expected type of|___check_type_id"),
    (GRADIENT, r"requires_grad mismatch"),
    (MODE, r"(?i)GLOBAL_STATE|grad_mode|torch_function|is_autocast|autocast|deterministic|___check_global_state"),
    (OBJECT, r"___check_obj_id|obj_id|is None|is not None|weakref|___dict_|type\(.*\) =="),
    (DYNAMIC, r"\bs\d+\b|\.size\(\)\[\d+\] *(?:!=|<|>|%)|% \d+\)? =="),
    (VALUE, r"=="),
)


def kind_of(guard: str) -> pl.Expr:
    """The kind of change of a column of guards."""
    found = pl.lit(OTHER)
    for kind, pattern in reversed(_PATTERNS):
        found = pl.when(pl.col(guard).str.contains(pattern)).then(pl.lit(kind)).otherwise(found)
    return found
