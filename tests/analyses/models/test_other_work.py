"""Pointwise operators, reductions, normalisations, indexing, optimizers, generated kernels: examples by hand."""

from __future__ import annotations

from typing import Any

import pytest

from recorded_calls import BF16, BOOL, FP16, FP32, INT32, INT64, LIST, NONE, SCALAR, TENSORS, work

N = 6 * 10
"""Elements of most tensors here: (6, 10)."""
X: tuple[str, Any] = (FP32, [6, 10])
HALF: tuple[str, Any] = (BF16, [6, 10])


def counted(
    name: str, inputs: list[Any], scalars: list[str] | None = None, **more: Any
) -> tuple[int | None, int | None]:
    found = work(name, inputs, scalars, **more)
    assert found is not None, name
    return found.flops, found.bytes


@pytest.mark.parametrize(
    ("name", "inputs", "moved"),
    [
        ("neg", [X], 4 * 2 * N),
        ("silu", [HALF], 2 * 2 * N),
        ("clamp_min_", [X, (SCALAR, [])], 4 * 2 * N),
        ("exp", [(INT64, [6, 10])], 8 * N + 4 * N),
        ("isnan", [X], 4 * N + N),
        ("add", [X, X, (SCALAR, [])], 4 * 3 * N),
        ("add_", [X, X, (SCALAR, [])], 4 * 3 * N),
        ("mul", [HALF, X], 2 * N + 4 * N + 4 * N),
        ("mul", [HALF, ("double", [])], 2 * 2 * N),
        ("mul", [X, (SCALAR, [])], 4 * 2 * N),
        ("eq", [X, X], 4 * 2 * N + N),
        ("div", [(INT64, [6, 10]), (INT64, [6, 10])], 8 * 2 * N + 4 * N),
        ("add", [X, (FP32, [10]), (SCALAR, [])], 4 * (N + 10 + N)),
        ("add", [(FP32, [6, 1]), (FP32, [1, 10])], 4 * (6 + 10 + N)),
        ("add", [HALF, HALF, (SCALAR, []), (FP32, [6, 10])], 2 * 2 * N + 4 * N),
        ("gelu_backward", [HALF, HALF, (NONE, [])], 2 * 3 * N),
        ("threshold_backward", [X, X, (SCALAR, [])], 4 * 3 * N),
        ("where", [(BOOL, [6, 10]), X, X], N + 4 * 3 * N),
        ("where", [(BOOL, [6, 10]), X, (FP32, [])], N + 4 * 2 * N),
        ("masked_fill_", [HALF, (BOOL, [6, 10]), (SCALAR, [])], 2 * 2 * N + N),
        ("addcdiv_", [X, X, X, (SCALAR, [])], 4 * 4 * N),
        ("addcmul_", [X, X, X, (SCALAR, [])], 4 * 3 * N),  # both factors may be one tensor, as in Adam
        ("addcmul_", [X, X, (FP32, [10]), (SCALAR, [])], 4 * (3 * N + 10)),
        ("lerp_", [X, X, (SCALAR, [])], 4 * 3 * N),
        ("elu_backward", [X, (SCALAR, []), (SCALAR, []), (SCALAR, []), (BOOL, []), X], 4 * 3 * N),
        ("native_dropout", [HALF, (SCALAR, []), (SCALAR, [])], 2 * 2 * N + N),
    ],
)
def test_pointwise_operators_take_one_operation_per_result(name: str, inputs: list[Any], moved: int) -> None:
    assert counted(f"aten::{name}", inputs) == (N, moved)


def test_an_expanded_tensor_is_read_as_what_is_stored() -> None:
    assert counted("aten::add", [X, X], strides=[[10, 1], [0, 1]]) == (N, 4 * (N + 10 + N))


@pytest.mark.parametrize(
    ("name", "inputs", "moved"),
    [
        ("copy_", [HALF, X, (SCALAR, [])], 4 * N + 2 * N),
        ("copy_", [X, (FP32, [10]), (SCALAR, [])], 4 * 10 + 4 * N),
        ("fill_", [X, (SCALAR, [])], 4 * N),
        ("zero_", [HALF], 2 * N),
        ("normal_", [X, (SCALAR, []), (SCALAR, [])], 4 * N),
        ("tril", [X, (SCALAR, [])], 4 * 2 * N),
        ("roll", [X, (LIST, []), (LIST, [])], 4 * 2 * N),
    ],
)
def test_moves_calculate_nothing(name: str, inputs: list[Any], moved: int) -> None:
    assert counted(f"aten::{name}", inputs) == (0, moved)


@pytest.mark.parametrize(
    ("name", "inputs", "scalars", "flops", "moved"),
    [
        ("sum", [X, (LIST, []), (SCALAR, []), (NONE, [])], ["", "[0]", "False", ""], N, 4 * (N + 10)),
        ("sum", [X, (LIST, []), (SCALAR, []), (NONE, [])], ["", "[-1]", "True", ""], N, 4 * (N + 6)),
        ("sum", [X, (NONE, [])], ["", ""], N, 4 * (N + 1)),
        ("sum", [(BOOL, [6, 10]), (NONE, [])], ["", ""], N, N + 8),
        ("sum", [HALF, (LIST, []), (SCALAR, []), (SCALAR, [])], ["", "[0]", "False", "6"], N, 2 * N + 4 * 10),
        ("mean", [X, (LIST, []), (SCALAR, []), (NONE, [])], ["", "[0, 1]", "False", ""], N, 4 * (N + 1)),
        ("argmax", [X, (SCALAR, []), (SCALAR, [])], ["", "-1", "False"], N, 4 * N + 8 * 6),
        ("max", [X], [""], N, 4 * (N + 1)),
        ("max", [X, (SCALAR, []), (SCALAR, [])], ["", "0", "False"], N, 4 * N + (4 + 8) * 10),
        ("max", [X, X], ["", ""], N, 4 * 3 * N),
        (
            "linalg_vector_norm",
            [X, (SCALAR, []), (NONE, []), (SCALAR, []), (NONE, [])],
            ["", "2.", "", "False", ""],
            N,
            4 * (N + 1),
        ),
        ("cumsum", [X, (SCALAR, []), (NONE, [])], ["", "0", ""], N, 4 * 2 * N),
        ("topk", [X, *[(SCALAR, [])] * 4], ["", "3", "-1", "True", "True"], 0, 4 * N + (4 + 8) * 6 * 3),
        ("sort", [X, *[(SCALAR, [])] * 3], ["", "False", "-1", "False"], 0, 4 * N + (4 + 8) * N),
        ("_softmax", [HALF, (SCALAR, []), (SCALAR, [])], ["", "-1", "False"], 5 * N, 2 * 2 * N),
        ("_log_softmax", [(FP16, [6, 10]), (SCALAR, []), (SCALAR, [])], ["", "-1", "True"], 5 * N, 2 * N + 4 * N),
        ("_softmax_backward_data", [X, X, (SCALAR, []), (SCALAR, [])], ["", "", "-1", "6"], 4 * N, 4 * 3 * N),
        (
            "_log_softmax_backward_data",
            [X, X, (SCALAR, []), (SCALAR, [])],
            ["", "", "-1", "15"],
            4 * N,
            4 * 2 * N + 2 * N,
        ),
        ("nll_loss_forward", [X, (INT64, [6])], None, 6, 8 * 6 + 4 * 6),
        ("nll_loss_backward", [(FP32, []), X, (INT64, [6])], None, 6, 8 * 6 + 4 * 6),
    ],
)
def test_reductions(name: str, inputs: list[Any], scalars: list[str] | None, flops: int, moved: int) -> None:
    assert counted(f"aten::{name}", inputs, scalars) == (flops, moved)


IMAGES: tuple[str, Any] = (FP32, [2, 3, 4, 5])
C: tuple[str, Any] = (FP32, [3])


def test_batch_norm() -> None:
    inputs = [IMAGES, C, C, C, C, *[(SCALAR, [])] * 3]
    training = counted("aten::native_batch_norm", inputs, ["", "", "", "", "", "True", "0.1", "1e-05"])
    frozen = counted("aten::cudnn_batch_norm", inputs, ["", "", "", "", "", "False", "0.1", "1e-05"])
    assert training == (5 * 120, 4 * (2 * 120 + (4 + 2 + 2) * 3))  # four vectors read, two updated, two saved
    assert frozen == (2 * 120, 4 * (2 * 120 + 4 * 3))
    backward = [IMAGES, IMAGES, C, C, C, C, C, (SCALAR, []), (SCALAR, []), (LIST, [])]
    assert counted("aten::native_batch_norm_backward", backward) == (9 * 120, 4 * (3 * 120 + (5 + 2) * 3))


def test_layer_norm() -> None:
    weight: tuple[str, Any] = (FP32, [10])
    forward = [X, (LIST, []), weight, weight, (SCALAR, [])]
    assert counted("aten::native_layer_norm", forward, ["", "[10]", "", "", "1e-5"]) == (5 * N, 4 * (2 * N + 20 + 12))
    rows: tuple[str, Any] = (FP32, [6, 1])
    backward = [X, X, (LIST, []), rows, rows, weight, weight, (LIST, [])]
    everything = ["", "", "[10]", "", "", "", "", "[True, True, True]"]
    assert counted("aten::native_layer_norm_backward", backward, everything) == (9 * N, 4 * (3 * N + 12 + 10 + 20))
    only = [*everything[:-1], "[True, False, False]"]
    assert counted("aten::native_layer_norm_backward", backward, only) == (9 * N, 4 * (3 * N + 12 + 10))


def test_group_and_rms_norm() -> None:
    groups = ["", "", "", "2", "3", "20", "1", "1e-5"]
    assert counted("aten::native_group_norm", [IMAGES, C, C, *[(SCALAR, [])] * 5], groups) == (
        5 * 120,
        4 * (2 * 120 + 6 + 2 * 2),
    )
    rms = [X, (LIST, []), (FP32, [10]), (SCALAR, [])]
    assert counted("aten::_fused_rms_norm", rms, ["", "[10]", "", "1e-5"]) == (4 * N, 4 * (2 * N + 10 + 6))
    assert counted("_C::rms_norm", [HALF, HALF, (BF16, [10]), (SCALAR, [])]) == (4 * N, 2 * (2 * N + 10))
    assert counted("_C::fused_add_rms_norm", [HALF, HALF, (BF16, [10]), (SCALAR, [])]) == (5 * N, 2 * (4 * N + 10))


TABLE: tuple[str, Any] = (FP32, [1000, 10])
PICKED: tuple[str, Any] = (INT64, [6])


@pytest.mark.parametrize(
    ("name", "inputs", "scalars", "flops", "moved"),
    [
        ("index_select", [TABLE, (SCALAR, []), PICKED], ["", "0", ""], 0, 4 * 2 * N + 8 * 6),
        ("index_select", [(FP32, [2, 10]), (SCALAR, []), PICKED], ["", "0", ""], 0, 4 * (20 + N) + 8 * 6),
        ("embedding", [TABLE, (INT64, [2, 3])], None, 0, 4 * 2 * N + 8 * 6),
        ("gather", [TABLE, (SCALAR, []), (INT64, [6, 10])], ["", "0", ""], 0, 4 * 2 * N + 8 * N),
        ("scatter_", [TABLE, (SCALAR, []), (INT64, [6, 10]), X], None, 0, 8 * N + 4 * 2 * N),
        ("scatter_", [TABLE, (SCALAR, []), (INT64, [6, 10]), (SCALAR, [])], None, 0, 8 * N + 4 * N),
        ("scatter_add_", [TABLE, (SCALAR, []), (INT64, [6, 10]), X], None, N, 8 * N + 4 * 3 * N),
        ("index_add_", [TABLE, (SCALAR, []), PICKED, X, (SCALAR, [])], None, N, 8 * 6 + 4 * 3 * N),
        ("index_put_", [TABLE, (NONE, []), X, (SCALAR, [])], None, 0, 4 * 2 * N),
        (
            "embedding_dense_backward",
            [X, PICKED, *[(SCALAR, [])] * 3],
            ["", "", "1000", "-1", "False"],
            N,
            4 * N + 8 * 6 + 4 * 10000,
        ),
        (
            "upsample_nearest2d",
            [IMAGES, (LIST, []), (SCALAR, []), (SCALAR, [])],
            ["", "[8, 10]", "2.", "2."],
            480,
            4 * (120 + 480),
        ),
        ("_adaptive_avg_pool2d", [IMAGES, (LIST, [])], ["", "[1, 1]"], 120, 4 * (120 + 6)),
        ("_adaptive_avg_pool2d_backward", [(FP32, [2, 3, 1, 1]), IMAGES], None, 120, 4 * (6 + 120)),
    ],
)
def test_indexing(name: str, inputs: list[Any], scalars: list[str] | None, flops: int, moved: int) -> None:
    assert counted(f"aten::{name}", inputs, scalars) == (flops, moved)


def test_pooling() -> None:
    """3 x 3 windows in strides of 2 with padding 1: 8 x 8 becomes (8 + 2 - 3) // 2 + 1 = 4 x 4."""
    images: tuple[str, Any] = (FP32, [2, 3, 8, 8])
    scalars = ["", "[3, 3]", "[2, 2]", "[1, 1]", "[1, 1]", "False"]
    outputs = 2 * 3 * 16
    forward = counted("aten::max_pool2d_with_indices", [images, *[(LIST, [])] * 5], scalars)
    assert forward == (9 * outputs, 4 * (2 * 3 * 64) + (4 + 8) * outputs)
    gradient, places = (FP32, [2, 3, 4, 4]), (INT64, [2, 3, 4, 4])
    backward = counted("aten::max_pool2d_with_indices_backward", [gradient, images, *[(LIST, [])] * 5, places])
    assert backward == (2 * 3 * 64, 4 * outputs + 4 * 2 * 3 * 64 + 8 * outputs)


def test_lists_of_tensors_have_the_element_that_the_kernel_tells() -> None:
    inputs = [(TENSORS, [[6, 10], [4, 10]]), (SCALAR, [])]
    assert counted("aten::cat", inputs, element="16-bit") == (0, 2 * 2 * 100)
    assert counted("aten::cat", inputs) == (0, None)
    assert work("aten::cat", [(TENSORS, []), (SCALAR, [])]) is None


@pytest.mark.parametrize(
    ("name", "lists", "flops", "tensors"),
    [
        ("_foreach_mul_", 1, 1, 2),
        ("_foreach_add_", 2, 1, 3),
        ("_foreach_lerp_", 2, 2, 3),
        ("_foreach_addcdiv_", 3, 2, 4),
        ("_foreach_addcmul_", 3, 2, 3),  # the gradient squared: one list, given twice
        ("_foreach_copy_", 2, 0, 2),
        ("_foreach_norm", 1, 2, 1),
        ("_fused_adamw_", 4, 14, 7),
        ("_fused_sgd_", 3, 6, 5),
    ],
)
def test_optimizers(name: str, lists: int, flops: int, tensors: int) -> None:
    inputs = [(TENSORS, [[6, 10], [40]])] * lists + [(SCALAR, [])] * 2
    assert counted(f"aten::{name}", inputs, element="fp32") == (flops * 100, 4 * tensors * 100)


def test_a_generated_kernel_moves_each_tensor_once() -> None:
    inputs = [X, HALF, (FP32, [10]), (SCALAR, [])]
    found = work("triton_poi_fused_add_mul_3", inputs, ["", "", "", "60"])
    assert found is not None
    assert (found.flops, found.bytes, found.kind) == (None, 4 * N + 2 * N + 4 * 10, "triton")


def test_a_generated_kernel_moves_no_more_of_a_tensor_than_it_has_elements() -> None:
    """An embedding: of 1000 rows, the kernel's range of 6 x 10 elements reads six."""
    found = work(
        "triton_red_fused_embedding_0", [PICKED, TABLE, X, (SCALAR, []), (SCALAR, [])], ["", "", "", "6", "10"]
    )
    assert found is not None
    assert found.bytes == 8 * 6 + 4 * N + 4 * N


def test_a_generated_product() -> None:
    found = work("triton_tem_fused_addmm_7", [(BF16, [4, 8]), (BF16, [8, 16]), (BF16, [4, 16])])
    assert found is not None
    assert (found.flops, found.kind, found.bytes) == (2 * 4 * 8 * 16, "gemm", 2 * (32 + 128 + 64))
    assert work("triton_tem_fused_flex_attention_7", [(BF16, [4, 8]), (BF16, [8, 16]), (BF16, [4, 16])]) is None


def test_types_that_no_model_knows_give_no_bytes() -> None:
    assert counted("aten::neg", [("c10::Half", [6, 10])])[1] == 2 * 2 * N
    assert work("aten::neg", [("c10::Nibble", [6, 10])]) is None
    assert counted("aten::bitwise_and", [(INT32, [6, 10]), (BOOL, [6, 10])]) == (N, 4 * N + N + 4 * N)
