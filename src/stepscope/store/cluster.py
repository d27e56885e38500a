"""Workers of a Dask cluster, through `concurrent.futures`: the same functions as for processes of this machine.

The workers need the same stepscope, the files under the same paths, and a cache that this machine sees, too: they write
to the folder that is the cache here. Dask decides which worker does what; a task whose worker dies goes to another one,
a few times (``distributed.scheduler.allowed-failures``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.processes import cores

LOCAL = "local"
"""Instead of an address: a cluster on this machine, which ends with this process."""

_CONNECT_SECONDS = 10
_UNDER_WAY = 1000
"""Enough to keep any cluster busy and to let one grow that grows with what is waiting."""

_clients: dict[str, Any] = {}
_connecting = Lock()


class Cluster:
    """A crew (`store.task_queue`) of Dask workers.

    Attributes:
        size: tasks that may be under way at a time.

    Raises:
        BadRequest: Dask is not installed, nobody answers, or there are no workers.
    """

    size = _UNDER_WAY

    def __init__(self, address: str) -> None:
        self._executor = _client(address).get_executor(pure=False)
        self._under_way: set[Future[Any]] = set()

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(function, task)
        self._under_way.add(future)
        return future

    def take_back(self, future: Future[Any]) -> bool:
        """Always true: Dask has given the task to other workers already, if one died.

        Raises:
            BadRequest: the workers lack stepscope.
        """
        self._under_way.discard(future)
        error = None if future.cancelled() else future.exception()
        if isinstance(error, ImportError):
            raise BadRequest(
                Message("cluster-cannot-use-workers"),
                Message("cluster-workers-lack-stepscope"),
                Message("cluster-install-same"),
            ) from error
        return True

    def close(self) -> None:
        """The connection stays: the next tasks come soon."""
        self._executor.shutdown(wait=False)

    def stop(self) -> None:
        for future in self._under_way:
            future.cancel()
        self._executor.shutdown(wait=False)


def _client(address: str) -> Any:
    """The connection to a scheduler, made once."""
    with _connecting:
        known = _clients.get(address)
        if known is None or known.status != "running":
            _clients[address] = _connected(address)
        return _clients[address]


def _connected(address: str) -> Any:
    import asyncio  # not for those who ask for no cluster: 30 ms

    try:
        import distributed

        dask: Any = distributed
    except ImportError as error:
        raise BadRequest(
            Message("cluster-cannot-use-dask"), Message("cluster-not-installed"), Message("cluster-install-dask")
        ) from error
    tried = Message("cluster-cannot-use-scheduler", address=address)
    try:
        where = _local_cluster(dask) if address == LOCAL else address
        client: Any = dask.Client(where, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BadRequest(tried, Message("cluster-no-answer"), Message("cluster-name-scheduler")) from error
    try:
        client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
    except (TimeoutError, asyncio.TimeoutError) as error:  # two before Python 3.11
        client.close()
        raise BadRequest(tried, Message("cluster-no-workers"), Message("cluster-start-workers")) from error
    return client


def _local_cluster(dask: Any) -> Any:
    """A process for each core, each with one thread of Polars, as of `store.processes`."""
    return dask.LocalCluster(
        n_workers=cores(),
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.ERROR,
        env={"POLARS_MAX_THREADS": "1"},
    )
