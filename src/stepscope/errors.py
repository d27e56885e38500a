"""The one family of errors that the command line turns into a sentence and an exit code."""

from __future__ import annotations


class StepscopeError(Exception):
    """What was tried, what was found, what to do about it; never a piece of the trace itself."""

    def __init__(self, tried: str, found: str, advice: str) -> None:
        super().__init__(f"{tried}: {found}. {advice}")
        self.tried = tried
        self.found = found
        self.advice = advice


class UnreadableInput(StepscopeError):
    """The path cannot be opened, or what it holds is not a trace."""


class NotFound(StepscopeError):
    """There is no such run, file or address."""


class BadRequest(StepscopeError):
    """The question cannot be answered: an unknown table, column, rank, step or condition."""
