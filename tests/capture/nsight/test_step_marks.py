"""A job that nobody changed opens the window of the profiler around it, and marks its steps."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from textwrap import dedent

from recorded_jobs import FAKE, PREAMBLE, SOURCE, environment
from stepscope.capture.nsight.launching import Marked, Run, StepWindow, run_below

CUDA = """
    import types
    called = []
    note = lambda what: lambda *given: called.append(" ".join([what, *map(str, given)]))
    begin = lambda name: note("begin")(name) or len(called)
    torch.cuda = types.SimpleNamespace(
        is_initialized=lambda: used,
        synchronize=note("synchronize"),
        cudart=lambda: types.SimpleNamespace(cudaProfilerStart=note("start"), cudaProfilerStop=note("stop")),
        nvtx=types.SimpleNamespace(range_start=begin, range_end=note("end")),
    )
    used = True
"""


def run(folder: Path, program: str, window: StepWindow, **variables: str) -> tuple[Run, list[str]]:
    """The job, and what it called, in lines that it writes at its end."""
    script = folder / "job.py"
    end = f"\nopen({str(folder / 'called')!r}, 'w').write('\\n'.join(called))\n"
    script.write_text(dedent(PREAMBLE) + dedent(CUDA) + dedent(program) + end, encoding="utf-8")
    given = environment(PYTHONPATH=os.pathsep.join((str(SOURCE), str(FAKE))), **variables)
    done = run_below([sys.executable, str(script)], str(folder / "out"), (".rep",), window, given)
    assert [one.name for one in (folder / "out").iterdir()] == (["processes"] if done.processes else [])
    return done, (folder / "called").read_text().splitlines()


def test_the_window_opens_and_closes_at_its_steps(tmp_path: Path) -> None:
    done, called = run(tmp_path, "train(8)", StepWindow(3, 4))
    assert called == [
        *("synchronize", "start", "begin ProfilerStep#3"),
        *("end 3", "begin ProfilerStep#4"),
        *("end 5", "synchronize", "stop"),
    ]
    assert (done.code, done.marked) == (0, Marked(pythons=1, opened=1))


def test_steps_outside_the_window_are_measured(tmp_path: Path) -> None:
    """Of 40 steps 0 to 2 are left out, and the one that begins where the window closes."""
    done, _ = run(tmp_path, "train(40, lambda _: time.sleep(0.002))", StepWindow(10, 12))
    (process,) = done.processes
    (window,) = process.windows
    assert (window["first_step"], window["last_step"], window["closed"], window["file"]) == (10, 12, "end", None)
    assert (len(window["before_ns"]), len(window["after_ns"])) == (7, 20)
    assert all(time >= 2_000_000 for time in window["before_ns"] + window["after_ns"])


def test_a_job_that_ends_behind_the_window_has_the_steps_until_then(tmp_path: Path) -> None:
    done, _ = run(tmp_path, "train(16)", StepWindow(10, 12))
    assert [len(window["after_ns"]) for process in done.processes for window in process.windows] == [2]


def test_a_job_that_ends_before_the_window_says_after_how_many_steps(tmp_path: Path) -> None:
    done, called = run(tmp_path, "train(6)\nsys.exitcode = 0", StepWindow(10, 14))
    assert called == []
    assert done.marked == Marked(pythons=1, steps=(6,))


def test_a_job_without_cuda_says_so(tmp_path: Path) -> None:
    done, called = run(tmp_path, "used = False\ntrain(8)", StepWindow(3, 4))
    assert called == []
    assert done.marked == Marked(pythons=1, without_cuda=1)


def test_an_error_of_torch_is_noted_and_the_job_goes_on(tmp_path: Path) -> None:
    program = "del torch.cuda.nvtx\ntrain(8)\ncalled.append('end of the job')"
    done, called = run(tmp_path, program, StepWindow(3, 4))
    assert called == ["synchronize", "start", "end of the job"]
    assert done.code == 0
    assert done.marked.errors == ("AttributeError: 'types.SimpleNamespace' object has no attribute 'nvtx'",)


def test_a_refused_call_is_noted(tmp_path: Path) -> None:
    program = "torch.cuda.cudart = lambda: types.SimpleNamespace(cudaProfilerStart=lambda: 801)\ntrain(4)"
    done, _ = run(tmp_path, program, StepWindow(2, 9))
    assert done.marked.errors == ("cudaProfilerStart: 801",)


def test_a_rank_that_is_not_asked_for_is_left_alone(tmp_path: Path) -> None:
    done, called = run(tmp_path, "train(8)", StepWindow(3, 4, ranks=(0, 7)), RANK="1")
    assert called == []
    assert done.marked == Marked(pythons=1)


def test_forked_workers_close_nothing(tmp_path: Path) -> None:
    program = """
        def at(step):
            if step == 3 and os.fork() == 0:
                train(4)
                os._exit(bool(called[3:]))
        train(8, at)
        codes = [os.waitpid(-1, 0)[1]]
        called.append(str(codes))
    """
    _, called = run(tmp_path, program, StepWindow(3, 4))
    assert called[-2:] == ["stop", "[0]"]


def test_steps_end_where_they_are_said_to_end(tmp_path: Path) -> None:
    program = "for _ in range(6):\n    torch.autograd.profiler.record_function('tick').__enter__()"
    done, called = run(tmp_path, program, StepWindow(2, 2, "range:tick"))
    assert called == ["synchronize", "start", "begin ProfilerStep#2", "end 3", "synchronize", "stop"]
    assert done.marked.opened == 1


def test_a_job_that_profiles_itself_is_left_to_do_so(tmp_path: Path) -> None:
    """Two users of CUPTI in a process: one of them may see nothing, so it is said."""
    program = """
        with torch.autograd.profiler.profile():
            pass
        with torch.autograd.profiler.profile():
            train(8)
    """
    done, called = run(tmp_path, program, StepWindow(3, 4))
    assert called[-1] == "stop"
    assert done.marked == Marked(pythons=1, opened=1, foreign=1)
