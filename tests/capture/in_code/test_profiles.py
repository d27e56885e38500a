"""``stepscope.profile`` and ``steps``, with the torch of the tests: it ends the process where the real one crashes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from capture.in_code.programs import run
from recorded_jobs import environment, read_trace, run_fake, steps_of
from stepscope import StopAtStep, profile

NEXT = "next: stepscope report"


def test_the_import_is_light() -> None:
    """Neither torch nor the analysis stack, and no module of what runs in jobs until it is used."""
    program = (
        "import sys, stepscope; heavy = {'torch', 'polars', 'numpy', 'stepscope.capture'} & set(sys.modules); "
        "stepscope.profile; stepscope.annotate; stepscope.timed; stepscope.memory_history; stepscope.trace_handler; "
        "print(heavy, {'torch', 'polars', 'numpy', 'click', 'stepscope.messages'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment())
    assert (done.stdout, done.stderr) == ("set() set()\n", "")


def test_a_block_records_its_steps_and_times_those_around_them(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs") as p:
            for step in range(40):
                work()
                p.step()
        print(*map(os.path.basename, p.files))
        """,
    )
    assert (done.code, done.steps()) == (0, [23, 24, 25, 26, 27, 28])
    assert done.out == f"{done.files()[0].name}\n"
    assert done.said() == [f"stepscope: recorded steps 23 to 28 into /runs; {NEXT} /runs"]
    trace = done.trace()
    assert len(trace["stepscopeStepTimes"]["unprofiled_ns"]) >= 18
    said = trace["stepscopeRecording"]
    assert (said["program"], said["closed"], said["with"]) == ("program.py", "end", "shapes stack")
    assert not list((tmp_path / "runs").glob("*.tmp"))
    (side,) = (tmp_path / "runs/processes").iterdir()
    facts = json.loads(side.read_text())
    assert (facts["steps"], facts["micro_batches"], facts["problems"]) == (40, None, [])


def test_steps_are_told_from_the_first_one_on(tmp_path: Path) -> None:
    """Step 0 has no step before it in which the profiler could start: it starts with the block."""
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs", steps=stepscope.StopAtStep(1, 2), quiet=True) as p:
            for step in range(5):
                work()
                p.step()
        """,
    )
    assert (done.code, done.err, done.steps()) == (0, "", [0, 1])


def test_a_decorated_function_and_the_batches_of_a_loader(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        @stepscope.profile("runs", preset="early")
        def train(batches):
            '''Trains.'''
            for batch in stepscope.steps(batches):
                work()
            return batch

        print(train(range(9)), train(range(11)), train.__doc__, list(stepscope.steps("ab")))
        """,
    )
    assert (done.code, done.out) == (0, "8 10 Trains. ['a', 'b']\n")
    assert [steps_of(read_trace(file)) for file in done.files()] == [[3, 4, 5]] * 2


def test_an_error_inside_ends_the_recording_and_goes_on(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs", steps=(2, 9)) as p:
            for step in range(20):
                work()
                if step == 4:
                    raise SystemExit(5)
                p.step()
        """,
    )
    assert done.code == 5
    assert done.said() == [f"stepscope: recorded steps 2 to 3 of 2 - 9, then the program ended; {NEXT} /runs"]
    (file,) = done.files()
    assert file.name.endswith(".partial.pt.trace.json.gz")


def test_too_few_steps_say_how_many_there_were(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs") as p:
            for step in range(12):
                work()
                p.step()
        """,
    )
    assert (done.code, done.files()) == (0, [])
    assert done.said() == [
        (
            "stepscope: nothing was recorded: the program took 12 steps, and 23 - 28 would be recorded; "
            'preset="early" needs 6 steps'
        )
    ]


def test_a_profiler_of_the_program_is_the_one_that_stays(tmp_path: Path) -> None:
    """Two at a time crash the process, with the real torch as with this one."""
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs", steps=(3, 8)) as p:
            for step in range(20):
                work()
                if step == 5:
                    own = torch.profiler.profile()
                    own.start()
                    own.stop()
                p.step()
        """,
    )
    assert (done.code, done.steps()) == (0, [3, 4, 5])
    said = f"stepscope: recorded steps 3 to 4 of 3 - 8, then the program started a profiler of its own; {NEXT} /runs"
    assert done.said() == [said]


def test_under_the_launcher_the_block_in_the_code_records(tmp_path: Path) -> None:
    """To the agent it is a profiler of the program, which stays."""
    job = run_fake(
        tmp_path,
        """
        import stepscope
        folder = os.path.join(os.path.dirname(__file__), "runs")
        with stepscope.profile(folder, preset="early", quiet=True) as p:
            train(40, at=lambda step: p.step())
        """,
    )
    assert (job.code, job.err, job.files, job.process["closed"]) == (0, "", [], "foreign")
    (file,) = (tmp_path / "runs").glob("*.pt.trace.json.gz")
    assert steps_of(read_trace(file)) == [3, 4, 5]


def test_one_inside_another_records_nothing(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs", preset="early") as outer:
            for step in range(9):
                with stepscope.profile("inner", quiet=step > 0) as inner:
                    work()
                    inner.step()
                outer.step()
        """,
    )
    assert (done.code, done.steps(), done.files("inner")) == (0, [3, 4, 5], [])
    assert done.said()[0] == "stepscope: this profile records nothing: another one is at work in this process"


def test_a_child_forked_inside_leaves_the_recording_alone(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs", preset="early", quiet=True) as p:
            for step in range(9):
                work()
                if step == 4:
                    child = os.fork()
                    if not child:
                        p.step()
                        raise SystemExit(0)
                    assert os.waitpid(child, 0)[1] == 0
                p.step()
        """,
    )
    assert (done.code, done.err, done.steps()) == (0, "", [3, 4, 5])


def test_a_step_told_inside_backward_waits_for_its_end(tmp_path: Path) -> None:
    """Stepping the profiler there crashes the process."""
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs", preset="early", quiet=True) as p:
            for step in range(12):
                torch.autograd.backward(hooks=(p.step,))
                p.step()
        """,
    )
    assert (done.code, done.err, done.steps()) == (0, "", [3, 4, 5])


def test_steps_told_by_another_thread_are_not_counted(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        import threading
        with stepscope.profile("runs", preset="early", quiet=True) as p:
            for step in range(9):
                work()
                p.step()
                other = threading.Thread(target=p.step)
                other.start()
                other.join()
        """,
    )
    assert (done.code, done.err, done.steps()) == (0, "", [3, 4, 5])


def test_what_is_left_open_is_written_when_the_program_ends(tmp_path: Path) -> None:
    """A trainer that raised calls no callback at its end."""
    done = run(
        tmp_path,
        """
        p = stepscope.profile("runs", steps=(2, 30))
        p.__enter__()
        for step in range(6):
            work()
            p.step()
        """,
    )
    assert (done.code, done.steps()) == (0, [2, 3, 4, 5, 6])


def test_a_rank_that_is_left_out_takes_its_steps(tmp_path: Path) -> None:
    program = """
        with stepscope.profile("runs", preset="early", ranks=[1], quiet=True) as p:
            for step in range(9):
                work()
                p.step()
        """
    assert run(tmp_path, program, RANK="0").files() == []
    (file,) = run(tmp_path, program, RANK="1").files()
    assert "_rank1." in file.name


def test_a_full_disk_costs_the_recording_and_not_the_program(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        with stepscope.profile("runs", preset="early") as p:
            for step in range(9):
                work()
                p.step()
        """,
        FAKE_EXPORT="fail",
    )
    assert (done.code, done.files()) == (0, [])
    assert done.said() == ["stepscope: nothing was recorded: OSError: [Errno 28] No space left on device"]


def test_a_chinese_locale_hears_chinese(tmp_path: Path) -> None:
    program = 'with stepscope.profile("runs") as p: p.step()'
    said = run(tmp_path, program, LANG="zh_CN.UTF-8").said()  # LC_ALL goes first
    assert said[0].startswith("stepscope: nothing was recorded")


def test_a_handler_of_torch_writes_a_whole_file(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        own = torch.profiler.profile()
        own.start()
        work()
        own.stop()
        stepscope.trace_handler("runs")(own)
        """,
        RANK="2",
    )
    (file,) = done.files()
    assert "_rank2." in file.name
    assert steps_of(done.trace()) == [0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"preset": "fast"}, "there is no preset 'fast'; there are early, steady, periodic"),
        ({"steps": (5, 3)}, "steps are first to last, counted from 0, as in steps=(10, 12)"),
        ({"steps": (5,)}, "steps are first to last, counted from 0, as in steps=(10, 12)"),
        ({"records": ("shape",)}, "'shape' cannot be recorded; shapes, stack, memory, flops, modules can"),
        ({"records": "shapes"}, "'shapes' cannot be recorded; shapes, stack, memory, flops, modules can"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_job_runs(
    given: dict[str, object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        profile("runs", **given)  # type: ignore[arg-type]


def test_the_first_step_of_mindspore_is_number_one() -> None:
    assert (StopAtStep(10, 12).first, StopAtStep(10, 12).last) == (9, 11)
    with pytest.raises(ValueError, match="StopAtStep"):
        StopAtStep(0, 3)
