"""Results that are computed once, known by the function that computes them and its other arguments.

In memory, for as long as the rank or profile keeps them: `per_rank`, `per_profile`. On disk beside the stored trace,
found again only by the code that made them (`store.result_cache`): `per_rank_on_disk`, `per_trace_on_disk`, for frames
that take long to compute, or that views of many ranks need of every one of them.
"""

from __future__ import annotations

import inspect
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import update_wrapper, wraps
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

import polars as pl

from stepscope.store.result_cache import kept_file, read_frame, write_frame

if TYPE_CHECKING:
    from stepscope.store.profile import Profile, Rank
    from stepscope.store.trace import Trace

_Result = TypeVar("_Result")
_Others = ParamSpec("_Others")
_Owner = TypeVar("_Owner")


class Memory:
    """Results by their keys; may be asked by several threads.

    Each key has a lock of its own. No result needs itself in a circle, so no two threads wait for each other.

    Args:
        most: how many results are kept; of more the one that was not used for longest goes. None for any number.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._gate = Lock()
        self._locks: defaultdict[Hashable, Any] = defaultdict(RLock)
        self._results: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], _Result]) -> _Result:
        """The result of a key, computed now where it is not kept.

        Raises:
            TypeError: the key cannot be hashed.
        """
        with self._gate:
            lock = self._locks[key]
        with lock:
            with self._gate:
                if key in self._results:
                    self._results.move_to_end(key)
                    kept: _Result = self._results[key]
                    return kept
            result = make()
            with self._gate:
                self._results[key] = result
                if self._most is not None and len(self._results) > self._most:
                    oldest, _ = self._results.popitem(last=False)
                    self._locks.pop(oldest, None)
            return result

    def forget(self) -> None:
        """Let go of every result; each is computed again where it is asked for."""
        with self._gate:
            self._results.clear()

    def __len__(self) -> int:
        return len(self._results)


class _Holder(Protocol):
    @property
    def memory(self) -> Memory: ...


_AnyHolder = TypeVar("_AnyHolder", bound=_Holder)


def in_memory(
    holder: Callable[[_AnyHolder], _AnyHolder],
) -> Callable[
    [Callable[Concatenate[_AnyHolder, _Others], _Result]], Callable[Concatenate[_AnyHolder, _Others], _Result]
]:
    """A decorator for functions whose results the memory of their first argument keeps.

    Args:
        holder: what keeps the result and is passed to the function, from the first argument.
    """

    def decorate(
        function: Callable[Concatenate[_AnyHolder, _Others], _Result],
    ) -> Callable[Concatenate[_AnyHolder, _Others], _Result]:
        signature = inspect.signature(function)

        @wraps(function)
        def computed_once(owner: _AnyHolder, /, *args: _Others.args, **kwargs: _Others.kwargs) -> _Result:
            kept_by = holder(owner)
            key = (function, *_other_arguments(signature, (kept_by, *args), kwargs))
            return kept_by.memory.get(key, lambda: function(kept_by, *args, **kwargs))

        return computed_once

    return decorate


def _other_arguments(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments but the first, the same however a call is written."""
    if len(signature.parameters) == 1 and len(args) == 1 and not kwargs:
        return ()
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.arguments.values())[1:]


def _of_selection(rank: Rank) -> Rank:
    rank.holding.use(rank)
    return rank


def _of_whole(rank: Rank) -> Rank:
    return _of_selection(rank.whole)


def _of_unlimited(rank: Rank) -> Rank:
    return _of_selection(rank.unlimited)


def _of_everyone(profile: Profile) -> Profile:
    return profile.everyone


@overload
def per_rank(
    function: Callable[Concatenate[Rank, _Others], _Result], /
) -> Callable[Concatenate[Rank, _Others], _Result]: ...


@overload
def per_rank(
    *, whole: bool = False, unlimited: bool = False
) -> Callable[[Callable[Concatenate[Rank, _Others], _Result]], Callable[Concatenate[Rank, _Others], _Result]]: ...


def per_rank(
    function: Callable[..., Any] | None = None, /, *, whole: bool = False, unlimited: bool = False
) -> Callable[..., Any]:
    """Compute a function of a rank once for it, until the rank forgets.

    Args:
        whole: the function is called with the rank without its selection of steps, and all of these share the result.
        unlimited: the same, without its selection of moments either.
    """
    decorate = in_memory(_of_unlimited if unlimited else _of_whole if whole else _of_selection)
    return decorate(function) if function is not None else decorate


def per_profile(
    function: Callable[Concatenate[Profile, _Others], _Result],
) -> Callable[Concatenate[Profile, _Others], _Result]:
    """Compute a function of all ranks once; it is called with the profile that the given one was selected from."""
    return in_memory(_of_everyone)(function)


_MAKING = Memory(most=10_000)
"""A lock for each file that a frame is kept in."""


@dataclass(frozen=True)
class _Place(Generic[_Owner]):
    """What a function on disk is called with, the trace beside which its file lies, and how the file's name ends."""

    owner: _Owner
    trace: Trace
    ending: str


_SMALL_BYTES = 8 << 20


class KeptFrame(Generic[_Owner, _Others]):
    """A function whose frame is kept beside a stored trace. Held in memory are small ones, which are asked for again
    and again, where the trace holds columns, too; and all of a trace that holds itself what is derived from it.

    Other arguments are lower-case letters, digits and ``_``: the file is named after them.
    """

    def __init__(
        self, function: Callable[Concatenate[_Owner, _Others], pl.DataFrame], place: Callable[[_Owner], _Place[_Owner]]
    ) -> None:
        self._function = function
        self._place = place
        self._signature = inspect.signature(function)
        self._name = f"{function.__module__.removeprefix('stepscope.')}.{function.__qualname__}"
        update_wrapper(self, function)

    def __call__(self, owner: _Owner, *args: _Others.args, **kwargs: _Others.kwargs) -> pl.DataFrame:
        """The frame, computed and kept first where it is missing or damaged."""
        return self.columns(None, owner, *args, **kwargs)

    def columns(
        self, names: Sequence[str] | None, owner: _Owner, *args: _Others.args, **kwargs: _Others.kwargs
    ) -> pl.DataFrame:
        """Some columns of the frame, or all: only these are read."""
        wanted = list(names) if names is not None else None
        place = self._place(owner)
        path = self.file(owner, *args, **kwargs)
        on_disk = place.trace.derived is None
        held = place.trace.small if place.trace.derived is None else place.trace.derived
        with _MAKING.get(path, RLock):  # who asks meanwhile would make it once more
            known = held.get(path.name)
            if known is None and on_disk:
                known = read_frame(path, wanted)
            if known is None:
                known = self._function(place.owner, *args, **kwargs)
                if on_disk:
                    write_frame(known, path)
            is_small = place.trace.keeps and wanted is None and known.estimated_size() <= _SMALL_BYTES
            if is_small or not on_disk:
                held[path.name] = known
        return known.select(wanted) if wanted is not None else known

    def file(self, owner: _Owner, *args: _Others.args, **kwargs: _Others.kwargs) -> Path:
        """Where the frame is kept, whether it is there or not.

        Raises:
            ValueError: an argument cannot be part of a file's name.
        """
        place = self._place(owner)
        others = _other_arguments(self._signature, (place.owner, *args), kwargs)
        return kept_file(place.trace.folder, "-".join([self._name, *map(str, others)]) + place.ending)


def per_rank_on_disk(function: Callable[Concatenate[Rank, _Others], pl.DataFrame]) -> KeptFrame[Rank, _Others]:
    """Keep a small frame of a rank on disk. The function is called with the whole rank, whatever is selected of it.

    It computes the frame from this rank alone: no other rank, no option of the profile. The rank's number is part of
    the file's name because rows hold it, and one trace may be rank 0 of one folder and rank 3 of another.
    """
    return KeptFrame(function, lambda rank: _Place(rank.unlimited, rank.trace, f"-{rank.number}{rank.beside}"))


def per_trace_on_disk(function: Callable[Concatenate[Trace, _Others], pl.DataFrame]) -> KeptFrame[Trace, _Others]:
    """Keep a frame on disk that follows from a stored trace alone."""
    return KeptFrame(function, lambda trace: _Place(trace, trace, ""))
