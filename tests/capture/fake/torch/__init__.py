"""As much of torch as the agent touches, without torch. It ends the process where the real one crashes it.

What the real one does is tested with the real one (`tests/capture/test_with_torch.py`).
"""

from __future__ import annotations

import enum
import functools
import json
import os
import sys
import threading
import time
import types
from contextlib import contextmanager

__version__ = "0.fake"
_state = types.SimpleNamespace(backward=0, open=None, stack=[], tasks=0)


def _module(name: str, **members: object) -> types.ModuleType:
    module = types.ModuleType(f"torch.{name}")
    vars(module).update(members)
    sys.modules[module.__name__] = module
    parent, _, last = module.__name__.rpartition(".")
    setattr(sys.modules[parent], last, module)
    return module


def _crash(why: str) -> None:
    sys.stderr.write(f"fake crash: {why}\n")
    sys.stderr.flush()
    os.abort()


class record_function:  # noqa: N801 - its name
    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> record_function:
        self.begin = time.perf_counter_ns()
        self.profiler = _state.open
        return self

    def __exit__(self, *_: object) -> None:
        if self.profiler is not None and self.profiler is _state.open:
            self.profiler.spans.append((self.name, self.begin, time.perf_counter_ns()))


class _Profile:
    """``torch.autograd.profiler.profile``."""

    def __init__(self, **options: object) -> None:
        self.options, self.spans = options, []
        config = options.get("experimental_config")
        if config is not None and config.trace_only and options.get("with_stack"):
            _crash("warns that trace_only and with_stack do not go together")
        self.kineto_results = None

    def _prepare_trace(self) -> None:
        if _state.open is not None:
            _crash("two profilers")
        if _state.backward:
            _crash("started inside backward")

    def _start_trace(self) -> None:
        _state.open, self.thread = self, threading.get_ident()

    def __enter__(self) -> _Profile:
        self._prepare_trace()
        self._start_trace()
        return self

    def __exit__(self, *_: object) -> None:
        if self.thread != threading.get_ident():
            _crash("stopped on another thread")
        if _state.backward:
            _crash("stopped inside backward")
        if os.environ.get("FAKE_SIGNAL") and os.environ.pop("FAKE_SIGNAL"):
            os.kill(os.getpid(), 15)
        _state.open = None
        config = self.options.get("experimental_config")
        spans = [] if config is not None and config.trace_only else self.spans
        self.kineto_results = types.SimpleNamespace(events=lambda: list(spans))

    def export_chrome_trace(self, path: str) -> None:
        if os.environ.get("FAKE_EXPORT") == "fail":
            raise OSError(28, "No space left on device")
        shared = {"ph": "X", "cat": "user_annotation", "pid": 1, "tid": 1}
        events = [
            {**shared, "name": name, "ts": begin / 1000, "dur": (end - begin) / 1000} for name, begin, end in self.spans
        ]
        text = json.dumps({"schemaVersion": 1, "traceEvents": events})
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:-1] if os.environ.get("FAKE_EXPORT") == "cut" else text)


class ProfilerAction(enum.Enum):
    NONE, WARMUP, RECORD, RECORD_AND_SAVE = range(4)


class ProfilerActivity(enum.Enum):
    CPU, CUDA = range(2)


class _Scheduled:
    """``torch.profiler.profile``."""

    def __init__(self, activities: object = None, schedule: object = None, **options: object) -> None:
        self.schedule, self.step_num = schedule or (lambda _: ProfilerAction.RECORD), 0
        self.current_action, self.options = self.schedule(0), options
        self.profiler: _Profile | None = None

    def _begin_step(self) -> None:
        self.range = record_function(f"ProfilerStep#{self.step_num}")
        self.range.__enter__()

    def start(self) -> None:
        if threading.current_thread().name == "stepscope-window":
            _crash("imports parts of torch beside the program")
        self.profiler = _Profile(**self.options)
        self.profiler._prepare_trace()
        if self.current_action is ProfilerAction.RECORD:
            self.profiler._start_trace()
        self._begin_step()

    def step(self) -> None:
        if _state.backward:
            _crash("stepped inside backward")
        self.range.__exit__()
        self.step_num += 1
        before, self.current_action = self.current_action, self.schedule(self.step_num)
        if before is ProfilerAction.WARMUP and self.current_action is ProfilerAction.RECORD:
            self.profiler._start_trace()
        self._begin_step()

    def stop(self) -> None:
        self.range.__exit__()
        if self.current_action is ProfilerAction.WARMUP:
            self.profiler._start_trace()
        self.profiler.__exit__()

    def export_chrome_trace(self, path: str) -> None:
        self.profiler.export_chrome_trace(path)


class Optimizer:
    """Like the real one, its ``step`` is wrapped in a range of the profiler when the first of a class is made."""

    def __init__(self) -> None:
        if not getattr(type(self).step, "hooked", None):
            type(self).step = self.profile_hook_step(type(self).step)
            type(self).step.hooked = True

    @staticmethod
    def profile_hook_step(function: object) -> object:
        @functools.wraps(function)
        def wrapper(*args: object, **kwargs: object) -> object:
            with record_function(f"Optimizer.step#{type(args[0]).__name__}.step"):
                return function(*args, **kwargs)

        return wrapper

    def step(self) -> None:
        with record_function("aten::add_"):
            pass


class SGD(Optimizer):
    pass


class Adam(Optimizer):
    pass


def _backward(hooks: tuple = ()) -> None:
    """Calls hooks from the middle, as those of gradients are."""
    _state.backward += 1
    try:
        for hook in hooks:
            hook()
    finally:
        _state.backward -= 1


class _BaseDataLoaderIter:
    def __init__(self, data: object) -> None:
        self.data = iter(data)

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def __next__(self) -> object:
        with record_function("enumerate(DataLoader)"):
            return next(self.data)


class GradScaler:
    def update(self) -> None:
        pass


class Module:
    def __call__(self, *given: object) -> object:
        for hook in _hooks["before"]:
            hook(self, given)
        result = self.forward(*given)
        for hook in _hooks["after"]:
            hook(self, given, result)
        return result

    def forward(self, *given: object) -> object:
        return given


_hooks: dict[str, list] = {"before": [], "after": []}


@contextmanager
def _compiling() -> object:
    _state.tasks += 1
    try:
        yield
    finally:
        _state.tasks -= 1


_module("_C", _current_graph_task_id=lambda: 0 if _state.backward else -1)
_module(
    "_C._profiler",
    _ExperimentalConfig=lambda profile_all_threads=False, trace_only=False: types.SimpleNamespace(
        profile_all_threads=profile_all_threads, trace_only=trace_only
    ),
)
_module("compiler", is_compiling=lambda: _state.tasks > 0)
_module("profiler", profile=_Scheduled, ProfilerAction=ProfilerAction, ProfilerActivity=ProfilerActivity)
_module("autograd", backward=_backward)
_module("autograd.profiler", profile=_Profile, record_function=record_function)
_module("optim", Optimizer=Optimizer, SGD=SGD, Adam=Adam)
_module("utils")
_module("utils.data")
_module("utils.data.dataloader", _BaseDataLoaderIter=_BaseDataLoaderIter)
_module("amp")
_module("amp.grad_scaler", GradScaler=GradScaler)
_module("nn")
_module("nn.modules")
_module(
    "nn.modules.module",
    Module=Module,
    register_module_forward_pre_hook=_hooks["before"].append,
    register_module_forward_hook=lambda hook, always_call: _hooks["after"].append(hook),
)
