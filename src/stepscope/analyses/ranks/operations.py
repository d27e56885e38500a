"""Collectives by their names: which operation a kernel belongs to, how large it is, how its bandwidth is counted."""

from __future__ import annotations

import polars as pl

OPERATIONS = {
    "all_reduce": r"all_?reduce",
    "reduce_scatter": r"reduce_?scatter",
    "all_gather": r"all_?gather",
    "all_to_all": r"all_?to_?all",
    "broadcast": r"broadcast",
    "barrier": r"barrier",
    "send": r"^(?:batch_)?i?send$",
    "recv": r"^(?:batch_)?i?recv$",
    "gather": r"^gather$",
    "scatter": r"^scatter$",
    "reduce": r"^_?reduce$",
    "send_recv": r"send_?recv",
}
"""Names of collectives as versions of PyTorch and kernels of NCCL write them, in any case; the first that fits."""

MESSAGES = ("send", "recv")
"""Operations between two ranks: the one has to wait for the other, whoever is late."""

TOGETHER = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "barrier")
"""Operations that no rank can leave before every rank has come, so that all leave at about one time. The root of a
broadcast may leave before the others come, and a root that gathers leaves after them."""

JUDGED = (*TOGETHER, "broadcast", "reduce", "gather", "scatter")
"""Operations at which a rank can be late; at those with a root, by no more than others wait there."""

ELEMENT_BYTES = {
    **dict.fromkeys(("Byte", "Char", "Bool", "Float8_e4m3fn", "Float8_e5m2", "Float8_e4m3fnuz", "Float8_e5m2fnuz"), 1),
    **dict.fromkeys(("Short", "Half", "BFloat16"), 2),
    **dict.fromkeys(("Int", "Float", "ComplexHalf"), 4),
    **dict.fromkeys(("Long", "Double", "ComplexFloat"), 8),
    "ComplexDouble": 16,
}
"""Bytes of an element by the names of ``c10::ScalarType``."""


def operation(recorded: pl.Expr, kernel: pl.Expr) -> pl.Expr:
    """The operation by its recorded name, else by the kernel's, else that name itself."""
    recorded = pl.when(recorded != "").then(recorded)
    return pl.coalesce(*_named(recorded), recorded, *_named(kernel), kernel)


def family(kernel: pl.Expr) -> pl.Expr:
    """What the kernel's name alone says: a barrier runs the kernel of an all_reduce, all_to_all that of messages.

    So a call of which nothing else was recorded can be told from others.
    """
    return pl.coalesce(*_named(kernel), kernel)


def _named(text: pl.Expr) -> list[pl.Expr]:
    return [pl.when(text.str.contains(f"(?i){pattern}")).then(pl.lit(op)) for op, pattern in OPERATIONS.items()]


def call_bytes(in_elements: pl.Expr, out_elements: pl.Expr, dtype: pl.Expr) -> pl.Expr:
    """Elements times their size, of input or output, whichever is larger; null where not recorded.

    What the NCCL tests call the size of a collective
    (https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md).
    """
    size = dtype.replace_strict(ELEMENT_BYTES, default=None, return_dtype=pl.Int64)
    return pl.max_horizontal(in_elements, out_elements) * size


def bus_factor(op: pl.Expr, ranks: pl.Expr) -> pl.Expr:
    """Bus bandwidth / algorithm bandwidth, by the same page of the NCCL tests; null where that is not defined.

    >>> frame = pl.DataFrame({"op": ["all_reduce", "all_gather", "broadcast", "barrier"], "ranks": [4, 4, 4, 4]})
    >>> frame.select(bus_factor(pl.col("op"), pl.col("ranks")))["op"].to_list()
    [1.5, 0.75, 1.0, None]
    """
    part = (ranks - 1) / ranks
    return (
        pl.when(op == "all_reduce")
        .then(2 * part)
        .when(op.is_in(["all_gather", "reduce_scatter", "all_to_all", "gather", "scatter"]))
        .then(part)
        .when(op.is_in(["broadcast", "reduce", "send", "recv", "send_recv"]))
        .then(pl.lit(1.0))
        .alias("op")
    )
