"""Whether what was recorded ran on NPUs."""

from __future__ import annotations

from contextlib import AbstractContextManager

from stepscope.messages.device_words import speaking_of_npus
from stepscope.readers.ascend.format import TORCH_NPU
from stepscope.store.profile import Profile, Rank

_NAMED = "Ascend"


def runs_on_npus(profile: Profile) -> bool:
    """Whether every rank ran on NPUs."""
    return bool(profile.ranks) and all(map(_on_npu, profile.ranks))


def _on_npu(rank: Rank) -> bool:
    names = [str(device.get("name") or "") for device in rank.trace.head.get("deviceProperties") or []]
    return rank.recorder == TORCH_NPU or (bool(names) and all(name.startswith(_NAMED) for name in names))


def called_as_recorded(profile: Profile) -> AbstractContextManager[None]:
    """Everything inside calls the devices as those are called that a profile was recorded on."""
    return speaking_of_npus(runs_on_npus(profile))
