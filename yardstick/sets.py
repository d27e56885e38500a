"""A set of pairs: those of several folders, and which recordings are of one program."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

from yardstick.pairs import Pair, pairs


@dataclass(frozen=True)
class Set:
    """What the page judges together.

    Attributes:
        folders: of pairs; a name that comes again in a later one is another recording of the same two programs.
        light: the recordings of operators and GPU activity alone.
    """

    title: str
    folders: tuple[Path, ...]
    light: bool = False

    @cached_property
    def _read(self) -> list[Pair]:
        return [pair for folder in self.folders for pair in pairs(folder, light=self.light)]

    @cached_property
    def pairs(self) -> list[Pair]:
        """Those that tools are scored on: the first of each name."""
        first: dict[str, Pair] = {}
        for pair in self._read:
            first.setdefault(pair.name, pair)
        return list(first.values())

    @property
    def again(self) -> list[tuple[Path, Path]]:
        """Two recordings of one program each: of the same pair, or the fixed sides of pairs that have the same one."""
        by_name = {pair.name: pair for pair in self.pairs}
        repeated = [(by_name[pair.name], pair) for pair in self._read if by_name[pair.name] is not pair]
        shared = combinations([pair for pair in self.pairs if pair.fixed_program], 2)
        return [
            *((one.slow.path, other.slow.path) for one, other in repeated),
            *((one.fixed.path, other.fixed.path) for one, other in repeated),
            *((one.fixed.path, other.fixed.path) for one, other in shared if one.fixed_program == other.fixed_program),
        ]
