"""Which of several files of one rank is the one to take.

A folder may hold two runs, or several cycles of one profiler's schedule. Files of different ranks belong together, so
of the files that say the same rank that one is taken which was recorded while most other ranks were, then the one that
lies among most of them, then the one that was recorded last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stepscope.messages import Message

_WHY = (
    "reader-superseded-together",
    "reader-superseded-among",
    "reader-superseded-later",
    "reader-superseded-later",
    "reader-superseded-events",
    "reader-superseded-name",
)


@dataclass(frozen=True)
class Claim:
    """A file and what it says of itself.

    Attributes:
        path: where it lies.
        rank: the rank that it says it is; None where it says nothing.
        recorded: whether the trace itself says so, not only the file's name.
        start_ns, end_ns: first start and last end of what it holds, since the epoch.
        events: rows of ``traceEvents``.
        worker: the process that it is one of several spans of (`store.spans`), where it says no rank; else "".
        order: its place among the spans of its process; 0 where it is the only one.
    """

    path: str
    rank: int | None
    recorded: bool
    start_ns: int
    end_ns: int
    events: int
    worker: str = ""
    order: int = 0

    @property
    def folder(self) -> str:
        return self.path.replace("\\", "/").rpartition("/")[0]


@dataclass(frozen=True)
class Lost:
    """A file that is not taken.

    Attributes:
        taken: position of the one that is.
        why: the message that says what speaks for that one.
    """

    taken: int
    why: str


def superseded(claims: Sequence[Claim]) -> dict[int, Lost]:
    """Files that another one of their rank is taken for, by position in the list.

    A number that only a file's name says gives way to none that a trace says: such a file is not the same rank again,
    its name is wrong, and its number is found otherwise.
    """
    alike: dict[tuple[bool, int | str], list[int]] = defaultdict(list)
    for at, claim in enumerate(claims):
        if claim.rank is not None or claim.worker:
            alike[claim.recorded, claim.worker if claim.rank is None else claim.rank].append(at)
    repeated = [positions for positions in alike.values() if len(positions) > 1]
    if not repeated:
        return {}
    beside, among = _together(claims), _same_folder(claims)
    lost = {}
    for positions in repeated:
        worth = {
            at: (int(beside[at]), int(among[at]), claims[at].start_ns, claims[at].order, claims[at].events, -at)
            for at in positions
        }
        taken = max(positions, key=lambda at: worth[at])
        for at in positions:
            if at != taken:
                why = next(i for i in range(len(_WHY)) if worth[at][i] != worth[taken][i])
                lost[at] = Lost(taken, _WHY[why])
    return lost


def reason(claims: Sequence[Claim], at: int, lost: Lost) -> Message:
    """Why a file is not taken."""
    file = _name(claims[lost.taken], claims[at])
    return Message("reader-superseded", rank=str(claims[at].rank), file=file, why=Message(lost.why))


def _together(claims: Sequence[Claim]) -> npt.NDArray[np.int64]:
    """For each file how many other ranks have one that was recorded at the same time."""
    # Floats, because a file may say that its times count from anywhere.
    start = np.array([claim.start_ns for claim in claims], np.float64)
    end = np.array([claim.end_ns for claim in claims], np.float64)
    rank = np.array([-1 if claim.rank is None else claim.rank for claim in claims], np.float64)
    counts = [
        len(np.unique(rank[(start < claim.end_ns) & (end > claim.start_ns) & (rank >= 0) & (rank != claim.rank)]))
        for claim in claims
    ]
    return np.array(counts, np.int64)


def _same_folder(claims: Sequence[Claim]) -> npt.NDArray[np.int64]:
    """For each file how many ranks its folder holds."""
    ranks: dict[str, set[int | None]] = defaultdict(set)
    for claim in claims:
        ranks[claim.folder].add(claim.rank)
    return np.array([len(ranks[claim.folder]) for claim in claims], np.int64)


def _name(claim: Claim, other: Claim) -> str:
    """The file's name, with its folder's where both names are the same."""
    parts, others = (one.path.replace("\\", "/").split("/") for one in (claim, other))
    same = parts[-1] == others[-1]
    return "/".join(parts[-2:]) if same else parts[-1]
