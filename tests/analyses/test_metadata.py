"""What a recording says about itself."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import opened, operator, rows, write


def test_members_of_objects_and_lists_have_a_row_each(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 1),
        schemaVersion=1,
        with_stack=0,
        deviceProperties=[{"id": 0, "name": "NVIDIA H200"}, {"id": 1, "name": "NVIDIA H200"}],
        distributedInfo={"rank": 3, "pg_config": [{"pg_name": "0", "ranks": [0, 1, 2, 3, 8]}]},
    )
    assert rows(profile.show("metadata"), "rank", "key", "value") == [
        (None, "schemaVersion", "1"),
        (None, "with_stack", "0"),
        (None, "deviceProperties.0.id", "0"),
        (None, "deviceProperties.0.name", "NVIDIA H200"),
        (None, "deviceProperties.1.id", "1"),
        (None, "deviceProperties.1.name", "NVIDIA H200"),
        (None, "distributedInfo.rank", "3"),
        (None, "distributedInfo.pg_config.0.pg_name", "0"),
        (None, "distributedInfo.pg_config.0.ranks", "0-3, 8"),
    ]


def test_what_is_not_on_the_list_does_not_appear(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 1),
        metadata={"system": {"env": {"TOKEN": "secret"}}},
        traceName="/home/someone/trace.json",
    )
    assert len(profile.show("metadata")) == 0
    assert profile.notes("metadata") == [
        "no rows: the file holds events only, or none of the metadata that is read from a trace"
    ]


def test_ranks_that_differ_have_a_row_each(tmp_path: Path) -> None:
    for number in (0, 1):
        info = {"rank": number, "world_size": 2}
        write(tmp_path / f"rank{number}.json", operator("aten::mm", 0, 1), distributedInfo=info)
    assert rows(stepscope.open(str(tmp_path)).show("metadata"), "rank", "key", "value") == [
        (0, "distributedInfo.rank", "0"),
        (1, "distributedInfo.rank", "1"),
        (None, "distributedInfo.world_size", "2"),
    ]


def test_a_long_list_of_ranks_is_cut(tmp_path: Path) -> None:
    groups = [{"pg_name": "0", "ranks": list(range(0, 100, 2))}]
    profile = opened(tmp_path, operator("aten::mm", 0, 1), distributedInfo={"pg_config": groups})
    [value] = profile.show("metadata").filter(key="distributedInfo.pg_config.0.ranks")["value"]
    assert value.startswith("0, 2, 4, ")
    assert value.endswith(", 38, ...")
