"""Who works for this process: processes of this machine, a Dask cluster, or nobody where it is sooner done without."""

from __future__ import annotations

from stepscope.store.cluster import Cluster
from stepscope.store.processes import Processes, can_start, cores, free_memory
from stepscope.store.task_queue import Crew

_WORTH_PROCESSES_SECONDS = 2.0
"""A process of its own costs about a second, most of it imports."""

_PROCESS_BYTES, _BYTES_A_FILE_BYTE = 300 << 20, 6
"""Memory of a process that reads, and how much more for each byte of a gzip file; measured, rounded up."""


def crew_for(
    tasks: int, seconds: float, scheduler: str = "", largest_bytes: int = 0, processes: int | None = None
) -> Crew | None:
    """A Dask cluster, or processes for some tasks, as many as there are cores and memory for; None for this process.

    Args:
        seconds: that all tasks take on one core, about.
        scheduler: as of `ReadOptions`.
        largest_bytes: of the file of a task.
        processes: how many, if somebody knows better; 0 for none.

    Raises:
        BadRequest: the cluster cannot be used.
    """
    if tasks and scheduler:
        return Cluster(scheduler)
    if tasks < 2 or processes == 0 or not can_start():
        return None
    if processes is None:
        by_memory = free_memory() // (_PROCESS_BYTES + _BYTES_A_FILE_BYTE * largest_bytes)
        processes = min(cores(), by_memory) if seconds > _WORTH_PROCESSES_SECONDS else 1
        if processes < 2:
            return None
    return Processes(min(processes, tasks))
