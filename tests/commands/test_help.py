"""Help is quick, and so is the import: the analysis stack is loaded only when it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from command_line import Run

HEAVY = ["polars", "numba", "numpy", "rich", "fsspec", "starlette", "uvicorn"]


@pytest.mark.parametrize("statement", ["import stepscope", "import stepscope.commands as c; c.cli.commands"])
def test_import_loads_nothing_heavy(statement: str) -> None:
    code = f"{statement}; import sys; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["-h"],
        ["report", "--help"],
        ["show", "--help"],
        ["serve", "--help"],
        ["what-if", "--help"],
        ["diff", "--help"],
        ["cache", "--help"],
        ["record", "--help"],
        ["attach", "--help"],
        ["nsys", "--help"],
        ["ncu", "--help"],
        ["doctor", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from stepscope.commands import cli\n"
        f"try: cli.main({arguments!r}, prog_name='stepscope')\n"
        f"except SystemExit: print([name for name in {HEAVY} if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


def test_help_names_every_command(run: Run) -> None:
    assert run("--help").out == (
        "Usage: stepscope [OPTIONS] COMMAND [ARGS]...\n"
        "\n"
        "  A stethoscope for training steps: reads the traces of PyTorch's profiler and\n"
        "  says where the time goes.\n"
        "\n"
        "  PATH is a trace (.json, .json.gz), a folder with one trace per rank, a glob,\n"
        "  or a URL (s3://, gs://, az://).\n"
        "\n"
        "Options:\n"
        "  --version    Show the version and exit.\n"
        "  --lang LANG  Language of the output: en or zh (default: that of the locale).\n"
        "  -h, --help   Show this message and exit.\n"
        "\n"
        "Commands:\n"
        "  record     Record some steps of a job that is not changed for it, and report\n"
        "             on them.\n"
        "  attach     Record steps of a job that runs already, and report on them.\n"
        "  nsys       Record a job with Nsight Systems, by the command that its version\n"
        "             understands.\n"
        "  ncu        Counters of the heaviest kernels of a trace, by Nsight Compute.\n"
        "  doctor     What keeps a recording from working on this machine, and the fix.\n"
        "  telemetry  Sample GPUs, cores, memory and a job's processes into a file.\n"
        "  report     Where the time of a step goes: verdict, health, steps, operators,\n"
        "             kernels.\n"
        "  show       One table, as text, CSV, JSON or Parquet.\n"
        "  serve      A local web app over every run below a folder.\n"
        "  diff       What changed between two recordings, and whether it is real.\n"
        "  check      Whether a recording regressed, as an exit code for CI.\n"
        "  baseline   Save, list and remove baselines for check.\n"
        "  prove      Whether a fix saved what its finding promised.\n"
        "  ledger     What findings promised and what came, of all that was proved.\n"
        "  what-if    What a step would take with something changed.\n"
        "  redact     A copy of a recording without what names people and machines.\n"
        "  cache      List or clear the traces that were read before.\n"
    )


def test_cache_lists_and_clears(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path))
    run("show", "summary", "examples/launch_bound_decode.fixed.pt.trace.json.gz")
    listed = run("cache", "list").out.splitlines()
    assert listed[0].split() == ["size", "last", "used", "trace"]
    assert listed[2].endswith("launch_bound_decode.fixed.pt.trace.json.gz")
    assert listed[3].startswith("1 traces, ")
    assert run("cache", "clear").out.startswith("deleted 1 stored traces, ")
    assert run("cache", "list").out == f"no stored traces in {tmp_path}\n"


@pytest.mark.long
def test_a_stored_trace_is_shown_without_loading_compiled_code(run: Run) -> None:
    """Imports for types alone, and a registry that loads the scanner, had doubled the time and half as much again the
    memory of every table of a trace that was read before."""
    path = "examples/batch_size.slow.pt.trace.json.gz"
    assert run("show", "summary", path).code == 0
    code = (
        "import sys; from stepscope.commands import cli\n"
        f"cli.main(['show', 'summary', {path!r}], prog_name='stepscope', standalone_mode=False)\n"
        "print([name for name in ('numba', 'sqlglot', 'starlette') if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"
