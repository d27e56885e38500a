"""Chains of kernels that could be one: what counts as elementwise, what fusing leaves, and when it shortens a step."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, opened, operator, step
from made_steps import examined, named
from stepscope.analyses.gpu.fusion import fusion

STEP = 1_000_000

_ADD, _MUL, _CLAMP = (f"vectorized_elementwise_kernel<4, at::native::{name}>" for name in ("Add", "Mul", "Clamp"))
_STATISTICS = "void at::native::batch_norm_collect_statistics_kernel<float>"
_APPLY = "void at::native::batch_norm_transform_input_kernel<float>"
_GEMM = "sm90_xmma_gemm_bf16"


def launched(at: int, number: int, kernels: list[tuple[str, int]], *, every: int, behind: int = 6_000) -> list[Events]:
    """Operators one after the other, a kernel each, which run one after the other too."""
    events: list[Events] = []
    free = at
    for i, (name, long) in enumerate(kernels):
        start = at + every * i
        begin = max(free, start + behind)
        free = begin + long
        events += [
            operator(f"aten::op_{name[-6:-1]}", start, start + 5_000),
            call(start + 1_000, start + 4_000, number + i),
            kernel(name, begin, free, number + i),
        ]
    return events


def test_norms_need_passes_of_their_own_and_are_no_elementwise_kernels(tmp_path: Path) -> None:
    """An addition to a counter came first and was kept; the batch norm behind it was lost."""
    layer = [(_ADD, 2_000), (_STATISTICS, 5_000), (_APPLY, 5_000), (_CLAMP, 6_000), (_GEMM, 1_000)]

    def each(at: int, n: int) -> list[Events]:
        return [launched(at + 50_000, n, layer * 12, every=13_000)]

    assert named(examined(tmp_path, each), "unfused-elementwise") is None  # 24 of 60
    profile = opened(tmp_path, step(0, 0, STEP), *each(0, 1)).profile
    assert fusion(profile)["saving_ns"].sum() == 12 * (2_000 + 6_000)


@pytest.mark.parametrize(("product", "says"), [(40_000, True), (400_000, False)])
def test_where_the_gpu_is_waited_for_time_counts(tmp_path: Path, product: int, says: bool) -> None:
    """Half of the launches are of chains, which is less than makes a host wait; but 2/3 of the time."""
    layer = [(_GEMM, product // 4)] * 4 + [(_ADD, 20_000), (_MUL, 20_000), (_CLAMP, 40_000)]

    length = 8 * (product + 80_000) + 10_000

    def each(at: int, n: int) -> list[Events]:
        waits = call(at + 400_000, at + length - 2_000, n + 900, name="cudaDeviceSynchronize")
        return [launched(at, n, layer * 8, every=6_000), waits]

    found = named(examined(tmp_path, each, length=length), "unfused-elementwise")
    assert (found is not None) == says
    if found is not None:
        assert found.cause.title.id == "finding-unfused-elementwise-title-time"
        assert found.cause.title["share_pct"] == pytest.approx(67, abs=1)
        # Two of three kernels take half of the chain: a third of the time, of which a tenth is left.
        assert found.saving_pct.best == pytest.approx(30, abs=3)
        assert 0 < found.saving_pct.low < 15
