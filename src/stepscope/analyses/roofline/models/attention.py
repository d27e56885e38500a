"""Attention: two products forward (scores, values), five backward (the scores once more, and four gradients).

One product over B batches, H heads, L queries, S keys and width E is 2·B·H·L·S·E. With a causal mask only the pairs of
query and key that the mask leaves are counted: half of them where L = S, as FlashAttention's own benchmarks count
(Dao, 2023); without a recorded flag all of them. Softmax and dropout are not counted. Traffic: query, key, value and
result, and backwards their gradients.

Sequences packed into one tensor: their lengths are not recorded, but their number and the longest are; one of that
length and the others alike is the least that this can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.work import Model

Count = tuple[int, Iterable[Tensor]]

_HEADS_FIRST = (0, 1, 2)
"""Batch, heads, length; then width."""
_LENGTH_FIRST = (0, 2, 1)
"""Batch, length, heads; then width."""


@dataclass(frozen=True)
class _Places:
    """Where an operator keeps what attention needs; None for what it has not.

    Attributes:
        causal: the flag, or the number of a mask.
        layout: dimensions of batch, heads and length.
        first: the query, followed by key and value.
        starts: where each packed sequence of queries begins, followed by that of keys.
        longest: length of the longest sequence of queries, followed by that of keys.
        window: how many keys before its own a query sees (negative: all), followed by how many behind.
    """

    causal: int | None
    layout: tuple[int, int, int] = _HEADS_FIRST
    first: int = 0
    starts: int | None = None
    longest: int = 0
    backward: bool = False
    window: int | None = None


def _attention(places: _Places) -> Model:
    def count(call: Call) -> Count:
        query, key, value = (call.tensor(places.first + i) for i in range(3))
        masked = places.causal is not None and call.scalar(places.causal).lower() in ("true", "1", "2")
        starts = call.optional(places.starts) if places.starts is not None else None
        if starts is not None and len(starts.shape) == 1:
            pairs = _packed_pairs(call, places, query, key, starts.shape[0] - 1, masked)
        else:
            b, h, length = (query.shape[i] for i in places.layout)
            pairs = b * h * twice_the_pairs(length, key.shape[places.layout[2]], masked)
            pairs = min(pairs, 2 * b * h * length * _seen(call, places, masked))
        flops = _products(places.backward, pairs, query.shape[-1], value.shape[-1])
        return flops, _moved(query, key, value, places)

    operands = (places.first, places.first + 1, places.first + 2)
    return Model("attention", count, operands, scalars=True)


def twice_the_pairs(queries: int, keys: int, causal: bool) -> int:
    """Twice the pairs of query and key that count; the last query sees the last key.

    >>> twice_the_pairs(4, 4, False), twice_the_pairs(4, 4, True), twice_the_pairs(1, 9, True)
    (32, 16, 18)
    """
    if not causal or queries == 1:
        return 2 * queries * keys
    seeing = min(queries, keys)
    return 2 * seeing * keys - seeing * seeing


def _seen(call: Call, places: _Places, causal: bool) -> int:
    """Most keys that one query sees through a sliding window."""
    recorded = call.integers(places.window) if places.window is not None else None
    if not recorded or places.window is None:
        return 1 << 50
    before, behind = recorded if len(recorded) == 2 else (recorded[0], (call.integers(places.window + 1) or [-1])[0])
    if before < 0 or (behind < 0 and not causal):
        return 1 << 50
    return before + 1 + max(behind, 0)


def _packed_pairs(call: Call, places: _Places, query: Tensor, key: Tensor, sequences: int, causal: bool) -> int:
    """Of tensors (..., tokens, heads, width)."""
    tokens, heads = query.shape[-3:-1]
    keys = key.shape[-3]
    most, most_keys = (int(float(call.scalar(places.longest + i))) for i in range(2))
    if sequences < 1 or not 0 < most <= tokens or not 0 < most_keys <= keys:
        raise Unfit("lengths do not fit")
    pairs = twice_the_pairs(most, most_keys, causal)
    if sequences > 1:
        others = sequences - 1
        pairs += others * twice_the_pairs((tokens - most) // others, (keys - most_keys) // others, causal)
    return heads * pairs


def _products(backward: bool, twice_pairs: int, width: int, wide: int) -> int:
    """Forward: scores over ``width``, values over ``wide``. Backward: three of the first kind and two of the other."""
    return twice_pairs * (3 * width + 2 * wide if backward else width + wide)


def _moved(query: Tensor, key: Tensor, value: Tensor, places: _Places) -> list[Tensor]:
    result = output([*query.shape[:-1], value.shape[-1]], query.dtype)
    if not places.backward:
        return [query, key, value, result]
    gradients = [output(one.shape, one.dtype) for one in (query, key, value)]
    return [query, key, value, result, result, *gradients]  # the result and its gradient are read


def _pair(name: str, forward: _Places, backward: _Places) -> dict[str, Model]:
    return {name: _attention(forward), f"{name}_backward": _attention(backward)}


def _behind_gradient(causal: int) -> _Places:
    """The usual inputs backwards: gradient, query, key, value, ..."""
    return _Places(causal, first=1, backward=True)


MODELS: dict[str, Model] = {
    "aten::scaled_dot_product_attention": _attention(_Places(5)),
    **_pair("aten::_scaled_dot_product_flash_attention", _Places(4), _behind_gradient(11)),
    **_pair("aten::_scaled_dot_product_flash_attention_for_cpu", _Places(4), _behind_gradient(7)),
    **_pair("aten::_scaled_dot_product_efficient_attention", _Places(6), _behind_gradient(11)),
    **_pair("aten::_scaled_dot_product_cudnn_attention", _Places(6), _behind_gradient(14)),
    **_pair("aten::_scaled_dot_product_fused_attention_overrideable", _Places(5), _behind_gradient(12)),
    "aten::_flash_attention_forward": _attention(_Places(8, _LENGTH_FIRST, starts=3, longest=5, window=11)),
    "aten::_flash_attention_backward": _attention(
        _Places(11, _LENGTH_FIRST, first=1, starts=6, longest=8, backward=True, window=15)
    ),
    "aten::_efficient_attention_forward": _attention(_Places(9, _LENGTH_FIRST, starts=4, longest=6)),
    "aten::_efficient_attention_backward": _attention(
        _Places(14, _LENGTH_FIRST, first=1, starts=6, longest=8, backward=True)
    ),
    "aten::_cudnn_attention_forward": _attention(_Places(10, starts=4, longest=6)),
    "aten::_cudnn_attention_backward": _attention(_Places(14, first=1, starts=9, longest=11, backward=True)),
    "flash_attn::_flash_attn_forward": _attention(_Places(5, _LENGTH_FIRST, window=6)),
    "flash_attn::_flash_attn_backward": _attention(_Places(11, _LENGTH_FIRST, first=1, backward=True, window=12)),
    "flash_attn::_flash_attn_varlen_forward": _attention(_Places(9, _LENGTH_FIRST, starts=3, longest=5)),
    "flash_attn::_flash_attn_varlen_backward": _attention(
        _Places(15, _LENGTH_FIRST, first=1, starts=9, longest=11, backward=True)
    ),
    "flash_attn_3::fwd": _attention(_Places(24, _LENGTH_FIRST)),
    "FlashAttnFunc": _attention(_Places(5, _LENGTH_FIRST, window=6)),
    "aiter::_flash_attn_forward": _attention(_Places(5, _LENGTH_FIRST, window=6)),
    "aiter::_flash_attn_backward": _attention(_Places(12, _LENGTH_FIRST, first=1, backward=True)),
}
