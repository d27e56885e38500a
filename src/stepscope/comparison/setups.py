"""What the recordings of both sides were made with: device, versions, options of the profiler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.analyses.recording.contents import slowing_options
from stepscope.store.profile import Rank

_FACTS = {
    "torch": ("torch_version", "pytorch_version"),
    "cuda": ("cuda_runtime_version", "hip_runtime_version"),
    "driver": ("cuda_driver_version", "hip_driver_version"),
}
_SAID = {True: "on", False: "off", None: ""}


@dataclass(frozen=True)
class Difference:
    """A fact that both sides do not share.

    Attributes:
        what: device, torch, cuda, driver, recorder, or an option of the profiler.
        base, new: as recorded; "" where that is not known.
    """

    what: str
    base: str
    new: str


def differences(base: Sequence[Rank], new: Sequence[Rank]) -> tuple[Difference, ...]:
    """What differs between the sides; a fact that recordings of one side do not share is listed with all values."""
    found = []
    for what in ("device", *_FACTS, "recorder"):
        sides = [", ".join(sorted({_fact(rank, what) for rank in ranks})) for ranks in (base, new)]
        if sides[0] != sides[1]:
            found.append(Difference(what, sides[0], sides[1]))
    asked = [[slowing_options(rank) for rank in ranks] for ranks in (base, new)]
    for option in asked[0][0]:
        has = [{one[option] for one in side} - {None} for side in asked]
        if all(has) and has[0] != has[1]:
            base_has, new_has = ("on" if True in one else "off" for one in has)
            found.append(Difference(option, base_has, new_has))
    return tuple(found)


def setup(rank: Rank) -> dict[str, str]:
    """What a recording was made with, by what it is; "" where that is not known."""
    asked = {option: _SAID[on] for option, on in slowing_options(rank).items()}
    return {what: _fact(rank, what) for what in ("device", *_FACTS, "recorder")} | asked


def _fact(rank: Rank, what: str) -> str:
    if what == "recorder":
        return rank.recorder
    head = rank.trace.head
    if what == "device":
        devices = head.get("deviceProperties") or []
        return str(devices[0].get("name", "")) if devices else ""
    return next((str(head[name]) for name in _FACTS[what] if name in head), "")
