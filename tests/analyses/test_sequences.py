"""Sequences of kernels, runs that repeat, and candidates for fusion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import stepscope
from building import Events, annotation, call, kernel, launched, memcpy, opened, operator, rows, step, write
from oracles import general as oracle
from oracles import sequences as sequences_oracle
from stepscope.analyses.gpu.kernel_names import kernel_kind
from stepscope.analyses.gpu.repeats import repeated_runs
from stepscope.analyses.gpu.sequences import chain

ADD = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int)"
MUL = "void at::native::vectorized_elementwise_kernel<4, at::native::MulFunctor<float> >(int)"
SUM = "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(int)"
GEMM = "ampere_sgemm_128x64_nn"
COLUMNS = ("op", "kernels", "length", "count", "total_ns", "mean_ns", "gap_ns", "host_ns")
QUICK = settings(max_examples=40, phases=[Phase.explicit, Phase.reuse, Phase.generate])


def test_calls_with_the_same_kernels_are_a_row(tmp_path: Path) -> None:
    """The second call of the second linear has another order; the single kernel has no sequence."""
    profile = opened(
        tmp_path,
        operator("aten::linear", 0, 20),
        operator("aten::addmm", 2, 18),
        launched(kernel("a", 100, 110, 1), 4),
        launched(memcpy(110, 112, 9), 6),
        launched(kernel("b", 115, 120, 2), 8),
        operator("aten::linear", 30, 60),
        launched(kernel("a", 130, 145, 3), 35),
        launched(kernel("b", 145, 150, 4), 40),
        operator("aten::linear", 70, 90),
        launched(kernel("b", 160, 161, 5), 75),
        launched(kernel("a", 161, 162, 6), 80),
        operator("aten::sum", 95, 99),
        launched(kernel("c", 170, 180, 7), 96),
        launched(kernel("d", 180, 190, 8), 200),
    )
    assert rows(profile.show("sequences"), *COLUMNS) == [
        ("aten::linear", "a -> b", 2, 2, 35, 18, 5, 50),
        ("aten::linear", "b -> a", 2, 1, 2, 2, 0, 20),
    ]
    assert profile.notes("sequences") == ["17.5 % of kernel time is launched outside operators"]


def test_kernels_of_several_streams_leave_no_gap_while_one_of_them_runs(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::conv2d", 0, 20),
        launched(kernel("a", 100, 110, 1), 4),
        launched(kernel("b", 105, 130, 2, stream=8), 8),
        launched(kernel("a", 140, 150, 3), 12),
    )
    assert rows(profile.show("sequences"), *COLUMNS) == [("aten::conv2d", "a -> b -> a", 3, 1, 45, 45, 10, 20)]


def test_sequences_of_the_innermost_named_range_that_is_no_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        annotation("Optimizer.step#SGD.step", 10, 40),
        launched(kernel("a", 100, 110, 1), 15),
        launched(kernel("a", 110, 120, 2), 20),
        launched(kernel("b", 120, 130, 3), 60),
        launched(kernel("b", 130, 140, 4), 70),
    )
    assert rows(profile.show("sequences", by="annotation"), *COLUMNS) == [
        ("Optimizer.step#SGD.step", "2 x a", 2, 1, 20, 20, 0, 30)
    ]


def test_runs_repeat_across_operators(tmp_path: Path) -> None:
    """a b c twice, and an a that belongs to no run."""
    names = ["a", "b", "c", "a", "d", "a", "b", "c"]
    profile = opened(
        tmp_path,
        operator("aten::x", 0, 3),
        operator("aten::y", 3, 100),
        [launched(kernel(name, 100 + 10 * i, 108 + 10 * i, i + 1), i) for i, name in enumerate(names)],
    )
    assert rows(profile.show("sequences", by="run"), *COLUMNS) == [
        ("3 x aten::y", "a -> b -> c", 3, 2, 48, 24, 8, None),
    ]


def test_a_run_that_shares_most_of_its_time_with_one_above_is_left_out(tmp_path: Path) -> None:
    """Eight equal kernels hold runs of two, three and four; one of them says it all."""
    profile = opened(tmp_path, [kernel("a", 10 * i, 10 * i + 10) for i in range(8)])
    assert rows(profile.show("sequences", by="run"), "kernels", "count", "total_ns") == [("4 x a", 2, 80)]


def test_long_sequences_are_cut(tmp_path: Path) -> None:
    assert chain([str(n) for n in range(30)]) == " -> ".join([*map(str, range(24)), "(6 more)"])
    assert chain([None, None]) is None
    assert chain([None, "a"]) == "? -> a"


def test_runs_of_small_kernels_are_candidates_for_fusion(tmp_path: Path) -> None:
    """The product ends the run; of the two additions both count as work that remains."""
    profile = opened(
        tmp_path,
        operator("aten::add", 0, 6),
        operator("aten::mul", 6, 9),
        [
            launched(kernel(name, start, end, number), 2 * number)
            for number, (name, start, end) in enumerate(
                [(ADD, 10, 20), (ADD, 22, 32), (MUL, 32, 37), (GEMM, 40, 60), (ADD, 60, 70), (SUM, 70, 80)], 1
            )
        ],
    )
    columns = ("op", "kernels", "length", "count", "total_ns", "gap_ns", "saving_ns")
    table = profile.show("fusion")
    assert rows(table, *columns) == [("2 x aten::add -> aten::mul", f"2 x {ADD} -> {MUL}", 3, 1, 25, 2, 5)]
    assert rows(table, "saving_pct") == [100 * 5 / 65]
    assert profile.notes("fusion")[0].startswith("7.7 % of GPU time, if one fused kernel per sequence takes")


@pytest.mark.parametrize("name", ["triton_poi_fused_add_0", "void multi_tensor_apply_kernel<float>(int)", GEMM])
def test_what_is_fused_or_no_candidate_ends_a_run(tmp_path: Path, name: str) -> None:
    names = [ADD, MUL, name, ADD, MUL]
    profile = opened(
        tmp_path, [launched(kernel(name, 100 + 10 * i, 110 + 10 * i, i + 1), i) for i, name in enumerate(names)]
    )
    assert len(profile.show("fusion")) == 0
    assert profile.notes("fusion")[0].startswith("no rows: nowhere do 3 elementwise, norm, reduce or cast kernels")


CAST = "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)>(int)"


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        ([CAST, MUL, CAST, SUM, CAST], [(5, 5, 2)]),
        ([CAST, CAST, CAST], []),
        ([MUL, "void at::native::CatArrayBatchedCopy<float>(int)", MUL, ADD], []),
        ([MUL, "void at::native::index_elementwise_kernel<128, at::native::index_copy<int> >(int)", MUL, ADD], []),
    ],
)
def test_casts_are_part_of_a_run_but_no_run_by_themselves(
    tmp_path: Path, names: list[str], runs: list[tuple[int, int, int]]
) -> None:
    """A softmax under autocast is copy, mask, cast, softmax, cast; all three copies are one kernel by name."""
    profile = opened(
        tmp_path, [launched(kernel(name, 100 + 10 * i, 101 + 10 * i, i + 1), i) for i, name in enumerate(names)]
    )
    assert rows(profile.show("fusion"), "length", "total_ns", "saving_ns") == runs


def test_copies_of_the_driver_end_a_run(tmp_path: Path) -> None:
    work = [kernel(ADD, 10, 11, 1), kernel(MUL, 20, 21, 2), memcpy(30, 31, 3), kernel(SUM, 40, 41, 4)]
    assert len(opened(tmp_path, [launched(one, i) for i, one in enumerate(work)]).show("fusion")) == 0


def test_kernels_of_a_graph_are_no_candidates(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, call(0, 5, 1, name="cudaGraphLaunch"), [kernel(ADD, 10 * i, 10 * i + 10, 1) for i in range(1, 6)]
    )
    assert len(profile.show("fusion")) == 0


def test_ranks_are_summed(tmp_path: Path) -> None:
    for rank in (0, 1):
        write(
            tmp_path / f"rank{rank}.json",
            operator("aten::linear", 0, 20),
            [launched(kernel(name, 100 + i, 101 + i, i + 1), i) for i, name in enumerate([ADD, MUL, SUM][: 3 - rank])],
            [launched(kernel(name, 200 + i, 201 + i, i + 9), 6 + i) for i, name in enumerate([GEMM, ADD, MUL, SUM])],
        )
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("sequences"), "length", "count") == [(7, 1), (6, 1)]
    assert rows(profile.show("fusion"), "length", "count", "total_ns", "saving_ns") == [(3, 3, 9, 6)]


@pytest.mark.parametrize("by", ["", "annotation", "run"])
def test_without_kernels_the_table_says_why(tmp_path: Path, by: str) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10), annotation("x", 0, 5))
    assert len(profile.show("sequences", by=by)) == 0
    assert "no GPU activity" in profile.notes("sequences")[0]


@QUICK
@given(codes=st.lists(st.integers(0, 2), max_size=14), cut=st.integers(0, 14), longest=st.integers(2, 6))
def test_runs_are_those_found_by_looking_at_every_place(codes: list[int], cut: int, longest: int) -> None:
    parts = [int(place >= cut) for place in range(len(codes))]
    found = repeated_runs(np.array(codes, np.int64), np.array(parts, np.int64), longest)
    grouped: dict[tuple[int, ...], list[int]] = {}
    for length, first in zip(found.length.tolist(), found.first.tolist(), strict=True):
        grouped.setdefault(tuple(codes[first : first + length]), []).append(first)
    assert grouped == sequences_oracle.repeated(codes, parts, longest)
    assert len(set(found.run.tolist())) == len(grouped)


@st.composite
def traces(draw: st.DrawFn) -> list[Events]:
    found: list[Events] = []
    for start in range(0, 60, 20):
        found.append(operator(draw(st.sampled_from(["aten::x", "aten::y"])), start, start + 19, external_id=start))
        found.append(operator("aten::inner", start + 2, start + 9, external_id=start + 1))
    at = 100
    for number in range(1, draw(st.integers(1, 12))):
        name = draw(st.sampled_from([ADD, MUL, SUM, GEMM]))
        length = draw(st.integers(0, 3))
        activity = kernel(name, at, at + length, number, stream=draw(st.sampled_from([7, 7, 8])))
        found.append(launched(activity, draw(st.integers(0, 70))) if draw(st.integers(0, 3)) else activity)
        at += length + draw(st.integers(1, 2))
    return found


@pytest.mark.long
@QUICK
@given(events=traces())
def test_tables_are_what_the_oracle_says(tmp_path_factory: pytest.TempPathFactory, events: Any) -> None:
    path = write(tmp_path_factory.mktemp("sequences") / "trace.json", *events)
    compare(path)


RECORDINGS = [
    "h200/train/cnn.step7.pt.trace.json.gz",
    "h200/diverse/llama_no_steps.pt.trace.json.gz",
    "h200/ranks/ddp4/rank0.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
]


@pytest.mark.real_trace
@pytest.mark.parametrize("name", RECORDINGS)
def test_tables_of_a_recording_are_what_the_oracle_says(shared_data: Path, name: str) -> None:
    compare(shared_data / name)


def compare(path: Path) -> None:
    profile, events = stepscope.open(str(path)), oracle.read(path)
    columns = ("count", "total_ns", "gap_ns", "host_ns")
    wanted: dict[Any, Any] = {}
    for (name, kernels), row in sequences_oracle.by_operator(events).items():
        add(wanted, (name, chain(list(kernels)), len(kernels)), row)
    table = profile.show("sequences")
    assert {row[:3]: dict(zip(columns, row[3:], strict=True)) for row in rows(table, *COLUMNS[:3], *columns)} == wanted
    names = {event.name for event in events.activity}
    wanted = {}
    kinds = {name: kernel_kind(name or "") for name in names}
    for kernels, row in sequences_oracle.fusible_runs(events, kinds, 3).items():
        add(wanted, (chain(list(kernels)), len(kernels)), row)
    found: dict[Any, Any] = {}
    columns = ("count", "total_ns", "gap_ns", "saving_ns")
    for row in rows(profile.show("fusion"), "kernels", "length", *columns):
        add(found, row[:2], dict(zip(columns, row[2:], strict=True)))
    assert found == wanted


def add(rows: dict[Any, dict[str, int]], key: Any, row: dict[str, int]) -> None:
    """Sum rows of equal keys: what is cut from a text may be all that tells them apart."""
    before = rows.setdefault(key, dict.fromkeys(row, 0))
    for name, value in row.items():
        before[name] += value


@pytest.mark.real_trace
@pytest.mark.parametrize(
    ("name", "steps"),
    [("a100-8rank-old_schema-rank3", (1009, 1013)), ("v100-2rank-ddp-profile_memory-rank1", (2, 5))],
)
def test_sequences_of_the_optimizer_are_those_of_hta(shared_data: Path, name: str, steps: tuple[int, int]) -> None:
    """HTA leaves out the last step of a trace, as `steps` does."""
    reference = json.loads((shared_data / f"reference/hta-reference/{name}.json").read_text())
    [theirs] = reference["results"]["get_frequent_cuda_kernel_sequences"]["head"]
    op, *kernels = theirs["pattern"].split("|")
    profile = stepscope.open(str(shared_data / f"public/hta/{name}.json.gz"))
    table = profile.show("sequences", by="annotation", step=steps)
    [row] = table.filter(op=op).to_dicts()
    assert row["length"] == len(kernels)
    assert row["kernels"] == chain(list(kernels))
    assert row["count"] == theirs["count"]
    assert row["total_ns"] == theirs["GPU kernel duration (us)"] * 1000
    assert row["host_ns"] == theirs["CPU op duration (us)"] * 1000
