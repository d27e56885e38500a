"""``with stepscope.profile("runs/a") as p: ... p.step()``, the same as a decorator, and ``stepscope.steps(loader)``."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, TypeVar

from stepscope.capture.agent.identity import rank_of
from stepscope.capture.in_code.annotations import annotate
from stepscope.capture.in_code.memory import step_range
from stepscope.capture.in_code.said import say, sentence
from stepscope.capture.in_code.session import Session, current
from stepscope.capture.plan import DEFAULT_RECORDS, EVERY, PRESETS, RECORDS, Plan, Steps

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class StopAtStep(Steps):
    """Steps from the first to the last, counted from 1 and both included, under the name that MindSpore has for it.

    >>> StopAtStep(10, 12)
    StopAtStep(first=9, last=11, every=0)
    """

    def __init__(self, start: int, stop: int) -> None:
        if not 1 <= start <= stop:
            raise ValueError(sentence("stop-at-step"))
        super().__init__(start - 1, stop - 1)


def profile(
    out: str | os.PathLike[str],
    preset: str = "steady",
    *,
    steps: tuple[int, int] | Steps | None = None,
    every: int = EVERY,
    records: Sequence[str] = DEFAULT_RECORDS,
    two_pass: bool = False,
    ranks: Sequence[int] = (),
    memory_history: bool = False,
    events: int | None = None,
    quiet: bool = False,
) -> Profile:
    """Record some steps of what runs inside it: a context manager, and a decorator.

    Only these steps are slowed down. Those around them are timed without the profiler, and the times stand in the file,
    so that reports start from them.

    Args:
        out: folder of the recordings, one for each rank.
        preset: ``early`` (steps 3 to 5), ``steady`` (23 to 28) or ``periodic`` (13 to 15, and again every so many).
        steps: first and last step instead, counted from 0, or a `StopAtStep`.
        every: of ``periodic``.
        records: of shapes, stack, memory, flops, modules; () for none.
        two_pass: a light recording for the times, then one with all of ``records``.
        ranks: only these.
        memory_history: a snapshot of the CUDA allocator, too.
        events: the recording ends early before it has more; 0 for never, None for 1.5 million, 0.6 million with shapes
            or stacks, which take 2 GB of memory.
        quiet: say nothing at the end.

    Raises:
        ValueError: there is no such preset or step, or nothing of that name can be recorded.
    """
    when = _when(preset, steps, every)
    folder, known = os.path.abspath(os.fspath(out)), _known(records)
    return Profile(Plan(folder, when, known, "", two_pass, tuple(ranks), memory_history, events), quiet)


def _known(records: Sequence[str]) -> Sequence[str]:
    unknown = [one for one in records if one not in RECORDS]
    if isinstance(records, str) or unknown:
        name = repr(records if isinstance(records, str) else unknown[0])
        raise ValueError(sentence("no-record", name=name, known=", ".join(RECORDS)))
    return tuple(records)


def _when(preset: str, steps: tuple[int, int] | Steps | None, every: int) -> Steps:
    if steps is None:
        if preset not in PRESETS:
            raise ValueError(sentence("no-preset", name=repr(preset), known=", ".join(PRESETS)))
        chosen = PRESETS[preset]
        return Steps(chosen.first, chosen.last, every) if chosen.every else chosen
    if isinstance(steps, Steps):
        return steps
    given = list(steps)
    if len(given) != 2 or any(type(one) is not int for one in given) or not 0 <= given[0] <= given[1]:
        raise ValueError(sentence("no-steps"))
    return Steps(*given)


class Profile(AbstractContextManager["Profile"]):
    """What `profile` returns.

    Attributes:
        files: recordings, complete once the block has ended.
    """

    def __init__(self, plan: Plan, quiet: bool) -> None:
        self._plan, self._quiet = plan, quiet
        self._session: Session | None = None
        self.files: list[str] = []

    def __enter__(self) -> Profile:
        import torch  # type: ignore[import-not-found, unused-ignore]

        version = str(getattr(sys.modules.get("stepscope"), "__version__", ""))
        self._session = Session(torch, self._plan.config(version))
        is_first = current() is None
        self._session.install()
        if not is_first and not self._quiet:
            say(sentence("nested"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        session = self._session
        if session is None or not session.is_active:
            return
        session.end("end" if kind is None else kind.__name__)
        names = [window["file"] for window in session.windows if window["file"]]
        self.files = [os.path.join(self._plan.out, name) for name in names]
        if not self._quiet and rank_of() in (None, 0):
            say(self._outcome(session))

    def __call__(self, function: F) -> F:
        """The function with a recording of its own for each call."""

        @functools.wraps(function)
        def recorded(*given: Any, **named: Any) -> Any:
            with Profile(self._plan, self._quiet):
                return function(*given, **named)

        return recorded  # type: ignore[return-value]

    def step(self) -> None:
        """A step has ended, and the next one begins."""
        if self._session is not None:
            self._session.step()

    @property
    def is_recording(self) -> bool:
        """Whether the profiler runs now."""
        return self._session is not None and self._session.is_active and self._session.is_recording

    def annotate(self, name: str) -> annotate:
        """The same as `stepscope.annotate`."""
        return annotate(name)

    def _outcome(self, session: Session) -> str:
        written = [window for window in session.windows if window["file"] and window["last_step"] is not None]
        if written:
            first, last = written[0]["first_step"], written[-1]["last_step"]
            whole = all(window["closed"] in ("end", "budget") for window in written)
            key = "recorded" if whole else "cut-foreign" if session.closed == "foreign" else "partial"
            return sentence(key, first=first, last=last, folder=self._plan.out, wanted=self._wanted())
        if session.closed == "foreign":
            return sentence("foreign")
        problems = [window["problem"] for window in session.windows if window["problem"]] + session.problems
        if problems:
            return sentence("failed", reason=problems[0])
        return sentence("too-short", steps=session.steps, wanted=self._wanted())

    def _wanted(self) -> str:
        when = self._plan.when
        return f"{when.first} - {when.last}" if isinstance(when, Steps) else ""


def steps(batches: Iterable[T]) -> Iterator[T]:
    """The same batches. Where a `profile` is at work, each is a step of it: loading it, and what the loop does then.

    Inside `memory_history` steps stand in the snapshot, too.
    """
    iterator, number = iter(batches), 0
    while True:
        session = current()
        is_told = session is not None and session.is_recording
        # The profiler tells its own steps, and would tell these twice.
        with nullcontext() if is_told else step_range(number):
            try:
                batch = next(iterator)
            except StopIteration:
                return
            yield batch
        number += 1
        session = current()
        if session is not None:
            session.step()
