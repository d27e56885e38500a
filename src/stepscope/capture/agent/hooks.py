"""What of torch is wrapped so that steps are seen. Everything is called as before, with the same results.

No hook on modules unless it was asked for: dynamo traces those, and taking them away again compiles anew.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import Any

from .boundaries import StepFinder
from .profiling import Profiling
from .script import MAIN, is_of_script, when_defined


class Hooks:
    """Wraps torch, once.

    Args:
        finder: is told what happens.
        foreign: called before a profiler of the program itself starts.
        failed: called with an error of a hook; the program never sees one.
    """

    def __init__(
        self, torch: Any, finder: StepFinder, foreign: Callable[[], None], failed: Callable[[Exception], None]
    ) -> None:
        self._torch, self._foreign, self._failed = torch, foreign, failed
        self.finder = finder
        self._calls: dict[str, str] = {}
        compiler = getattr(torch, "compiler", None)
        self._is_compiling: Callable[[], bool] = getattr(compiler, "is_compiling", None) or (lambda: False)

    def install(self, step_on: str, already: list[Any]) -> None:
        """Wrap what the kind of boundary needs."""
        kind, _, what = step_on.partition(":")
        for wrap in (self._optimizers, self._backward, self._loaders, self._scalers, self._profilers):
            self._safely(wrap)
        if kind == "forward":
            self._safely(self._modules, what)
        elif kind == "range":
            self._safely(self._ranges, what)
        elif kind == "call":
            module, _, function = what.partition(":")
            self._calls[module] = function
            for one in already:
                if one.__name__ != MAIN:
                    self.watch_call(one)
            if is_of_script(module):
                self._safely(when_defined, function.split("."), self._wrap_call)

    def watch_profilers(self) -> None:
        """Only see profilers of the program start."""
        self._safely(self._profilers)

    def in_backward(self) -> bool:
        """Whether this thread is inside a backward pass, as torch itself knows."""
        task = getattr(self._torch._C, "_current_graph_task_id", None)
        return task is not None and task() != -1

    def _tell(self, event: str, *given: Any) -> None:
        """Tell the finder, which is another one in a forked child."""
        try:
            getattr(self.finder, event)(*given)
        except Exception as error:  # noqa: BLE001 - the program goes on
            self._failed(error)

    def _safely(self, function: Callable[..., None], *given: Any) -> None:
        try:
            function(*given)
        except Exception as error:  # noqa: BLE001 - the program goes on
            self._failed(error)

    def _optimizers(self) -> None:
        optimizer = self._torch.optim.Optimizer
        given = optimizer.__dict__.get("profile_hook_step")
        if given is None:
            self._step_post_hook()
            return
        make = given.__func__ if isinstance(given, staticmethod) else given

        def profile_hook_step(function: Any) -> Any:
            self._tell("optimizer_made")
            return self._around_step(make(function))

        optimizer.profile_hook_step = staticmethod(profile_hook_step)

    def _around_step(self, step: Any) -> Any:
        """``Optimizer.step`` with its range of the profiler inside: a boundary within would tear that apart."""

        @functools.wraps(step)
        def stepped(*args: Any, **kwargs: Any) -> Any:
            if self._is_compiling() or not args:
                return step(*args, **kwargs)
            self._tell("step_begins")
            try:
                return step(*args, **kwargs)
            finally:
                self._tell("step_ends", args[0])

        return stepped

    def _step_post_hook(self) -> None:
        """Where torch has no such method: its own hook, which runs inside the range."""
        from torch.optim.optimizer import (  # type: ignore[import-not-found, unused-ignore]
            register_optimizer_step_post_hook,
        )

        register_optimizer_step_post_hook(lambda one, *_: self._tell("step_ends", one))

    def _backward(self) -> None:
        autograd = self._torch.autograd
        backward = autograd.backward

        @functools.wraps(backward)
        def counted(*args: Any, **kwargs: Any) -> Any:
            if self._is_compiling():
                return backward(*args, **kwargs)
            self._tell("backward_begins")
            try:
                return backward(*args, **kwargs)
            finally:
                self._tell("backward_ends")

        autograd.backward = counted

    def _loaders(self) -> None:
        from torch.utils.data import dataloader  # type: ignore[import-not-found, unused-ignore]

        iterator = dataloader._BaseDataLoaderIter
        fetch = iterator.__next__

        @functools.wraps(fetch)
        def fetched(loader: Any) -> Any:
            self._tell("fetch_begins")
            batch = fetch(loader)
            self._tell("fetched")
            return batch

        iterator.__next__ = fetched
        # Loaders bind it by a second name in old versions.
        if "next" in iterator.__dict__:
            iterator.next = fetched

    def _scalers(self) -> None:
        seen: set[Any] = set()
        for name in ("torch.amp.grad_scaler", "torch.cuda.amp.grad_scaler"):
            scaler = getattr(sys.modules.get(name), "GradScaler", None)
            if scaler is None or "update" not in scaler.__dict__ or scaler in seen:
                continue
            seen.add(scaler)
            scaler.update = self._before_return(scaler.update, "scaler_updated")

    def _before_return(self, function: Any, event: str) -> Any:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            if not self._is_compiling():
                self._tell(event)
            return result

        return called

    def _profilers(self) -> None:
        """Two profilers at a time crash the process: the program's own is the one that stays."""
        profiler = self._torch.autograd.profiler.profile
        prepare = profiler._prepare_trace

        @functools.wraps(prepare)
        def prepared(*args: Any, **kwargs: Any) -> Any:
            if threading.get_ident() not in Profiling.own:
                self._safely(self._foreign)
            return prepare(*args, **kwargs)

        profiler._prepare_trace = prepared

    def _modules(self, name: str) -> None:
        """Steps begin where a module of this class is called, or the outermost one. Asked for only."""
        outer = threading.local()

        def begins(module: Any, _: Any) -> None:
            if self._is_compiling():
                return
            if name:
                if type(module).__name__ == name:
                    self._tell("marked")
                return
            outer.depth = getattr(outer, "depth", 0) + 1
            if outer.depth == 1:
                self._tell("marked")

        def ends(*_: Any) -> None:
            if not self._is_compiling() and not name:
                outer.depth = max(getattr(outer, "depth", 1) - 1, 0)

        from torch.nn.modules import module  # type: ignore[import-not-found, unused-ignore]

        module.register_module_forward_pre_hook(begins)
        if not name:
            try:
                module.register_module_forward_hook(ends, always_call=True)
            except TypeError:  # before torch 2.1
                module.register_module_forward_hook(ends)

    def _ranges(self, name: str) -> None:
        """Steps begin where a range of this name does, of ``record_function`` or of NVTX."""
        ranges = self._torch.autograd.profiler.record_function
        enter = ranges.__enter__

        @functools.wraps(enter)
        def entered(one: Any) -> Any:
            if not self._is_compiling() and one.name == name:
                self._tell("marked")
            return enter(one)

        ranges.__enter__ = entered
        nvtx = getattr(getattr(self._torch, "cuda", None), "nvtx", None)
        push = getattr(nvtx, "range_push", None)
        if push is None:
            return

        @functools.wraps(push)
        def pushed(message: Any, *args: Any, **kwargs: Any) -> Any:
            if message == name:
                self._tell("marked")
            return push(message, *args, **kwargs)

        nvtx.range_push = pushed  # type: ignore[union-attr]

    def watch_call(self, module: Any) -> None:
        """Steps end where a function returns that was asked for, of a module that was just imported."""
        path = self._calls.get(module.__name__, "")
        if path:
            self._safely(self._wrap_path, module, path.split("."))

    def _wrap_path(self, module: Any, path: list[str]) -> None:
        owner = module
        for name in path[:-1]:
            owner = getattr(owner, name)
        self._wrap_call(owner, path[-1])

    def _wrap_call(self, owner: Any, name: str) -> None:
        setattr(owner, name, self._before_return(getattr(owner, name), "marked"))
