"""Models against the report sheets of AMD TraceLens, row by row; every disagreement with its reason.

Its sheets give GFLOPS and MiB for each set of inputs. Where its definition is ours the numbers are equal; where it is
not, the difference is the one written down here.
"""

from __future__ import annotations

import ast
import csv
import json
from math import prod
from pathlib import Path
from typing import Any

import pytest

from stepscope.analyses.roofline.models import Work, call_work

pytestmark = pytest.mark.real_trace

_TRACES = [
    "h100__Qwen_Qwen1.5-0.5B-Chat__1016005",
    "h100__gaunernst_bert-small-uncased__1016001",
    "inference__vllm_prefilldecode_piecewise__graph_execution",
    "inference__xdit_sd_3.5__profile_trace_rank_0",
    "mi300__resnet_act_checkpoint",
    "torch_compile_triton__trace",
]
_COLUMNS = ("Input Dims_first", "Input type_first", "Input Strides_first", "Concrete Inputs_first")
Row = dict[str, Any]


def rows(shared_data: Path, *sheets: str) -> list[tuple[Row, Work, float, float]]:
    """Rows of sheets that one of our models reads: inputs, our work, its FLOPs, its bytes (-1 for none)."""
    found = []
    for trace in _TRACES:
        for sheet in sheets:
            path = shared_data / "public" / "tracelens" / "reference" / trace / f"{sheet}.csv"
            if not path.is_file():
                continue
            with path.open(newline="") as file:
                for row in csv.DictReader(file):
                    dims, types, strides, scalars = (ast.literal_eval(row[name]) for name in _COLUMNS)
                    work = call_work(row["name"], *map(json.dumps, (dims, types, strides, scalars)))
                    if work is None:
                        continue
                    read = {"name": row["name"], "dims": dims, "types": types, "strides": strides, "scalars": scalars}
                    flops = float(row["GFLOPS_first"]) * 1e9
                    moved = float(row["Data Moved (MB)_first"] or "nan") * 2**20
                    found.append((read, work, flops, moved if moved == moved else -1))
    return found


def test_products(shared_data: Path) -> None:
    """It counts the addition of a vector of biases, as many operations as results; we, like torch, do not."""
    compared = rows(shared_data, "GEMM")
    assert len(compared) >= 50
    for row, work, flops, moved in compared:
        bias = 0
        if row["name"] == "aten::addmm":
            bias = row["dims"][1][0] * row["dims"][2][1]
        elif row["name"] == "vllm::rocm_unquantized_gemm" and row["dims"][2]:
            bias = row["dims"][0][0] * row["dims"][1][0]
        assert work.flops == pytest.approx(flops - bias, rel=1e-9), row
        assert work.bytes == moved, row


def test_attention(shared_data: Path) -> None:
    """Equal, causal masks as one half included."""
    compared = rows(shared_data, "SDPA_fwd")
    assert len(compared) == 7
    assert sum(row["scalars"][4] == "True" for row, *_ in compared) >= 1
    for row, work, flops, moved in compared:
        assert work.flops == pytest.approx(flops, rel=1e-9), row
        assert work.bytes == moved, row


def test_convolutions(shared_data: Path) -> None:
    """FLOPs are equal. It leaves out that a bias is read."""
    compared = rows(shared_data, "CONV_fwd")
    assert len(compared) >= 30
    for row, work, flops, moved in compared:
        bias = 2 * prod(row["dims"][2]) if row["dims"][2] else 0
        assert work.flops == pytest.approx(flops, rel=1e-9), row
        assert work.bytes == moved + bias, row


def test_convolutions_backward(shared_data: Path) -> None:
    """It takes both gradients as wanted, whatever the mask says, and reads the incoming gradient once for each."""
    compared = rows(shared_data, "CONV_bwd")
    assert len(compared) >= 10
    for row, work, flops, moved in compared:
        wanted = json.loads(row["scalars"][10].lower())
        gradient = 2 * prod(row["dims"][0])
        assert work.flops == pytest.approx(flops * sum(wanted[:2]) / 2, rel=1e-9), row
        if wanted[:2] == [True, True]:
            assert work.bytes == moved - gradient, row


def test_pointwise(shared_data: Path) -> None:
    """It counts a copy as one operation per element, and numbers that travel with the launch as read.

    An expanded tensor is read once here, as often as it repeats there.
    """
    compared = rows(shared_data, "UnaryElementwise", "BinaryElementwise")
    assert len(compared) >= 150
    different = 0
    for row, work, flops, moved in compared:
        assert work.flops == pytest.approx(0 if row["name"] == "aten::copy_" else flops, rel=1e-9), row
        expanded = any(0 in (strides or []) for strides in row["strides"])
        mixed = [] in row["dims"][:2] and len(set(row["types"][:2])) > 1 and "Scalar" not in row["types"][:2]
        if moved < 0 or expanded:
            continue  # a type that it does not know
        if mixed and abs((work.bytes or 0) - moved) > 8:
            different += 1  # it takes a number of another type for one that widens the result
            continue
        assert abs((work.bytes or 0) - moved) <= 16, row
    assert different <= 2


def test_reductions(shared_data: Path) -> None:
    """It takes every reduction as one to a single number, and the smaller of two tensors for a reduction."""
    compared = rows(shared_data, "Reduce_fwd", "Reduce_bwd")
    assert len(compared) >= 6
    for row, work, flops, moved in compared:
        assert work.flops == pytest.approx(flops, rel=1e-9), row
        if not row["dims"][1]:
            assert (work.bytes or 0) >= moved, row


def test_normalisations(shared_data: Path) -> None:
    """It adds six operations for each channel (forward), which is less than 2 %; an RMS norm has two for each row."""
    compared = rows(shared_data, "Normalization", "Normalization_fwd", "RMSNorm_fwd")
    assert len(compared) >= 25
    for row, work, flops, moved in compared:
        channels = 0
        if "rms" in row["name"]:
            channels = 2 * row["dims"][0][0]
        elif "backward" not in row["name"]:
            channels = 6 * (row["dims"][2] or row["dims"][1])[0]
        # Of a fused addition we count the additions.
        added = prod(row["dims"][0]) if row["name"] == "aiter::rmsnorm2d_fwd_with_add_ck" else 0
        assert work.flops in (pytest.approx(flops - channels, rel=1e-9), pytest.approx(flops - channels + added)), row
        assert work.bytes == pytest.approx(moved, rel=0.03), row
