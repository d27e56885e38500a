"""Exports of Nsight Systems as a folder of tables say the same as databases."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from readers.nsys_building import as_folder, thread, training
from readers.test_nsys_processes import two_ranks
from stepscope.analyses import make_table
from stepscope.errors import UnreadableInput
from stepscope.readers.registry import recognised
from stepscope.readers.sources import Source
from stepscope.store.opening import open_profile


@pytest.mark.long
@pytest.mark.parametrize("ending", ["parquet", "arrow", "stream"])
@pytest.mark.parametrize("table", ["kernels", "memcpy", "annotations", "api_calls", "os_runtime", "telemetry", "steps"])
def test_a_folder_says_what_the_database_says(tmp_path: Path, ending: str, table: str) -> None:
    made = training().add("OSRT_API", 5, 50, 27, thread(), 1, 0)
    made.add("NVTX_EVENTS", 5_000, 6_000, 59, None, thread(), made.text("registered"), 1)
    made.add("TARGET_INFO_GPU_METRICS", 1 << 48, 1, "", 0, "SMs Active [Throughput %]")
    made.add("GPU_METRICS", 0, 10_000, 1 << 48, 0, 50)
    path = made.write(tmp_path / "export.sqlite")
    folder = as_folder(path, tmp_path / "report_pqtdir", ending)
    expected = make_table(open_profile(str(path)), table)
    assert len(expected) > 0
    assert make_table(open_profile(str(folder)), table).equals(expected)


def test_narrow_integers_and_categories_are_read(tmp_path: Path) -> None:
    folder = as_folder(training().write(tmp_path / "export.sqlite"), tmp_path / "x_pqtdir")
    for name in ("CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS"):
        frame = pl.read_parquet(folder / f"{name}.parquet")
        narrow = [pl.col(one).cast(pl.UInt32) for one in ("deviceId", "streamId", "eventType") if one in frame.columns]
        texts = [pl.col("text").cast(pl.Categorical)] if "text" in frame.columns else []
        frame.with_columns(*narrow, *texts).write_parquet(folder / f"{name}.parquet")
    profile = open_profile(str(folder))
    assert sorted(make_table(profile, "kernels")["name"]) == ["gemm<float>", "gemm_backward"]
    assert len(profile.ranks[0].all_steps.ranges) == 3


def test_ranks_of_a_folder(tmp_path: Path) -> None:
    folder = as_folder(two_ranks(20, 30).write(tmp_path / "export.sqlite"), tmp_path / "x_arwdir", "arrow")
    assert len(open_profile(str(folder)).ranks) == 2


def test_a_folder_is_recognised_inside_a_folder_of_runs(tmp_path: Path) -> None:
    as_folder(training().write(tmp_path / "a.sqlite"), tmp_path / "runs" / "rank0_pqtdir")
    as_folder(training().write(tmp_path / "a.sqlite"), tmp_path / "runs" / "rank1_pqtdir")
    profile = open_profile(str(tmp_path / "runs"))
    assert [rank.number for rank in profile.ranks] == [0, 1]
    assert recognised(Source(str(tmp_path / "runs"))).kind == "other"


def test_a_damaged_table_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    folder = as_folder(training().write(tmp_path / "a.sqlite"), tmp_path / "x_pqtdir")
    file = folder / "CUPTI_ACTIVITY_KIND_MEMCPY.parquet"
    file.write_bytes(file.read_bytes()[:-10])
    profile = open_profile(str(folder))
    assert len(make_table(profile, "kernels")) == 2
    assert len(make_table(profile, "memcpy")) == 0
    assert "CUPTI_ACTIVITY_KIND_MEMCPY" in str(profile.ranks[0].trace.truncated)


def test_links_that_lead_out_of_the_folder_are_no_tables(tmp_path: Path) -> None:
    outside = as_folder(training().write(tmp_path / "a.sqlite"), tmp_path / "outside")
    folder = tmp_path / "x_pqtdir"
    folder.mkdir()
    for file in outside.iterdir():
        (folder / file.name).symlink_to(file)
    with pytest.raises(UnreadableInput, match="no file in the folder is a table"):
        open_profile(str(folder))


def test_environment_and_output_never_enter_the_store(tmp_path: Path) -> None:
    made = training()
    made.add("TARGET_INFO_SYSTEM_ENV", 1, "env", "HF_TOKEN", 0, "secret-1")
    made.text("secret-2: what the program printed")
    profile = open_profile(str(as_folder(made.write(tmp_path / "a.sqlite"), tmp_path / "x_pqtdir")))
    assert not profile.ranks[0].trace.texts.str.contains("secret").any()


def truncated(folder: Path) -> str:
    facts = open_profile(str(folder)).ranks[0].trace.meta["truncated"]
    return str(facts and facts["params"]["table"])


def test_a_column_of_another_type_is_damage_of_its_table(tmp_path: Path) -> None:
    """Lists in place of times ended the reading in an error of Polars (found with made files)."""
    made = training().add("OSRT_API", 5, 50, 27, thread(), 1, 0)
    folder = as_folder(made.write(tmp_path / "export.sqlite"), tmp_path / "report_pqtdir")
    path = folder / "OSRT_API.parquet"
    pl.read_parquet(path).with_columns(pl.lit([1, 2]).alias("start")).write_parquet(path)
    assert truncated(folder) == "OSRT_API"
    assert len(make_table(open_profile(str(folder)), "kernels")) == 2


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_table_that_is_not_read_is_said(tmp_path: Path, kind: str) -> None:
    """A table that is a folder, or leads out of the export, was left out without a word."""
    made = training().add("OSRT_API", 5, 50, 27, thread(), 1, 0)
    folder = as_folder(made.write(tmp_path / "export.sqlite"), tmp_path / "report_pqtdir")
    path = folder / "OSRT_API.parquet"
    path.rename(tmp_path / "elsewhere.parquet")
    if kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "elsewhere.parquet")
    assert truncated(folder) == "OSRT_API"
