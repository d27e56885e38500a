"""Which names are those of kernels that multiply on tensor cores, or on AMD's matrix cores.

Libraries name their kernels after the instruction (``s16816``, ``hmma``, ``wgmma``, ``tcgen05``, ``xdl``, ``MI16x16``),
or use nothing else (``nvjet``, FlashAttention, Marlin). Kernels written in Triton name neither; their products are
taken as tensor-core products, as Triton makes them of every ``tl.dot`` in half precision or TF32.
"""

from __future__ import annotations

from stepscope.analyses.gpu.kernel_rules import any_of

_INSTRUCTIONS = r"""
    (?:^|[_a-z])[hsidq](?:884|1688|16816|16832|16864|8816|8832|161616|32816)(?=[a-z_]) tensor\d+x\d+x\d+
    sm\d+_\d+x\d+x\d+ [hidqo]mma (?<![a-z])mma_ umma(?!r) (?<![a-z])wg?mma gmma utcmma tcgen05 warpgroup
    (?<!sub)tensor_?op(?!_?with) cutlass3x \d_xmma _xmma_ xmma_(?:gemm|fprop|dgrad|wgrad)
"""
"""Instructions and their shapes, as in h884, s1688, i16832, tensor16x8x8, SM80_16x8x16."""

_AMD = r"""
    mfma xdl cijk_.*_mi\d+x igemm_\w+_gtcx _?fmoe_ (?:bf16|f8|fp8|i8)gemm_ flatmm ck_tile.*gemm
"""
"""Matrix instructions and libraries of AMD."""

_LIBRARIES = r"""
    nvjet fmha flash_(?:fwd|bwd) flash:: flash_?attn flash_?mla batch_?prefill single_?prefill marlin machete
    deep_?gemm fp8_gemm gemm_forward_4bit tinygemm ^(?:bmm|gemm)_(?:bfloat16|fp16|e4m3|e5m2|e2m1|mxe)
"""
"""Libraries that do nothing else."""

_TRITON = r"""
    ^triton_(?:tem|mm|bmm|addmm)(?:_|$) matmul_ogs fused_moe_kernel (?:^|_)matmul_kernel grouped_gemm _w8a8_
    scaled_mm_kernel lora_(?:shrink|expand)_kernel unified_attention (?:^|_)attn_(?:fwd|bwd)
    _fwd_grouped_kernel_stage1 flex_attention (?:^|_)chunk_(?:gla|gated|delta|kda|fwd|bwd|scan|state)
"""
"""Products written in Triton."""

_OTHERS = r"""
    simt ffma repack (?:^|[^a-z])[sdcz]gemm _gcgemm convolve_sgemm gemv ^triton_(?:poi|red|per|for)_ _reduce_k$
    _and_cache fmha_reduce combine preprocess dot_do_o convert_dq merge_(?:attn_)?state metadata split_?k_?reduce
    fmha_cutlass[fb]_f32_\w*_sm(?:50|60|70|75) _sm(?:50|60)\b
"""
"""What multiplies without them; what surrounds attention: writing caches, summing parts, converting gradients; and
attention in single precision before Ampere."""

_YES = any_of(_INSTRUCTIONS + _AMD + _LIBRARIES + _TRITON)
_NO = any_of(_OTHERS)


def tensor_core_name(own: str, inside: str) -> bool:
    """Whether a name, as `kernel_names.name_parts` parts it, is that of a tensor-core kernel."""
    text = f"{own}<{inside}".rstrip("<").lower()
    return bool(_YES.search(text)) and not _NO.search(text)
