"""A command cannot tell that it is recorded, and nothing stays behind."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import stepscope
from recorded_jobs import FAKE, SOURCE, environment, run_fake, run_job, steps_of
from stepscope.capture import launcher
from stepscope.capture.plan import Plan

AGENT = SOURCE / "stepscope" / "capture" / "agent"
EARLY = ["steps", 3, 5]


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def with_fake(**variables: str) -> dict[str, str]:
    return environment(PYTHONPATH=os.pathsep.join((str(SOURCE), str(FAKE))), **variables)


LOOP = """
import torch
from torch.utils.data.dataloader import _BaseDataLoaderIter
optimizer = torch.optim.SGD()
for _ in _BaseDataLoaderIter(range(10)):
    torch.autograd.backward()
    optimizer.step()
print("done")
"""


@pytest.mark.parametrize("way", ["file", "module", "-c", "shell", "child"])
def test_however_a_program_is_started(tmp_path: Path, way: str) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    script = str(tmp_path / "loop.py")
    commands = {
        "file": python(script),
        "module": python("-m", "loop"),
        "-c": python("-c", LOOP),
        "shell": ["sh", "-c", f"cd / && {sys.executable} {script}"],
        "child": python("-c", f"import subprocess; subprocess.run([{sys.executable!r}, {script!r}])"),
    }
    path = os.pathsep.join((str(SOURCE), str(FAKE), str(tmp_path)))
    job = run_job(tmp_path, commands[way], environment(PYTHONPATH=path), when=EARLY)
    assert (job.code, job.out, job.err) == (0, "done\n", "")
    assert steps_of(job.trace) == [3, 4, 5]
    assert job.leftovers == []


@pytest.mark.parametrize("option", ["-I", "-E", "-S"])
def test_a_python_that_ignores_the_path_is_counted_as_none(tmp_path: Path, option: str) -> None:
    job = run_job(tmp_path, python(option, "-c", "print('done')"))
    assert (job.code, job.out, job.done[0]) == (0, "done\n", 0)


def test_a_program_without_torch_is_left_as_it_is(tmp_path: Path) -> None:
    program = "import sys; print(sys.path, [type(one).__name__ for one in sys.meta_path][1:], 'json' in sys.modules)"
    job = run_job(tmp_path, python("-c", program))
    bare = subprocess.run(python("-c", program), capture_output=True, text=True, env=environment(), check=True).stdout
    assert job.out.split("[")[1] == bare.split("[")[1]
    assert job.done[0] == 1
    assert list(job.folder.iterdir()) == [job.folder / "done.json"]


def test_a_sitecustomize_that_is_hidden_runs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.was_here = __name__")
    path = os.pathsep.join((str(SOURCE), str(FAKE), str(tmp_path)))
    program = LOOP + "import sys, sitecustomize\nprint(sys.was_here, sitecustomize.__file__)"
    job = run_job(tmp_path, python("-c", program), environment(PYTHONPATH=path), when=EARLY)
    assert job.out == f"done\nsitecustomize {tmp_path / 'sitecustomize.py'}\n"
    assert len(job.files) == 1


@pytest.mark.long
def test_an_error_of_a_hidden_sitecustomize_is_told_as_without_us(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("raise ValueError('mine')")
    path = os.pathsep.join((str(SOURCE), str(tmp_path)))
    job = run_job(tmp_path, python("-c", "print('done')"), environment(PYTHONPATH=path))
    assert (job.code, job.out) == (0, "done\n")
    assert "ValueError: mine" in job.err


def test_an_agent_that_fails_is_none_of_the_jobs_business(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("answer = 42")  # a torch without anything
    path = os.pathsep.join((str(SOURCE), str(tmp_path)))
    job = run_job(tmp_path, python("-c", "import torch; print(torch.answer)"), environment(PYTHONPATH=path))
    assert (job.code, job.out, job.err) == (0, "42\n", "")


@pytest.mark.long
def test_torch_that_cannot_be_imported_fails_as_without_us(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise ImportError('no library')")
    path = os.pathsep.join((str(SOURCE), str(tmp_path)))
    program = "try:\n    import torch\nexcept ImportError as error:\n    print(error)"
    job = run_job(tmp_path, python("-c", program), environment(PYTHONPATH=path))
    assert (job.code, job.out, job.err) == (0, "no library\n", "")


@pytest.mark.long
def test_what_wraps_a_function_is_called_like_it(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        class Mine(torch.optim.Optimizer):
            def step(self, closure, *, scale=1):
                '''As documented.'''
                return closure() * scale

        mine = Mine()
        print(mine.step(lambda: 21, scale=2), Mine.step.__doc__, Mine.step.hooked)
        print(torch.autograd.backward.__name__, Loader.__next__.__name__)
        """,
    )
    assert job.out == "42 As documented. True\n_backward __next__\n"


@pytest.mark.long
def test_what_an_optimizer_raises_is_the_jobs(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        class Mine(torch.optim.Optimizer):
            def step(self):
                raise KeyError("mine")

        try:
            Mine().step()
        except KeyError as error:
            print(error)
        """,
    )
    assert (job.code, job.out, job.err) == (0, "'mine'\n", "")


@pytest.mark.parametrize("file", sorted(AGENT.glob("*.py")), ids=lambda file: file.name)
def test_the_agent_is_read_by_old_interpreters(file: Path) -> None:
    """Jobs have older ones than stepscope."""
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 6) if file.name == "startup.py" else (3, 8))
    assert ("from __future__ import annotations" in text) == (file.name != "startup.py")
    for node in ast.walk(tree):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [str(node.module)]
        assert all(name.split(".")[0] in {*sys.stdlib_module_names, "torch"} for name in names)


def test_a_folder_with_a_colon_does_not_break_the_path(tmp_path: Path) -> None:
    (tmp_path / "a:b").mkdir()
    job = run_fake(tmp_path / "a:b", "train()\nprint('done')", when=EARLY)
    assert (job.code, job.out, job.err) == (0, "done\n", "")


@pytest.mark.parametrize("own", ["", "/elsewhere"])
def test_logs_of_torch_compile_lie_beside_the_traces_unless_the_job_says_where(tmp_path: Path, own: str) -> None:
    given = {"PATH": "/bin", **({"TORCH_TRACE": own} if own else {})}
    assert Plan(str(tmp_path), compile_log=True).variables(given) == {
        "PATH": "/bin",
        "TORCH_TRACE": own or str(tmp_path),
    }
    assert Plan(str(tmp_path)).variables(given) == given


@pytest.mark.long
def test_telemetry_beside_a_job(tmp_path: Path) -> None:
    """Sampled from before the job to its end, with the job's processes, and joined to its trace."""
    job = run_fake(tmp_path, "train(); time.sleep(0.05)", telemetry_hz=100)
    (path,) = job.folder.glob("*.telemetry.jsonl")
    first, *_, last = (json.loads(line) for line in path.read_text().splitlines())
    assert (first["hz"], last["end"]) == (100, "SIGTERM")
    (rank,) = stepscope.open(str(job.folder)).profile.ranks
    assert [one.kind for one in rank.recordings] == ["trace", "telemetry"]


@pytest.mark.parametrize(("variables", "files"), [({"SLURM_LOCALID": "1"}, 0), ({"SLURM_LOCALID": "0"}, 1)])
def test_one_launcher_of_a_machine_samples_it(tmp_path: Path, variables: dict[str, str], files: int) -> None:
    job = run_fake(tmp_path, "train()", variables, telemetry_hz=10)
    assert len(list(job.folder.glob("*.telemetry.jsonl"))) == files


def test_telemetry_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command runs as without, and what the sampler said is known."""
    monkeypatch.setattr(launcher, "SUFFIX", "/none")
    done = launcher.record(Plan(str(tmp_path / "out"), telemetry_hz=10), python("-c", "pass"), "1.2.3")
    assert done.code == 0
    assert done.unsampled.endswith("No such file or directory")
