"""What kernels do and whether they use tensor cores, by names that were recorded."""

from __future__ import annotations

import pytest

from stepscope.analyses.kernel_names import kernel_kind, uses_tensor_cores

NAMES = [
    # H100, H200
    ("nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NNT", "gemm", True),
    ("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize256x128x8_stage3_warpsize4x2x1_ffma_aligna4", "gemm", False),
    ("sm90_xmma_gemm_f32f32_tf32f32_f32_nt_n_tilesize128x256x32_warpgroupsize2x1x1_execute_segment", "gemm", True),
    ("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x256_8x4_nt_align1>(Params)", "gemm", False),
    ("void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8>", "gemm", True),
    ("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64_4x1x1", "attention", True),
    ("void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128>>", "attention", True),
    ("fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<float>)", "attention", True),
    ("sm90_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x32", "conv", True),
    # V100, A100
    ("volta_sgemm_128x32_nt", "gemm", False),
    ("volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", "gemm", True),
    ("ampere_sgemm_32x32_sliced1x4_tn", "gemm", False),
    ("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_tn", "gemm", True),
    ("void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, false>", "gemm", False),
    ("void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 512, true, 1>", "norm", False),
    # B200
    ("bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_m128x16x32_cga1x1x1_sm100f", "gemm", True),
    ("fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128PersistentContext", "attention", True),
    # AMD
    ("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT320x224x64_MI16x16x1_SN_LDSB0", "gemm", True),
    ("batched_transpose_32x32_half", "copy", False),
    # PyTorch
    ("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>", "elementwise", False),
    ("void at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda>", "copy", False),
    ("void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 2>", "copy", False),
    ("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::sum_functor>>", "reduce", False),
    ("void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false>", "reduce", False),
    ("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>", "norm", False),
    ("void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<float, float>", "norm", False),
    ("void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>>", "optimizer", False),
    ("void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long>", "embedding", False),
    ("void bounds_check_indices_kernel<long>(at::GenericPackedTensorAccessor<long>)", "other", False),
]


@pytest.mark.parametrize(("name", "kind", "tensor_core"), NAMES)
def test_kind_and_tensor_cores_of_recorded_names(name: str, kind: str, tensor_core: bool) -> None:
    assert (kernel_kind(name), uses_tensor_cores(name)) == (kind, tensor_core)


@pytest.mark.parametrize(
    "name",
    [
        "triton_poi_fused__scaled_dot_product_flash_attention_cat_transpose_view_10",
        "triton_red_fused_native_layer_norm_native_layer_norm_backward_12",
        "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, unsigned char>(__nv_bfloat16 const*)",
        "void cudnn::fusion::fmha_reduce_head<true>(void const*, void*, unsigned int)",
    ],
)
def test_a_name_that_only_mentions_attention_promises_no_tensor_cores(name: str) -> None:
    """Inductor names a fused kernel after the operators around it; cache writes and reductions multiply nothing."""
    assert not uses_tensor_cores(name)


@pytest.mark.parametrize("name", ["_matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1_swiglu", "matmul_kernel_persistent"])
def test_matrix_products_written_in_triton_are_matrix_products(name: str) -> None:
    """83 ms of the recording of vLLM with graphs."""
    assert kernel_kind(name) == "gemm"


def test_a_fused_pointwise_kernel_is_elementwise_whatever_it_was_fused_from() -> None:
    assert kernel_kind("triton_poi_fused__scaled_dot_product_flash_attention_cat_transpose_view_10") == "elementwise"


def test_a_name_without_any_hint_is_other() -> None:
    assert kernel_kind("") == "other"
    assert kernel_kind("k") == "other"
    assert not uses_tensor_cores("")
