"""The critical path of each step: a walk back from its end along what each thing waited for (see docs/tables/).

A step begins when all work before it is done: at its host range's start or, if later, at the end of the last activity
launched before it. It ends when its own is done: at its host range's end or the end of the last activity launched in
it. So steps that follow one another share no time, and each one's path is as long as the step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stepscope.analyses.critical_path.activity_dependencies import Bindings, bindings
from stepscope.analyses.critical_path.launching_threads import several_launch
from stepscope.analyses.critical_path.queue import NEVER, Queue, gpu_queue
from stepscope.analyses.critical_path.threads import host_threads, switches
from stepscope.analyses.critical_path.waits import Waits, host_waits
from stepscope.numeric.backtrace import TO_ACTIVITY, TO_THREAD, Stretches, Turns, walk_back
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank


@dataclass(frozen=True)
class Windows:
    """Selected steps: number, first and last moment in ns, and the activity that ends last or `NOBODY`."""

    step: Ints
    first: Ints
    last: Ints
    begin: Ints


@dataclass(frozen=True)
class CriticalPath:
    """The walk through each selected step.

    Attributes:
        windows: the steps.
        stretches: what the walk crossed; ``place`` is a row of the table activity, a thread's number or, in
            `walking.RETURNING`, a number in ``turns``.
        turns: where a thread waited; ``turn_call`` has the row in the table runtime, or `NOBODY`.
        queue, bindings, waits: what it was made from.
    """

    windows: Windows
    stretches: Stretches
    turns: Turns
    turn_call: Ints
    queue: Queue
    bindings: Bindings
    waits: Waits


_NO_WINDOWS = Windows(*(np.empty(0, np.int64) for _ in range(4)))


@per_rank
def critical_path_of(rank: Rank) -> CriticalPath:
    """The paths of a rank's selected steps."""
    queue = gpu_queue(rank)
    bound = bindings(rank.whole)
    waits = host_waits(rank, queue)
    turns, turn_call = _turns(rank, waits, queue)
    threads = host_threads(rank)
    windows = step_windows(rank, queue) if not several_launch(rank.whole) else _NO_WINDOWS
    stretches = walk_back(windows.first, windows.last, windows.begin, bound.work, turns, threads.alive, threads.main)
    return CriticalPath(windows, stretches, turns, turn_call, queue, bound, waits)


def _turns(rank: Rank, waits: Waits, queue: Queue) -> tuple[Turns, Ints]:
    """Returns of waiting calls and switches between threads, sorted; and the call of each, or `NOBODY`."""
    other = switches(rank.whole)
    thread = np.concatenate([waits.thread, other.thread])
    at = np.concatenate([waits.end, other.at])
    kind = np.repeat([TO_ACTIVITY, TO_THREAD], [len(waits.end), len(other.at)])
    target = np.concatenate([waits.activity, other.target])
    since = np.concatenate([np.minimum(queue.end[waits.activity], waits.end), other.at])
    call = np.concatenate([waits.call, np.full(len(other.at), NOBODY, np.int64)])
    begun = np.concatenate([waits.start, other.at])
    order = np.lexsort((begun, since, kind, at, thread))
    return Turns(*(array[order] for array in (thread, at, kind, target, since))), call[order]


def step_windows(rank: Rank, queue: Queue) -> Windows:
    """Begin and end of each selected step on both sides, host and GPU."""
    ranges = rank.all_steps.ranges
    start, end = ranges["start_ns"].to_numpy(), ranges["end_ns"].to_numpy()
    order = np.lexsort((queue.place, queue.launched))
    launched, ended = queue.launched[order], queue.end[order]
    reach = np.maximum.accumulate(ended) if len(ended) else ended
    first, last, begin = start.copy(), end.copy(), np.full(len(start), NOBODY, np.int64)
    floor = NEVER
    for number, (a, b) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        low, high = (int(n) for n in np.searchsorted(launched, [a, b], side="left"))
        first[number] = max(a, int(reach[low - 1]) if low else NEVER, floor)
        if high > low:
            latest = low + int(np.argmax(ended[low:high]))
            if ended[latest] >= b:
                last[number], begin[number] = ended[latest], order[latest]
        last[number] = max(int(last[number]), int(first[number]))
        floor = int(last[number])
    chosen = ranges["step"].to_numpy()
    wanted = np.ones(len(chosen), np.bool_)
    if rank.chosen is not None:
        wanted = (chosen >= rank.chosen[0]) & (chosen <= rank.chosen[1])
    return Windows(chosen[wanted], first[wanted], last[wanted], begin[wanted])


def path_until(rank: Rank, step: int, activity: int) -> CriticalPath:
    """The path of a selected step that ends with an activity, as that of a rank for which another one waits."""
    path = critical_path_of(rank)
    at = int(np.flatnonzero(path.windows.step == step)[0])
    first, last = path.windows.first[at : at + 1], path.queue.end[activity : activity + 1]
    windows = Windows(path.windows.step[at : at + 1], first, np.maximum(first, last), np.array([activity]))
    threads = host_threads(rank)
    work = path.bindings.work
    walked = walk_back(windows.first, windows.last, windows.begin, work, path.turns, threads.alive, threads.main)
    return replace(path, windows=windows, stretches=walked)
