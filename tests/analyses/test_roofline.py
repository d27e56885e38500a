"""Operators against the peaks of the device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import Event, Events, kernel, launched, memcpy, opened, operator, step
from stepscope.api import OpenProfile
from stepscope.messages.language import speaking
from stepscope.schema import UNATTRIBUTED

PEAKS = {"bf16": 1e15, "tf32": 4e14, "fp32": 5e13, "memory": 1e12}
"""Round figures: a microsecond is 1e9 bf16 operations, or 1e6 bytes."""
TENSOR = "nvjet_sm90_tst_128x64"


def recorded(name: str, start: int, end: int, dims: Any, kind: str = "c10::BFloat16") -> Event:
    types = [kind if shape else "Scalar" for shape in dims]
    return operator(name, start, end, **{"Input Dims": dims, "Input type": types})


def with_peaks(folder: Path, *events: Events, peaks: dict[str, float] | None = None) -> OpenProfile:
    return opened(folder, *events).with_peaks(PEAKS if peaks is None else peaks)


def product(correlation: int, at: int, start: int, end: int, size: int, kind: str = "c10::BFloat16") -> list[Any]:
    """A product of square matrices and its kernel on matrix units."""
    shape = [size, size]
    return [
        recorded("aten::mm", at, at + 10, [shape, shape], kind),
        launched(kernel(TENSOR, start, end, correlation), at + 2),
    ]


def test_a_product_and_a_copy(tmp_path: Path) -> None:
    """2 x 1000^3 = 2e9 operations take 2 us, 3 x 1e6 bf16 numbers 6 us: memory limits. The copy moves 4e6 bytes."""
    table = with_peaks(
        tmp_path,
        product(1, 0, 1_000, 13_000, 1000),
        product(2, 20, 13_000, 25_000, 1000),
        recorded("aten::copy_", 40, 50, [[1000, 1000], [1000, 1000], []]),
        launched(kernel("copy", 30_000, 35_000, 3), 42),
    ).show("roofline")
    assert table.to_dicts() == [
        {
            "op": "aten::mm",
            "shapes": "1000x1000, 1000x1000",
            "dtype": "bf16",
            "calls": 2,
            "total_ns": 24_000,
            "pct_of_roof": 50.0,
            "bound": "memory",
            "share_pct": pytest.approx(100 * 24 / 29),
            "kind": "gemm",
            "flops": 4_000_000_000,
            "bytes": 12_000_000,
            "intensity": pytest.approx(4e9 / 12e6),
            "achieved_flops": pytest.approx(4e9 / 24e-6),
            "achieved_bandwidth": pytest.approx(12e6 / 24e-6),
            "roof": "bf16",
            "ideal_ns": 12_000,
            "gap_ns": 12_000,
            "modelled_pct": 100.0,
        },
        {
            "op": "aten::copy_",
            "shapes": "1000x1000, 1000x1000",
            "dtype": "bf16",
            "calls": 1,
            "total_ns": 5_000,
            "pct_of_roof": 80.0,
            "bound": "memory",
            "share_pct": pytest.approx(100 * 5 / 29),
            "kind": "copy",
            "flops": 0,
            "bytes": 4_000_000,
            "intensity": 0.0,
            "achieved_flops": 0.0,
            "achieved_bandwidth": pytest.approx(4e6 / 5e-6),
            "roof": "fp32",
            "ideal_ns": 4_000,
            "gap_ns": 1_000,
            "modelled_pct": 100.0,
        },
    ]


def row(table: pl.DataFrame, op: str = "aten::mm") -> dict[str, Any]:
    return table.filter(pl.col("op") == op).row(0, named=True)


@pytest.mark.parametrize(
    ("size", "length", "bound", "share"),
    [
        (4000, 160_000, "compute", 80.0),  # 128 us of arithmetic, 96 us of memory
        (1000, 8_000, "memory", 75.0),  # 2 us and 6 us
        (1000, 10_000_000, "memory", 0.06),  # far from its roof, but not for being short
        (100, 2_000, "latency", 3.0),  # 0.06 us of work
        (400, 5_500, "latency", 100 * 0.96 / 5.5),  # no more than the fixed cost is missing
        (100, 15_000, "latency", 100 * 0.06 / 15),  # too little work to fill the device
        (100, 900_000, "memory", 100 * 0.06 / 900),  # but not for being short
        (1000, 5_000, "cache", 120.0),  # 6e6 bytes in 5 us
    ],
)
def test_what_limits_a_product(tmp_path: Path, size: int, length: int, bound: str, share: float) -> None:
    found = row(with_peaks(tmp_path, product(1, 0, 1_000, 1_000 + length, size)).show("roofline"))
    assert (found["bound"], found["pct_of_roof"]) == (bound, pytest.approx(share))


def test_more_than_the_cache_holds_cannot_come_from_it(tmp_path: Path) -> None:
    """Faster than memory by data that no cache holds: the note says so."""
    profile = with_peaks(tmp_path, product(1, 0, 1_000, 6_000, 1000), peaks={**PEAKS, "cache": 1e6})
    assert row(profile.show("roofline"))["bound"] == "memory"
    assert any("aten::mm reaches 120 % of the peak of memory" in note for note in profile.notes("roofline"))


def test_a_kernel_on_matrix_units_has_the_roof_of_tf32(tmp_path: Path) -> None:
    tensor = with_peaks(tmp_path, product(1, 0, 1_000, 9_000, 1000, "float")).show("roofline")
    plain = with_peaks(
        tmp_path,
        recorded("aten::mm", 0, 10, [[1000, 1000], [1000, 1000]], "float"),
        launched(kernel("ampere_sgemm_128x64_nn", 1_000, 101_000, 1), 2),
    ).show("roofline")
    assert row(tensor)["roof"] == "tf32"
    assert (row(plain)["roof"], row(plain)["bound"], row(plain)["pct_of_roof"]) == ("fp32", "compute", 40.0)


def test_work_of_no_model_is_kept(tmp_path: Path) -> None:
    """Operators without model or launch, collectives and copies of the host: all GPU time is in some row."""
    profile = with_peaks(
        tmp_path,
        product(1, 0, 1_000, 2_000, 1000),
        recorded("my::kernel", 20, 30, [[5, 5]]),
        launched(kernel("mine", 3_000, 3_400, 2), 22),
        recorded("c10d::allreduce_", 40, 50, [[5, 5]]),
        launched(kernel("ncclDevKernel_AllReduce", 4_000, 4_300, 3), 42),
        recorded("aten::copy_", 60, 70, [[5, 5], [5, 5]]),
        launched(memcpy(5_000, 5_200, 4), 62),
        kernel("before", 6_000, 6_100),
    )
    table = profile.show("roofline")
    assert table.select("op", "shapes", "calls", "total_ns", "bound", "kind", "flops", "modelled_pct").rows() == [
        ("aten::mm", "1000x1000, 1000x1000", 1, 1_000, "cache", "gemm", 2_000_000_000, 100.0),
        ("my::kernel", "5x5", 1, 400, None, None, None, 0.0),
        ("c10d::allreduce_", None, 1, 300, "communication", None, None, 0.0),
        ("aten::copy_", None, 1, 200, "transfer", None, None, 0.0),
        (UNATTRIBUTED, None, 0, 100, None, None, None, 0.0),
    ]
    [note, *_] = profile.notes("roofline")
    assert note == (
        "models cover 66.7 % of GPU time, excluding communication and copies to and from the host; "
        "not covered: my::kernel 26.7 % and (unattributed) 6.7 %"
    )
    with speaking("zh"):
        [note, *_] = profile.notes("roofline")
    assert note.endswith("未覆盖：my::kernel 26.7 %、（未归属） 6.7 %"), "(unattributed) was English"


def test_groupings(tmp_path: Path) -> None:
    profile = with_peaks(
        tmp_path,
        product(1, 0, 1_000, 11_000, 1000),
        product(2, 20, 11_000, 41_000, 2000),
        recorded("aten::gelu", 40, 50, [[1000, 1000]]),
        launched(kernel("gelu", 50_000, 58_000, 3), 42),
    )
    by_op = profile.show("roofline", by="op")
    assert by_op.select("op", "calls", "total_ns", "flops", "ideal_ns", "shapes").rows() == [
        ("aten::mm", 2, 40_000, 18_000_000_000, 30_000, "2000x2000, 2000x2000"),
        ("aten::gelu", 1, 8_000, 1_000_000, 4_000, "1000x1000"),
    ]
    by_kind = profile.show("roofline", by="kind")
    assert by_kind.columns[0] == "kind"
    assert by_kind.select("kind", "total_ns", "pct_of_roof").rows() == [
        ("gemm", 40_000, pytest.approx(75.0)),
        ("elementwise", 8_000, pytest.approx(50.0)),
    ]


def test_selected_steps(tmp_path: Path) -> None:
    profile = with_peaks(
        tmp_path,
        step(1, 0, 15),
        step(2, 15, 40),
        product(1, 0, 1_000, 11_000, 1000),
        product(2, 20, 11_000, 41_000, 2000),
    )
    assert profile.show("roofline", step=2).select("shapes", "total_ns").rows() == [("2000x2000, 2000x2000", 30_000)]


def test_without_peaks_there_is_no_roof_but_a_reason(tmp_path: Path) -> None:
    profile = opened(tmp_path, product(1, 0, 1_000, 11_000, 1000))
    found = row(profile.show("roofline"))
    assert (found["flops"], found["bytes"]) == (2_000_000_000, 6_000_000)
    assert (found["pct_of_roof"], found["bound"], found["ideal_ns"], found["gap_ns"]) == (None, None, None, None)
    assert profile.notes("roofline")[1].startswith("no roofline: the recording does not say which device it is; give")


def test_a_type_without_a_peak_has_no_roof(tmp_path: Path) -> None:
    """V100 has no bf16: its products have FLOPs but no roof."""
    device = [{"id": 0, "name": "Tesla V100-SXM2-32GB", "totalGlobalMem": 34_000_000_000}]
    table = opened(tmp_path, product(1, 0, 1_000, 11_000, 1000), deviceProperties=device).show("roofline")
    assert (row(table)["roof"], row(table)["pct_of_roof"], row(table)["bound"]) == ("bf16", None, None)


def test_the_device_of_the_recording_gives_the_peaks(tmp_path: Path) -> None:
    device = [{"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150_000_000_000}]
    profile = opened(tmp_path, product(1, 0, 1_000, 11_000, 1000), deviceProperties=device)
    assert row(profile.show("roofline"))["pct_of_roof"] == pytest.approx(100 * 2e9 / 989.4e12 / 10e-6)
    assert profile.notes("roofline")[1].startswith("peaks of H200, dense: bf16 989.4 TFLOP/s, tf32 494.7 TFLOP/s")
    given = profile.with_peaks({"memory": 1e12})
    assert row(given.show("roofline"))["pct_of_roof"] == pytest.approx(60.0)
    assert "(given: memory; else NVIDIA H200" in given.notes("roofline")[1]


def test_without_shapes_the_note_names_the_option(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10), launched(kernel("gemm", 100, 200, 1), 2))
    assert "no input shapes were recorded; record with record_shapes=True" in profile.notes("roofline")[0]


def test_ranks_are_summed(tmp_path: Path) -> None:
    from building import write

    for number in (0, 1):
        write(tmp_path / f"rank{number}.json", product(1, 0, 1_000, 11_000, 1000))
    import stepscope

    found = row(stepscope.open(str(tmp_path)).with_peaks(PEAKS).show("roofline"))
    assert (found["calls"], found["total_ns"], found["ideal_ns"]) == (2, 20_000, 12_000)


_OPERATORS = st.sampled_from(["aten::mm", "aten::gelu", "aten::linear", "my::layer", "c10d::allreduce_", "aten::copy_"])
_WORK = st.lists(
    st.tuples(
        _OPERATORS, st.integers(0, 90), st.integers(1, 60), st.integers(0, 99), st.integers(0, 40), st.booleans()
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.long
@settings(max_examples=20)
@given(_WORK, st.randoms())
def test_all_gpu_time_is_in_some_row_whatever_the_order(tmp_path_factory: Any, work: Any, random: Any) -> None:
    events: list[Any] = []
    for number, (name, start, length, at, duration, copies) in enumerate(work, 1):
        # Of equal times the higher number is inside; without numbers nothing would decide.
        call = recorded(name, start, start + length, [[4, 8], [8, 16]])
        events.append(call | {"args": call["args"] | {"External id": number}})
        activity = memcpy if copies else (lambda a, b, n: kernel("k", a, b, n))
        events += launched(activity(200 + number, 200 + number + duration, number), at)
    folder = tmp_path_factory.mktemp("order")
    table = with_peaks(folder, events).show("roofline")
    random.shuffle(events)
    again = with_peaks(folder, events).show("roofline")
    assert table.equals(again)
    whole = sum(event["dur"] * 1000 for event in events if event["cat"] in ("kernel", "gpu_memcpy"))
    assert int(table["total_ns"].sum()) == int(whole)
    assert float(table["share_pct"].sum()) == pytest.approx(100.0 if whole else 0.0)


def test_rates_of_a_row_are_of_the_calls_that_are_known(tmp_path: Path) -> None:
    """By operator: of two products one has no peak and one no bytes; each rate is of the others' time."""
    untyped = operator("aten::mm", 40, 50, **{"Input Dims": [[1000, 1000]] * 2})
    [found] = (
        opened(
            tmp_path,
            product(1, 0, 1_000, 11_000, 1000),
            product(2, 20, 11_000, 31_000, 1000, "c10::Half"),
            untyped,
            launched(kernel(TENSOR, 31_000, 71_000, 3), 42),
        )
        .with_peaks({"bf16": 1e15, "memory": 1e12})
        .show("roofline", by="op")
        .to_dicts()
    )
    assert (found["calls"], found["total_ns"], found["flops"], found["bytes"]) == (3, 70_000, 6_000_000_000, 12_000_000)
    assert found["achieved_flops"] == pytest.approx(6e9 / 70e-6)
    assert found["achieved_bandwidth"] == pytest.approx(12e6 / 30e-6)
    assert (found["ideal_ns"], found["gap_ns"], found["pct_of_roof"]) == (6_000, 4_000, pytest.approx(60.0))
    assert found["modelled_pct"] == 100.0
