"""A report opened again is what was kept of it, and nothing else that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import annotation, kernel, launched, operator, step, write
from command_line import Run
from stepscope.reporters.report_text import SHOWN
from stepscope.schema.reported import reported
from stepscope.store import result_cache


@pytest.fixture
def trace(tmp_path: Path) -> str:
    """Two steps with a kernel each."""
    steps = [
        [
            step(n, at, at + 1_000_000),
            operator("aten::mm", at, at + 900_000),
            launched(kernel("k", at + 50, at + 90, n), at),
        ]
        for n, at in ((1, 0), (2, 1_000_000))
    ]
    return str(write(tmp_path / "trace.json", *steps, annotation("part", 10, 20)))


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tables that were computed."""
    from stepscope.findings import kept_tables

    found: list[str] = []
    make = kept_tables.make_table

    def counted(profile: object, name: str, *options: object) -> object:
        found.append(name)
        return make(profile, name, *options)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_tables, "make_table", counted)
    return found


@pytest.mark.long
def test_the_second_report_computes_nothing(run: Run, trace: str, computed: list[str]) -> None:
    first = run("report", trace).out
    assert "findings" in computed
    computed.clear()
    assert run("report", trace).out == first
    assert computed == []


@pytest.mark.long
def test_other_formats_share_its_tables(run: Run, trace: str, computed: list[str]) -> None:
    """They hold more tables than a text shows; none is computed twice."""
    run("report", trace)
    computed.clear()
    assert '"schema_version"' in run("report", trace, "--format", "json").out
    assert sorted(computed) == sorted(set(reported()) - set(SHOWN))
    computed.clear()
    run("report", trace, "--format", "json")
    assert computed == []


@pytest.mark.long
@pytest.mark.parametrize("options", [["--lang", "zh"], ["--step", "2"], ["--peak", "bf16=1e12"]])
def test_other_questions_get_their_own_answers(run: Run, trace: str, options: list[str]) -> None:
    first = run("report", trace).out
    other = run("report", trace, *options).out
    assert other != first or options[0] == "--peak"
    assert run("report", trace, *options).out == other
    assert run("report", trace).out == first


@pytest.mark.long
def test_steps_and_figures_of_the_user_are_never_kept(run: Run, trace: str, computed: list[str]) -> None:
    for options in (["--step", "2"], ["--peak", "bf16=1e12"]):
        run("report", trace, *options)
        computed.clear()
        run("report", trace, *options)
        assert "findings" in computed


@pytest.mark.long
def test_another_version_computes_again(
    run: Run, trace: str, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run("report", trace).out
    computed.clear()
    monkeypatch.setattr(result_cache, "code_version", lambda: "f" * 16)
    assert run("report", trace).out == first
    assert "findings" in computed


@pytest.mark.long
def test_a_damaged_file_is_made_again(run: Run, trace: str, own_cache: Path) -> None:
    first = run("report", trace).out
    kept = [path for path in own_cache.rglob("kept.result-*") if path.suffix == ".bin"]
    assert kept
    for path in kept:
        path.write_bytes(b"stepscope kept\n" + b"\xff" * 20)
    assert run("report", trace).out == first
