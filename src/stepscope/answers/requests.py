"""What the web app asks for."""

from __future__ import annotations

from dataclasses import dataclass

MAX_ROWS = 300_000
"""Most rows of one answer."""


@dataclass(frozen=True)
class Choice:
    """Ranks, steps, and the part of the time asked for; None for all.

    Attributes:
        moments: of a memory snapshot's history, or of the time of a trace: from and to, offsets from the profile's
            origin in ns.
    """

    ranks: tuple[int, ...] | None = None
    steps: tuple[int, int] | None = None
    moments: tuple[int, int] | None = None

    @property
    def is_whole(self) -> bool:
        return self.ranks is None and self.steps is None and self.moments is None


@dataclass(frozen=True)
class TableRequest:
    """A table, as `/api/table` takes it.

    Attributes:
        base: id of the run to compare with; "" for none.
        name: what `schema.Table.named` tables are limited to; "" for every name.
        event: entry of a memory snapshot's history behind which `memory_blocks` are shown; None for the end.
    """

    table: str
    by: str = ""
    source: bool = False
    choice: Choice = Choice()
    where: str = ""
    sort: str = ""
    limit: int = MAX_ROWS
    base: str = ""
    name: str = ""
    event: int | None = None
