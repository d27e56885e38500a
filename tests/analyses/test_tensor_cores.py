"""Which operators could run on tensor cores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building import Event, kernel, launched, opened, operator, rows, timed, write
from stepscope.analyses.gpu.kernel_names import name_traits
from stepscope.analyses.gpu.tensor_cores import call_is_eligible, eligible_calls
from stepscope.api import OpenProfile

HALF = "c10::Half"
V100, T4, A100, L4, H100 = 700, 705, 800, 809, 900


def call_of(name: str, dims: Any = None, types: Any = None, at: int = 0, **more: Any) -> Event:
    args = {key: value for key, value in (("Input Dims", dims), ("Input type", types)) if value is not None}
    return operator(name, at, at + 10, **args, **more)


def judged(folder: Path, *events: Event, **head: Any) -> dict[str, bool | None]:
    """Whether each operator is eligible, by name."""
    [rank] = opened(folder, *events, **head).profile.ranks
    names = rank.trace.text(rank.trace.frame("operator", ["name"])["name"])
    return dict(zip(names, eligible_calls(rank), strict=True))


ELIGIBLE = [
    "aten::mm",
    "aten::addmm",
    "aten::bmm",
    "aten::baddbmm",
    "aten::matmul",
    "aten::linear",
    "aten::_scaled_mm",
    "aten::_grouped_mm",
    "aten::_int_mm",
    "aten::_weight_int4pack_mm",
    "aten::conv1d",
    "aten::conv2d",
    "aten::conv_transpose2d",
    "aten::_convolution",
    "aten::cudnn_convolution",
    "aten::cudnn_convolution_relu",
    "aten::miopen_convolution",
    "aten::convolution_backward",
    "aten::scaled_dot_product_attention",
    "aten::_scaled_dot_product_flash_attention_backward",
    "aten::_flash_attention_forward",
    "aten::_cudnn_attention_backward",
    "aten::lstm",
    "aten::gru",
    "aten::_cudnn_rnn_backward",
    "flash_attn::_flash_attn_forward",
    "vllm::unified_attention_with_output",
    "AddmmBackward0",
    "autograd::engine::evaluate_function: ConvolutionBackward0",
    "triton_tem_fused_mm_3",
]
NEVER = [
    "aten::add",
    "aten::mv",
    "aten::dot",
    "aten::addr",
    "aten::layer_norm",
    "aten::_softmax",
    "aten::embedding_bag",
    "aten::max_pool2d",
    "aten::_fused_sdp_choice",
    "aten::_thnn_fused_lstm_cell",
    "aten::_convert_indices_from_csr_to_coo",
    "aten::something_new",
    "NativeLayerNormBackward0",
    "record_param_comms",
    "c10d::allreduce_",
    "fb::convex_sum",
    "triton_poi_fused_addmm_gelu_3",
    "triton_red_fused_mm_sum_1",
]
UNKNOWN = ["mylib::my_op", "CompiledFunction", "Torch-Compiled Region: 0/0", "torch::autograd::AccumulateGrad", ""]


def test_kinds_by_name(tmp_path: Path) -> None:
    """Nothing but the name was recorded."""
    names = [*ELIGIBLE, *NEVER, *UNKNOWN]
    found = judged(tmp_path, *(call_of(name, at=20 * i) for i, name in enumerate(names)))
    assert [name for name in names if found[name] is True] == ELIGIBLE
    assert [name for name in names if found[name] is None] == [*UNKNOWN[:-1], ""]


@pytest.mark.parametrize(
    ("kind", "capability", "eligible"),
    [
        (HALF, V100, True),
        ("float", V100, True),
        ("c10::BFloat16", T4, False),
        ("c10::BFloat16", A100, True),
        ("float", A100, True),
        ("double", A100, True),
        ("double", L4, False),
        ("c10::Float8_e4m3fn", A100, False),
        ("c10::Float8_e4m3fn", L4, True),
        ("c10::Float4_e2m1fn_x2", H100, False),
        ("signed char", V100, False),
        ("signed char", T4, True),
        ("long int", H100, False),
        ("bool", H100, False),
        (HALF, 601, False),
        ("double", None, True),
        ("int", None, False),
    ],
)
def test_types_of_matrices(kind: str, capability: int | None, eligible: bool) -> None:
    types = f'["{kind}", "{kind}"]'
    assert call_is_eligible("aten::mm", "[[64, 64], [64, 64]]", types, capability) is eligible
    assert call_is_eligible("aten::mm", None, types, capability) is eligible


@pytest.mark.parametrize(
    ("name", "dims", "eligible"),
    [
        ("aten::mm", [[64, 32], [32, 16]], True),
        ("aten::mm", [[1, 32], [32, 16]], False),
        ("aten::mm", [[64, 32], [32, 1]], False),
        ("aten::mm", [[64, 1], [1, 16]], False),
        ("aten::addmm", [[1], [64, 32], [32, 16], [], []], True),
        ("aten::addmm", [[16], [1, 32], [32, 16], [], []], False),
        ("aten::bmm", [[1, 64, 32], [1, 32, 16]], True),
        ("aten::bmm", [[8, 1, 32], [8, 32, 16]], False),
        ("aten::baddbmm", [[8, 64, 16], [8, 64, 32], [8, 32, 16], [], []], True),
        ("aten::linear", [[8, 1, 32], [16, 32], [16]], True),
        ("aten::linear", [[1, 1, 32], [16, 32], [16]], False),
        ("aten::linear", [[8, 4, 32], [1, 32], [1]], False),
        ("aten::matmul", [[8, 4, 32], [32, 16]], True),
        ("aten::matmul", [[8, 4, 32], [32]], False),
        ("aten::matmul", [[8, 1, 32], [8, 32, 16]], False),
        ("aten::conv2d", [[8, 3, 32, 32], [64, 3, 3, 3], [64]], True),
        ("aten::conv2d", [[8, 64, 32, 32], [64, 1, 3, 3], [64]], False),
        ("aten::conv2d", [[8, 1, 32, 32], [64, 1, 3, 3], [64]], True),
        ("aten::convolution_backward", [[8, 64, 32, 32], [8, 64, 32, 32], [64, 1, 3, 3], []], False),
        ("aten::convolution_backward", [[8, 64, 32, 32], [8, 32, 32, 32], [64, 32, 3, 3], []], True),
        ("aten::scaled_dot_product_attention", [[2, 8, 1, 64], [2, 8, 99, 64], [2, 8, 99, 64]], True),
        ("aten::mm", [], True),
        ("aten::mm", [[], []], True),
        ("aten::mm", "text", True),
        ("aten::mm", [[64, "x"], [32, 16]], True),
        ("aten::mm", [[64, 32]], True),
    ],
)
def test_shapes(name: str, dims: Any, eligible: bool) -> None:
    import json

    assert call_is_eligible(name, json.dumps(dims), None, H100) is eligible


def test_damaged_arguments_speak_against_nothing() -> None:
    assert call_is_eligible("aten::mm", "[[1, ", '["long', H100)


def test_a_bias_or_an_index_of_another_type_does_not_count() -> None:
    """The mask of whole numbers is no matrix that is multiplied."""
    dims, types = "[[8, 64, 64], [8, 64, 64], [], []]", '["c10::Half", "c10::Half", "long int", "Scalar"]'
    assert call_is_eligible("aten::bmm", dims, types, A100)


def device(major: int, minor: int, warp: int = 32) -> dict[str, Any]:
    return {"id": 0, "computeMajor": major, "computeMinor": minor, "warpSize": warp}


@pytest.mark.parametrize(
    ("properties", "eligible"),
    [
        ([device(6, 0)], False),
        ([device(7, 0)], True),
        ([device(9, 0, warp=64)], True),
        ([], True),
        ([{"id": 0, "computeMajor": "nine", "warpSize": 32}], True),
    ],
)
def test_gpus_without_tensor_cores(tmp_path: Path, properties: Any, eligible: bool) -> None:
    found = judged(
        tmp_path,
        call_of("aten::mm", [[64, 64], [64, 64]], [HALF, HALF]),
        kernel("k", 0, 10),
        deviceProperties=properties,
    )
    assert found == {"aten::mm": eligible}


def products(folder: Path) -> OpenProfile:
    """Two products of one name, one with a vector; a library's operator that runs on tensor cores; an addition."""
    return opened(
        folder,
        call_of("aten::mm", [[64, 64], [64, 64]], [HALF, HALF]),
        call_of("aten::mm", [[1, 64], [64, 64]], [HALF, HALF], at=20),
        call_of("mylib::op", at=40),
        call_of("mylib::other", at=60),
        call_of("aten::add", at=80),
        call_of("aten::linear", at=100),
        launched(kernel("ampere_sgemm_32x32_nn", 200, 260, 1), at=5),
        launched(kernel("gemv2T_kernel_val", 260, 270, 2), at=25),
        launched(kernel("nvjet_sm90", 270, 280, 3), at=45),
        launched(kernel("elementwise_kernel", 280, 290, 4), at=65),
        launched(kernel("elementwise_kernel", 290, 300, 5), at=85),
    )


def test_operators_say_what_is_eligible_and_what_is_used(tmp_path: Path) -> None:
    """A name is eligible if one call is; what did run on tensor cores could; what ran nothing is not asked."""
    columns = ("name", "tensor_core_eligible", "tensor_core_pct", "tensor_core_self_pct")
    assert rows(products(tmp_path).show("operators"), *columns) == [
        ("aten::mm", True, 0.0, 0.0),
        ("aten::add", False, 0.0, 0.0),
        ("mylib::op", True, 100.0, 100.0),
        ("mylib::other", None, 0.0, 0.0),
        ("aten::linear", None, None, None),
    ]


def test_what_calls_an_eligible_operator_is_eligible(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("CompiledFunction", 0, 100),
        call_of("aten::mm", [[64, 64], [64, 64]], [HALF, HALF], at=20),
        launched(kernel("ampere_sgemm_32x32_nn", 200, 260, 1), at=25),
        operator("CompiledFunctionBackward", 100, 200),
        launched(kernel("elementwise_kernel", 300, 310, 2), at=110),
    )
    assert dict(rows(profile.show("operators"), "name", "tensor_core_eligible")) == {
        "aten::mm": True,
        "CompiledFunction": True,
        "CompiledFunctionBackward": None,
    }


def test_operators_by_shape_tell_the_calls_apart(tmp_path: Path) -> None:
    table = products(tmp_path).show("operators", by="shape").filter(pl.col("name") == "aten::mm")
    assert rows(table, "shape", "tensor_core_eligible") == [
        ("[[64, 64], [64, 64]]", True),
        ("[[1, 64], [64, 64]]", False),
    ]


def test_several_ranks(tmp_path: Path) -> None:
    first = call_of("aten::mm", [[1, 64], [64, 64]], [HALF, HALF])
    second = call_of("aten::mm", [[64, 64], [64, 64]], [HALF, HALF])
    for number, call in enumerate((first, second)):
        write(tmp_path / f"rank{number}.json", call, launched(kernel("k", 100, 110, 1), at=5))
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("operators"), "name", "tensor_core_eligible") == [("aten::mm", True)]
    assert rows(profile.show("operators", rank=0), "name", "tensor_core_eligible") == [("aten::mm", False)]


@pytest.mark.real_trace
@pytest.mark.parametrize(
    "name",
    [
        "h200/pairs/fp32_no_tensor_core.slow.pt.trace.json.gz",
        "h200/pairs/naive_attention.slow.pt.trace.json.gz",
        "h200/train/cnn.step12.pt.trace.json.gz",
        "public/hta/a100-2rank-nccl_metadata-rank0.json.gz",
        "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
    ],
)
def test_what_runs_on_tensor_cores_was_said_to_be_able_to(shared_data: Path, name: str) -> None:
    """Every kernel of a tensor-core name was launched by a call that is eligible."""
    [rank] = stepscope.open(str(shared_data / name)).profile.ranks
    tensor = name_traits(rank).filter("tensor_core")["name"]
    used = rank.activity.filter(pl.col("name").is_in(tensor.implode()) & pl.col("operator").is_not_null())
    assert len(used)
    assert eligible_calls(rank).gather(used["operator"]).fill_null(True).all()


@pytest.mark.real_trace
@pytest.mark.parametrize(
    ("trace", "reference"),
    [
        ("hta/a100-2rank-nccl_metadata-rank0", "a100-2rank-nccl_metadata-rank0.patched"),
        ("tracelens/b200__eager_trace", "b200-eager.patched"),
        ("tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005", "h100-qwen.patched"),
        ("hta/mi250-rocm6.2-minitoy", "mi250"),
    ],
)
def test_what_the_tensorboard_plugin_finds_is_found(shared_data: Path, trace: str, reference: str) -> None:
    """Its list of operators and its 18 substrings of kernel names are too short, but right."""
    import json

    path = shared_data / "reference" / "tb-reference" / f"{reference}.json"
    wanted = next(iter(json.loads(path.read_text())["results"].values()))
    profile = stepscope.open(str(shared_data / "public" / f"{trace}.json.gz"))
    tensor = dict(rows(profile.show("kernels"), "name", "tensor_core"))
    assert all(tensor[name] for name, used, *_ in wanted["kernels"] if used == "Yes")
    eligible = dict(rows(profile.show("operators"), "name", "tensor_core_eligible"))
    named = {row["name"] for row in wanted["operators"] if row["tc_eligible"] == "Yes"}
    assert named
    # One recording multiplies by vectors only, [[1, 32, 1], [1, 1, 559]]; null where nothing ran on the GPU.
    assert {name for name in named if eligible[name] is False} <= {"aten::bmm", "aten::matmul"}


@pytest.mark.parametrize(("category", "known"), [("mtia_runtime", None), ("cuda_runtime", True)])
def test_the_rules_are_those_of_nvidia_and_amd(tmp_path: Path, category: str, known: bool | None) -> None:
    """Another maker's accelerator was advised to use TF32."""
    run = timed(category, "runFunction", 20, 30, process=1, thread=1, correlation=1)
    assert judged(tmp_path, call_of("aten::mm"), run) == {"aten::mm": known}
