"""What a kernel does and whether it uses tensor cores, told from its name.

Names seen in traces of V100, A100, H100, H200, B200, MI210 to MI300 and torch 1.8 to 2.13. A name that no rule
knows is ``other``; reports show that share.
"""

from __future__ import annotations

import re

import polars as pl

from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

_KINDS: list[tuple[str, re.Pattern[str]]] = [
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            "attention",
            r"(?i)flash_|flash::|fmha|attention|paged_|_attn|attn_|mha_|mla_|softmax_warp_forward_masked",
        ),
        (
            "optimizer",
            r"(?i)adam|sgd|lamb_|adagrad|rmsprop|multi_tensor_apply|multi_tensor_.*(?:adam|sgd|l2norm|scale)",
        ),
        ("embedding", r"(?i)embedding|indexSelect|index_select|EmbeddingBag|split_embedding"),
        (
            "conv",
            (
                r"(?i)conv2d|conv3d|convolve|implicit_convolve|_fprop|_dgrad|_wgrad|winograd|cudnn.*(?:fprop|dgrad|wgrad)"
                r"|im2col|col2im|dgrad_|wgrad_|naive_conv|miopen.*conv|depthwise|vol2col"
            ),
        ),
        (
            "norm",
            r"(?i)GammaBeta|layer_?norm|batch_?norm|group_?norm|rms_?norm|instance_?norm|bn_fw|bn_bw|bnorm|RowwiseMoments|welford",
        ),
        (
            "gemm",
            (
                r"(?i)gemm|nvjet|cublas|cutlass.*(?:tensorop|wgmma|gmma|mma)|_s\d+gemm|16816|s884|s1688|wgmma|Cijk_|splitK"
                r"|gemv|dot_kernel|bmm_|_bmm|(?:\b|_)matmul|triton_.*(?:_mm|_bmm|addmm)|hipblaslt|ck::.*(?:Gemm|gemm)|sm\d+_xmma|mm_kernel"
            ),
        ),
        (
            "reduce",
            r"(?i)reduce|softmax|logsumexp|cumsum|scan_|_scan|argmax|topk|sort|radix|nll_loss|norm_kernel|triton_(?:red|per)_",
        ),
        (
            "copy",
            r"(?i)copy|memcpy|transpose|CatArray|nchwToNhwc|nhwcToNchw|layout|permute|gather|scatter|index_|roll_|triu|tril|fill",
        ),
        (
            "elementwise",
            r"(?i)elementwise|pointwise|triton_poi_|functor|dropout|activation|gelu|silu|relu|where|arange|random|distribution|bernoulli",
        ),
    )
]
_FILL = re.compile(r"FillFunctor")
_FUSED_POINTWISE = re.compile(r"^triton_poi_")

_TENSOR_CORE = re.compile(
    r"nvjet_|h?884|s1688|i1688|hmma|imma|dmma|16816|16832|s8816|s161616|tensorop|xmma_gemm|wgmma|gmma|utcmma|tcgen05"
    r"|xmma_(?:fprop|dgrad|wgrad)|fmha|flash_|flash::|sm(?:80|86|89|90|100|120)_xmma|bmm_[A-Z]\w*\d|MmaTensorOp|Cijk_.*_MI\d"
    r"|cutlass3x|TensorOp|mma_sync|warpgroup",
)
_NO_TENSOR_CORE = re.compile(
    r"(?i)^triton_(?:poi|red|per)_|reshape_and_cache|fmha_reduce|simt|sgemm_\d|ffma|_sgemm|dgemm|gemv|flash_fwd_splitkv_combine|convert_dq|dot_do_o|flash_bwd_.*preprocess"
)


def kernel_kind(name: str) -> str:
    """Kind of a kernel that does not communicate: gemm, attention, conv, norm, elementwise, reduce, copy, optimizer,
    embedding or other.

    >>> kernel_kind("nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_NNT")
    'gemm'
    >>> kernel_kind("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>")
    'elementwise'
    """
    if _FILL.search(name) or _FUSED_POINTWISE.search(name):
        return "elementwise"
    for kind, pattern in _KINDS:
        if pattern.search(name):
            return kind
    return "other"


def uses_tensor_cores(name: str) -> bool:
    """Whether a kernel's name is that of a matrix unit's kernel (NVIDIA tensor cores, AMD matrix cores).

    >>> uses_tensor_cores("void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm_bf16_128x64_nn_align8>")
    True
    >>> uses_tensor_cores("ampere_sgemm_128x64_nn")
    False
    """
    return bool(_TENSOR_CORE.search(name)) and not _NO_TENSOR_CORE.search(name)


def name_traits(rank: Rank) -> pl.DataFrame:
    """Every kernel name of a rank, selected or not: columns name (code), kind, tensor_core."""
    return rank.remember("kernel name traits", lambda: _name_traits(rank))


def _name_traits(rank: Rank) -> pl.DataFrame:
    activity = rank.trace.frame("activity", ["activity", "name"])
    codes = activity.filter(pl.col("activity") == KERNEL)["name"].drop_nulls().unique()
    names = rank.trace.text(codes).to_list()
    return pl.DataFrame(
        {
            "name": codes,
            "kind": pl.Series([kernel_kind(name) for name in names], dtype=pl.String),
            "tensor_core": pl.Series([uses_tensor_cores(name) for name in names], dtype=pl.Boolean),
        }
    )
