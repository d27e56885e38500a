"""Python code that runs while no kernels are launched: loops over data, garbage collection, file I/O."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.host.module_calls import MODULE
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.estimates import SAVING_POINTS
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, inside, outermost
from stepscope.findings.detectors.copied_storages import copied_storages
from stepscope.findings.detectors.frame_patterns import LOGS, PRINTS, SAVING
from stepscope.findings.detectors.python_stretches import OwnPython, own_python
from stepscope.findings.hottest_function import shown_function
from stepscope.messages import Message
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.store.step_detection import PROFILER_FRAME

_LEAST_NS, _LEAST_SHARE = 1_000_000, 0.01
"""A frame shorter than this, and than this share of the step, is not looked at."""

_PIECES = 8
"""Of Python between operators so many moments are looked at for its line."""

_COLLECTING = r"<built-in (?:function|method) collect\b|^Python GC\b|^gc\.collect\b"
"""Called by the program, or started by Python itself and recorded (torch's record_python_gc_info)."""
_FILES = "|".join(
    [
        r"<built-in (?:function|method) (?:write|writelines|open|dump|load|fsync|flush|read|savez?|print)\b",
        r": (?:add_scalar|add_histogram|log_metrics|writerow)$",
        r"(?:^|[/\\])csv(?:[/\\]\w+)?\.py\(\d+\): ",
        r"(?:^|[/\\])(?:json|pickle|_?yaml)(?:[/\\]\w+)?\.py\(\d+\): _?(?:dump|load)$",
    ]
)
_CONVERSION = "|".join(
    [
        r"<built-in (?:function|method) (?:dumps|loads|c_make_encoder|encode_basestring\w*)\b",
        r"(?:^|[/\\])(?:json|pickle|_?yaml)(?:[/\\]\w+)?\.py\(\d+\): ",
    ]
)
"""Objects made into text or bytes and back."""
_COPIES = r"(?:^|[/\\])copy\.py\(\d+\): deepcopy$"
_SLEEP = r"<built-in function sleep>"
_NOT_THE_PROGRAM = "|".join(
    [
        r"<built-in (?:function|method) (?:acquire|poll|select|wait|recv|join|get|synchronize)\b",
        r": (?:wait|join|synchronize)$",
        r"threading\.py",
        PROFILER_FRAME,
    ]
)

_KINDS = (
    ("garbage-collection", _COLLECTING),
    ("sleep", _SLEEP),
    ("file-io", _FILES),
    ("object-conversion", _CONVERSION),
)
_TEXTS = {
    "checkpoint": (
        Message("finding-checkpoint-advice"),
        "if step % 1000 == 0: torch.save(state, path)  # was: more often",
        "https://docs.pytorch.org/docs/stable/distributed.checkpoint.html",
    ),
    "deep-copy": (
        Message("finding-deep-copy-advice"),
        "torch._foreach_lerp_(averages, params, 1 - decay)  # was: average = copy.deepcopy(model.state_dict())",
        "https://docs.pytorch.org/docs/stable/optim.html",
    ),
    "garbage-collection": (
        Message("finding-garbage-collection-advice"),
        "if step % 500 == 0: gc.collect()  # was: in every step; gc.disable() before the loop",
        "https://docs.python.org/3/library/gc.html",
    ),
    "file-io": (
        Message("finding-file-io-advice"),
        "if step % 100 == 0: log.write(lines)  # was: log.write(line) in every step",
        "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
    ),
    "object-conversion": (
        Message("finding-object-conversion-advice"),
        "if step % 100 == 0: text = json.dumps(values)  # was: in every step",
        "https://docs.python.org/3/library/json.html",
    ),
    "sleep": (
        Message("finding-sleep-advice"),
        "# was: time.sleep(seconds)",
        "https://docs.python.org/3/library/time.html",
    ),
    "python-work": (
        Message("finding-python-work-advice"),
        "loader = DataLoader(data, num_workers=4, collate_fn=work)  # was: work(values) in the training process",
        "https://docs.pytorch.org/docs/stable/data.html",
    ),
    "python-in-modules": (
        Message("finding-python-work-advice-in-modules"),
        'model = torch.compile(model, mode="reduce-overhead")  # was: model',
        "https://docs.pytorch.org/docs/stable/generated/torch.compile.html",
    ),
}
"""Advice, change and page of each kind. A thread gives no time of Python back: it needs the interpreter lock (GIL)."""

_FRAGMENT_NS, _LEAST_FRAGMENTS = 100_000, 10
"""Of Python in the modules' calls, stretches shorter than this, so many a step: how the model calls PyTorch. No other
process can do that."""

_MARGIN = {"python-work": 8.0, "deep-copy": 10.0, "object-conversion": 10.0}
"""Points: how much longer Python takes while it is recorded differs from function to function."""

_TITLES = {
    "checkpoint": "finding-checkpoint-title",
    "deep-copy": "finding-deep-copy-title",
    "garbage-collection": "finding-garbage-collection-title",
    "file-io": "finding-file-io-title",
    "object-conversion": "finding-object-conversion-title",
    "sleep": "finding-sleep-title",
}


def detect(case: Case) -> list[Cause]:
    """Causes for checkpoints, garbage collection, files, and other Python."""
    return list(_detected(case.rank, case))


@per_rank
def _detected(_: Rank, case: Case) -> tuple[Cause, ...]:
    """The same, found once: a larger batch asks for them, too."""
    saving = outermost(case.named(SAVING, "python"))
    copying = outermost(case.named(_COPIES, "python")) if case.rank.trace.rows("python") else copied_storages(case)
    copying = copying.chosen(~inside(saving, copying.thread, copying.start))
    kinds = (("checkpoint", saving), ("deep-copy", copying))
    causes = [_cause(case, kind, ranges, with_calls=True) for kind, ranges in kinds if len(ranges.start)]
    taken = [saving, copying]
    for kind, pattern in _KINDS:
        found = outermost(_idle(case, pattern, taken))
        if len(found.start):
            causes.append(_cause(case, kind, found))
            taken.append(found)
    own = own_python(case, [*taken, case.named(f"{PRINTS}|{LOGS}", "python")], _NOT_THE_PROGRAM)
    if own is not None:
        causes.append(_of_own_python(case, own))
    return tuple(causes)


def _of_own_python(case: Case, own: OwnPython) -> Cause:
    """A cause with the advice that fits where the program's own Python runs."""
    cause = _cause(case, "python-work", own.ranges, own=own)
    if not _is_glue(case, own.ranges):
        return replace(cause, unknown=Message("finding-python-work-unknown"))
    advice, change, link = _TEXTS["python-in-modules"]
    unknown = Message("finding-python-work-unknown-in-modules")
    return replace(cause, advice=advice, change=change, links=(link,), unknown=unknown, general=True)


def _is_glue(case: Case, ranges: Ranges) -> bool:
    """Whether most of some Python is many short stretches in the calls of modules."""
    modules = case.named(f"^{re.escape(MODULE)}", "python")
    short = ranges.end - ranges.start < _FRAGMENT_NS
    pieces = ranges.chosen(short & inside(modules, ranges.thread, ranges.start))
    many = case.a_step(len(pieces.start)) >= _LEAST_FRAGMENTS
    return many and 2 * case.host_ns(pieces) > case.host_ns(ranges)


def _idle(case: Case, pattern: str, taken: list[Ranges]) -> Ranges:
    """Long Python frames of the timed threads in which nothing of PyTorch happens, outside what is taken already."""
    least = min(_LEAST_NS, _LEAST_SHARE * case.model.recorded_ns)
    frames = case.named(pattern, "python")
    frames = frames.chosen(case.timed(frames.thread) & (frames.end - frames.start >= least))
    frames = frames.chosen(case.worked(frames) >= least)
    frames = frames.chosen(~_launches(case, frames))
    for other in (*taken, case.loading()):
        frames = frames.chosen(~inside(other, frames.thread, frames.start))
    return frames


def _launches(case: Case, frames: Ranges) -> Flags:
    """Which frames contain an operator or a call."""
    found = np.zeros(len(frames.start), np.bool_)
    for table in ("operator", "runtime"):
        every = case.rows(table)
        for number in np.unique(frames.thread).tolist():
            starts = np.sort(every.start[every.thread == number])
            low, high = (np.searchsorted(starts, edge) for edge in (frames.start, frames.end))
            found |= (frames.thread == number) & (high > low)
    return found


def _cause(case: Case, kind: str, ranges: Ranges, with_calls: bool = False, own: OwnPython | None = None) -> Cause:
    total = case.host_ns(ranges)
    spent = round(total)

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, ranges), 0.0)
        if with_calls:
            gone = launched_inside(case.rank, case.model, ranges)
            edit = case.removed(edit, ranges, gone)
        return edit

    advice, change, link = _TEXTS[kind]
    return Cause(
        id=kind,
        category="python",
        title=Message(_TITLES[kind], spent_ns=spent) if own is None else _own_title(own, spent),
        fix=fix,
        claims=ranges,
        spent_ns=total,
        advice=advice,
        change=change,
        links=(link,),
        # Frames are open from their start on; between operators the program may get to what takes long only later.
        where=case.where(ranges if own is None else _throughout(ranges)),
        margin=_MARGIN.get(kind, SAVING_POINTS),
        count=case.a_step(len(ranges.start)),
    )


def _own_title(own: OwnPython, spent: int) -> Message:
    function = shown_function(own.function)
    return Message("finding-python-work-title", spent_ns=spent, share_pct=100 * own.share, function=function)


def _throughout(ranges: Ranges) -> Ranges:
    """Ranges in equal pieces, each reduced to its second half: where the pieces begin tells what ran throughout."""
    parts = np.arange(_PIECES)
    length = (ranges.end - ranges.start)[:, None]
    begin = ranges.start[:, None] + length * (2 * parts + 1) // (2 * _PIECES)
    end = ranges.start[:, None] + length * (parts + 1) // _PIECES
    return Ranges(np.repeat(ranges.thread, _PIECES), begin.ravel(), end.ravel())
