"""What kernels do and whether they use tensor cores, by names recorded, and names of libraries that were not."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.analyses.gpu.kernel_names import kernel_kind, name_parts, uses_tensor_cores

EXAMPLES = Path(__file__).with_name("kernel_names.txt")


def examples() -> list[tuple[str, str, bool]]:
    """Name, kind, tensor core of each line that is no comment."""
    lines = [line for line in EXAMPLES.read_text().splitlines() if line and not line.startswith("#")]
    parts = [line.split(maxsplit=2) for line in lines]
    return [(name, kind, tensor == "T") for kind, tensor, name in parts]


@pytest.mark.parametrize(("name", "kind", "tensor_core"), examples())
def test_kind_and_tensor_cores(name: str, kind: str, tensor_core: bool) -> None:
    assert (kernel_kind(name), uses_tensor_cores(name)) == (kind, tensor_core)


def test_a_fused_pointwise_kernel_is_elementwise_whatever_it_was_fused_from() -> None:
    assert kernel_kind("triton_poi_fused__scaled_dot_product_flash_attention_cat_transpose_view_10") == "elementwise"


def test_a_name_without_any_hint_is_other() -> None:
    for name in ("", "k", "_", "<>", "()", "void", "(anonymous namespace)::", "_Z", "_ZN", "_ZN99x"):
        assert kernel_kind(name) == "other"
        assert not uses_tensor_cores(name)


def test_the_operator_is_asked_where_the_name_says_nothing() -> None:
    assert kernel_kind("my_kernel", "aten::native_layer_norm") == "norm"
    assert kernel_kind("my_kernel", "aten::_scaled_mm") == "gemm"
    assert kernel_kind("my_kernel", "flash_attn::_flash_attn_forward") == "attention"
    assert kernel_kind("my_kernel", "CompiledFunction") == "other"
    assert kernel_kind("direct_copy_kernel", "aten::native_layer_norm") == "copy"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("gemm", "MatMul MatMulV3 BatchMatMulV2 aclnnMatmul_MatMulV2_MatMulV2 GroupedMatmul"),
        ("norm", "LayerNormV3 AddRmsNorm BNTrainingReduce BNInferenceD"),
        ("copy", "TransData TransposeD ConcatD StridedSliceD TensorMove GatherV2"),
        ("optimizer", "ApplyAdamWV2 ApplyMomentum"),
        ("elementwise", "Cast Muls Adds Axpy RealDiv Rsqrt Square DropOutDoMask MemSet GeluGrad"),
    ],
)
def test_operators_of_cann_and_mindspore(kind: str, names: str) -> None:
    """MatMul was taken for an elementwise kernel, because it ends in Mul."""
    assert {name: kernel_kind(name) for name in names.split()} == dict.fromkeys(names.split(), kind)


@pytest.mark.parametrize("library", ["fbgemm", "fbgemm_gpu"])
def test_the_name_of_a_library_promises_no_matrix_product(library: str) -> None:
    """All kernels of FBGEMM, most of which look up or permute, were taken for matrix products."""
    assert kernel_kind(f"void {library}::permute_2D_data_kernel<true>(int)", f"{library}::permute_2D") == "copy"
    assert kernel_kind(f"void {library}::_offsets_range_cuda_kernel<int>(int)", f"{library}::offsets_range") == "other"


@pytest.mark.parametrize(
    ("name", "own", "inside"),
    [
        ("nvjet_sm90_tst", "nvjet_sm90_tst", ""),
        ("void a::b<c<1>, 2>(d<e>)", "a::b", "c<1>, 2"),
        ("void (anonymous namespace)::softmax_warp_forward<float>(float*)", "softmax_warp_forward", "float"),
        ("enable_if<(((8)>(0)))&&v::t<B>::x, void>::type v::norm_kernel<B, 8>(B*)", "v::norm_kernel", None),
        ("void at::native::<unnamed>::k<(int)4>(T1)", "at::native::k", "(int)4"),
        ("_ZN2ck6device12_GLOBAL__N_111kernel_convINS_4GemmELi2EE", "ck::device::_GLOBAL__N_1::kernel_conv", "Gemm"),
        ("a<b", "a", "b"),
    ],
)
def test_parts_of_a_name(name: str, own: str, inside: str | None) -> None:
    found = name_parts(name)
    assert found[0] == own
    assert inside is None or found[1] == inside


def test_a_very_long_name_takes_no_time() -> None:
    assert kernel_kind("a<" * 200_000) == "other"
    assert kernel_kind("_ZN" + "9" * 200_000) == "other"
