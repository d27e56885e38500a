"""What the readings of rocprofv3's three formats have in common."""

from __future__ import annotations

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.formats import Input
from stepscope.readers.rocm.stored import RocmFacts, Stored


class OnePass:
    """One pass over a recording: its facts are whole when its tables have been read.

    Args:
        given: the file, and the others of the recording as its companions.
    """

    def __init__(self, given: Input) -> None:
        self.facts = RocmFacts()
        self._given = given
        self._stored = Stored(self.facts)

    def _refused(self, found: Message, advice: Message) -> UnreadableInput:
        return UnreadableInput(Message("error-cannot-read", path=self._given.source.path), found, advice)
