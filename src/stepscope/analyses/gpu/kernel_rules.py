"""What words in a kernel's name say about what it does. `kernel_names` reads names with them.

A rule is tried on the words of a name as `kernel_names.words` writes them: lower case, parted and framed by ``_``, so
that ``GammaBetaBackwardCUDAKernel`` and ``gamma_beta_backward_cuda_kernel`` read alike. The first rule that matches
decides; so what is particular stands before what is general.

Words were collected from recordings of V100 to B200 and MI210 to MI300 with torch 1.8 to 2.13, and from the sources of
PyTorch, CUTLASS, CUB and Thrust, FlashAttention, FlashMLA, xFormers, FlashInfer, vLLM, SGLang, TensorRT-LLM, DeepGEMM,
Marlin, AWQ, GPTQ, bitsandbytes, apex, TransformerEngine, FBGEMM, Triton kernels, Composable Kernel, aiter and rocPRIM,
the names of cuBLAS, cuDNN, MIOpen, rocBLAS and hipBLASLt, and operators of CANN and MindSpore.
"""

from __future__ import annotations

import re

Rules = list[tuple[str, re.Pattern[str]]]


def any_of(patterns: str) -> re.Pattern[str]:
    """One pattern that matches where any of some does; they are parted by blanks."""
    return re.compile("|".join(patterns.split()))


def _rules(*pairs: tuple[str, str]) -> Rules:
    return [(kind, any_of(patterns)) for kind, patterns in pairs]


NAME_RULES = _rules(
    # Writing keys and values into a cache attends to nothing, whatever the cache belongs to.
    (
        "copy",
        r"""
        _and_cache _append_paged _(?:copy|swap)_blocks _(?:set|store|write)_(?:kv|cache) _gather_\w*cache
        _kv_?cache_(?:copy|store|write|append|set|update) _repack _split_with_sizes
        """,
    ),
    (
        "attention",
        r"""
        _flash_(?!infer) flash_?(?:attn|attention|mla|decod) fmha _attn attn_ attention _mha_ _mmha _mla_ _sdpa
        _xqa _masked_multihead _fwd_(?:grouped_)?kernel_stage\d _(?:batch|single)_(?:prefill|decode)_
        _merge_(?:attn_)?states?_ _variable_length_merge _dot_do_o _convert_dq_
        _pa_(?:decode|prefill|fwd|bf16|fp16|fp8)
        _(?:chunk|fused_recurrent|fused_chunk|parallel)_(?:simple_)?(?:gla|kda|gated|delta|rwkv|retention|linear)
        delta_rule _linear_attn _lightning_att _selective_(?:scan|state) _chunk_(?:scan|state) _state_passing
        """,
    ),
    (
        "norm",
        r"""
        layer_?norm _ln_(?:fwd|bwd|forward|backward|parallel) batch_?norm _bnorm
        _bn_(?:fw|bw|forward|backward|training|infer)
        group_?norm instance_?norm rms_?norm gamma_beta rowwise_moments welford weight_norm _normalization_
        add_?norm _qk_?norm (?<!_lp)(?<!_p)_norm_(?:kernel|fwd|bwd|forward|backward|rope|quant) _l2_?norm
        _compute_(?:\w+_)?fused_params _compute_internal_gradients _cu_compute_(?:part_)?grad
        """,
    ),
    ("elementwise", r"rotary _m?rope_ _ro_pe_"),
    (
        "embedding",
        r"""
        embedding _index_select _compute_grad_weight _krn_partial _num_of_partial_segments _sum_and_scatter
        _linearize_index
        """,
    ),
    # Routing tokens to experts: counting and sorting, not the experts' products.
    (
        "reduce",
        r"""
        _routing _gating _align_block_size _count_and_sort _moe_sum _finalize
        _expert_(?:offsets|counts|tokens|prefix) _lp_?norm _grouped_top_?k _bitmatrix
        """,
    ),
    (
        "optimizer",
        r"adam(?:w|ax)?_ _sgd_ _lamb_ adagrad rms_?prop _lion_ adafactor _muon_ _apply_momentum _k?_?optimizer",
    ),
    (
        "conv",
        r"""
        conv(?!er) im2_?col im2d2_?col col2_?im vol2_?col col2_?vol fprop dgrad wgrad winograd _cask_\w*cudnn
        [a-z0-9]cudnn_ _igemm_(?:fwd|bwd|wrw) _compute_offsets_kernel _bwd_weight_ _gcn_asm _sp3_asm
        """,
    ),
    (
        "gemm",
        r"""
        gemm gemv nvjet _cublas _cijk_ mat_?mul _(?:scaled_|int_|grouped_|fp8_|int8_|i8_)?mm_ _bmm_ addmm addbmm
        split_?k_?reduce _xmma_ [a-z]mma_ marlin machete wv_?split_?k _llmm\d _fmoe_ fused_moe
        _moe_(?:wna16|kernel) [bs]gmv lora_(?:shrink|expand) _mul_mat_ _mmq_ _trsm _trmm _syrk _dot_kernel spmm
        csrmm _block_persist
        """,
    ),
    (
        "reduce",
        r"""
        reduc soft_?max log_?sum_?exp cum_?sum cum_?prod _scan arg_?max arg_?min top_?[kp](?:_|s|$) _sort sort_
        radix _loss cross_entropy unique histogram _bin_?count nonzero sampling _sum_ _mean_ _pool(?:ing)?_
        (?:max|avg|average)_?pool segment partition search_?sorted nvfuser_\w*persistent _compact_ _run_length
        _rle_ renorm _device_select _select_if _kth_value _median _mode_kernel _count_
        """,
    ),
    (
        "copy",
        r"""
        copy memcpy transpose _cat_ concat chunk_cat nchw nhwc layout permut gather scatter _index_ _roll_ _flip
        triu tril _pad(?:ding)?(?:\dd)?_ _split_ _un?pack _pack_ _interleave _repeat _expand_ _shuffle _slice
        _reorder to_dense recat _take_ masked_select jagged_to _trans_data _tensor_move _strided_slice
        """,
    ),
    (
        "elementwise",
        r"""
        elementwise element_wise elem_wise pointwise _eltwise functor drop_?out activation _act_ gelu silu relu
        swiglu swish _glu_ sigmoid tanh _where_ arange random distribution bernoulli philox randperm quant
        _cast_ _scale_ _fill mem_?set _zero _bias_ upsample
        _(?:add|sub|mul|div|neg|exp|r?sqrt|pow|clamp|adds|muls|axpy|square|maximum|minimum|less|greater|equal)_
        interpolat grid_sampl lerp _op_(?:generic_)?tensor _tensor_op _temperature _penalt _transform_
        _parallel_for _for_each _device_for_ _lstm_ _gru_ _lambda_
        """,
    ),
)
"""Tried on a function's own name, then on what stands in its template brackets."""

SHELLS = _rules(
    ("optimizer", r"_multi_tensor_"),
    ("copy", r"_index_elementwise_ _scatter_gather_elementwise_"),
    ("elementwise", r"elementwise_ _kernel_pointwise_apply"),
    ("reduce", r"_at_native_reduce_kernel_"),
)
"""PyTorch's kernels that run a function given in their brackets, and what they do unless that says otherwise."""

SHELL_CONTENTS = {
    "optimizer": _rules(
        ("copy", r"_copy_"),
        ("reduce", r"_lp_norm_ _max_norm_ _l2_norm_ _max_functor_"),
    ),
    "elementwise": _rules(
        ("copy", r"_copy_kernel _copy_functor _flip_ _roll_ _tri[ul]_ _index_(?:kernel|put|copy)"),
        ("norm", r"_batch_norm_"),
    ),
}

INDUCTOR = re.compile(r"^triton_(poi|red|per|tem|for|split_scan|mm|bmm|addmm|convolution)_(?:fused_)?(.*?)_?\d*$")
"""Names that TorchInductor gives: how it computes, then the operators that were fused."""

INDUCTOR_MOVES = re.compile(
    r"^_?(?:(?:_to_copy|clone|copy|cat|_?unsafe_view|view|transpose|permute|slice|split|split_with_sizes|select|expand"
    r"|unsqueeze|squeeze|stack|as_strided|reshape|constant_pad_nd|index|gather|t|unbind|flip|roll|repeat|detach|alias"
    r"|lift_fresh_copy|convert_element_type)(?:_|$))+$"
)
INDUCTOR_NORM = re.compile(r"(?:layer|group|batch|instance|rms)_norm|(?:mean|var).*rsqrt|rsqrt.*(?:mean|var)")
INDUCTOR_PRODUCT = re.compile(r"(?:^|_)(?:add|badd)?b?mm(?:_|$)|scaled_mm|grouped_mm|int_mm")

OPERATOR_RULES = _rules(
    ("attention", r"attention attn _mha_"),
    ("norm", r"_(?:layer|batch|group|instance|rms)_?norm _native_\w*norm"),
    ("conv", r"_conv(?:\dd|olution|_)"),
    ("gemm", r"_(?:mm|bmm|addmm|baddbmm|matmul|linear|scaled_mm|grouped_mm|int_mm|dot|mv|addmv|einsum)_ gemm"),
    ("embedding", r"embedding"),
    ("elementwise", r"quant"),
    ("optimizer", r"_fused_(?:adam|adamw|sgd|adagrad)_ optimizer"),
    (
        "reduce",
        r"""
        softmax
        _(?:sum|mean|max|min|amax|amin|prod|norm|std|var|sort|topk|argmax|argmin|cumsum|cumprod|unique\w*|nonzero|bincount|histc|any|all|logsumexp|multinomial|median|kthvalue)_
        _loss pool
        """,
    ),
    (
        "copy",
        r"""
        _(?:copy|clone|contiguous|to|to_copy|cat|stack|index|index_put\w*|index_copy|gather|scatter\w*|masked_select|roll|flip|tril|triu|constant_pad_nd|permute\w*|repeat\w*|pad)_
        """,
    ),
    ("elementwise", r"_(?:add|sub|mul|div|neg|exp|log|pow|sqrt|rsqrt|where|fill|zero|gelu|silu|relu|dropout|random)_"),
)
"""What the operator that launched a kernel says where its name says nothing: tried on the operator's words."""
