"""Which elements of a sequence stand for which of a longer one, in which it occurs with small differences.

The place is where most pairs of equal elements lie at one distance. Around it elements are paired so that most are, in
few runs (the longest common subsequence, each run counting against it, in a band). Only runs count in the end: an
element that agrees while its neighbours do not may agree by chance.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
_Scores: TypeAlias = npt.NDArray[np.int32]

NOBODY = -1
SHORTEST_RUN = 3
"""Fewer pairs in a row are chance; a shorter sequence must agree as a whole."""
LEAST_SHARE = 0.5
"""With fewer of its elements paired a sequence is another one, and none is."""
_PIECE = 4096
"""Longer sequences are aligned piece by piece."""
_MOST_PAIRS = 5_000_000
_LEAST_SLACK = 32
_PAIR, _NEXT, _NEVER = 2, 3, np.int32(-(1 << 30))
"""What a pair counts, and what one counts that continues a run."""


class Reference:
    """The longer sequence, as numbers that are equal where elements are; sorted once for many alignments."""

    def __init__(self, elements: Ints) -> None:
        self.elements = elements
        self._order = np.argsort(elements, kind="stable")
        self._sorted = elements[self._order]

    def aligned(self, sequence: Ints) -> Ints:
        """Index here of each element of a sequence, or `NOBODY`.

        >>> Reference(np.array([8, 8, 1, 2, 3, 4, 5, 6, 7, 8])).aligned(np.array([1, 2, 3, 4, 9, 5, 6, 7]))
        array([ 2,  3,  4,  5, -1,  6,  7,  8])
        """
        pieces = [sequence[start : start + _PIECE] for start in range(0, len(sequence), _PIECE)]
        found = np.concatenate([np.empty(0, np.int64), *(self._piece(piece) for piece in pieces)])
        if (found != NOBODY).sum() < LEAST_SHARE * len(sequence):
            return np.full(len(sequence), NOBODY, np.int64)
        return found

    def _piece(self, sequence: Ints) -> Ints:
        offset = self._best_offset(sequence)
        if offset is None:
            return np.full(len(sequence), NOBODY, np.int64)
        slack = max(_LEAST_SLACK, len(sequence) // 8)
        return _runs(_paired(sequence, self._window(offset - slack, len(sequence) + 2 * slack)), offset - slack)

    def _best_offset(self, sequence: Ints) -> int | None:
        """How far from its place in the sequence most of it stands here; rare elements are asked first."""
        wanted, counts = np.unique(sequence, return_counts=True)
        first = np.searchsorted(self._sorted, wanted, side="left")
        last = np.searchsorted(self._sorted, wanted, side="right")
        pairs = counts * (last - first)
        votes = np.zeros(len(sequence) + len(self.elements), np.int64)
        asked = 0
        for k in np.argsort(pairs, kind="stable"):
            if pairs[k] and (asked == 0 or asked + pairs[k] <= _MOST_PAIRS):
                asked += int(pairs[k])
                here, there = np.flatnonzero(sequence == wanted[k]), self._order[first[k] : last[k]]
                votes += np.bincount((there[None, :] - here[:, None]).ravel() + len(sequence), minlength=len(votes))
        if asked == 0:
            return None
        if votes.max() == len(sequence):
            return int(votes.argmax()) - len(sequence)  # it stands there whole
        # What one of both lacks shifts what follows: near distances vote together, the strongest of them wins.
        near = max(1, len(sequence) // 32)
        total = np.concatenate([[0], np.cumsum(votes)])
        place = np.arange(len(votes))
        sums = total[np.minimum(place + near + 1, len(votes))] - total[np.maximum(place - near, 0)]
        best = np.flatnonzero(sums == sums.max())
        return int(best[np.argmax(votes[best])]) - len(sequence)

    def _window(self, start: int, length: int) -> Ints:
        """Elements from an index on; outside the sequence stands what equals nothing."""
        index = np.arange(start, start + length)
        known = (index >= 0) & (index < len(self.elements))
        return np.where(known, self.elements[np.where(known, index, 0)], np.iinfo(np.int64).min)


def _paired(sequence: Ints, window: Ints) -> Ints:
    """Index in a window of each element of a sequence, or `NOBODY`; element ``i`` is sought from ``window[i]`` on."""
    count, width = len(sequence), len(window) - len(sequence) + 1
    # best[i, d]: of the first i elements and window[: i + d]; pair[i, d]: the same with those two last ones a pair.
    best = np.zeros((count + 1, width), np.int32)
    pair = np.full((count + 1, width), _NEVER, np.int32)
    for i in range(1, count + 1):
        same = window[i - 1 : i - 1 + width] == sequence[i - 1]
        pair[i] = np.where(same, np.maximum(pair[i - 1] + _NEXT, best[i - 1] + _PAIR), _NEVER)
        skipped = np.append(best[i - 1, 1:], best[i - 1, -1])
        best[i] = np.maximum.accumulate(np.maximum(skipped, pair[i]))
    return _traced(best, pair)


def _traced(best: _Scores, pair: _Scores) -> Ints:
    """The pairs that make the best score, from the last element to the first."""
    i, d = best.shape[0] - 1, best.shape[1] - 1
    found = np.full(i, NOBODY, np.int64)
    in_run = False
    while i > 0:
        if not in_run and d > 0 and best[i, d - 1] == best[i, d]:
            d -= 1
        elif in_run or pair[i, d] == best[i, d]:
            found[i - 1] = i - 1 + d
            in_run = bool(pair[i - 1, d] + _NEXT == pair[i, d])
            i -= 1
        else:
            i, d = i - 1, min(d + 1, best.shape[1] - 1)
    return found


def _runs(found: Ints, start: int) -> Ints:
    """Pairs that stand in runs, as indices of the whole reference."""
    least = min(SHORTEST_RUN, len(found))
    kept = np.full(len(found), NOBODY, np.int64)
    breaks = np.flatnonzero((found[1:] != found[:-1] + 1) | (found[1:] == NOBODY)) + 1
    for run in np.split(np.arange(len(found)), breaks):
        if len(run) >= least and found[run[0]] != NOBODY:
            kept[run] = found[run] + start
    return kept
