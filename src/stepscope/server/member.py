"""One file or folder of a job, and what its name says."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.readers.ascend.names import HANDLED_RUN
from stepscope.store.rank_assignment import RANK_IN_NAME
from stepscope.store.spans import HANDLER_NAME


@dataclass(frozen=True)
class Member:
    """A file that opens: path relative to the folder served, the rank and world size its head names, if any.

    Attributes:
        is_run: whether it is a folder that is the recording of a run.
    """

    path: str
    rank: int | None = None
    world: int | None = None
    recorder: str = ""
    is_run: bool = False

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def worker(self) -> tuple[str, int] | None:
        """Worker and time of a file as ``tensorboard_trace_handler`` names it, or of a folder as its profiler does."""
        name = HANDLED_RUN if self.is_run else HANDLER_NAME
        match = name.match(self.path.rpartition("/")[2])
        return (match["worker"], int(match["time"])) if match else None

    @property
    def number(self) -> int | None:
        """The rank that it says it is, else that of its name."""
        return self.rank if self.rank is not None else rank_in_path(self.path)


def rank_in_path(path: str) -> int | None:
    """The number behind "rank" in the name of a file, else of its folder."""
    for part in reversed(path.split("/")[-2:]):
        found = RANK_IN_NAME.findall(part)
        if found:
            return int(found[-1][1])
    return None


def pattern(path: str) -> str:
    """A path with its rank number replaced: what the files of a job share."""
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    hidden = [RANK_IN_NAME.sub(r"\1*", part) for part in (last, name)]
    return "/".join(part for part in (above, *hidden) if part)
