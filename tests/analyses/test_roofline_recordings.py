"""Roofline of real recordings against an oracle and against what the recorded hardware can do."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import stepscope
from oracles import general as oracle
from oracles import roofline as roofline_oracle

pytestmark = pytest.mark.real_trace

SMALL = [
    "h200/train/cnn.step7.pt.trace.json.gz",
    "h200/ranks/ddp4/rank0.json.gz",
    "public/tracelens/h100__gaunernst_bert-small-uncased__1016001.json.gz",
    "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "public/tracelens/torch_compile_triton__trace.json.gz",
]
LARGE = [
    "h200/pairs/fp32_no_tensor_core.slow.pt.trace.json.gz",
    "h200/pairs/fp32_no_tensor_core.mended.pt.trace.json.gz",
    "h200/pairs/naive_attention.slow.pt.trace.json.gz",
    "h200/pairs/batch_size.mended.pt.trace.json.gz",
    "h200/train/dit_compiled.pt.trace.json.gz",
    "h200/diverse/vit_prefetcher.pt.trace.json.gz",
    "h200/ranks/fsdp4/rank1.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
    "public/tracelens/inference__xdit_sd_3.5__profile_trace_rank_0.json.gz",
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
]


def compare(path: Path) -> None:
    events = oracle.read(path)
    table = stepscope.open(str(path)).show("roofline")
    assert int(table["total_ns"].sum()) == roofline_oracle.device_time(events)
    shown = (
        table.filter(pl.col("kind").is_not_null())
        .group_by("op", "shapes")
        .agg(pl.col("calls", "total_ns", "flops", "bytes").sum())
    )
    own = {(row[0], row[1]): row[2:] for row in shown.iter_rows()}
    wanted: dict[tuple[str, str], tuple[int, ...]] = {}
    for (name, dims), row in roofline_oracle.rows(events).items():
        key = (name, roofline_oracle.shapes_text(dims))
        before = wanted.get(key, (0, 0, 0, 0))
        new = (row.calls, row.total_ns, row.flops, row.bytes)
        wanted[key] = tuple(a + b for a, b in zip(before, new, strict=True))
    assert wanted
    assert {key: own.get(key) for key in wanted} == wanted


@pytest.mark.parametrize("name", SMALL)
def test_rows_are_those_of_the_oracle(shared_data: Path, name: str) -> None:
    compare(shared_data / name)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_rows_are_those_of_the_oracle_in_larger_recordings(shared_data: Path, name: str) -> None:
    compare(shared_data / name)


@pytest.mark.parametrize(("name", "roof", "least"), [("slow", "fp32", 70), ("mended", "tf32", 35)])
def test_matrix_products_of_a_pair_stay_below_their_peak(shared_data: Path, name: str, roof: str, least: int) -> None:
    """The same products without and with tensor cores, on an H200: 66.9 and 494.7 TFLOP/s at most."""
    path = shared_data / f"h200/pairs/fp32_no_tensor_core.{name}.pt.trace.json.gz"
    table = stepscope.open(str(path)).show("roofline").filter(pl.col("kind") == "gemm")
    assert set(table["roof"]) == {roof}
    large = table.filter((pl.col("flops") / pl.col("calls") > 1e10) & (pl.col("bound") == "compute"))
    assert len(large) >= 8
    assert large["pct_of_roof"].max() < 100  # type: ignore[operator]
    assert large["pct_of_roof"].min() > least  # type: ignore[operator]


def test_recomputed_convolutions_are_those_that_tracelens_finds(shared_data: Path) -> None:
    """Its sheet marks 57 of 117 recorded forward convolutions as recomputed, told by Python stacks; here without."""
    from stepscope.store.autograd import backward_pass

    path = shared_data / "public/tracelens/mi300__resnet_act_checkpoint.json.gz"
    opened = stepscope.open(str(path))
    [rank] = opened.profile.ranks
    names = rank.trace.text(rank.trace.frame("operator", ["name"])["name"])
    forward = (names == "aten::convolution").to_numpy()
    assert (int(forward.sum()), int(backward_pass(rank).recomputed[forward].sum())) == (117, 57)
    table = opened.show("mfu")
    assert (table["hfu_pct"] > table["mfu_pct"]).all()
