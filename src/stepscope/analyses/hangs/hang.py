"""A collective, or messages between two ranks, that did not end."""

from __future__ import annotations

from dataclasses import dataclass, field

NOT_ENTERED, IN_CYCLE, OTHER_ORDER = "not_entered", "wait_cycle", "other_order"
NOT_STARTED, NONE_STARTED = "not_started", "none_started"
NOT_COMPLETED, NONE_COMPLETED = "not_completed", "none_completed"
UNFINISHED, NO_DUMP, UNKNOWN_MEMBERS = "unfinished", "no_dump", "unknown_members"
DIFFERENT = ("different_collectives", "different_sizes", "different_dtypes")

Ranks = tuple[int, ...]


@dataclass(frozen=True)
class Values:
    """What some ranks have where others have something else."""

    value: str
    ranks: Ranks


@dataclass(frozen=True)
class Hang:
    """One row of the table ``hangs``.

    Attributes:
        group, description: name of its process group and what the program calls it.
        members: ranks of the group; `said` whether a dump says them.
        number: of the call in its group; None of messages.
        collective: its name, or ``send`` or ``recv`` of messages.
        cause: a word of this module.
        missing: ranks that have a dump and never entered it.
        waiting: ranks that entered it and have not completed it.
        finished: ranks that have.
        absent: ranks without a dump.
        unknown: ranks whose dump no longer holds that time.
        suspects: ranks that the evidence points at.
        queued: later calls of the group that wait behind it.
        since_ns: when the last of those that wait entered it, in ns since 1970.
        until_ns: the last time in any dump.
        values: of ranks that differ, what each has.
        source, stack: where one of those that wait called it.
        follows: whether the ranks that it lacks wait in another hang.
        cycle: of ranks that wait for each other, all their hangs.
    """

    group: str
    description: str
    members: Ranks
    said: bool
    number: int | None
    collective: str
    cause: str
    missing: Ranks = ()
    waiting: Ranks = ()
    finished: Ranks = ()
    absent: Ranks = ()
    unknown: Ranks = ()
    suspects: Ranks = ()
    queued: int = 0
    since_ns: int | None = None
    until_ns: int | None = None
    timeout_ns: int | None = None
    sizes: str | None = None
    dtypes: str | None = None
    values: tuple[Values, ...] = ()
    source: str | None = None
    stack: str | None = None
    follows: bool = False
    cycle: tuple[Hang, ...] = field(default=(), repr=False)

    @property
    def entered(self) -> int:
        """How many ranks are known to have entered it."""
        return len(self.waiting) + len(self.finished)

    @property
    def waited_ns(self) -> int | None:
        """How long ranks waited at least, until the last time in any dump."""
        if self.since_ns is None or self.until_ns is None:
            return None
        return max(0, self.until_ns - self.since_ns)

    @property
    def title(self) -> str:
        """The group as people call it: by its description, if that is not the default one's."""
        return self.group if self.description in ("", "undefined") else self.description
