"""Whether a difference is real: a test of each row against the noise of the recordings, in three outcomes.

Rows are compared by the logarithm of their ratio, against the variance between recordings: what the steps of one
recording vary is the least of it, for they are not independent of each other (Kalibera and Jones, "Rigorous
benchmarking in reasonable time", ISMM 2013). Of rows with few recordings the variance is drawn towards that of all rows
of their kind, as in Smyth, "Linear models and empirical Bayes methods" (2004). Of many rows tested at once a share of
5 % may be false (Benjamini and Hochberg, 1995), and a row is the same where both one-sided tests of equivalence hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stepscope.comparison.recorded import AS_DEVIATION
from stepscope.comparison.sampled import Floats, Sampled
from stepscope.numeric.intervals import Ints

Flags = npt.NDArray[np.bool_]

CHANGED, SAME, UNKNOWN, NEW, GONE = "changed", "same", "unknown", "new", "gone"

FALSE_DISCOVERIES = 0.05
LEVEL = 0.05

OF_ROW, OF_STEP = 0.05, 0.005
"""A difference counts from these shares of the row and of the step on."""

PRIOR_FREEDOM = 4.0
"""Degrees of freedom that the variance of all rows of a kind has beside a row's own."""


@dataclass(frozen=True)
class Tested:
    """Outcomes by row.

    Attributes:
        difference: of the logarithms, the host's factor taken off; NaN of rows that one side lacks.
        error: its standard error.
        freedom: degrees of freedom of that.
        p: probability of such a difference, or a larger one, where nothing changed.
    """

    difference: Floats
    error: Floats
    freedom: Floats
    p: Floats


def against_noise(
    base: Sampled, new: Sampled, shift: tuple[Floats, Floats], bounds: tuple[Floats, Floats], kind: Ints, tells: Flags
) -> Tested:
    """Test each row.

    Args:
        shift: by side, what the logarithms of each recording are lowered by: rows by recordings.
        bounds: least standard deviation of one recording's logarithm, and the most that is taken where there are too
            few recordings to tell it, by row.
        kind: rows of one number share their noise.
        tells: rows that may tell the noise where there are too few recordings to: those that do the same work as often.
    """
    from scipy.special import stdtr

    logs = [_logs(side) - by for side, by in zip((base, new), shift, strict=True)]
    difference = _means(logs[1]) - _means(logs[0])
    squares, freedom = (sum(part) for part in zip(*map(_squares, logs), strict=True))
    floor, most = bounds
    prior = _prior(difference, squares, freedom, kind, tells & ~np.isnan(difference))
    prior = np.where(freedom > 0, prior, np.minimum(prior, most**2))
    within = np.nanmax(np.column_stack([np.zeros(len(floor)), base.within, new.within]), axis=1)
    variance = np.maximum.reduce([(squares + PRIOR_FREEDOM * prior) / (freedom + PRIOR_FREEDOM), within, floor**2])
    counts = [np.maximum((~np.isnan(log)).sum(axis=1), 1) for log in logs]
    error = np.sqrt(variance * (1 / counts[0] + 1 / counts[1]))
    freedom = freedom + PRIOR_FREEDOM
    return Tested(difference, error, freedom, 2 * stdtr(freedom, -np.abs(difference) / error))


def _logs(side: Sampled) -> Floats:
    return np.log(np.where(side.typical > 0, side.typical, np.nan))


def _means(logs: Floats) -> Floats:
    """Of each row over the recordings that have it; NaN where none has."""
    known = ~np.isnan(logs)
    count = known.sum(axis=1)
    total = np.where(known, logs, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _squares(logs: Floats) -> tuple[Floats, Floats]:
    """Sum of squares around each row's mean, and its degrees of freedom."""
    known = ~np.isnan(logs)
    off = np.where(known, logs - _means(logs)[:, None], 0.0)
    return (off**2).sum(axis=1), np.maximum(known.sum(axis=1) - 1, 0).astype(np.float64)


def _prior(difference: Floats, squares: Floats, freedom: Floats, kind: Ints, tells: Flags) -> Floats:
    """Variance of a recording's logarithm that rows of each kind have usually, by row; 0 where nothing tells it."""
    prior = np.zeros(len(kind))
    for one in np.unique(kind):
        of_kind = kind == one
        repeated = of_kind & (freedom > 0)
        if repeated.any():
            usual = float(np.median(squares[repeated] / freedom[repeated]))
        elif (of_kind & tells).any():
            # The median of absolute differences, as a standard deviation; two recordings have a part in each.
            usual = float(AS_DEVIATION * np.median(np.abs(difference[of_kind & tells]))) ** 2 / 2
        else:
            usual = 0.0
        prior[of_kind] = usual
    return prior


def significant(p: Floats, family: Ints) -> Flags:
    """Which rows are significant where of those of each family that are, a share of `FALSE_DISCOVERIES` may be false.

    >>> significant(np.array([0.001, 0.04, 0.5]), np.zeros(3, np.int64)).tolist()
    [True, False, False]
    """
    found = np.zeros(len(p), np.bool_)
    for one in np.unique(family):
        rows = np.flatnonzero((family == one) & ~np.isnan(p))
        order = rows[np.argsort(p[rows], kind="stable")]
        below = np.flatnonzero(p[order] <= FALSE_DISCOVERIES * np.arange(1, len(order) + 1) / max(len(order), 1))
        if len(below):
            found[order[: below[-1] + 1]] = True
    return found


@dataclass(frozen=True)
class Outcomes:
    """What is known of each row, with the host's factor taken off.

    Attributes:
        changed, same: of rows that are neither it cannot be told.
        low, high: ends of the 95 % interval of the difference, in ns.
        smallest: least difference that these recordings could have shown, in ns.
    """

    changed: Flags
    same: Flags
    low: Floats
    high: Floats
    smallest: Floats


def outcomes(found: Tested, family: Ints, size: Floats, step_ns: float) -> Outcomes:
    """Tell which rows changed.

    Args:
        size: geometric mean of both sides of each row, in ns; 0 of what one side lacks.
    """
    from scipy.special import stdtrit

    reach = stdtrit(found.freedom, 1 - LEVEL / 2) * found.error
    low, high = (_apart(size, found.difference + by) for by in (-reach, reach))
    off = np.abs(_apart(size, found.difference))
    least = np.maximum(OF_ROW * size, OF_STEP * step_ns)
    changed = significant(found.p, family) & (off > least)
    one_sided = stdtrit(found.freedom, 1 - LEVEL) * found.error
    same = ~changed & (_apart(size, np.abs(found.difference) + one_sided) <= least)
    return Outcomes(changed, same, low, high, _apart(size, reach))


def _apart(size: Floats, difference: Floats) -> Floats:
    """Difference of two times, by their geometric mean and the difference of their logarithms.

    Exchanging the times changes nothing but its sign.
    """
    return np.where(size > 0, 2 * size * np.sinh(np.nan_to_num(difference) / 2), 0.0)
