"""A walk back in time from the end of a window to its beginning, along what each thing waited for.

The walk is always at one place: on an activity of the GPU or on a thread of the host. From an activity it goes to what
its start waited for; from a thread to the last thing before that let the thread go on. Each stretch it crosses is
written down, and time only decreases, so the stretches cover the window without gap or overlap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.compiling import compiled, compiled_part, writable
from stepscope.numeric.nested import Ints

NOTHING, ACTIVITY, CALL = 0, 1, 2
"""What an activity's start waited for: nothing known, another activity, or the call that launched it."""

ON_GPU, BEHIND, LAUNCHING, ON_HOST, RETURNING, UNKNOWN = 0, 1, 2, 3, 4, 5
"""Kinds of stretches: in an activity (``place`` is its number), between an activity and the one it waited for (number
of the later one), between a launch and its activity (number of the activity), on a thread (its number), between an
activity and the return of the call that waited for it (number of the turn), without anything that explains it."""

TO_ACTIVITY, TO_THREAD = 0, 1


class Work(NamedTuple):
    """Activities: when they ran and what each start waited for.

    Attributes:
        start, end: in ns.
        bound: `NOTHING`, `ACTIVITY` or `CALL`.
        before: number of the activity waited for.
        thread: number of the launching thread.
        released: when the launch let go of the activity, in ns.
    """

    start: Ints
    end: Ints
    bound: Ints
    before: Ints
    thread: Ints
    released: Ints


class Turns(NamedTuple):
    """Moments at which a thread went on because something else had happened, sorted by thread and time.

    Attributes:
        thread: number of the thread.
        at: when it went on.
        kind: `TO_ACTIVITY` or `TO_THREAD`: where the walk goes from there.
        target: number of the activity or thread waited for.
        since: when that had happened.
    """

    thread: Ints
    at: Ints
    kind: Ints
    target: Ints
    since: Ints


class Stretches(NamedTuple):
    """What a walk crossed, latest first in each window: number of the window, kind, place, start and end in ns."""

    window: Ints
    kind: Ints
    place: Ints
    start: Ints
    end: Ints


def walk_back(first: Ints, last: Ints, begin: Ints, work: Work, turns: Turns, alive: Ints, main: int) -> Stretches:
    """Walk each window ``[first, last)`` back from its end.

    Args:
        begin: activity at which each walk begins, or -1 to begin on the main thread.
        work, turns: what waits for what.
        alive: time of the first event of each thread.
        main: number of the thread that started the others, or -1.
    """
    windows = np.array([first, last, begin], np.int64).reshape(3, -1)
    trail = _walk(
        windows,
        np.array(work, np.int64).reshape(6, -1),
        np.array(turns, np.int64).reshape(5, -1),
        writable(np.asarray(alive, np.int64)),
        main,
    )
    return Stretches(*trail.reshape(-1, 5).T.copy())


@compiled
def _walk(windows, work, turns, alive, main):
    trail = [np.int64(0) for _ in range(0)]
    seen = np.full(work.shape[1], -1, np.int64)
    taken = np.full(turns.shape[1], -1, np.int64)
    state = np.zeros(3, np.int64)
    for w in range(windows.shape[1]):
        floor = windows[0, w]
        state[_NOW], state[_ACTIVITY], state[_THREAD] = windows[1, w], windows[2, w], main
        while state[_NOW] > floor:
            if state[_ACTIVITY] >= 0:
                _leave_activity(trail, state, w, floor, work, seen)
            elif state[_THREAD] >= 0:
                _leave_thread(trail, state, w, floor, turns, taken, seen, alive, main)
            else:
                _cross(trail, state, w, UNKNOWN, -1, floor, floor)
    return np.array(trail, np.int64)


_NOW, _ACTIVITY, _THREAD = 0, 1, 2
"""Where the walk stands: time, activity or -1, else the thread."""


@compiled_part
def _cross(trail, state, w, kind, place, until, floor):
    """Note the stretch back to a time, if it is one, and go there."""
    until = max(until, floor)
    if until < state[_NOW]:
        for number in (w, kind, place, until, state[_NOW]):
            trail.append(number)
        state[_NOW] = until


@compiled_part
def _leave_activity(trail, state, w, floor, work, seen):
    """Cross an activity and what lies between it and the thing its start waited for."""
    start, end, bound, before, thread, released = 0, 1, 2, 3, 4, 5
    activity = state[_ACTIVITY]
    seen[activity] = w
    _cross(trail, state, w, ON_GPU, activity, work[start, activity], floor)
    if state[_NOW] <= floor:
        return
    earlier = work[before, activity]
    if work[bound, activity] == ACTIVITY and seen[earlier] != w:
        _cross(trail, state, w, BEHIND, activity, work[end, earlier], floor)
        state[_ACTIVITY] = earlier
    elif work[bound, activity] == CALL:
        _cross(trail, state, w, LAUNCHING, activity, work[released, activity], floor)
        state[_ACTIVITY], state[_THREAD] = -1, work[thread, activity]
    else:
        _cross(trail, state, w, UNKNOWN, activity, floor, floor)


@compiled_part
def _leave_thread(trail, state, w, floor, turns, taken, seen, alive, main):
    """Cross what a thread did since it last went on after waiting, and go to what it had waited for."""
    owner, at, kind, target, since = 0, 1, 2, 3, 4
    thread = state[_THREAD]
    turn = _last_turn(turns, thread, state[_NOW])
    while turn >= 0 and turns[owner, turn] == thread and taken[turn] == w:
        turn -= 1
    if turn >= 0 and turns[owner, turn] == thread and turns[at, turn] > floor:
        taken[turn] = w
        _cross(trail, state, w, ON_HOST, thread, turns[at, turn], floor)
        _cross(trail, state, w, RETURNING, turn, turns[since, turn], floor)
        if turns[kind, turn] == TO_THREAD:
            state[_THREAD] = turns[target, turn]
        elif seen[turns[target, turn]] != w:
            state[_ACTIVITY] = turns[target, turn]
    elif thread != main and main >= 0 and floor < alive[thread] <= state[_NOW]:
        _cross(trail, state, w, ON_HOST, thread, alive[thread], floor)
        state[_THREAD] = main
    else:
        _cross(trail, state, w, ON_HOST, thread, floor, floor)


@compiled_part
def _last_turn(turns, thread, now):
    """Number of the last turn of a thread at or before a time, or of an earlier thread, or -1."""
    low, high = 0, turns.shape[1]
    while low < high:
        middle = (low + high) // 2
        if turns[0, middle] < thread or (turns[0, middle] == thread and turns[1, middle] <= now):
            low = middle + 1
        else:
            high = middle
    return low - 1
