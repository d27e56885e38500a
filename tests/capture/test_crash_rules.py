"""Each of these crashed a job, or would have. Regressions, one for each rule of `docs/record.md`.

The torch of these tests ends the process where the real one does (`tests/capture/fake`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from recorded_jobs import Job, run_fake, steps_of

EARLY = ["steps", 3, 5]


def assert_recorded(job: Job) -> None:
    assert (job.code, job.err) == (0, "")
    assert steps_of(job.trace) == [3, 4, 5]


def test_a_step_begins_outside_the_range_of_the_optimizer(tmp_path: Path) -> None:
    """The documented hook of optimizers runs inside their range: every Optimizer.step lay across two steps."""
    trace = run_fake(tmp_path, "train()", when=EARLY).trace
    spans = {
        name: [(one["ts"], one["ts"] + one["dur"]) for one in trace["traceEvents"] if one["name"].startswith(name)]
        for name in ("ProfilerStep", "Optimizer.step")
    }
    assert len(spans["Optimizer.step"]) == 3
    for begin, end in spans["Optimizer.step"]:
        assert sum(first <= begin and end <= last for first, last in spans["ProfilerStep"]) == 1


@pytest.mark.long
def test_nothing_is_started_or_stopped_inside_backward(tmp_path: Path) -> None:
    """Optimizers that step from hooks of gradients ended the process: SIGSEGV."""
    job = run_fake(
        tmp_path,
        """
        optimizers = [torch.optim.SGD() for _ in range(3)]
        for _ in Loader(range(40)):
            torch.autograd.backward(tuple(one.step for one in optimizers))
        """,
        when=EARLY,
    )
    assert_recorded(job)
    assert job.process["steps"] == 40


def test_nothing_is_stopped_inside_backward_by_a_signal(tmp_path: Path) -> None:
    """A signal that ends the process from within backward: what was recorded is lost, and it ends by the signal."""
    job = run_fake(
        tmp_path,
        """
        def kill():
            os.kill(os.getpid(), signal.SIGTERM)

        for step in Loader(range(40)):
            torch.autograd.backward((kill,) if step == 4 else ())
            optimizer = torch.optim.SGD() if step == 0 else optimizer
            optimizer.step()
        """,
        when=EARLY,
    )
    assert (job.code, job.err, job.files) == (128 + 15, "", [])
    assert job.window["closed"] == "SIGTERM"


def test_a_profiler_of_the_program_takes_over(tmp_path: Path) -> None:
    """Two profilers at a time ended the process: RuntimeError, then SIGSEGV."""
    job = run_fake(
        tmp_path,
        """
        def at(step):
            if step == 4:
                at.profiler = torch.profiler.profile()
                at.profiler.start()
            if step == 6:
                at.profiler.stop()
                print(len(at.profiler.profiler.kineto_results.events()))

        train(at=at)
        """,
        when=EARLY,
    )
    assert (job.code, job.out, job.err) == (0, "7\n", "")
    assert job.process["closed"] == "foreign"
    assert ".partial." in job.files[0].name
    assert steps_of(job.trace) == [3, 4]


def test_a_profiler_that_ran_before_is_left_alone(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        with torch.autograd.profiler.profile() as profiler:
            train()
        print(len(profiler.kineto_results.events()))
        """,
        when=EARLY,
    )
    assert (job.code, job.out, job.err, job.files) == (0, "121\n", "", [])
    assert job.process["closed"] == "foreign"


def test_the_thread_that_starts_the_profiler_stops_it(tmp_path: Path) -> None:
    """Stopped on another thread, torch ends the process. A job may train on any, and ends on the main one."""
    job = run_fake(
        tmp_path,
        """
        def at(step):
            if step == 4:
                sys.exit()

        thread = threading.Thread(target=train, kwargs={"at": at})
        thread.start()
        thread.join()
        """,
        when=EARLY,
    )
    assert (job.code, job.err, job.files) == (0, "", [])
    assert job.window["closed"] == "exit"


@pytest.mark.long
def test_a_thread_that_trains_is_recorded(tmp_path: Path) -> None:
    job = run_fake(tmp_path, "thread = threading.Thread(target=train)\nthread.start()\nthread.join()", when=EARLY)
    assert_recorded(job)


def test_the_thread_of_a_window_is_waited_for(tmp_path: Path) -> None:
    """A recording was lost when the process ended while a thread of its own was still writing it."""
    job = run_fake(tmp_path, "time.sleep(0.3)", when=["seconds", 0.05, 60.0])
    assert (job.code, job.err) == (0, "")
    assert [one["closed"] for one in job.process["windows"]] == ["exit"]
    assert len(job.files) == 1


def test_the_thread_of_a_window_imports_nothing(tmp_path: Path) -> None:
    """`torch.profiler.profile` imports parts of torch when it starts. On a thread of its own, beside a program that was
    importing, both waited for each other, and the import of the program failed."""
    job = run_fake(tmp_path, "time.sleep(0.3)", when=["seconds", 0.05, 0.1])
    assert (job.code, job.err, job.process["problems"]) == (0, "", [])
    assert [one["closed"] for one in job.process["windows"]] == ["end"]


@pytest.mark.long
def test_no_hook_on_modules_unless_it_is_asked_for(tmp_path: Path) -> None:
    """Dynamo traces such hooks, breaks fullgraph on them, and compiles anew when they are taken away."""
    program = "print([len(one) for one in torch._hooks.values()])"
    assert run_fake(tmp_path, program).out == "[0, 0]\n"
    assert run_fake(tmp_path, program, step_on="forward").out == "[1, 1]\n"
    assert run_fake(tmp_path, program, step_on="forward:Module").out == "[1, 0]\n"


def test_nothing_is_seen_while_torch_compiles(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        train(5)
        with torch._compiling():
            train(5)
            torch.nn.modules.module.Module()()
        """,
        step_on="optimizer",
    )
    assert (job.code, job.err, job.process["steps"]) == (0, "", 5)


@pytest.mark.parametrize("ending", ["os._exit(0)", "sys.exit(0)", "os.kill(os.getpid(), signal.SIGTERM)"])
def test_a_forked_child_saves_nothing_of_its_parent(tmp_path: Path, ending: str) -> None:
    """A child has its parent's profiler, exit handlers and signal handlers, and would write the parent's file."""
    job = run_fake(
        tmp_path,
        f"""
        def at(step):
            if step == 4:
                child = os.fork()
                if child == 0:
                    {ending}
                print(os.waitpid(child, 0)[1])

        train(at=at)
        """,
        when=EARLY,
    )
    assert_recorded(job)
    assert job.out == ("15\n" if "kill" in ending else "0\n")


def test_a_child_that_trains_is_recorded(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        child = os.fork()
        if child == 0:
            train()
            os._exit(0)
        os.waitpid(child, 0)
        """,
        when=EARLY,
    )
    assert_recorded(job)


def test_a_signal_handler_of_the_program_is_the_one_that_runs(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        signal.signal(signal.SIGTERM, lambda *_: print("mine"))
        train(at=lambda step: os.kill(os.getpid(), signal.SIGTERM) if step == 4 else None)
        print(signal.getsignal(signal.SIGHUP) is signal.SIG_DFL)
        """,
        when=EARLY,
    )
    assert_recorded(job)
    assert job.out == "mine\nTrue\n"


def test_signals_are_taken_only_within_the_window(tmp_path: Path) -> None:
    """A process that hangs in a library never comes to run Python's handler: it would no longer end by SIGTERM."""
    job = run_fake(
        tmp_path,
        """
        seen = []
        train(at=lambda step: seen.append(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL))
        print(seen.index(False), len(seen) - seen.count(True), seen[-1])
        """,
        when=EARLY,
    )
    assert job.out == "1 5 True\n"


@pytest.mark.long
def test_signals_go_on_to_the_command(tmp_path: Path) -> None:
    """Sent to the launcher; it goes on until the command has ended, whose exit code it has."""
    job = run_fake(
        tmp_path,
        """
        signal.signal(signal.SIGUSR1, lambda *_: sys.exit(9))
        os.kill(os.getppid(), signal.SIGUSR1)
        time.sleep(20)
        """,
    )
    assert (job.code, job.err) == (9, "")


@pytest.mark.long
def test_an_interrupt_is_left_to_the_command(tmp_path: Path) -> None:
    """The terminal sends it to all processes of the group: the launcher must not end before the command does."""
    job = run_fake(
        tmp_path,
        """
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(0.1)
        print("goes on", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        sys.exit(3)
        """,
    )
    assert (job.code, job.out, job.err) == (3, "goes on True\n", "")
