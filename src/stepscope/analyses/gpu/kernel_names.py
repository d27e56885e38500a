"""What a kernel does, told from its name; see `kernel_rules` for the words.

A C++ name has an own part and what stands in its template brackets: ``void at::native::elementwise_kernel<4,
CopyFunctor<float>>(int, ...)`` is an ``elementwise_kernel`` of a ``CopyFunctor``. The own part decides where it says
anything; parameters never do, as they name types of every kind. A name that no rule knows is ``other``; the table
``kernels`` says how much time that is.
"""

from __future__ import annotations

import re
from functools import lru_cache

import polars as pl

from stepscope.analyses.gpu.kernel_rules import (
    INDUCTOR,
    INDUCTOR_MOVES,
    INDUCTOR_NORM,
    INDUCTOR_PRODUCT,
    NAME_RULES,
    OPERATOR_RULES,
    SHELL_CONTENTS,
    SHELLS,
    Rules,
)
from stepscope.analyses.gpu.mangled_names import mangled_parts
from stepscope.analyses.gpu.tensor_core_names import tensor_core_name
from stepscope.schema import KERNEL
from stepscope.store.linking import links
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

OTHER = "other"
_NOISE = re.compile(r"\(anonymous namespace\)(?:::)?|<unnamed>(?:::)?|\(\.kd\)|\[clone [^\]]*\]")
_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LIBRARIES = re.compile(r"fbgemm(?:_gpu)?")
"""Names that promise what the kernel need not do."""
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")
_MAX_LENGTH = 20_000
_BRACKETS = re.compile(r"([<>()])")
_OPENING, _CLOSING = ("<", "("), (">", ")")


@lru_cache(maxsize=4096)
def kernel_kind(name: str, operator: str = "") -> str:
    """Kind of a kernel that does not communicate: gemm, attention, conv, norm, elementwise, reduce, copy, optimizer,
    embedding or other.

    Args:
        name: the kernel's name, readable or mangled.
        operator: name of the operator that launched it; asked only where the kernel's name says nothing.

    >>> kernel_kind("nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_NNT")
    'gemm'
    >>> kernel_kind("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>")
    'elementwise'
    >>> kernel_kind("my_kernel"), kernel_kind("my_kernel", "aten::layer_norm")
    ('other', 'norm')
    """
    found = _kind(name)
    if found == OTHER and operator:
        return _first(OPERATOR_RULES, words(operator)) or OTHER
    return found


def _kind(name: str) -> str:
    inductor = INDUCTOR.match(name)
    if inductor:
        return _inductor_kind(inductor.group(1), inductor.group(2))
    own, inside = name_parts(name)
    own_words, inside_words = words(own), words(inside)
    shell = _first(SHELLS, own_words)
    if shell:
        return _first(SHELL_CONTENTS.get(shell, []), inside_words) or shell
    return _first(NAME_RULES, own_words) or _first(NAME_RULES, inside_words) or OTHER


def _first(rules: Rules, text: str) -> str | None:
    return next((kind for kind, pattern in rules if pattern.search(text)), None)


def _inductor_kind(way: str, fused: str) -> str:
    """Kind of a kernel of TorchInductor by the way it computes and the operators that it was fused from."""
    if way in ("poi", "for"):
        if INDUCTOR_MOVES.match(fused):
            return "copy"
        return "embedding" if "embedding" in fused else "elementwise"
    if way in ("red", "per", "split_scan"):
        if INDUCTOR_NORM.search(fused):
            return "norm"
        return "embedding" if "embedding" in fused else "reduce"
    if way == "convolution" or "convolution" in fused:
        return "conv"
    # Templates of attention may carry no operator at all: triton_tem_fused_0.
    product = way in ("mm", "bmm", "addmm") or INDUCTOR_PRODUCT.search(fused)
    return "gemm" if product or (fused and "attention" not in fused) else "attention"


def words(text: str) -> str:
    """Words of a name in lower case, parted and framed by ``_``.

    >>> words("flash::FlashAttnFwdSm90"), words("cunn_SoftMaxForward"), words("RMSNorm")
    ('_flash_flash_attn_fwd_sm90_', '_cunn_soft_max_forward_', '_rms_norm_')
    """
    parted = _CASES.sub("_", _LIBRARIES.sub("", text))
    return f"_{_NO_LETTERS.sub('_', parted).strip('_').lower()}_"


@lru_cache(maxsize=4096)
def name_parts(name: str) -> tuple[str, str]:
    """The own name of a kernel's function, namespaces included, and what stands in its template brackets.

    >>> name_parts("void at::native::elementwise_kernel<4, CopyFunctor<float>>(int, char*)")
    ('at::native::elementwise_kernel', '4, CopyFunctor<float>')
    >>> name_parts("_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdE")
    ('ck_tile::kentry', 'Rmsnorm2dFwd')
    """
    text = _NOISE.sub("", name[:_MAX_LENGTH]).strip()
    if text.startswith("_Z"):
        return mangled_parts(text)
    own: list[str] = []
    inside: list[str] = []
    open_brackets: list[str] = []
    for part in filter(None, _BRACKETS.split(text)):
        if part == "(" and not open_brackets:
            break
        if part in _CLOSING:
            # A ">" inside round brackets compares.
            if open_brackets and (part == ")") == (open_brackets[-1] == "("):
                open_brackets.pop()
            if not open_brackets:
                continue
        (inside if open_brackets else own).append(part)
        if part in _OPENING:
            open_brackets.append(part)
            if len(open_brackets) == 1:
                own.pop()
                inside.append(" " if inside else "")
    return "".join(own).split(" ")[-1], "".join(inside)


@lru_cache(maxsize=4096)
def uses_tensor_cores(name: str) -> bool:
    """Whether a kernel's name is that of a matrix unit's kernel (NVIDIA tensor cores, AMD matrix cores).

    >>> uses_tensor_cores("void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm_bf16_128x64_nn_align8>")
    True
    >>> uses_tensor_cores("ampere_sgemm_128x64_nn")
    False
    """
    own, inside = name_parts(name)
    return tensor_core_name(own, inside)


@per_rank(whole=True)
def name_traits(rank: Rank) -> pl.DataFrame:
    """Every kernel name of a rank, selected or not: columns name (code), kind, tensor_core."""
    activity = rank.trace.frame("activity", ["activity", "name"])
    codes = activity.filter(pl.col("activity") == KERNEL)["name"].drop_nulls().unique().sort()
    names = rank.trace.text(codes).to_list()
    kinds = [kernel_kind(name) for name in names]
    unknown = [code for code, kind in zip(codes, kinds, strict=True) if kind == OTHER]
    operators = _operators_of(rank, unknown) if unknown else {}
    return pl.DataFrame(
        {
            "name": codes,
            "kind": pl.Series(
                [
                    kernel_kind(name, operators.get(code, "")) if kind == OTHER else kind
                    for code, name, kind in zip(codes, names, kinds, strict=True)
                ],
                dtype=pl.String,
            ),
            "tensor_core": pl.Series([uses_tensor_cores(name) for name in names], dtype=pl.Boolean),
        }
    )


def _operators_of(rank: Rank, names: list[int]) -> dict[int, str]:
    """The operator with most of the time of each kernel name, by the name's code."""
    activity = rank.trace.frame("activity", ["activity", "name", "duration_ns"])
    operators = rank.trace.frame("operator", ["name"])["name"]
    frame = activity.with_columns(operators.gather(links(rank.trace)["operator"]).alias("op"))
    frame = frame.filter((pl.col("activity") == KERNEL) & pl.col("name").is_in(names) & pl.col("op").is_not_null())
    times = frame.group_by("name", "op").agg(pl.col("duration_ns").sum())
    times = times.with_columns(rank.trace.text(times["op"]).alias("text"))
    largest = times.sort("duration_ns", "text", descending=[True, False]).unique("name", keep="first")
    return dict(largest.select("name", "text").iter_rows())
