"""Traces are input from outside: no call breaks a model, whatever stands in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.analyses.roofline.models import call_work, model_of, modelled_names
from stepscope.analyses.roofline.models.dtypes import SIZES

_NAMES = [*modelled_names(), "triton_poi_fused_add_0", "triton_tem_fused_mm_1"]
_TYPES = ["float", "c10::BFloat16", "long int", "Scalar", "ScalarList", "", "TensorList", "what", None, 5]


def test_every_model_survives_nonsense() -> None:
    for name in _NAMES:
        for dims in (None, "", "{}", "null", "5", "not JSON", "[null, null, null]", "[[], [], []]", "[[1], [1], [1]]"):
            for more in (None, "", "{}", "[]", '[null, null, "[0]", "[0, 0]", "[", "x", "y"]', "[[[[]]]]"):
                found = call_work(name, dims, more, more, more)
                assert found is None or (found.flops or 0) >= 0


_sizes = st.one_of(st.integers(-2, 70), st.sampled_from([1 << 31, 1 << 49, 1 << 63]), st.none(), st.text(max_size=2))
_shapes = st.one_of(st.lists(_sizes, max_size=5), st.lists(st.lists(_sizes, max_size=3), max_size=3), st.none())
_scalars = st.one_of(st.sampled_from(["", "True", "0", "[1, 1]", "[0]", "[", "1e-5", "-1", "15", "nan"]), st.none())


@pytest.mark.long
@given(
    st.sampled_from(_NAMES),
    st.lists(_shapes, max_size=12),
    st.lists(st.sampled_from(_TYPES), max_size=12),
    st.lists(_scalars, max_size=20),
    st.lists(_shapes, max_size=12),
)
def test_random_calls(name: str, dims: list[Any], types: list[Any], scalars: list[Any], strides: list[Any]) -> None:
    found = call_work(name, *map(json.dumps, (dims, types, strides, scalars)))
    if found is not None:
        assert found.flops is None or 0 <= found.flops < 1 << 62
        assert found.bytes is None or 0 <= found.bytes < 1 << 62
        assert found.dtype == "" or found.dtype in SIZES


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.permutations(["mm", "addmm", "linear", "matmul"]))
def test_products_cost_the_same_by_any_operator(m: int, n: int, k: int, names: list[str]) -> None:
    inputs = {
        "mm": [[m, k], [k, n]],
        "matmul": [[m, k], [k, n]],
        "addmm": [[n], [m, k], [k, n]],
        "linear": [[m, k], [n, k]],
    }
    found = {name: call_work(f"aten::{name}", json.dumps(inputs[name])) for name in names}
    assert {work.flops for work in found.values() if work is not None} == {2 * m * n * k}
    assert len(found) == 4


def test_every_model_has_a_kind_and_knows_its_name() -> None:
    for name in modelled_names():
        model = model_of(name)
        assert model is not None
        assert model.kind
    assert model_of("aten::no_such_operator") is None
    assert model_of("triton_") is None
