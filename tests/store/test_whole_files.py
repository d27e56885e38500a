"""Files that are there as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.store.whole_files import whole_file


def test_two_threads_that_write_one_file_do_not_write_into_each_others(tmp_path: Path) -> None:
    """Both once used a name made of the process: the second emptied what the first had just put in place."""
    path = tmp_path / "table"
    with whole_file(path) as first:
        first.write_text("first")
        with whole_file(path) as second:
            second.write_text("second")
            assert first.read_text() == "first"
        assert path.read_text() == "second"
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_left_of_what_was_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text("before")

    def interrupted() -> None:
        with whole_file(path) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_long_names_leave_room(tmp_path: Path) -> None:
    path = tmp_path / ("表" * 83 + ".html")
    with whole_file(path) as temporary:
        temporary.write_text("whole")
    assert path.read_text() == "whole"
