"""Where a report is written: refused before the trace is read, and never half there."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from building import kernel, operator, write
from building.snapshots import small_training
from command_line import Run
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.reporters.html import shell

SLOW = "examples/batch_size.slow.pt.trace.json.gz"


@pytest.fixture
def trace(tmp_path: Path) -> str:
    write(tmp_path / "trace.json", operator("aten::mm", 100, 200), kernel("gemm", 150, 300))
    return str(tmp_path / "trace.json")


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (".", "it names a folder. Name a file in it: -o {}/./report.html"),
        ("new/", "it names a folder. Name a file in it: -o {}/new/report.html"),
        (
            "missing/report.html",
            "No such file or directory. Make its folder first, or name a file elsewhere: {}/missing",
        ),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_trace_is_read(
    run: Run, tmp_path: Path, output: str, said: str
) -> None:
    """It once was found out behind everything else, half a minute later, and "-o DIR" said nothing about a name."""
    named = f"{tmp_path}/{output}"
    outcome = run("report", str(tmp_path / "no such trace.json"), "-o", named)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"stepscope: cannot write {named}: {said.format(tmp_path)}\n"


def test_a_folder_without_permission_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    outcome = run("report", "none.json", "-o", str(tmp_path / "report.txt"))
    assert outcome.code == 2
    assert outcome.err.endswith("report.txt: Permission denied. Name a file in a folder of yours.\n")


@pytest.mark.long
def test_what_was_there_stays_until_the_new_report_is_complete(
    run: Run, trace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk once left a report cut in the middle where a whole one had been."""
    report = tmp_path / "report.md"
    report.write_text("the last one")

    def full(path: Path, _: bytes) -> int:
        with path.open("wb") as file:
            file.write(b"half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        outcome = run("report", trace, "--format", "markdown", "-o", str(report))
    assert outcome.code == 2
    assert "No space left on device" in outcome.err
    assert report.read_text() == "the last one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.md", "trace.json"]


def test_a_link_stays_one_and_a_file_keeps_who_may_read_it(run: Run, trace: str, tmp_path: Path) -> None:
    report, link = tmp_path / "real.md", tmp_path / "link.md"
    report.write_text("")
    report.chmod(0o600)
    link.symlink_to(report)
    assert run("report", trace, "--format", "markdown", "-o", str(link)).code == 0
    assert link.is_symlink()
    assert report.read_text().startswith("#")
    assert stat.S_IMODE(report.stat().st_mode) == 0o600


def test_a_pipe_is_written_and_not_replaced(run: Run, trace: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("report", trace, "--format", "markdown", "-o", str(pipe)).code == 0
        assert os.read(reader, 1) == b"#"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_report_never_replaces_its_input(run: Run, tmp_path: Path) -> None:
    """`report T.json.gz -o T.json.gz` wrote the report over the recording and called it done."""
    trace = tmp_path / "rank0.json.gz"
    shutil.copy(SLOW, trace)
    before = trace.read_bytes()
    for inputs in (trace, tmp_path / "*.gz"):
        outcome = run("report", str(inputs), "-o", str(trace))
        assert outcome == (
            2,
            "",
            f"stepscope: cannot write {trace}: it is the input. Name another file for the report.\n",
        )
    for inputs in (tmp_path, SLOW):
        assert run("report", str(inputs), "-o", str(trace)).err == (
            f"stepscope: cannot write {trace}: it holds a recording. Name another file, or delete this one first.\n"
        )
    assert trace.read_bytes() == before


def test_html_is_refused_before_the_trace_is_read_where_there_is_no_app(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> str:
        raise BadRequest(Message("error-cannot-write-html"), Message("error-no-app"), Message("error-install-anew"))

    monkeypatch.setattr(shell, "read_shell", missing)
    outcome = run("report", str(tmp_path / "no such trace.json"), "-o", str(tmp_path / "report.html"))
    assert (outcome.code, "this installation has no web app" in outcome.err) == (2, True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["report.html", "report.json", "report.md", "report.txt"])
def test_an_earlier_report_is_replaced(run: Run, trace: str, tmp_path: Path, name: str) -> None:
    format_ = {"html": "html", "json": "json", "md": "markdown", "txt": "text"}[name.rpartition(".")[2]]
    for _ in range(2):
        assert run("report", trace, "--format", format_, "-o", str(tmp_path / name)).code == 0


def test_pictures_are_written_as_svg(run: Run, tmp_path: Path) -> None:
    snapshot = small_training().write(tmp_path / "snapshot.pickle")
    for table in ("memory_segments", "memory_peak", "memory_categories"):
        picture = tmp_path / f"{table}.svg"
        assert run("show", table, str(snapshot), "-o", str(picture)).code == 0
        assert picture.read_text().startswith('<svg xmlns="http://www.w3.org/2000/svg" width="1280"')
    refused = run("show", "memory_leaks", str(snapshot), "-o", str(tmp_path / "leaks.svg"))
    assert (refused.code, refused.err) == (
        2,
        (
            "stepscope: cannot draw memory_leaks: there is no picture of its rows. Tables with: memory_segments, "
            "memory_blocks, memory_peak, memory_categories.\n"
        ),
    )
    assert run("show", "memory_peak", str(snapshot), "--by", "category", "--format", "svg").code == 2
