"""The files of the web app, and what stands in their place where it was not built."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from building import kernel, step, write
from served import Client, error, get

Serve = Callable[..., Client]


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A built app."""
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>stepscope</title>")
    (folder / "assets" / "index-B4x_9aZ0.js").write_text("start()")
    (folder / "favicon.svg").write_text("<svg/>")
    return folder


def test_the_page_is_asked_for_again_and_its_parts_are_kept(serve: Serve, web: Path) -> None:
    client = serve(web=web)
    page = client.get("/")
    assert (page.text, page.headers["content-type"]) == ("<title>stepscope</title>", "text/html; charset=utf-8")
    assert page.headers["cache-control"] == "no-cache"
    script = client.get("/assets/index-B4x_9aZ0.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert client.get("/favicon.svg").headers["cache-control"] == "no-cache"
    plain = client.get("/", headers={"accept-encoding": "identity"})
    assert (plain.text, plain.headers["content-type"]) == (page.text, page.headers["content-type"])
    assert ("content-encoding" in page.headers, "content-encoding" in plain.headers) == (True, False)
    assert client.get("/assets/missing.js").status_code == 404
    assert client.get("/assets").status_code == 404


def test_an_app_built_anew_is_served_at_once(serve: Serve, web: Path) -> None:
    client = serve(web=web)
    assert client.get("/").text == "<title>stepscope</title>"
    (web / "index.html").write_text("<title>new</title>")
    os.utime(web / "index.html", (1, 1))
    (web / "assets" / "index-NEW00000.js").write_text("again()")
    assert client.get("/assets/index-NEW00000.js").text == "again()"
    assert client.get("/").text == "<title>new</title>"


def test_without_an_app_the_page_says_how_to_get_it(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STEPSCOPE_SKIP_WEB", raising=False)
    page = serve().get("/")
    assert page.status_code == 200
    assert "pip install ." in page.text
    monkeypatch.setenv("STEPSCOPE_SKIP_WEB", "1")
    assert "unset it" in serve().get("/").text
    assert get(serve(), "runs")["runs"] == []


def test_large_answers_are_packed_where_the_client_takes_it(serve: Serve, tmp_path: Path) -> None:
    write(tmp_path / "a.json", step(1, 0, 900), *(kernel(f"k{i}", i, i + 1) for i in range(900)))
    client = serve()
    asked = {"run": "a.json", "table": "kernels"}
    plain = client.get("/api/table", params=asked, headers={"accept-encoding": "identity"})
    packed = client.get("/api/table", params=asked, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "accept-encoding"
    assert packed.content == plain.content
    assert len(gzip.compress(plain.content)) < int(packed.headers["content-length"]) < len(plain.content) / 3


def test_head_tells_what_get_would(serve: Serve) -> None:
    answer = serve().request("HEAD", "/api/runs")
    assert (answer.status_code, answer.content) == (200, b"")


def test_an_unknown_address_is_an_error_object(serve: Serve) -> None:
    assert error(serve(), "nothing", 404) == "the API has no such address"


def test_a_defect_shows_nothing_of_itself(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("internals")

    write(tmp_path / "a.json", step(1, 0, 9))
    monkeypatch.setattr("stepscope.findings.kept_tables.make_table", broken)
    found = error(serve(), "table", 500, run="a.json", table="steps")
    assert found == "a defect of stepscope, not of your trace: RuntimeError"
