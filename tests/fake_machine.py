"""A machine that a test makes up: its files, its programs and what they answer."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from stepscope.capture.system import Answer

ALL_CAPABILITIES = "CapEff:\t000001ffffffffff\nSeccomp:\t0\n"
DOCKER = "CapEff:\t00000000a80425fb\nSeccomp:\t2\n"
"""``/proc/self/status`` of root, and in a container as Docker starts it."""


@dataclass
class FakeMachine:
    """What `stepscope.capture.system.System` asks for.

    Attributes:
        files: texts by path.
        programs: what each program on PATH, or at a path, answers to its arguments; None if it does not end.
        free: bytes by folder.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, Callable[[Sequence[str]], Answer | None]] = field(default_factory=dict)
    free: Mapping[str, int] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)

    def which(self, name: str) -> str | None:
        return f"/bin/{name}" if name in self.programs else None

    def glob(self, pattern: str) -> list[str]:
        return sorted(path for path in (*self.files, *self.programs) if fnmatch.fnmatchcase(path, pattern))

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def ask(self, argv: Sequence[str], patience_s: float = 1.0) -> Answer | None:
        program = self.programs.get(argv[0])
        return program(argv[1:]) if program is not None else None

    def free_bytes(self, folder: str) -> int | None:
        return self.free.get(folder)


def answering(out: str, code: int = 0, err: str = "") -> Callable[[Sequence[str]], Answer | None]:
    """A program that always says the same."""
    return lambda _: Answer(code, out, err)
