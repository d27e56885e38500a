"""What was recorded although the recording has nothing of it: no option is missing."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.analyses.needs import is_kineto
from stepscope.analyses.presence import has_frames
from stepscope.store.profile import Rank

_OPTIONS = {"shapes": "record_shapes", "memory": "profile_memory", "memory_over_time": "profile_memory"}
"""By the names of `needs.NEEDS` what a trace says of options of ``torch.profiler``."""


def none_happened(ranks: Sequence[Rank], need: str) -> bool:
    """Whether what ranks lack was recorded and did not happen, as operators while a CUDA graph is replayed."""
    return bool(ranks) and (need == "operators" or need in _OPTIONS) and all(_was_on(rank, need) for rank in ranks)


def _was_on(rank: Rank, need: str) -> bool:
    """Ranges and Python functions say that the CPU was recorded. CUDA calls do not: they are recorded with the GPU."""
    if not is_kineto(rank) or rank.trace.truncated is not None or not has_frames(rank):
        return False
    return need == "operators" or rank.trace.head.get(_OPTIONS[need]) == 1
