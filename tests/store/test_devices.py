"""What a trace says of its GPUs, and of which."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Event, kernel, opened
from stepscope.store.devices import device_properties, used_devices

H200 = {"name": "NVIDIA H200", "numSms": 132}
MI300 = {"name": "AMD Instinct MI300X", "numSms": 304}


def on_gpu(number: int) -> Event:
    event = kernel("a", 0, 10)
    event["args"]["device"] = number
    return event


@pytest.mark.parametrize(
    ("listed", "number", "name"),
    [
        ([{"id": 0, **H200}, {"id": 1, **MI300}], 1, MI300["name"]),
        ([{"id": 0, **MI300}], 2, MI300["name"]),  # the process sees one GPU of eight
        ([{"id": 0, **H200}, {"id": 1, **H200}], 7, H200["name"]),
        ([{"id": 0, **H200}, {"id": 1, **MI300}], 7, None),
        ([], 0, None),
    ],
)
def test_properties_are_those_of_the_number_or_of_the_only_model(
    tmp_path: Path, listed: list[dict[str, object]], number: int, name: str | None
) -> None:
    profile = opened(tmp_path, on_gpu(number), deviceProperties=listed)
    rank = profile.profile.ranks[0]
    assert used_devices(rank) == [number]
    assert device_properties(rank, number).get("name") == name


def test_beside_a_gpu_that_is_listed_another_is_not_guessed(tmp_path: Path) -> None:
    rank = opened(tmp_path, on_gpu(0), on_gpu(1), deviceProperties=[{"id": 0, **H200}]).profile.ranks[0]
    assert device_properties(rank, 1) == {}


def test_a_report_names_the_only_gpu_listed(tmp_path: Path) -> None:
    """Traces of one process of eight on MI300X said "no GPU recorded", and lacked its SMs and memory."""
    profile = opened(tmp_path, on_gpu(2), deviceProperties=[{"id": 0, **MI300}])
    assert profile.show("summary")["device"].to_list() == [MI300["name"]]
    assert profile.show("utilization")["sms"].to_list() == [304]
