"""Traces in a bucket, read from a real S3 server (moto's) on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
import s3fs
from moto import settings
from moto.core.authorization import ActionAuthenticatorMixin
from moto.server import ThreadedMotoServer

import stepscope
from building import kernel, step, write
from stepscope.analyses import make_table
from stepscope.errors import UnreadableInput
from stepscope.readers.finding import find_sources
from stepscope.readers.sources import Source
from stepscope.store.opening import open_profile
from stepscope.store.options import ReadOptions


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(autouse=True)
def account(endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The usual variables of the environment, and nothing else that may lie on this machine."""
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": str(tmp_path / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "none"),
        "AWS_EC2_METADATA_DISABLED": "true",
        "STEPSCOPE_CACHE": str(tmp_path / "cache"),
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    yield
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def bucket(endpoint: str, tmp_path: Path) -> Any:
    """A bucket with a run of three ranks, and a file beside them."""
    client = boto3.client("s3", endpoint_url=endpoint)
    client.create_bucket(Bucket="bucket")
    for rank in range(3):
        path = write(tmp_path / "rank.json", step(1, 0, 900), kernel("a", 0, 10 + rank), distributedInfo={"rank": rank})
        client.put_object(Bucket="bucket", Key=f"run/rank{rank}.json", Body=path.read_bytes())
    client.put_object(Bucket="bucket", Key="run/truth.txt", Body=b"none")
    return client


def busy(path: str) -> list[tuple[int, int]]:
    return stepscope.open(path).show("summary").select("rank", "busy_ns").rows()


@pytest.mark.parametrize("path", ["run/", "run", "run/rank*.json", "run/*"])
def test_a_folder_and_a_glob(bucket: Any, path: str) -> None:
    """All that a folder holds is listed with one request, whatever the number of ranks."""
    assert [source.path for source in find_sources(f"s3://bucket/{path}")][:3] == [
        f"s3://bucket/run/rank{rank}.json" for rank in range(3)
    ]
    assert busy(f"s3://bucket/{path}") == [(0, 10), (1, 11), (2, 12)]


def test_a_single_file(bucket: Any) -> None:
    assert busy("s3://bucket/run/rank1.json") == [(1, 11)]


@pytest.mark.long
def test_each_rank_is_read_in_a_process_of_its_own(bucket: Any) -> None:
    """The address travels, not the bytes."""
    profile = open_profile("s3://bucket/run/", ReadOptions(processes=2))
    assert make_table(profile, "summary")["busy_ns"].to_list() == [10, 11, 12]
    assert [rank.source for rank in profile.ranks] == [f"s3://bucket/run/rank{rank}.json" for rank in range(3)]


def test_a_file_that_was_replaced_is_read_anew(bucket: Any, tmp_path: Path) -> None:
    assert busy("s3://bucket/run/")[0] == (0, 10)
    path = write(tmp_path / "rank.json", step(1, 0, 900), kernel("a", 0, 77), distributedInfo={"rank": 0})
    bucket.put_object(Bucket="bucket", Key="run/rank0.json", Body=path.read_bytes())
    assert busy("s3://bucket/run/")[0] == (0, 77)


@pytest.mark.parametrize("path", ["nobucket/run/", "bucket/other/", "bucket/run/rank9.json", "nobucket/run/rank0.json"])
def test_nothing_there(bucket: Any, path: str) -> None:
    with pytest.raises(UnreadableInput, match=f"^cannot open s3://{path}: there is no such file or folder. Check the"):
        open_profile(f"s3://{path}")


def test_no_trace_there(bucket: Any) -> None:
    bucket.put_object(Bucket="bucket", Key="notes/readme.txt", Body=b"none")
    with pytest.raises(UnreadableInput, match="no trace file is there"):
        open_profile("s3://bucket/notes/")
    with pytest.raises(UnreadableInput, match="no trace file is there"):
        open_profile("s3://bucket/notes/*.json")


def test_wrong_credentials(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "INITIAL_NO_AUTH_ACTION_COUNT", 0)
    monkeypatch.setattr(ActionAuthenticatorMixin, "request_count", 0)
    for path in ("s3://bucket/run/", "s3://bucket/run/rank*.json", "s3://bucket/run/rank0.json"):
        with pytest.raises(UnreadableInput, match="these credentials may not read it"):
            open_profile(path)


def test_no_credentials(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(UnreadableInput, match="no credentials were found"):
        Source("s3://bucket/run/rank0.json").fingerprint()
