"""The whole matrix with the real torch, on the CPU: ``make test-capture``.

Each program of `jobs/training.py` is run as it would be without stepscope; what it prints and its exit code are those
of that run.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import stepscope
from recorded_jobs import HERE, Job, environment, read_trace, run_job, steps_of

TORCH = os.environ.get("STEPSCOPE_TORCH_PYTHON") or str(HERE.parent / ".venv-torch" / "bin" / "python")
JOBS = HERE / "capture" / "jobs"
STEADY = [23, 24, 25, 26, 27, 28]
EARLY = ["steps", 3, 5]
LOSS = "31.630186\n"
"""What most of the programs print: without stepscope, too (see `test_results_are_the_same`)."""

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(not os.path.exists(TORCH), reason="no torch here: make test-capture gets one"),
]


def torch_job(folder: Path, name: str, launch: list[str] | None = None, **plan: Any) -> Job:
    variables = plan.pop("variables", {})
    command = [TORCH, *(launch or []), str(JOBS / "training.py"), name]
    return run_job(folder, command, environment(**variables), **plan)


def quiet(text: str) -> str:
    """Without what torch's own profiler writes."""
    lines = text.splitlines()
    return "\n".join(line for line in lines if not line.startswith(("USDT:", "ERROR: External init callback")))


def assert_steady(job: Job, steps: int = 45) -> None:
    assert (job.code, quiet(job.err), job.leftovers) == (0, "", [])
    assert (job.process["steps"], job.process["problems"]) == (steps, [])
    assert (job.window["closed"], steps_of(job.trace)) == ("end", STEADY)


def assert_nested(trace: dict[str, Any]) -> None:
    """Every range of an optimizer lies in one of the steps."""
    whole = [one for one in trace["traceEvents"] if one.get("ph") == "X" and one.get("cat") == "user_annotation"]
    spans = [(one["ts"], one["ts"] + one["dur"]) for one in whole if one["name"].startswith("ProfilerStep#")]
    for one in (one for one in whole if one["name"].startswith("Optimizer.step")):
        assert any(first <= one["ts"] and one["ts"] + one["dur"] <= last for first, last in spans)


def test_results_are_the_same() -> None:
    command = [TORCH, str(JOBS / "training.py"), "plain"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert (done.stdout, done.stderr) == (LOSS, "")


@pytest.mark.parametrize("name", ["plain", "listed", "forked_workers", "spawned_workers", "in_thread"])
def test_training(tmp_path: Path, name: str) -> None:
    job = torch_job(tmp_path, name)
    assert_steady(job)
    assert job.out == LOSS
    assert_nested(job.trace)
    assert len(job.trace["stepscopeStepTimes"]["unprofiled_ns"]) >= 18


def test_the_step_time_of_the_report_is_the_measured_one(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "plain")
    row = stepscope.open(str(job.folder)).show("step_time").row(0, named=True)
    times = sorted(job.trace["stepscopeStepTimes"]["unprofiled_ns"])
    assert times[0] <= row["measured_low_ns"] <= row["measured_ns"] <= row["measured_high_ns"] <= times[-1]
    assert row["unprofiled_ns"] == row["measured_ns"]
    facts = dict(stepscope.open(str(job.folder)).show("metadata").select("key", "value").rows())
    assert facts["stepscopeRecording.program"] == "training.py"
    assert facts["stepscopeRecording.first_step"] == "23"


def test_accumulation(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "accumulation")
    assert_steady(job)
    assert job.process["micro_batches"] == 4


def test_processes_within_the_window(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "forks_within")
    assert_steady(job)
    assert job.out == "child\n" * 3 + LOSS


def test_two_optimizers(tmp_path: Path) -> None:
    assert_steady(torch_job(tmp_path, "gan"), 90)


def test_two_optimizers_by_class(tmp_path: Path) -> None:
    assert_steady(torch_job(tmp_path, "gan", step_on="optimizer:Adam"))


def test_optimizers_within_backward(tmp_path: Path) -> None:
    assert_steady(torch_job(tmp_path, "per_parameter"))


def test_a_scaler_that_skips(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "scaled")
    assert_steady(job)
    assert job.process["skips"] == 3


def test_a_compiled_model_has_one_graph(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "compiled")
    assert_steady(job)
    assert job.out == f"{LOSS}1\n"


def test_a_compiled_optimizer(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "compiled_step")
    assert (job.code, job.out, job.process["steps_are"]) == (0, "done\n", "data")
    assert steps_of(job.trace) == STEADY


def test_a_profiler_of_the_program(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "foreign_profiler")
    assert (job.code, job.out) == (0, f"10\n{LOSS}")
    assert (job.process["closed"], steps_of(job.trace)) == ("foreign", [23, 24, 25])


def test_a_profiler_of_the_program_all_along(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "profiled_all_along")
    assert (job.code, job.out, job.files, job.process["closed"]) == (0, "1\n", [], "foreign")


@pytest.mark.parametrize(
    ("name", "variables", "code", "closed"),
    [
        ("raises", {}, 1, "exit"),
        ("exits", {}, 5, "exit"),
        ("leaves", {}, 7, "os._exit"),
        ("signalled", {"JOB_SIGNAL": "SIGTERM"}, 143, "SIGTERM"),
        ("signalled", {"JOB_SIGNAL": "SIGINT"}, 130, "exit"),
    ],
)
def test_an_early_end(tmp_path: Path, name: str, variables: dict[str, str], code: int, closed: str) -> None:
    job = torch_job(tmp_path, name, variables=variables)
    assert (job.code, job.window["closed"], job.process["steps"]) == (code, closed, 26)
    assert steps_of(job.trace) == [23, 24, 25, 26]
    assert ".partial." in job.files[0].name


def test_killed_within_the_window(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "signalled", variables={"JOB_SIGNAL": "SIGKILL"})
    assert (job.code, job.files, job.leftovers) == (137, [], [])


def test_killed_behind_the_window(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "killed_behind")
    assert (job.code, job.leftovers) == (137, [])
    assert steps_of(job.trace) == STEADY


def test_a_handler_of_the_program(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "ignores_term")
    assert_steady(job)
    assert job.out == "mine\n"


def test_inference(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "inference")
    assert_steady(job)
    assert job.process["steps_are"] == "data"


@pytest.mark.parametrize(("name", "step_on"), [("forwards", "forward"), ("marked", "range:turn")])
def test_steps_that_are_named(tmp_path: Path, name: str, step_on: str) -> None:
    assert_steady(torch_job(tmp_path, name, step_on=step_on))


def test_threads_that_serve(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "served", when=["seconds", 0.5, 0.5])
    assert (job.code, quiet(job.err)) == (0, "")
    operators = [one for one in job.trace["traceEvents"] if one.get("cat") == "cpu_op"]
    assert len({one["tid"] for one in operators}) == 3


def test_a_window_of_time_while_the_program_imports(tmp_path: Path) -> None:
    """The profiler imports parts of torch when it starts; on a thread beside the program's own imports both failed."""
    job = torch_job(tmp_path, "plain", when=["seconds", 0.02, 0.05])
    assert (job.code, job.out, quiet(job.err)) == (0, LOSS, "")


def test_a_budget(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "plain", events=1700)
    assert (job.window["closed"], steps_of(job.trace)) == ("budget", [23, 24])


def test_two_passes(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "plain", two_pass=True)
    light, deep = (read_trace(file) for file in job.files)
    assert (steps_of(light), steps_of(deep)) == (STEADY, [38, 39, 40])
    assert ("with_stack" in light, "with_stack" in deep) == (False, True)
    profile = stepscope.open(str(job.folder))
    assert profile.show("steps")["step"].to_list() == [38, 39, 40]


def test_isolated(tmp_path: Path) -> None:
    job = torch_job(tmp_path, "plain", ["-I"])
    assert (job.code, job.out, job.done[0], job.files) == (0, LOSS, 0, [])


TORCHRUN = ["-m", "torch.distributed.run", "--nproc-per-node", "2"]


@pytest.mark.parametrize("ranks", [[0, 1], [1]])
def test_two_ranks(tmp_path: Path, ranks: list[int]) -> None:
    job = torch_job(tmp_path, "distributed", TORCHRUN, ranks=ranks)
    assert (job.code, [one["rank"] for one in job.processes]) == (0, ranks), job.err
    assert [steps_of(read_trace(file)) for file in job.files] == [STEADY] * len(ranks)
    profile = stepscope.open(str(job.folder))
    assert profile.show("summary")["rank"].to_list() == ranks


@pytest.mark.parametrize(("fail", "survivors"), [("raise", [0, 1]), ("kill", [0])])
def test_a_rank_that_fails(tmp_path: Path, fail: str, survivors: list[int]) -> None:
    job = torch_job(tmp_path, "distributed", TORCHRUN, variables={"JOB_FAIL": fail})
    assert job.code == 1
    assert [one["rank"] for one in job.processes if one["windows"]] == survivors
    assert len(job.files) == len(survivors)
    assert all(".partial." in file.name for file in job.files)


@pytest.mark.parametrize("framework", ["accelerate", "transformers", "lightning"])
def test_loops_of_other_packages(tmp_path: Path, framework: str) -> None:
    """Two batches a step; transformers evaluates in between, lightning before."""
    if subprocess.run([TORCH, "-c", f"import importlib.util as u; exit(not u.find_spec('{framework}'))"]).returncode:
        pytest.skip(f"{framework} is not installed beside torch")
    job = run_job(tmp_path, [TORCH, str(JOBS / "frameworks.py"), framework], environment())
    assert (job.code, job.process["steps"], job.process["micro_batches"]) == (0, 45, 2)
    assert (job.window["closed"], steps_of(job.trace)) == ("end", STEADY)
    assert_nested(job.trace)
