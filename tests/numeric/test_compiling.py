"""Where compiled code is kept."""

from __future__ import annotations

import ast
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pytest
from numba.core.cpu import CPUContext

from stepscope.numeric import compiling


def test_modules_imported_by_two_threads_keep_their_code_in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba has one setting for the folder. The thread that was done first once reset it under the other one, whose
    compiled code then went into a folder ``numeric_...`` wherever the user stood."""
    before = numba.config.CACHE_DIR
    second_begun, first_done = threading.Event(), threading.Event()
    folders: dict[str, str] = {}

    def decorated(function: Callable[[], None]) -> None:
        if function is first:
            other.start()
            second_begun.wait(0.2)  # it is kept waiting until the first is done
        else:
            second_begun.set()
            first_done.wait(10)
        folders[function.__name__] = numba.config.CACHE_DIR

    def njit(**_: Any) -> Callable[[Callable[[], None]], None]:
        return decorated

    def first() -> None: ...

    def second() -> None: ...

    decorate = compiling._jit(cache=True)
    monkeypatch.setattr(numba, "njit", njit)
    other = threading.Thread(target=decorate, args=(second,))
    decorate(first)
    first_done.set()
    other.join(10)
    assert folders == {"first": compiling._FOLDER, "second": compiling._FOLDER}
    assert before == numba.config.CACHE_DIR


def candidates(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    monkeypatch.setattr(compiling, "_folders", lambda name: iter([str(folder / name) for folder in folders]))


def test_compiled_code_goes_where_it_can_be_written_and_else_nowhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a container whose packages and home cannot be written, numba refused to compile at all."""
    (tmp_path / "file").touch()
    candidates(monkeypatch, tmp_path / "file" / "below", tmp_path / "cache")
    found = compiling._code_folder()
    assert found is not None
    assert Path(found).parent == tmp_path / "cache"
    candidates(monkeypatch, tmp_path / "file" / "below")
    assert compiling._code_folder() is None

    monkeypatch.setattr(compiling, "_FOLDER", None)
    assert compiling._jit(cache=True)(lambda number: number + 1)(1) == 2


def test_the_folders_for_compiled_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "chosen"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    beside, chosen, home, temporary = compiling._folders("numba-1")
    assert Path(beside).parents[1] == Path(compiling.__file__).parent
    assert chosen == str(tmp_path / "chosen" / "numba-1")
    assert home == str(tmp_path / "home" / "stepscope" / "numba-1")
    assert Path(temporary).parent == tmp_path / "temporary"


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps temporary folders apart by user")
def test_code_is_not_loaded_from_a_folder_that_others_can_write(tmp_path: Path) -> None:
    """numba unpickles what it finds: whoever may write the folder could run code."""
    assert compiling._is_usable(str(tmp_path / "own"))
    (tmp_path / "own").chmod(0o777)
    assert not compiling._is_usable(str(tmp_path / "own"))
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert not compiling._is_usable(str(tmp_path / "open" / "code"))
    (tmp_path / "open").chmod(0o1777)
    assert compiling._is_usable(str(tmp_path / "open" / "code"))


@pytest.mark.parametrize("damaged", ["*.nbi", "*.nbc"])
def test_damaged_compiled_code_is_compiled_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, damaged: str) -> None:
    """After a power loss the files may be there and hold zeros."""
    monkeypatch.setattr(compiling, "_FOLDER", str(tmp_path))

    def doubled(number: int) -> int:
        return 2 * number

    assert compiling._jit(cache=True)(doubled)(2) == 4
    [file] = tmp_path.rglob(damaged)
    file.write_bytes(bytes(file.stat().st_size))
    again = compiling._jit(cache=True)(doubled)
    assert again(2) == 4
    assert not again.stats.cache_hits


@pytest.mark.long
def test_kept_code_is_loaded_without_preparing_numba_to_compile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Preparing takes 0.2 s of every command. What is compiled after all, behind kept code, prepares it by itself."""
    prepared: list[str] = []
    refresh = CPUContext.refresh
    monkeypatch.setattr(CPUContext, "refresh", lambda self: (prepared.append("refresh"), refresh(self)))
    monkeypatch.setattr(compiling, "_FOLDER", str(tmp_path))

    def largest(values: npt.NDArray[np.int64]) -> int:
        return int(np.sort(values)[-1])

    values = np.array([3, 9, 4])
    assert compiling._jit(cache=True)(largest)(values) == 9
    assert prepared
    prepared.clear()
    again = compiling._jit(cache=True)(largest)
    assert again(values) == 9
    assert again.stats.cache_hits
    assert not prepared
    assert again(np.array([0.5, 0.25])) == 0
    assert prepared, "for floats there was no kept code"


def test_all_kept_code_is_loaded_ahead_and_nothing_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A report loads it while its trace is read."""
    monkeypatch.setattr(compiling, "_FOLDER", str(tmp_path))
    monkeypatch.setattr(compiling, "_DECORATED", [])

    def tripled(number: int) -> int:
        return 3 * number

    def never_called(number: int) -> int:
        return number

    assert compiling._jit(cache=True)(tripled)(2) == 6
    again, other = compiling._jit(cache=True)(tripled), compiling._jit(cache=True)(never_called)
    compiling.load_kept()
    assert len(again.overloads) == 1
    assert again.stats.cache_hits
    assert not other.overloads
    assert again(5) == 15


_LOADS_LINEAR_ALGEBRA = {
    "all",
    "any",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
}
"""Methods of arrays whose kept code has numba import its linear algebra, and scipy's, at the first call: 0.4 s."""


def test_compiled_loops_call_nothing_that_takes_long_to_load() -> None:
    found = []
    for path in Path(compiling.__file__).parents[1].rglob("*.py"):
        for function in ast.parse(path.read_text("utf-8")).body:
            decorators = {ast.unparse(one) for one in getattr(function, "decorator_list", [])}
            if decorators & {"compiled", "hot", "inner"}:
                calls = [one.func for one in ast.walk(function) if isinstance(one, ast.Call)]
                names = {one.attr for one in calls if isinstance(one, ast.Attribute)}
                found += [f"{path.name}: {function.name} calls {name}" for name in names & _LOADS_LINEAR_ALGEBRA]  # type: ignore[attr-defined]
    assert found == []
