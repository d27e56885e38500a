"""Runs of neighbours that repeat, counted without overlap, for every length up to a limit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.intervals import Ints

_NONE = -1


class Repeats(NamedTuple):
    """Occurrences of runs, each array with one entry per occurrence: number of the run, its length, first place."""

    run: Ints
    length: Ints
    first: Ints


class _Runs(NamedTuple):
    """Runs of one length: number of the run that begins at each place or `_NONE`, how often each number occurs, and
    the places of the occurrences, first to last, run by run."""

    number: Ints
    times: Ints
    places: Ints


def repeated_runs(codes: Ints, part: Ints, longest: int) -> Repeats:
    """Runs of 2 to ``longest`` neighbours that occur at least twice.

    Occurrences of one run do not overlap: they are taken from the left. A run that occurs only as the beginning or
    end of a longer one is left out.

    Args:
        codes: what stands at each place.
        part: number of the part that each place lies in; a run lies in one part, and parts are not interleaved.

    >>> repeats = repeated_runs(np.array([1, 2, 3, 9, 1, 2, 3]), np.zeros(7, np.int64), 4)
    >>> repeats.length.tolist(), repeats.first.tolist()
    ([3, 3], [0, 4])
    """
    letters = _apart(np.unique(codes, return_inverse=True)[1].astype(np.int64), 1)
    levels = [letters]
    for length in range(2, longest + 1):
        places = len(codes) - length + 1
        if places < 1:
            break
        before, letter = levels[-1].number, letters.number[length - 1 :]
        valid = (before[:-1] >= 0) & (before[1:] >= 0) & (letter >= 0) & (part[:places] == part[length - 1 :])
        number = np.full(places, _NONE, np.int64)
        pairs = before[:-1][valid] * (int(letters.number.max()) + 1) + letter[valid]
        number[valid] = np.unique(pairs, return_inverse=True)[1]
        levels.append(_apart(number, length))
        if len(levels[-1].times) == 0:
            break
    return _maximal(levels)


def _apart(number: Ints, length: int) -> _Runs:
    """Occurrences that do not overlap, numbers that occur once dropped."""
    places = np.flatnonzero(number >= 0)
    places = places[np.argsort(number[places], kind="stable")]
    run = number[places]
    key = run * (len(number) + length) + places
    following = np.searchsorted(key, key + length)
    nothing = len(places)
    same = following < nothing
    same[same] = run[following[same]] == run[np.flatnonzero(same)]
    jump = np.append(np.where(same, following, nothing), nothing)
    taken = np.append(np.append(True, run[1:] != run[:-1]) if nothing else np.empty(0, np.bool_), False)
    # Those at a distance below 1, 2, 4, ... jumps from the first of their run.
    while (jump < nothing).any():
        taken[jump[np.flatnonzero(taken)]] = True
        taken[nothing] = False
        jump = jump[jump]
    places, run = places[taken[:nothing]], run[taken[:nothing]]
    count = np.bincount(run)
    kept = np.flatnonzero(count >= 2)
    new = np.full(len(count) + 1, _NONE, np.int64)
    new[kept] = np.arange(len(kept))
    return _Runs(new[number], count[kept], places[new[run] >= 0])


def _maximal(levels: list[_Runs]) -> Repeats:
    """All runs but those of which each occurrence belongs to the same longer run."""
    found: list[tuple[Ints, Ints, Ints]] = []
    runs = 0
    for length, level in enumerate(levels[1:], 2):
        covered = np.zeros(len(level.times), np.int64)
        if length < len(levels):
            longer = levels[length]
            for shift in (0, 1):
                inner = level.number[longer.places + shift]
                np.maximum.at(covered, inner, longer.times[longer.number[longer.places]])
        run = level.number[level.places]
        kept = (covered < level.times)[run]
        found.append((run[kept] + runs, np.full(int(kept.sum()), length, np.int64), level.places[kept]))
        runs += len(level.times)
    if not found:
        return Repeats(*(np.empty(0, np.int64) for _ in range(3)))
    return Repeats(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
