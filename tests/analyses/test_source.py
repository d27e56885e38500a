"""Which line of the user's code something on the host came from."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import Event, Events, opened, operator
from building.autograd import ENGINE, backward, forward, frame
from oracles import autograd as autograd_oracle
from oracles import general as oracle
from stepscope.analyses.host.frame_names import frame_names
from stepscope.analyses.host.source import operator_sources, source_at

STEP = "train.py(10): step"
MODEL = "model/gpt.py(20): forward"
CALL = "torch/nn/modules/module.py(1787): _call_impl"


def sources(folder: Path, *events: Events) -> list[str | None]:
    """Source of each operator, in file order."""
    return operator_sources(opened(folder, *events).profile.ranks[0]).to_list()


def sources_at(folder: Path, times: list[int], *events: Events) -> list[str | None]:
    """Source of some moments of thread 1."""
    rank = opened(folder, *events).profile.ranks[0]
    texts = rank.trace.texts
    [code] = [i for i, text in enumerate(texts) if text == "1"]
    places = pl.Series([code] * len(times), dtype=pl.UInt32)
    return source_at(rank, places, places, pl.Series(times, dtype=pl.Int64)).to_list()


def built_in(
    start: int, end: int, name: str = "<built-in method __exit__ of RecordFunctionFast object at 0x7f>"
) -> Event:
    return frame(name, start, end)


def test_the_innermost_user_frame_is_the_source(tmp_path: Path) -> None:
    calls = [frame(STEP, 0, 100), frame(CALL, 10, 90), frame(MODEL, 20, 80), frame(CALL, 30, 70), built_in(35, 65)]
    found = sources_at(tmp_path, [-1, 0, 15, 20, 40, 79, 80, 99, 100], calls)
    outer, inner = "train.py:10", "model/gpt.py:20"
    assert found == [None, outer, outer, inner, inner, inner, outer, outer, None]


def test_without_a_user_frame_the_innermost_file_is_the_source(tmp_path: Path) -> None:
    found = sources_at(tmp_path, [5, 15], frame("torch/_ops.py(1): a", 0, 20), frame(CALL, 10, 20), built_in(12, 20))
    assert found == ["torch/_ops.py:1", "torch/nn/modules/module.py:1787"]


def test_a_frame_that_lasts_too_long_does_not_hide_the_one_around_it(tmp_path: Path) -> None:
    """Under torch.compile the profiler misses returns: an ``__exit__`` of microseconds is recorded as 17 ms."""
    calls = [frame(STEP, 0, 100), frame(MODEL, 10, 30), built_in(25, 95)]
    assert sources_at(tmp_path, [28, 30, 50, 94, 96], calls) == ["model/gpt.py:20", *["train.py:10"] * 4]


def test_a_user_frame_ends_with_its_caller_at_the_latest(tmp_path: Path) -> None:
    """`load` and `inner` are recorded to the end although `epoch`, which called them, returned at 40."""
    calls = [
        frame("train.py(1): main", 0, 200),
        frame("train.py(2): epoch", 10, 40),
        frame("data.py(3): load", 20, 190),
        frame("data.py(4): inner", 30, 195),
        frame("train.py(2): epoch", 60, 90),
        frame(CALL, 70, 80),
        frame("train.py(5): save", 180, 198),
    ]
    found = sources_at(tmp_path, [25, 35, 50, 75, 100, 185, 197, 199], calls)
    main, epoch = "train.py:1", "train.py:2"
    assert found == ["data.py:3", "data.py:4", main, epoch, main, "train.py:5", "train.py:5", main]


def test_threads_have_their_own_frames(tmp_path: Path) -> None:
    assert sources_at(tmp_path, [5], frame(STEP, 0, 10, thread=2), frame("other.py(3): f", 6, 8)) == [None]


def test_a_backward_operator_has_the_source_of_its_forward_operator(tmp_path: Path) -> None:
    found = sources(
        tmp_path,
        frame(STEP, 0, 500),
        frame(MODEL, 10, 30),
        forward("aten::mm", 12, 20, 5),
        backward("MmBackward0", 100, 200, 5),
        operator("aten::t", 110, 120, thread=ENGINE),
        operator("aten::sum", 210, 220),
    )
    assert found == [*["model/gpt.py:20"] * 4, "train.py:10"]


def test_on_one_thread_the_line_that_calls_backward_is_not_the_source(tmp_path: Path) -> None:
    found = sources(
        tmp_path,
        frame(STEP, 0, 500),
        frame(MODEL, 10, 30),
        forward("aten::mm", 12, 20, 5),
        frame("torch/_tensor.py(60): backward", 90, 300),
        backward("MmBackward0", 100, 200, 5, thread=1),
        operator("aten::add_", 250, 260),
    )
    assert found == [*["model/gpt.py:20"] * 3, "train.py:10"]


def test_user_code_inside_a_backward_function_is_the_source(tmp_path: Path) -> None:
    """A `torch.autograd.Function` of the user's, or a forward pass run again."""
    found = sources(
        tmp_path,
        frame(MODEL, 10, 30),
        forward("Scale", 12, 20, 5),
        backward("ScaleBackward", 100, 200, 5),
        frame("torch/autograd/function.py(300): apply", 105, 190, thread=ENGINE),
        frame("scale.py(7): backward", 110, 150, thread=ENGINE),
        operator("aten::mul", 120, 130, thread=ENGINE),
        operator("aten::mul", 160, 170, thread=ENGINE),
    )
    assert found == [*["model/gpt.py:20"] * 3, "scale.py:7", "model/gpt.py:20"]


def test_without_frames_the_call_stack_of_the_operator_tells(tmp_path: Path) -> None:
    """Until torch 1.13 a stack was an argument, innermost call first; the forward operator's serves its backward."""
    stack = "torch/nn/functional.py(1848): linear;model/gpt.py(23): forward;train.py(12): step"
    found = sources(
        tmp_path,
        forward("aten::mm", 12, 20, 5, **{"Call stack": stack}),
        backward("MmBackward0", 100, 200, 5, **{"Call stack": ""}),
        operator("aten::add", 30, 40, **{"Call stack": "torch/optim/sgd.py(5): step"}),
        operator("aten::mul", 50, 60, **{"Call stack": 7}),
        operator("aten::div", 70, 80),
    )
    assert found == [*["model/gpt.py:23"] * 3, "torch/optim/sgd.py:5", None, None]


def test_a_backward_operator_whose_forward_was_not_recorded_has_no_source(tmp_path: Path) -> None:
    assert sources(tmp_path, frame(STEP, 0, 90), backward("MmBackward0", 100, 200, 5)) == [None, None]


def test_traces_without_operators_or_frames(tmp_path: Path) -> None:
    assert sources(tmp_path, frame(STEP, 0, 90)) == []
    assert sources_at(tmp_path, [5], operator("aten::mm", 0, 10)) == [None]


@pytest.mark.parametrize(
    ("name", "source", "is_user"),
    [
        ("train.py(3): step", "train.py:3", True),
        ("/home/me/torch/train.py(3): step", "/home/me/torch/train.py:3", True),
        ("C:\\work\\train.py(3): step", "C:/work/train.py:3", True),
        ("<ipython-input-7-ab12>(4): <module>", "<ipython-input-7-ab12>:4", True),
        ("torchvision/models/resnet.py(143): forward", "torchvision/models/resnet.py:143", True),
        (
            "/usr/lib/python3.12/site-packages/timm/layers/mlp.py(47): forward",
            "/usr/lib/python3.12/site-packages/timm/layers/mlp.py:47",
            True,
        ),
        (
            "/opt/venv/lib/python3.12/site-packages/torch/_ops.py(9): a",
            "/opt/venv/lib/python3.12/site-packages/torch/_ops.py:9",
            False,
        ),
        ("/usr/lib/python3.12/threading.py(1030): _bootstrap", "/usr/lib/python3.12/threading.py:1030", False),
        ("torch/_ops.py(9): __call__", "torch/_ops.py:9", False),
        ("transformers/trainer.py(3000): training_step", "transformers/trainer.py:3000", False),
        ("threading.py(1030): _bootstrap", "threading.py:1030", False),
        ("/tmp/torchinductor_me/ab/cab.py(30): call", "/tmp/torchinductor_me/ab/cab.py:30", False),
        ("<string>(2): __init__", None, False),
        ("<frozen os>(680): __getitem__", None, False),
        ("<built-in function len>", None, False),
        ("nn.Module: Linear_0", None, False),
        ("", None, False),
    ],
)
def test_what_the_name_of_a_frame_means(name: str, source: str | None, is_user: bool) -> None:
    assert frame_names(pl.Series([name])).drop("place", "is_framework").rows() == [(0, source, is_user)]


def test_of_frames_that_begin_and_end_together_the_one_numbered_later_is_inside(tmp_path: Path) -> None:
    """Traces in whole microseconds: a call and what it calls at once look alike; Python numbers calls as they begin."""
    calls = [frame(MODEL, 0, 10, **{"Python id": 8}), frame(STEP, 0, 10, **{"Python id": 7})]
    assert sources_at(tmp_path, [5], calls) == sources_at(tmp_path, [5], calls[::-1]) == ["model/gpt.py:20"]


USER_FILES = {
    "h200/train/cnn.step12.pt.trace.json.gz": ("tools.py",),
    "h200/train/dit_compiled.pt.trace.json.gz": ("tools.py",),
    "h200/pairs/naive_attention.slow.pt.trace.json.gz": ("scenarios.py",),
    "h200/pairs/batch_size.slow.pt.trace.json.gz": ("scenarios.py", "torchvision/"),
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz": ("train_ddp.py", "torchvision/"),
}
SLOW = [name for name in USER_FILES if "cnn" not in name]


def expected_sources(path: Path, user_files: tuple[str, ...]) -> list[str | None]:
    """Innermost frame of the user's files by looking at every frame that is open, moment by moment."""
    events = oracle.read(path)
    grad = autograd_oracle.Autograd(events)
    frames = [event for event in events.timed if event.category == "python_function"]
    moments = {(event.place, event.start) for event in events.operators}
    open_at = oracle.walk(frames, moments).open_at

    def own(operator: oracle.Timed) -> oracle.Timed | None:
        stack = open_at.get((operator.place, operator.start), [])
        return next((event for event in stack if (event.name or "").startswith(user_files)), None)

    def source(operator: oracle.Timed, deep: int = 0) -> oracle.Timed | None:
        function, innermost = grad.function(operator), own(operator)
        if function is None or (innermost is not None and innermost.start >= function.start):
            return innermost
        forward = grad.forward(operator)
        return source(forward, deep + 1) if forward is not None and deep < 50 else None

    first = min(event.start for event in frames if (event.name or "").startswith("<built-in"))

    def text(event: oracle.Timed) -> str:
        file, line, function = re.findall(r"^(.*)\((\d+)\): (.*)$", event.name or "")[0]
        return f"{file}:{line}" if event.start >= first else f"{file} in {function}()".replace(">()", ">")

    return [text(event) if event else None for event in map(source, events.operators)]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in USER_FILES]
)
def test_sources_of_a_recording_say_what_the_oracle_says(shared_data: Path, name: str) -> None:
    """Where it finds no frame of the user's, the innermost frame with a file is ours to choose."""
    path = shared_data / name
    found = operator_sources(stepscope.open(str(path)).profile.ranks[0]).to_list()
    expected = expected_sources(path, USER_FILES[name])
    assert [ours if theirs else None for ours, theirs in zip(found, expected, strict=True)] == expected
    unknown = [ours for ours, theirs in zip(found, expected, strict=True) if theirs is None]
    assert not [source for source in unknown if source and source.startswith("nn.")]


def test_the_recorder_inside_the_job_is_not_the_users_code() -> None:
    """What `stepscope record` wraps was named as the line that fetches a batch."""
    names = [
        "/out/.stepscope-a_1b/stepscope_agent/hooks.py(128): fetched",
        "stepscope_agent/hooks.py(1): counted",
        ".stepscope-a_1b/stepscope_agent/hooks.py(128): fetched",
    ]
    assert frame_names(pl.Series(names)).select("is_user", "is_framework").rows() == [(False, True)] * 3
