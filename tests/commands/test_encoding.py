"""What a terminal or pipe cannot write is said in ASCII: a report sent to a file on Windows once ended in an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from building import kernel, launched, operator, write

ENCODINGS = [
    {"PYTHONIOENCODING": "cp1252"},
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
]


def run(variables: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONIOENCODING", "PYTHONUTF8")}
    return subprocess.run(
        [sys.executable, "-m", "stepscope", *arguments], env=environment | variables, capture_output=True, check=False
    )


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    events = [
        operator("aten::mm", 0, 5),
        launched(kernel("größe 你", 10, 20, 1), at=2),
        launched(kernel("b", 20, 21, 1), at=3),
    ]
    return write(tmp_path / "trace.json", *events)


@pytest.mark.parametrize("variables", ENCODINGS, ids=["cp1252", "ascii", "C"])
@pytest.mark.long
def test_a_report_is_written_in_any_encoding(variables: dict[str, str], trace: Path) -> None:
    done = run(variables, "report", str(trace))
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"##" in done.stdout, "bars"
    assert ("größe ?" if "cp1252" in variables.values() else "gr??e ?").encode("cp1252") in done.stdout


def test_errors_are_written_in_any_encoding() -> None:
    done = run({"PYTHONIOENCODING": "ascii"}, "report", "größe.json")
    assert done.returncode == 2
    assert b"gr??e.json: there is no such file" in done.stderr


@pytest.mark.long
def test_json_is_utf_8_in_any_encoding(trace: Path) -> None:
    done = run({"PYTHONIOENCODING": "ascii"}, "show", "kernels", str(trace), "--format", "json")
    assert [row["name"] for row in json.loads(done.stdout)["rows"]] == ["größe 你", "b"]


@pytest.mark.long
def test_chinese_becomes_english_where_it_cannot_be_written(trace: Path) -> None:
    """Every letter was a question mark."""
    for variables, option in (({}, ["--lang", "zh"]), ({"LC_ALL": "zh_CN"}, [])):
        done = run({"PYTHONIOENCODING": "ascii", **variables}, "show", "kernels", str(trace), *option)
        assert done.stderr.startswith(b"stepscope: the encoding of the terminal (ascii) has no Chinese letters")
        assert done.stderr.count(b"\n") == 1
        assert b"launches" in done.stdout or b"calls" in done.stdout
    written = trace.with_name("report.txt")
    done = run({"PYTHONIOENCODING": "ascii"}, "report", str(trace), "--lang", "zh", "-o", str(written))
    assert "内核" in written.read_text("utf-8"), "a file is UTF-8"
