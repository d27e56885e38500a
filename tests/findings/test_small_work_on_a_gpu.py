"""Small pieces of work that a program hands to a GPU one by one, or does on the CPU beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import Events, annotation, call, kernel, memcpy, operator
from made_steps import examined, named
from stepscope.findings.examination import Examination

STEP = 10_000_000
HOPPER: dict[str, Any] = {"deviceProperties": [{"id": 0, "name": "NVIDIA H200", "computeMajor": 9, "computeMinor": 0}]}
LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"

Each = Callable[[int, int], list[Events]]


def launching(name: str, at: int, number: int, *, long: int = 2_000) -> list[Events]:
    """An operator of 20 us that launches a kernel."""
    launch = call(at + 5_000, at + 8_000, number)
    return [operator(name, at, at + 20_000), launch, kernel(name, at + 12_000, at + 12_000 + long, number)]


def in_parts(*names: str, times: int = 40, long: int = 2_000, joined: bool = True) -> Each:
    """The same operators again and again, 25 us each, then ``stack`` if joined; and 1 ms of other work."""

    def each(at: int, n: int) -> list[Events]:
        every = [f"aten::{name}" for name in names] * times
        loop = [
            launching(name, at + 500_000 + 25_000 * i, n + i, long=long)
            for i, name in enumerate([*every, *(["aten::stack"] if joined else [])])
        ]
        product = kernel("gemm", at + 8_000_000, at + 9_000_000, n + 900)
        return [
            loop,
            operator("aten::mm", at + 7_900_000, at + 7_950_000),
            call(at + 7_910_000, at + 7_915_000, n + 900),
            product,
        ]

    return each


def made(folder: Path, each: Each, **head: Any) -> Examination:
    return examined(folder, each, length=STEP, **head)


@pytest.mark.long
def test_a_loop_over_parts_launches_what_one_call_for_all_would(tmp_path: Path) -> None:
    """120 of the step's 121 small operators; before, a GPU's loops had a name only over time steps."""
    found = named(made(tmp_path, in_parts("select", "mul", "sum")), "operator-loop")
    assert found is not None
    assert found.cause.title["times"] in (39, 40)
    # Two of 40 repetitions are left of 3 ms, before and after the overhead of the profiler.
    assert 15 < found.saving_pct.best < 35


@pytest.mark.parametrize(
    "each",
    [
        in_parts("select", "linear", "add"),
        in_parts("select", "mul", "sum", long=60_000),
        in_parts("mul", "sum", joined=False),
    ],
    ids=["weights of layers, as far as is recorded", "kernels that keep the GPU busy", "not parts of anything"],
)
def test_what_may_be_no_loop_over_parts(tmp_path: Path, each: Each) -> None:
    assert named(made(tmp_path, each), "operator-loop") is None


def test_casts_that_do_nothing_are_no_loop_over_parts(tmp_path: Path) -> None:
    """57 of them in front of a `cat`, of weights that had the type, were to be replaced by a batched operator."""

    def each(at: int, n: int) -> list[Events]:
        casts = [operator("aten::to", at + 500_000 + 25_000 * i, at + 520_000 + 25_000 * i) for i in range(57)]
        join = launching("aten::cat", at + 500_000 + 25_000 * 57, n)
        product = [call(at + 7_910_000, at + 7_915_000, n + 9), kernel("gemm", at + 8_000_000, at + 9_000_000, n + 9)]
        return [*casts, join, *product]

    assert named(made(tmp_path, each), "operator-loop") is None


def test_a_state_handed_on_by_weights_is_a_loop_over_time(tmp_path: Path) -> None:
    found = made(tmp_path, in_parts("select", "addmm", "tanh", times=70))
    assert named(found, "unrolled-loop") is not None
    assert named(found, "operator-loop") is None


def checks(at: int, n: int) -> list[Events]:
    """Ten outputs looked through for NaN, each answer waited for: 100 us."""
    found: list[Events] = [
        kernel("gemm", at + 8_000_000, at + 9_000_000, n + 900),
        call(at + 7_910_000, at + 7_915_000, n + 900),
    ]
    for i in range(10):
        begin, of = at + 500_000 + 100_000 * i, n + 10 * i
        found += [launching("aten::isnan", begin, of), launching("aten::any", begin + 22_000, of + 1)]
        found += [
            operator("aten::is_nonzero", begin + 45_000, begin + 95_000),
            operator("aten::item", begin + 46_000, begin + 94_000),
            call(begin + 47_000, begin + 50_000, of + 2, name="cudaMemcpyAsync"),
            memcpy(begin + 52_000, begin + 53_000, of + 2, name="Memcpy DtoH (Device -> Pageable)", bytes=1),
            call(begin + 51_000, begin + 93_000, of + 3, name="cudaStreamSynchronize"),
        ]
    return found


@pytest.mark.long
def test_checks_of_values_on_a_gpu_go_with_their_kernels(tmp_path: Path) -> None:
    """Before, only the reads of the answers counted."""
    found = made(tmp_path, checks)
    waits, whole = named(found, "host-synchronisation"), named(found, "value-checks")
    assert whole is not None
    assert whole.cause.count == 10
    assert waits is None or waits.saving_pct.best < whole.saving_pct.best


def on_cpu(length: int, *, copied: bool = True, loading: bool = False) -> Each:
    """An operator that launches nothing, and the copy of its result."""

    def each(at: int, n: int) -> list[Events]:
        begin = at + 1_000_000
        copy = [
            operator("aten::to", begin + length, begin + length + 40_000),
            call(begin + length + 5_000, begin + length + 35_000, n, name="cudaMemcpyAsync"),
            memcpy(
                begin + length + 10_000,
                begin + length + 30_000,
                n,
                name="Memcpy HtoD (Pageable -> Device)",
                bytes=4_000,
            ),
        ]
        around = [annotation(LOADER, begin - 1_000, begin + length)] if loading else []
        product = [
            call(at + 7_910_000, at + 7_915_000, n + 900),
            kernel("gemm", at + 8_000_000, at + 9_000_000, n + 900),
        ]
        return [*around, operator("aten::tril", begin, begin + length), *(copy if copied else []), *product]

    return each


def test_tensors_that_the_cpu_computes_for_a_gpu(tmp_path: Path) -> None:
    found = named(made(tmp_path, on_cpu(3_000_000)), "cpu-tensors")
    assert found is not None
    assert found.cause.title["operators"] == ("tril",)
    # Nine tenths of 3 of 10 ms.
    assert found.saving_pct.best == pytest.approx(28, abs=3)


@pytest.mark.parametrize(
    "each",
    [on_cpu(50_000), on_cpu(3_000_000, copied=False), on_cpu(3_000_000, loading=True)],
    ids=["bookkeeping", "nothing goes to the GPU", "loading"],
)
def test_other_work_of_the_cpu_is_not_on_tensors_of_a_gpu(tmp_path: Path, each: Each) -> None:
    assert named(made(tmp_path, each), "cpu-tensors") is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "left"),
    [("cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_tn_align1", 0.3), ("cutlass_80_tensorop_bf16_align2_gemm", 0.6)],
)
def test_a_misaligned_product_of_old_instructions_takes_longest(tmp_path: Path, name: str, left: float) -> None:
    """Without shapes; measured on an H200: 20 ms, and 2.8 ms once the width was even."""

    def each(at: int, n: int) -> list[Events]:
        wait = call(at + 20_000, at + 9_910_000, n + 1, name="cudaDeviceSynchronize")
        return [call(at + 10_000, at + 15_000, n), kernel(name, at + 100_000, at + 9_900_000, n), wait]

    found = named(made(tmp_path, each, **HOPPER), "misaligned-matmul")
    assert found is not None
    assert found.saving_pct.best == pytest.approx(98 * (1 - left), abs=4)


def test_a_convolution_in_channels_first_layout_is_no_product_to_pad(tmp_path: Path) -> None:
    """A width of 14 * 14 asked for kernels of `align2`: the number of classes was to be padded."""
    name = "cutlass_80_tensorop_bf16_s16816gemm_bf16_128x128_nn_align2"

    def each(at: int, n: int) -> list[Events]:
        wait = call(at + 20_000, at + 9_910_000, n + 1, name="cudaDeviceSynchronize")
        conv = operator("aten::cudnn_convolution", at + 5_000, at + 18_000)
        return [conv, call(at + 10_000, at + 15_000, n), kernel(name, at + 100_000, at + 9_900_000, n), wait]

    assert named(made(tmp_path, each, **HOPPER), "misaligned-matmul") is None


@pytest.mark.parametrize(("waits", "varies"), [((100, 100, 100, 4_900), True), ((4_900,) * 4, False)])
def test_a_queue_that_runs_dry_shows_the_least_that_a_loader_costs(
    tmp_path: Path, waits: tuple[int, ...], varies: bool
) -> None:
    """Workers filled it while the profiler started: 12 % was promised with high confidence, measured 39 %."""

    def each(at: int, n: int) -> list[Events]:
        wait = 1_000 * waits[at // STEP]
        fetch = annotation(LOADER, at + 100_000, at + 100_000 + wait)
        return [fetch, call(at + 7_910_000, at + 7_915_000, n), kernel("gemm", at + 8_000_000, at + 9_000_000, n)]

    found = named(examined(tmp_path, each, steps=4, length=STEP), "data-loading")
    assert found is not None
    assert found.cause.varies == varies


def test_copies_to_the_host_are_no_loop_that_a_list_form_replaces(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        found: list[Events] = [
            call(at + 9_000_000, at + 9_005_000, n + 900),
            kernel("gemm", at + 9_100_000, at + 9_900_000, n + 900),
        ]
        for i in range(40):
            begin = at + 500_000 + 100_000 * i
            found += [
                operator("torch::autograd::AccumulateGrad", at + 1_000 * i, at + 1_000 * i + 500),
                operator("aten::to", begin, begin + 90_000),
                call(begin + 5_000, begin + 10_000, n + 2 * i, name="cudaMemcpyAsync"),
                memcpy(begin + 12_000, begin + 20_000, n + 2 * i, name="Memcpy DtoH (Device -> Pageable)", bytes=4_096),
                call(begin + 11_000, begin + 85_000, n + 2 * i + 1, name="cudaStreamSynchronize"),
            ]
        return found

    assert named(made(tmp_path, each), "parameter-loop") is None
