"""A file of telemetry: a JSON value a line, each written at once, so that the file is whole at any moment.

The first line is an object with `VERSION`: when it began, on which host, how often it samples, which GPUs it has, and
the names of the counters of each group. A sample is a list: its group, the time in ns since 1970, the monotonic time
in ns, and a value for each counter of the group, null where it had none. Objects hold the rest: ``values`` of
counters that come and go, as those of single processes, ``refused`` counters with the reason, each said once, and
``end``.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stepscope.capture.telemetry.readings import Value

VERSION = "stepscope_telemetry"
SUFFIX = ".telemetry.jsonl"

if TYPE_CHECKING:
    Moment = tuple[int, int]
    """Time in ns since 1970, and on the monotonic clock."""
else:
    Moment = tuple


class Lines:
    """A file that lines are added to.

    Args:
        descriptor: open for writing.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def header(self, moment: Moment, said: Mapping[str, Any], groups: Mapping[str, Sequence[str]]) -> None:
        first = {VERSION: 1, "time_ns": moment[0], "monotonic_ns": moment[1], "host": socket.gethostname()}
        self._write({**first, **said, "groups": groups})

    def sample(self, group: str, moment: Moment, values: Sequence[Value]) -> None:
        self._write([group, *moment, *values])

    def values(self, moment: Moment, values: Mapping[str, Value]) -> None:
        if values:
            self._write({"time_ns": moment[0], "monotonic_ns": moment[1], "values": values})

    def refused(self, moment: Moment, refused: Mapping[str, str]) -> None:
        if refused:
            self._write({"time_ns": moment[0], "monotonic_ns": moment[1], "refused": refused})

    def note(self, moment: Moment, **said: Any) -> None:
        self._write({"time_ns": moment[0], "monotonic_ns": moment[1], **said})

    def _write(self, value: Any) -> None:
        line = json.dumps(value, separators=(",", ":")).encode() + b"\n"
        while line:
            # One call in all but the odd case of a pipe that is full.
            line = line[os.write(self._descriptor, line) :]
