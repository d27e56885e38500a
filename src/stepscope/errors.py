"""The one family of errors that the command line turns into a sentence and an exit code."""

from __future__ import annotations

from stepscope.messages import Message


class StepscopeError(Exception):
    """What was tried, what was found, what to do about it; never a piece of the trace itself.

    Each is a message, or a text that has no words in other languages. ``str`` of the error is the English sentence.
    """

    def __init__(self, tried: Message | str, found: Message | str, advice: Message | str) -> None:
        super().__init__(tried, found, advice)
        self.tried = tried
        self.found = found
        self.advice = advice

    @property
    def sentence(self) -> Message:
        """The three in one line."""
        return Message("error-line", tried=self.tried, found=self.found, advice=self.advice)

    def __str__(self) -> str:
        # Python shows errors by itself: this is an edge, and the only one below the reporters.
        from stepscope.messages.language import ENGLISH
        from stepscope.messages.rendering import render

        return render(self.sentence, ENGLISH)


class UnreadableInput(StepscopeError):
    """The path cannot be opened, or what it holds is not a trace."""


class NotFound(StepscopeError):
    """There is no such run, file or address."""


class BadRequest(StepscopeError):
    """The question cannot be answered: an unknown table, column, rank, step or condition."""


def not_opened(what: str, value: object) -> BadRequest:
    """What is said where an opened recording is asked for and something else is given."""
    tried = Message(f"error-cannot-take-{what}", kind=kind_of(value))
    return BadRequest(tried, Message("error-not-a-profile"), Message(f"error-{what}-example"))


def kind_of(value: object) -> Message | str:
    """What a wrong argument is, for a sentence."""
    return "None" if value is None else Message("error-kind", type=type(value).__name__)
