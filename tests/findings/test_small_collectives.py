"""Reductions of one gradient each are for buckets; those that a model waits for are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, operator
from made_steps import examined, named
from stepscope.findings.examination import Finding

REDUCTION = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"


def found(folder: Path, between: str, *, times: int = 60, long: int = 8_000) -> Finding | None:
    """Steps of reductions, 20 us each on the host, each behind another kernel."""
    every = max(30_000, long + 10_000)

    def each(at: int, n: int) -> list[Events]:
        events: list[Events] = []
        for i in range(times):
            start, number = at + every * i, n + 2 * i
            events += [
                operator("aten::op", start, start + 9_000),
                call(start + 2_000, start + 6_000, number),
                kernel(between, start + 8_000, start + 10_000, number),
                operator("c10d::allreduce_", start + 10_000, start + 29_000),
                call(start + 20_000, start + 26_000, number + 1),
                kernel(REDUCTION, start + 28_000, start + 28_000 + long, number + 1, stream=20),
            ]
        return events

    return named(examined(folder, each, length=every * times + 200_000), "small-collectives")


def test_one_reduction_for_each_parameter_is_for_buckets(tmp_path: Path) -> None:
    """Communication was never a recommendation, whatever its share of the step."""
    one = found(tmp_path, "vectorized_elementwise_kernel<4, at::native::Mul")
    assert one is not None
    assert (one.cause.title["times"], one.cause.title["median_ns"]) == (60, 8_000)
    # 59 of 60 times 20 us of 30 on the host lead to a reduction, of which a tenth is left.
    assert one.saving_pct.best == pytest.approx(55, abs=8)
    assert one.saving_pct.low < 30


@pytest.mark.parametrize(
    "made",
    [
        {"between": "sm90_xmma_gemm_bf16"},
        {"between": "at::native::Mul", "times": 10},
        {"between": "at::native::Mul", "long": 150_000, "times": 30},
    ],
)
def test_reductions_between_products_few_ones_and_large_ones_are_not(tmp_path: Path, made: dict[str, object]) -> None:
    assert found(tmp_path, **made) is None  # type: ignore[arg-type]
