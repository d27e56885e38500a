"""Samples of stacks as rows: frames and stacks that are alike have one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stepscope.readers.coded_texts import Texts

Frame = tuple[str, str, int | None]
"""Function, file ("" where it does not say) and line."""

MOST_FRAMES = 20_000_000
"""Of all distinct stacks together."""


class Stacks:
    """Rows of the tables ``stack_sample`` and ``sample_frame``.

    Attributes:
        samples: thread, start_ns, duration_ns, samples, stack; those of one stack that follow each other are one row.
        frames: stack, depth (0 innermost), name, module, line.
        damaged: samples that name no frame that there is.
    """

    def __init__(self) -> None:
        self.texts = Texts()
        self.samples: list[list[Any]] = []
        self.frames: list[tuple[int, int, int | None, int | None, int | None]] = []
        self.damaged = 0
        self._numbers: dict[tuple[Any, ...], int] = {}

    def stack(self, key: tuple[Any, ...], frames: Sequence[Frame]) -> int:
        """Number of a stack; its frames are the outermost first."""
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self._numbers)
        code = self.texts.code
        self.frames += [
            (number, depth, code(name), code(file or None), line)
            for depth, (name, file, line) in enumerate(reversed(frames))
        ]
        return number

    def add(self, thread: str, start_ns: int | None, duration_ns: int | None, samples: int, stack: int) -> None:
        """Add a sample, or several of one stack."""
        code = self.texts.code(thread or None)
        last = self.samples[-1] if self.samples else None
        timed = last is not None and None not in (start_ns, duration_ns, last[1], last[2])
        if last is not None and timed and (last[0], last[4], last[1] + last[2]) == (code, stack, start_ns):
            last[2] += duration_ns
            last[3] += samples
            return
        self.samples.append([code, start_ns, duration_ns, samples, stack])
