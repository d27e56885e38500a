"""Copies by direction and kind of host memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import kernel, memcpy, memset, opened, rows, timed, write


def test_copies_are_summed_by_direction_and_host_memory(tmp_path: Path) -> None:
    """Bandwidth in GB/s is bytes per ns."""
    profile = opened(
        tmp_path,
        memcpy(0, 100, name="Memcpy HtoD (Pinned -> Device)", bytes=2000),
        memcpy(100, 200, name="Memcpy HtoD (Pinned -> Device)", bytes=1000),
        memcpy(200, 600, name="Memcpy HtoD (Pageable -> Device)", bytes=1000),
        memcpy(600, 650, name="Memcpy DtoH (Device -> Pageable)", bytes=4),
        kernel("gemm", 0, 1000),
        memset(700, 800),
    )
    assert profile.show("memcpy").to_dicts() == [
        {"kind": "HtoD", "pinned": "pageable", "calls": 1, "bytes": 1000, "total_ns": 400, "bandwidth": 2.5},
        {"kind": "HtoD", "pinned": "pinned", "calls": 2, "bytes": 3000, "total_ns": 200, "bandwidth": 15.0},
        {"kind": "DtoH", "pinned": "pageable", "calls": 1, "bytes": 4, "total_ns": 50, "bandwidth": 0.08},
    ]


@pytest.mark.parametrize(
    ("name", "kind", "pinned"),
    [
        ("Memcpy HtoD (Pageable -> Device)", "HtoD", "pageable"),
        ("Memcpy HtoD (Pinned -> Device)", "HtoD", "pinned"),
        ("Memcpy DtoH (Device -> Pinned)", "DtoH", "pinned"),
        ("Memcpy DtoD (Device -> Device)", "DtoD", ""),
        ("Memcpy PtoP (Device -> Device)", "PtoP", ""),
        ("Memcpy HtoH (Pageable -> Pageable)", "HtoH", "pageable"),
        ("Memcpy HtoD (Host -> Device)", "HtoD", ""),
        ("CopyHostToDevice", "HtoD", ""),
        ("CopyDeviceToHost", "DtoH", ""),
        ("CopyDeviceToDevice", "DtoD", ""),
        ("Memcpy", "unknown", ""),
    ],
)
def test_direction_and_memory_stand_in_the_name(tmp_path: Path, name: str, kind: str, pinned: str) -> None:
    """Written by CUPTI, by roctracer since 2023 (without the host's memory), and by older ROCm."""
    profile = opened(tmp_path, memcpy(0, 10, name=name))
    assert rows(profile.show("memcpy"), "kind", "pinned") == [(kind, pinned)]


def test_rocm_may_name_the_direction_in_an_argument_only(tmp_path: Path) -> None:
    profile = opened(tmp_path, memcpy(0, 10, name="Memcpy", kind="DtoD"))
    assert rows(profile.show("memcpy"), "kind", "pinned", "calls") == [("DtoD", "", 1)]


def test_without_sizes_there_are_no_bytes_and_no_bandwidth(tmp_path: Path) -> None:
    """ROCm records no sizes: unknown is not zero."""
    profile = opened(tmp_path, memcpy(0, 10, name="Memcpy DtoD (Device -> Device)"))
    assert rows(profile.show("memcpy"), "calls", "bytes", "total_ns", "bandwidth") == [(1, None, 10, None)]


def test_bandwidth_leaves_out_the_time_of_copies_without_a_size(tmp_path: Path) -> None:
    profile = opened(tmp_path, memcpy(0, 10, bytes=40), memcpy(10, 100))
    assert rows(profile.show("memcpy"), "calls", "bytes", "total_ns", "bandwidth") == [(2, 40, 100, 4.0)]


def test_bandwidth_of_copies_without_length_is_unknown(tmp_path: Path) -> None:
    """Traces in whole microseconds round short copies to nothing."""
    profile = opened(tmp_path, memcpy(5, 5, bytes=4))
    assert rows(profile.show("memcpy"), "calls", "bytes", "bandwidth") == [(1, 4, None)]


def test_old_copies_count(tmp_path: Path) -> None:
    event = timed("Memcpy", "Memcpy HtoD (Pageable -> Device)", 0, 10, process=0, thread=7, bytes=20)
    assert rows(opened(tmp_path, event).show("memcpy"), "kind", "bytes", "bandwidth") == [("HtoD", 20, 2.0)]


def test_ranks_are_summed(tmp_path: Path) -> None:
    write(tmp_path / "rank0.json", memcpy(0, 10, bytes=10))
    write(tmp_path / "rank1.json", memcpy(0, 30, bytes=10))
    assert rows(stepscope.open(str(tmp_path)).show("memcpy"), "calls", "bytes", "bandwidth") == [(2, 20, 0.5)]
