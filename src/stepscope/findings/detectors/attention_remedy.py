"""What to do about attention that is not fused: call the fused operator, or let the module call it."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case, inside
from stepscope.messages import Message

_MODULE = r"^aten::_native_multi_head_attention$|multi_head_attention_forward$"
"""`nn.MultiheadAttention` in inference, and its function in Python."""

_MOSTLY = 0.5


@dataclass(frozen=True)
class Remedy:
    """Advice, lines to change and pages of documentation."""

    advice: Message
    change: str
    links: tuple[str, ...]


_CALL_IT = Remedy(
    Message("finding-unfused-attention-advice"),
    "out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)\n"
    "# was: torch.softmax(q @ k.transpose(-2, -1) * scale + mask, -1) @ v",
    (
        "https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.scaled_dot_product_attention.html",
        "https://docs.pytorch.org/tutorials/intermediate/scaled_dot_product_attention_tutorial.html",
    ),
)
_WITHOUT_WEIGHTS = Remedy(
    Message("finding-unfused-attention-advice-weights"),
    "out, _ = attention(q, k, v, need_weights=False)  # was: need_weights=True, the default",
    ("https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html",),
)


def remedy(case: Case, claims: Ranges) -> Remedy:
    """What to do about attention in some ranges of the host."""
    module = case.named(_MODULE, "operator", "python")
    by_module = inside(module, claims.thread, claims.start)
    return _WITHOUT_WEIGHTS if by_module.sum() > _MOSTLY * len(by_module) else _CALL_IT
