"""One run of torch's profiler, from the outside of the job's code."""

from __future__ import annotations

import threading
from typing import Any

_OPTIONS = {
    "shapes": "record_shapes",
    "stack": "with_stack",
    "memory": "profile_memory",
    "flops": "with_flops",
    "modules": "with_modules",
}


class Profiling:
    """A profiler of torch that is stepped by hand.

    Attributes:
        activities: what it records, as ``CPU CUDA``.
        is_recording: what it sees is kept.
        thread: that started it; only this one may stop it.

    Args:
        step: number of the step that begins.
        is_counted: `count_events` is wanted, and not the file alone.
    """

    own: set[int] = set()  # noqa: RUF012 - shared on purpose: threads that are starting a profiler for stepscope

    def __init__(self, torch: Any, records: list[str], step: int, is_counted: bool = False) -> None:
        self.thread = threading.get_ident()
        self.is_recording = False
        actions = torch.profiler.ProfilerAction
        self._warmup, self._record, self._action = actions.WARMUP, actions.RECORD, actions.WARMUP
        activities = _activities(torch)
        self.activities = _names(activities)
        self._profiler = torch.profiler.profile(
            activities=activities,
            schedule=lambda _: self._action,
            **_options(records),
            **({} if is_counted else _for_the_file_only(torch, records)),
        )
        self._profiler.step_num = step

    def start(self, record: bool) -> None:
        """Start it: to warm up, or at once to record."""
        self._action = self._record if record else self._warmup
        self._profiler.current_action = self._action
        _as_own(self._profiler.start)
        self.is_recording = record

    def step(self, record: bool) -> None:
        """A step begins."""
        self._action = self._record if record else self._warmup
        _as_own(self._profiler.step)
        self.is_recording = record

    def stop(self) -> None:
        _as_own(self._profiler.stop)

    def count_events(self) -> int:
        """Events that were recorded. Of a profiler that was stopped."""
        return _count(getattr(self._profiler, "profiler", None))

    def save(self, path: str) -> None:
        self._profiler.export_chrome_trace(path)

    def added(self) -> dict[str, Any]:
        """Top-level members that the file needs besides what torch writes."""
        return {}


class TooOld(Exception):
    """This torch lacks what is needed."""


class ThreadsProfiling:
    """A profiler that sees all threads, started and stopped by one of its own.

    It is the one inside ``torch.profiler.profile``, which imports parts of torch when it starts: on a thread beside a
    program that is importing too, each would wait for the other, and the program's import would fail.
    """

    def __init__(self, torch: Any, records: list[str]) -> None:
        kinds = torch.profiler.ProfilerActivity
        self.activities = _names(_activities(torch))
        devices = {kinds.CUDA: "cuda", **({kinds.XPU: "xpu"} if hasattr(kinds, "XPU") else {})}
        used = [devices[one] for one in _activities(torch) if one in devices]
        self.thread = threading.get_ident()
        self._options = _options(records)
        try:
            all_threads = torch._C._profiler._ExperimentalConfig(profile_all_threads=True)
        except TypeError as error:
            raise TooOld(
                "its profiler cannot record all threads (profile_all_threads): name what ends a step"
            ) from error
        self._profiler = torch.autograd.profiler.profile(
            use_device=used[0] if used else None,
            use_kineto=True,
            experimental_config=all_threads,
            **self._options,
        )

    def start(self) -> None:
        _as_own(self._profiler.__enter__)

    def stop(self) -> None:
        _as_own(self._profiler.__exit__, None, None, None)

    def count_events(self) -> int:
        return _count(self._profiler)

    def save(self, path: str) -> None:
        self._profiler.export_chrome_trace(path)

    def added(self) -> dict[str, Any]:
        return dict.fromkeys(self._options, 1)


def _as_own(action: Any, *given: Any) -> None:
    """Do something to a profiler that the program's hooks must not take for the program's own."""
    Profiling.own.add(threading.get_ident())
    try:
        action(*given)
    finally:
        Profiling.own.discard(threading.get_ident())


def _count(profiler: Any) -> int:
    results = getattr(profiler, "kineto_results", None)
    return len(results.events()) if results is not None else 0


def _options(records: list[str]) -> dict[str, Any]:
    return {_OPTIONS[one]: True for one in records if one in _OPTIONS}


def _for_the_file_only(torch: Any, records: list[str]) -> dict[str, Any]:
    """Has a newer torch not make objects of events that only the file is wanted of: a quarter of the time of stopping.

    With stacks it makes them all the same, and warns.
    """
    if "stack" in records:
        return {}
    try:
        return {"experimental_config": torch._C._profiler._ExperimentalConfig(trace_only=True)}
    except (AttributeError, TypeError):
        return {}


def _names(activities: list[Any]) -> str:
    return " ".join(getattr(one, "name", str(one)) for one in activities)


def _activities(torch: Any) -> list[Any]:
    """CPU, and each kind of device that the job has used: asking any other one whether it is there starts it."""
    kinds = torch.profiler.ProfilerActivity
    found = [kinds.CPU]
    for name in ("cuda", "xpu"):
        device, kind = getattr(torch, name, None), getattr(kinds, name.upper(), None)
        try:
            if device is not None and kind is not None and device.is_initialized():
                found.append(kind)
        except (AttributeError, RuntimeError):
            continue
    return found
