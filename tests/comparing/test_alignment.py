"""How much of both sides is the same work, and what stands in the place of what is not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from building import Events, kernel, launched, memset, operator
from comparing.compared import STEP, Each, compared, function, recorded
from stepscope.comparison.alignment import Replacement, _groups
from stepscope.comparison.compare import compare


def block(*work: tuple[str, Sequence[str]]):
    """A module whose operators each launch some kernels of 10 us; "memset" fills."""

    def each(start: int, number: int) -> list[Events]:
        at, events = start + 10_000, [function("nn.Module: Block_0", start + 5_000, start + 900_000)]
        for op, kernels in work:
            events.append(operator(op, at, at + 20_000))
            for name in kernels:
                number, at = number + 1, at + 1_000
                on_gpu = (at + 30_000, at + 40_000, number)
                events += launched(memset(*on_gpu) if name == "memset" else kernel(name, *on_gpu), at)
            at += 30_000
        return events

    return each


def replaced(found: Sequence[Replacement]) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    return [(one.module, one.op, one.gone, one.new) for one in found]


def test_work_of_one_name_in_one_place_is_aligned(tmp_path: Path) -> None:
    same = block(("aten::mm", ["gemm_a"]), ("aten::add", ["add"]))
    aligned = compared(tmp_path, same, same).aligned
    assert (aligned.host_pct, aligned.gpu_pct, aligned.by_sequence_pct) == (100, 100, 0)
    assert aligned.replaced == ()


@pytest.mark.long
def test_a_gemm_of_another_library_stands_for_the_old_one(tmp_path: Path) -> None:
    base = block(("aten::mm", ["cutlass_gemm", "cutlass_gemm"]), ("aten::add", ["add"]))
    new = block(("aten::mm", ["nvjet_gemm"]), ("aten::add", ["add"]))
    aligned = compared(tmp_path, base, new).aligned
    assert replaced(aligned.replaced) == [("Block forward", "aten::mm", ("cutlass_gemm",), ("nvjet_gemm",))]
    assert [(one.base_calls, one.new_calls, one.base_ns, one.new_ns) for one in aligned.replaced] == [
        (2, 1, 20_000, 10_000)
    ]
    assert (aligned.gpu_pct, aligned.by_sequence_pct) == (40, 60)


@pytest.mark.long
def test_many_kernels_of_other_operators_become_one_in_the_same_module(tmp_path: Path) -> None:
    base = block(("aten::bmm", ["gemm_qk"]), ("aten::softmax", ["softmax"]), ("aten::bmm", ["gemm_av"]))
    new = block(("aten::sdpa", ["flash_fwd"]))
    aligned = compared(tmp_path, base, new).aligned
    [found] = replaced(aligned.replaced)
    assert found == ("Block forward", "", ("gemm_qk", "softmax", "gemm_av"), ("flash_fwd",))
    assert aligned.by_sequence_pct == 100


def test_what_lies_between_pairs_of_one_kind_stands_for_each_other() -> None:
    base, new = ["norm", "gemm", "softmax", "gemm", "copy"], ["norm", "attention", "copy", "reduce"]
    assert list(_groups(base, new)) == [(0, 1, 0, 1), (1, 4, 1, 2), (4, 5, 2, 3)]


@pytest.mark.parametrize("base", [["gemm", "norm"], ["gemm", "norm", "copy", "gemm"], ["copy", "gemm", "reduce"]])
def test_exchanging_the_sides_exchanges_what_is_gone_and_new(base: list[str]) -> None:
    """Of several common subsequences as long, the same one is taken both ways."""
    new = base[::-1]
    assert [(x, y, a, b) for a, b, x, y in _groups(new, base)] == list(_groups(base, new))


def test_of_a_cuda_graph_names_of_kernels_are_all_that_is_shared(tmp_path: Path) -> None:
    def graph(start: int, number: int) -> list[Events]:
        kernels = [kernel(name, start + at, start + at + 10_000, number) for at, name in ((50_000, "a"), (70_000, "b"))]
        return [*launched(kernels[0], start + 10_000), kernels[1]]

    aligned = compared(tmp_path, block(("aten::mm", ["a"]), ("aten::add", ["b", "c"])), graph).aligned
    assert (aligned.gpu_pct, aligned.by_sequence_pct, aligned.by_name_pct) == (0, 0, 80)
    assert aligned.replaced == ()


@pytest.mark.long
def test_memsets_stand_for_no_kernel(tmp_path: Path) -> None:
    """A split-K GEMM that needs a workspace filled was said to have become a memset."""
    base, new = block(("aten::mm", ["cutlass_gemm"])), block(("aten::mm", ["memset", "nvjet_gemm"]))
    [one] = compared(tmp_path, base, new).aligned.replaced
    assert (one.gone, one.new) == (("cutlass_gemm",), ("nvjet_gemm",))


def test_kernels_launched_before_the_recording_belong_to_no_step(tmp_path: Path) -> None:
    """A GPU that runs behind works off old launches in the first steps: their counts differed between sides."""

    def each(backlog: bool):
        def events(start: int, number: int) -> list[Events]:
            old = [kernel("gemm", start + 200_000, start + 300_000)] if backlog and 1_000 < number < 2_000 else []
            own = launched(kernel("gemm", start + 1_500_000, start + 1_600_000, number), start + 2_000)
            return [operator("aten::mm", start + 1_000, start + 9_000), *old, *own]

        return events

    found = compared(tmp_path, each(True), each(False))
    assert found.counts.filter(key="kernels").select("base", "new").rows() == [(1.0, 1.0)]
    assert found.rows.filter(level="kernel").select("base_ns", "new_ns").rows() == [(100_000, 100_000)]


@pytest.mark.long
def test_shares_have_the_same_last_bit_each_time(tmp_path: Path) -> None:
    """Sums of kernels in any order differed by rounding: two answers about the same recordings were not equal."""
    base, new = ([(f"aten::op{n}", [f"{side}{n}", f"k{n}"]) for n in range(40)] for side in ("a", "b"))

    def thirds(*work: tuple[str, Sequence[str]]):
        def each(start: int, number: int) -> list[Events]:
            return block(*work[: 40 - number // 1_000])(start, number)

        return each

    ranks = [recorded(tmp_path, thirds(*work), length=4 * STEP) for work in (base, new)]
    found = [compare(ranks[:1], ranks[1:]).aligned for _ in range(8)]
    assert len({(one.gpu_pct, one.by_sequence_pct, one.by_name_pct) for one in found}) == 1


@pytest.mark.long
def test_the_number_of_a_generated_kernel_names_nothing(tmp_path: Path) -> None:
    """One more kernel in front gives all behind it other numbers: each was gone under one and new under another."""

    def each(number: int) -> Each:
        def of_step(start: int, first: int) -> list[Events]:
            name = f"triton_poi_fused_add_{number}"
            return [
                operator(name, start + 10_000, start + 50_000),
                launched(kernel(name, start + 100_000, start + 900_000, first), start + 20_000),
            ]

        return of_step

    found = compared(tmp_path, each(3), each(5))
    assert found.aligned.gpu_pct == 100
    rows = found.rows.filter(pl.col("key").str.starts_with("triton"))
    assert set(rows["key"]) == {"triton_poi_fused_add"}
    assert set(rows["status"]) == {"same"}
