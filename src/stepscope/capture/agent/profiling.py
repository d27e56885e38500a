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
        is_recording: what it sees is kept.
        thread: that started it; only this one may stop it.
    """

    own: set[int] = set()  # noqa: RUF012 - shared on purpose: every profiler that stepscope itself made

    def __init__(self, torch: Any, records: list[str], step: int, all_threads: bool = False) -> None:
        self._torch = torch
        self._action: Any = None
        self.is_recording = False
        self.thread = threading.get_ident()
        given: dict[str, Any] = {_OPTIONS[one]: True for one in records if one in _OPTIONS}
        if all_threads:
            given["experimental_config"] = torch._C._profiler._ExperimentalConfig(profile_all_threads=True)
        else:
            given["schedule"] = lambda _: self._action
        actions = torch.profiler.ProfilerAction
        self._warmup, self._record, self._action = actions.WARMUP, actions.RECORD, actions.WARMUP
        self.torch_profiler = torch.profiler.profile(activities=self._activities(), **given)
        if not all_threads:
            self.torch_profiler.step_num = step
        self._all_threads = all_threads

    def start(self, record: bool) -> None:
        """Start it: to warm up, or at once to record."""
        self._action = self._record if record else self._warmup
        if not self._all_threads:
            self.torch_profiler.current_action = self._action
        self._do(self.torch_profiler.start)
        self.is_recording = record or self._all_threads

    def step(self, record: bool) -> None:
        """A step begins."""
        self._action = self._record if record else self._warmup
        self._do(self.torch_profiler.step)
        self.is_recording = record

    def stop(self) -> None:
        self._do(self.torch_profiler.stop)

    def _do(self, action: Any) -> None:
        Profiling.own.add(threading.get_ident())
        try:
            action()
        finally:
            Profiling.own.discard(threading.get_ident())

    def count_events(self) -> int:
        """Events that were recorded. Of a profiler that was stopped."""
        results = getattr(getattr(self.torch_profiler, "profiler", None), "kineto_results", None)
        return len(results.events()) if results is not None else 0

    def save(self, path: str) -> None:
        self.torch_profiler.export_chrome_trace(path)

    def _activities(self) -> list[Any]:
        """CPU, and each kind of device that the job has used: asking any other one whether it is there starts it."""
        torch, kinds = self._torch, self._torch.profiler.ProfilerActivity
        found = [kinds.CPU]
        for name in ("cuda", "xpu"):
            device, kind = getattr(torch, name, None), getattr(kinds, name.upper(), None)
            try:
                if device is not None and kind is not None and device.is_initialized():
                    found.append(kind)
            except (AttributeError, RuntimeError):
                continue
        return found
