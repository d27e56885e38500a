"""What a report is made of: how it was asked for, and how to ask for the rest."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.analyses.ranks.job_clock import JobClock, job_clock
from stepscope.answers.requests import Choice
from stepscope.answers.run_facts import recording_name
from stepscope.messages import readable
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class Asking:
    """How a report was asked for.

    Attributes:
        paths: the traces, as the user named them.
        choice: ranks and steps.
        clock: the one that moments are told on.
    """

    paths: tuple[str, ...]
    choice: Choice
    clock: JobClock

    @property
    def serve(self) -> str:
        """The command that shows everything that the report left out."""
        return shlex.join(["stepscope", "serve", *self.paths[:1]])

    @property
    def name(self) -> str:
        """What the run is called on screen."""
        last = recording_name(os.path.basename(self.paths[0].rstrip("/\\")) or self.paths[0])
        more = len(self.paths) - 1
        return f"{last} and {more} more" if more else last


def asking(profile: Profile, paths: Sequence[str], choice: Choice) -> Asking:
    """How a report of a profile was asked for."""
    return Asking(tuple(map(readable, paths)), choice, job_clock(profile))
