"""Loops that launch the same again and again: over the parameters, over time steps, over small copies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from building import Event, Events, annotation, call, flat, kernel, memcpy, opened, operator, step, timed
from stepscope.findings.detector_context import Cause
from stepscope.findings.examination import Examination, examine
from stepscope.messages.rendering import render

STEP = 10_000_000
STEPS = 3
PARAMETERS = 40
SHAPES = ("[[512, 512]]", "[[512]]", "[[2048, 512]]", "[[2048]]")


def examined(folder: Path, each: Callable[[int, int], list[Events]]) -> Examination:
    """Steps of 10 ms whose events a function makes from the step's start and its first correlation."""
    events = [[step(n, n * STEP, (n + 1) * STEP), *each(n * STEP, 10_000 * n + 1)] for n in range(STEPS)]
    profile = opened(folder, *events).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    return found


def ids(found: Examination, *, worth: bool = True) -> list[str]:
    return [one.cause.id for one in found.findings if one.worth == worth and not one.cause.general]


def cause(found: Examination, name: str) -> Cause:
    return next(one.cause for one in found.findings if one.cause.id == name)


def saving_pct(found: Examination, name: str) -> float:
    return next(one.saving_pct.best for one in found.findings if one.cause.id == name)


def dims(shape: str | None) -> dict[str, str]:
    return {} if shape is None else {"Input Dims": shape}


def gradients(at: int, *, shaped: bool = False) -> list[Events]:
    """The parameters get their gradients, 1 us each."""
    name = "torch::autograd::AccumulateGrad"
    return [
        operator(name, at + 1_000 * i, at + 1_000 * i + 500, **dims(SHAPES[i % 4] if shaped else None))
        for i in range(PARAMETERS)
    ]


def launching(name: str, at: int, number: int, shape: str | None = None, *, long: int = 2_000) -> list[Events]:
    """An operator of 20 us that launches a kernel."""
    return [
        operator(f"aten::{name}", at, at + 20_000, **dims(shape)),
        call(at + 5_000, at + 8_000, number),
        kernel(name, at + 12_000, at + 12_000 + long, number),
    ]


def read(at: int, number: int) -> list[Events]:
    """A value read back, 40 us."""
    return [
        operator("aten::item", at, at + 40_000),
        operator("aten::_local_scalar_dense", at + 1_000, at + 39_000),
        call(at + 2_000, at + 6_000, number, name="cudaMemcpyAsync"),
        memcpy(at + 10_000, at + 12_000, number, name="Memcpy DtoH (Device -> Pinned)", bytes=4),
        call(at + 7_000, at + 38_000, number + 1, name="cudaStreamSynchronize"),
    ]


def product(at: int, number: int) -> list[Events]:
    """Work on the GPU that is no loop."""
    return [
        operator("aten::mm", at, at + 50_000),
        call(at + 5_000, at + 8_000, number),
        kernel("gemm", at + 15_000, at + 1_015_000, number),
    ]


def over_parameters(*names: str, shapes: tuple[str | None, ...] = (None,)) -> Callable[[int, int], list[Events]]:
    """Gradients, then a loop in which each parameter is handed to some operators, 25 us each."""

    def each(at: int, n: int) -> list[Events]:
        begin = at + 2_000_000
        loop = [
            launching(name, begin + 25_000 * (i * len(names) + j), n + i * len(names) + j, shapes[i % len(shapes)])
            for i in range(PARAMETERS)
            for j, name in enumerate(names)
        ]
        return [gradients(at + 100_000, shaped=shapes != (None,)), loop, product(at + 8_000_000, n + 5_000)]

    return each


def test_averaged_weights_one_by_one(tmp_path: Path) -> None:
    found = examined(tmp_path, over_parameters("mul_", "add_"))
    assert ids(found) == ["parameter-loop"]
    assert render(cause(found, "parameter-loop").title) == (
        "Loops over about 40 tensors make 80 kernel launches a step (add_, mul_)"
    )
    # Without the profiler seven tenths of the loop's 2 ms, of which a tenth is left: 0.2 ms for the list of 40.
    assert saving_pct(found, "parameter-loop") == pytest.approx(14.0, abs=0.5)


def test_norms_that_are_read_one_by_one(tmp_path: Path) -> None:
    """The waits of the loop are the loop's own, and one value is still read."""

    def each(at: int, n: int) -> list[Events]:
        loop = [
            [launching("linalg_vector_norm", begin, n + 3 * i), read(begin + 25_000, n + 3 * i + 1)]
            for i, begin in enumerate(range(at + 2_000_000, at + 2_000_000 + PARAMETERS * 70_000, 70_000))
        ]
        return [gradients(at + 100_000), loop, product(at + 8_000_000, n + 5_000)]

    found = examined(tmp_path, each)
    assert ids(found) == ["gradient-norms"]
    assert ids(found, worth=False) == []
    (one,) = (one for one in found.findings if one.cause.id == "gradient-norms")
    assert render(one.cause.title) == (
        "Norms of about 40 tensors are computed one by one: 80 kernel launches a step (linalg_vector_norm)"
    )
    assert 20 < one.saving_pct.best < 30


def test_a_foreach_form_is_no_loop(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        lists = [launching(name, at + 2_000_000 + 25_000 * i, n + i) for i, name in enumerate(["_foreach_norm"] * 4)]
        return [gradients(at + 100_000), lists, product(at + 8_000_000, n + 5_000)]

    assert ids(examined(tmp_path, each)) == []


def test_a_loop_in_the_optimizer_is_the_optimizers(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        update = annotation("Optimizer.step#SGD.step", at + 1_900_000, at + 6_500_000)
        return [update, *over_parameters("mul_", "add_", "add_", "copy_")(at, n)]

    assert ids(examined(tmp_path, each)) == ["optimizer-loop"]


@pytest.mark.long
def test_a_loop_over_what_is_shaped_like_the_gradients(tmp_path: Path) -> None:
    found = examined(tmp_path, over_parameters("mul_", "add_", shapes=SHAPES))
    assert ids(found) == ["parameter-loop"]


@pytest.mark.long
@pytest.mark.parametrize("shapes", [SHAPES, (None,)], ids=["shapes", "none"])
def test_averaged_weights_that_are_made_anew(tmp_path: Path, shapes: tuple[str | None, ...]) -> None:
    """Nothing is changed in place: the shapes tell, or that each parameter has its turn."""
    found = examined(tmp_path, over_parameters("mul", "mul", "add", shapes=shapes))
    assert ids(found) == ["parameter-loop"]
    assert render(cause(found, "parameter-loop").title) == (
        "Loops over about 40 tensors make 120 kernel launches a step (mul, add)"
    )


def received(at: int, n: int) -> list[Events]:
    """A data parallel module copies its buffers out of what rank 0 sent, one by one."""
    before = [
        operator(name, at + 1_900_000 + 20_000 * i, at + 1_910_000 + 20_000 * i)
        for i, name in enumerate(["c10d::broadcast_", "aten::unflatten_dense_tensors"])
    ]
    return [before, *over_parameters("copy_")(at, n)]


def in_the_backward_pass(at: int, n: int) -> list[Events]:
    """The same on the thread of the autograd engine."""
    every = flat(over_parameters("copy_")(at, n))
    copies = [{**one, "tid": 2} if one["name"] in ("aten::copy_", "cudaLaunchKernel") else one for one in every]
    engine = operator("autograd::engine::evaluate_function: MmBackward0", at + 1_900_000, at + 1_950_000, thread=2)
    return [engine, *copies]


@pytest.mark.parametrize("each", [received, in_the_backward_pass])
def test_copies_that_torch_makes_by_itself_are_no_loop(
    tmp_path: Path, each: Callable[[int, int], list[Events]]
) -> None:
    found = examined(tmp_path, each)
    assert "parameter-loop" not in ids(found) + ids(found, worth=False)


def test_copies_of_the_programs_own_are_a_loop(tmp_path: Path) -> None:
    found = examined(tmp_path, over_parameters("copy_"))
    assert "parameter-loop" in ids(found) + ids(found, worth=False)


@pytest.mark.long
def test_a_loop_over_other_shapes_is_a_models(tmp_path: Path) -> None:
    """Activations are changed in place, forty times."""
    found = examined(tmp_path, over_parameters("mul_", "add_", shapes=("[[8, 128, 512]]",)))
    assert "parameter-loop" not in ids(found) + ids(found, worth=False)


def test_without_parameters_there_is_no_loop_over_them(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        return over_parameters("mul_", "add_")(at, n)[1:]

    found = examined(tmp_path, each)
    assert "parameter-loop" not in ids(found) + ids(found, worth=False)


def few(at: int, n: int) -> list[Events]:
    """Ten tensors are changed."""
    loop = [launching("mul_", at + 2_000_000 + 25_000 * i, n + i) for i in range(10)]
    return [gradients(at + 100_000), loop, product(at + 8_000_000, n + 5_000)]


def test_a_few_tensors_are_no_loop(tmp_path: Path) -> None:
    found = examined(tmp_path, few)
    assert ids(found) + ids(found, worth=False) == []


def small_copy(at: int, number: int, name: str = "Memcpy HtoD (Pageable -> Device)", size: int = 8) -> list[Events]:
    """A value sent to the GPU, 30 us."""
    return [
        operator("aten::to", at, at + 30_000),
        operator("aten::copy_", at + 3_000, at + 29_000),
        call(at + 5_000, at + 9_000, number, name="cudaMemcpyAsync"),
        memcpy(at + 12_000, at + 13_000, number, name=name, bytes=size),
        call(at + 10_000, at + 25_000, number + 1, name="cudaStreamSynchronize"),
    ]


def copies(count: int, *, only_first: bool = False, size: int = 8) -> Callable[[int, int], list[Events]]:
    def each(at: int, n: int) -> list[Events]:
        mine = count if at == 0 or not only_first else 0
        sent = [small_copy(at + 1_000_000 + 35_000 * i, n + 2 * i, size=size) for i in range(mine)]
        return [sent, product(at + 8_000_000, n + 5_000)]

    return each


def test_values_sent_one_by_one(tmp_path: Path) -> None:
    found = examined(tmp_path, copies(150))
    assert ids(found) == ["small-copies"]
    assert render(cause(found, "small-copies").title) == (
        "150 memcpys a step between host and GPU are smaller than 1 MiB, 1.17 KiB in total"
    )
    # With what leads to each of them: 35 us of the 10 ms, 150 times, of which a tenth is left.
    assert 40 < saving_pct(found, "small-copies") < 50


@pytest.mark.parametrize(
    "each", [copies(5), copies(150, only_first=True), copies(60, size=1 << 20)], ids=["few", "once", "large"]
)
def test_other_copies_are_no_small_ones(tmp_path: Path, each: Callable[[int, int], list[Events]]) -> None:
    found = examined(tmp_path, each)
    assert "small-copies" not in ids(found) + ids(found, worth=False)


def test_one_copy_of_all_takes_as_long_as_its_bytes(tmp_path: Path) -> None:
    """150 copies of 0.5 MB are 7.5 ms at 10 GB/s, more than the loop takes."""
    assert "small-copies" not in ids(examined(tmp_path, copies(150, size=500_000)))


def test_copies_of_another_thread_hold_nobody(tmp_path: Path) -> None:
    """A thread of the program's own fetches ahead."""

    def each(at: int, n: int) -> list[Events]:
        ahead = [one if one["cat"] == "gpu_memcpy" else {**one, "tid": 2} for one in flat(copies(150)(at, n)[:1])]
        return [ahead, product(at + 8_000_000, n + 5_000)]

    found = examined(tmp_path, each)
    assert "small-copies" not in ids(found) + ids(found, worth=False)


def trip(work: int, *, loading: bool = False, size: int = 40_000) -> Callable[[int, int], list[Events]]:
    """Data is copied to the host, which works for some time and copies a result back."""

    def each(at: int, n: int) -> list[Events]:
        back = at + 1_100_000 + work
        fetch = annotation(
            "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", back - 90_000, back - 10_000
        )
        return [
            small_copy(at + 1_000_000, n, "Memcpy DtoH (Device -> Pageable)", size),
            small_copy(back, n + 2, size=40_000),
            *([fetch] if loading else []),
            product(at + 8_000_000, n + 5_000),
        ]

    return each


def test_work_of_the_host_on_data_of_the_gpu(tmp_path: Path) -> None:
    found = examined(tmp_path, trip(3_000_000))
    assert ids(found) == ["host-round-trip"]
    assert render(cause(found, "host-round-trip").title) == (
        "Data goes to the host and back once a step, processed by the CPU in between"
    )
    # Nine tenths of 3 of 10 ms.
    assert saving_pct(found, "host-round-trip") == pytest.approx(28, abs=2)


@pytest.mark.parametrize(
    "each",
    [trip(0), trip(3_000_000, loading=True), trip(3_000_000, size=4)],
    ids=["no work", "next batch", "a value"],
)
def test_other_copies_are_no_round_trip(tmp_path: Path, each: Callable[[int, int], list[Events]]) -> None:
    found = examined(tmp_path, each)
    assert "host-round-trip" not in ids(found) + ids(found, worth=False)


def module(name: str, start: int, end: int) -> Event:
    return timed("python_function", f"nn.Module: {name}", start, end, process=1, thread=1)


def unrolled(
    times: int, names: tuple[str, ...], modules: Callable[[int], str] | None = None, long: int = 2_000
) -> Callable[[int, int], list[Events]]:
    """A loop whose repetitions launch some operators, 25 us each."""
    length = 25_000 * len(names)

    def each(at: int, n: int) -> list[Events]:
        begin = at + 500_000
        loop: list[Events] = []
        for i in range(times):
            start = begin + i * length
            loop += [module(modules(i), start, start + length)] if modules else []
            for j, name in enumerate(names):
                place = start + 25_000 * j + 1_000
                views = name in ("select", "unbind")
                one = operator(f"aten::{name}", place, place + 20_000)
                loop += [one] if views else launching(name, place, n + 10 * i + j, long=long)
        return [loop, product(at + 9_900_000, n + 9_000)]

    return each


CELL = ("select", "addmm", "tanh")


def test_a_loop_over_time_steps(tmp_path: Path) -> None:
    found = examined(tmp_path, unrolled(100, CELL))
    assert ids(found) == ["unrolled-loop"]
    assert render(cause(found, "unrolled-loop").title) == (
        "A loop over time steps repeats the same 2 kernel launches 100 times"
    )
    assert 50 < saving_pct(found, "unrolled-loop") < 75


def test_a_cell_of_three_launches(tmp_path: Path) -> None:
    """As many repetitions of as many launches as of the layers with attention below."""
    assert ids(examined(tmp_path, unrolled(80, (*CELL, "sigmoid")))) == ["unrolled-loop"]


def test_a_loop_that_calls_a_cell_of_the_library(tmp_path: Path) -> None:
    assert ids(examined(tmp_path, unrolled(40, ("select", "lstm_cell")))) == ["unrolled-loop"]


def test_one_module_called_again_and_again_is_a_recurrence(tmp_path: Path) -> None:
    assert ids(examined(tmp_path, unrolled(40, CELL, lambda i: "Cell_0"))) == ["unrolled-loop"]


@pytest.mark.parametrize(
    "each",
    [
        unrolled(100, CELL, lambda i: f"Layer_{i}"),
        unrolled(100, ("addmm", "tanh")),
        unrolled(40, CELL),
        unrolled(80, (*CELL, "scaled_dot_product_attention")),
        unrolled(20, ("select", "lstm_cell")),
        unrolled(40, ("select", *["addmm"] * 4, "tanh"), lambda i: "Cell_0", long=22_000),
    ],
    ids=["layers", "no sequence", "perhaps layers", "attention", "few", "busy"],
)
def test_other_repetitions_are_no_recurrence(tmp_path: Path, each: Callable[[int, int], list[Events]]) -> None:
    found = examined(tmp_path, each)
    assert "unrolled-loop" not in ids(found) + ids(found, worth=False)
