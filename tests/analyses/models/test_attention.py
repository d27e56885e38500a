"""Attention: two products forward, five backward; one of B·H heads over L queries and S keys takes 2·B·H·L·S·E."""

from __future__ import annotations

from typing import Any

import pytest

from recorded_calls import BF16, FP32, INT32, LIST, NONE, SCALAR, work

B, H, L, S, E = 2, 3, 10, 20, 8
PRODUCT = 2 * B * H * L * S * E

HEADS_FIRST = ([B, H, L, E], [B, H, S, E])
LENGTH_FIRST = ([B, L, H, E], [B, S, H, E])
_FORWARD = 2 * (B * H * L * E + 2 * B * H * S * E + B * H * L * E)
"""Bytes of query, key, value and result in bf16."""
_BACKWARD = _FORWARD + 2 * (B * H * L * E) + 2 * (B * H * L * E + 2 * B * H * S * E)
"""And of the result's gradient, read, and the three gradients, written."""


def attention(
    name: str, query: list[int], key: list[int], behind: int = 0, scalars: dict[int, str] | None = None
) -> tuple[int | None, int | None]:
    """FLOPs and bytes; ``behind`` inputs stand before the query."""
    inputs: list[tuple[str, Any]] = [(BF16, query)] * behind + [(BF16, query), (BF16, key), (BF16, key)]
    inputs += [(SCALAR, [])] * 20
    texts = ["" for _ in inputs]
    for place, text in (scalars or {}).items():
        texts[place] = text
    found = work(name, inputs, texts)
    assert found is not None, name
    assert (found.kind, found.dtype) == ("attention", "bf16")
    return found.flops, found.bytes


_SDPA = "aten::_scaled_dot_product"
FORWARDS = [
    (f"{_SDPA}_flash_attention", HEADS_FIRST, 4),
    (f"{_SDPA}_flash_attention_for_cpu", HEADS_FIRST, 4),
    (f"{_SDPA}_efficient_attention", HEADS_FIRST, 6),
    (f"{_SDPA}_cudnn_attention", HEADS_FIRST, 6),
    (f"{_SDPA}_fused_attention_overrideable", HEADS_FIRST, 5),
    ("aten::scaled_dot_product_attention", HEADS_FIRST, 5),
    ("aten::_cudnn_attention_forward", HEADS_FIRST, 10),
    ("aten::_flash_attention_forward", LENGTH_FIRST, 8),
    ("flash_attn::_flash_attn_forward", LENGTH_FIRST, 5),
    ("FlashAttnFunc", LENGTH_FIRST, 5),
]
BACKWARDS = [
    (f"{_SDPA}_flash_attention_backward", HEADS_FIRST, 11),
    (f"{_SDPA}_flash_attention_for_cpu_backward", HEADS_FIRST, 7),
    (f"{_SDPA}_efficient_attention_backward", HEADS_FIRST, 11),
    (f"{_SDPA}_cudnn_attention_backward", HEADS_FIRST, 14),
    ("aten::_cudnn_attention_backward", HEADS_FIRST, 14),
    ("aten::_flash_attention_backward", LENGTH_FIRST, 11),
    ("flash_attn::_flash_attn_backward", LENGTH_FIRST, 11),
]


@pytest.mark.parametrize(("name", "shapes", "causal"), FORWARDS)
def test_forward(name: str, shapes: Any, causal: int) -> None:
    assert attention(name, *shapes, scalars={causal: "False"}) == (2 * PRODUCT, _FORWARD)


@pytest.mark.parametrize(("name", "shapes", "causal"), BACKWARDS)
def test_backward(name: str, shapes: Any, causal: int) -> None:
    assert attention(name, *shapes, behind=1, scalars={causal: "False"}) == (5 * PRODUCT, _BACKWARD)


@pytest.mark.parametrize(("name", "shapes", "causal"), FORWARDS)
def test_a_causal_mask_leaves_half_of_a_square(name: str, shapes: Any, causal: int) -> None:
    query, _ = shapes
    assert attention(name, query, query, scalars={causal: "True"})[0] == 2 * (2 * B * H * L * L * E) // 2


@pytest.mark.parametrize(("name", "shapes", "causal"), BACKWARDS)
def test_backward_of_a_causal_mask(name: str, shapes: Any, causal: int) -> None:
    query, _ = shapes
    assert attention(name, query, query, 1, {causal: "True"})[0] == 5 * (2 * B * H * L * L * E) // 2


def test_the_efficient_kernels_number_their_masks() -> None:
    """Place 9 forward and 14 backward: 0 for no mask, 1 and 2 for causal ones."""
    query, _ = LENGTH_FIRST
    for mask, share in (("0", 2), ("1", 1), ("2", 1)):
        name = "aten::_efficient_attention"
        assert attention(f"{name}_forward", query, query, scalars={9: mask})[0] == share * (2 * B * H * L * L * E)
        backward = attention(f"{name}_backward", query, query, 1, {14: mask})[0]
        assert backward == share * 5 * (2 * B * H * L * L * E) // 2


def test_of_more_keys_than_queries_the_last_query_sees_all() -> None:
    """Ten queries behind ten earlier keys: each sees those and half of its own ten."""
    flops, _ = attention("aten::_flash_attention_forward", *LENGTH_FIRST, scalars={8: "True"})
    assert flops == 2 * (2 * B * H * (L * 10 + L * L // 2) * E)


def test_a_single_query_sees_every_key() -> None:
    """Decoding: the mask takes nothing away."""
    flops, _ = attention("aten::_flash_attention_forward", [B, 1, H, E], [B, S, H, E], scalars={8: "True"})
    assert flops == 2 * (2 * B * H * 1 * S * E)


def test_values_may_be_wider_than_keys_and_fewer_than_queries() -> None:
    """Grouped queries: six heads share two of keys and values; the values are 16 wide."""
    inputs = [(BF16, [2, 6, 10, 8]), (BF16, [2, 2, 20, 8]), (BF16, [2, 2, 20, 16]), *[(SCALAR, [])] * 4]
    found = work("aten::_scaled_dot_product_flash_attention", inputs, ["", "", "", "0.", "False", "False", ""])
    assert found is not None
    assert found.flops == 2 * 2 * 6 * 10 * 20 * 8 + 2 * 2 * 6 * 10 * 20 * 16
    assert found.bytes == 2 * (2 * 6 * 10 * 8 + 2 * 2 * 20 * 8 + 2 * 2 * 20 * 16 + 2 * 6 * 10 * 16)


def packed(sequences: int, tokens: int, longest: int, causal: str = "False") -> int | None:
    starts = [sequences + 1]
    inputs = [(BF16, [tokens, H, E])] * 3 + [(INT32, starts)] * 2 + [(SCALAR, [])] * 5
    texts = ["", "", "", "", "", str(longest), str(longest), "0.", "0.1", causal]
    found = work("flash_attn::_flash_attn_varlen_forward", inputs, texts)
    return None if found is None else found.flops


def test_packed_sequences_are_at_least_one_of_the_longest_and_the_others_alike() -> None:
    """40 tokens in three sequences, the longest 20: the others have 10 each."""
    assert packed(3, 40, 20) == 2 * 2 * H * (20 * 20 + 2 * 10 * 10) * E
    assert packed(3, 40, 20, "True") == 2 * 2 * H * (20 * 20 + 2 * 10 * 10) * E // 2
    assert packed(1, 40, 40) == 2 * 2 * H * 40 * 40 * E


@pytest.mark.parametrize(("sequences", "longest"), [(0, 20), (3, 50), (3, 0)])
def test_lengths_that_do_not_fit_give_no_number(sequences: int, longest: int) -> None:
    assert packed(sequences, 40, longest) is None


def test_a_packed_call_of_torch_itself() -> None:
    inputs = [(BF16, [40, H, E])] * 3 + [(INT32, [3]), (INT32, [3]), *[(SCALAR, [])] * 5]
    texts = ["", "", "", "", "", "20", "20", "0.", "False", "False"]
    found = work("aten::_flash_attention_forward", inputs, texts)
    assert found is not None
    assert found.flops == 2 * 2 * H * (2 * 20 * 20) * E


def test_a_sliding_window_limits_the_keys_that_a_query_sees() -> None:
    """Each of 100 queries sees itself and the four before."""
    inputs = [(BF16, [1, 100, H, E])] * 3 + [(SCALAR, [])] * 9
    texts = ["", "", "", "0.", "0.1", "True", "4", "0", "0.", "", "False", "True"]
    found = work("flash_attn::_flash_attn_forward", inputs, texts)
    assert found is not None
    assert found.flops == 2 * 2 * H * 100 * 5 * E
    everything = work("flash_attn::_flash_attn_forward", inputs, [*texts[:6], "-1", "-1", *texts[8:]])
    assert everything is not None
    assert everything.flops == 2 * (2 * H * 100 * 100 * E) // 2


def test_old_versions_give_the_window_as_a_pair() -> None:
    inputs = [(BF16, [1, 100, H, E])] * 3 + [(SCALAR, [])] * 3 + [(LIST, []), (NONE, []), (SCALAR, [])]
    found = work("flash_attn::_flash_attn_forward", inputs, ["", "", "", "0.", "0.1", "False", "[4, 4]", "", "True"])
    assert found is not None
    assert found.flops == 2 * 2 * H * 100 * 9 * E


def test_without_a_recorded_flag_every_pair_counts() -> None:
    found = work("aten::_scaled_dot_product_flash_attention", [(FP32, [B, H, L, E])] * 3)
    assert found is not None
    assert found.flops == 2 * (2 * B * H * L * L * E)
