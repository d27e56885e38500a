"""Who may ask, what leaves the folder, and what a hostile trace or address can do: nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from building import operator, step, write
from served import Client, error, get, ids, notes, opened, until
from stepscope.readers.sources import Source
from stepscope.server import runs
from stepscope.server.guard import Access
from stepscope.server.handlers import routes
from stepscope.store.cache import entry_folder

Serve = Callable[..., Client]
TOKEN = "abcdefghijklmnop"


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8080", "localhost:9000", "LOCALHOST", "127.0.0.1", "[::1]:8080", "127.1.2.3"]
)
def test_a_request_to_this_machine_is_answered(serve: Serve, host: str) -> None:
    assert serve().get("/api/runs", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.1@evil.example",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/runs", "/api/nothing"])
def test_a_request_to_another_name_is_refused(serve: Serve, host: str, path: str) -> None:
    """A site can let its own name point to 127.0.0.1, and would be the page's own origin then."""
    answer = serve().get(path, headers={"host": host})
    assert answer.status_code == 403
    assert answer.json()["error"]["found"] == "the request names another machine"


def test_a_name_given_twice_is_refused(serve: Serve) -> None:
    headers = [("host", "127.0.0.1:8080"), ("host", "evil.example")]
    assert serve().get("/api/runs", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:3000"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
    ],
)
def test_a_page_of_another_site_gets_nothing(serve: Serve, headers: dict[str, str]) -> None:
    answer = serve().get("/api/runs", headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["found"] == "the request comes from a page of another site"
    assert "access-control-allow-origin" not in answer.headers


def test_the_page_itself_gets_its_answers(serve: Serve) -> None:
    headers = {"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin"}
    assert serve().get("/api/runs", headers=headers).status_code == 200


def test_a_link_to_the_app_may_be_followed_from_anywhere(serve: Serve) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert serve().get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/", "/api/runs", "/api/nothing"])
def test_nothing_can_be_changed(serve: Serve, method: str, path: str) -> None:
    assert serve().request(method, path).status_code == 405


@pytest.mark.parametrize("path", ["/", "/api/runs", "/api/nothing", "/nothing", "/api/table?run=x&table=y"])
def test_every_answer_carries_the_headers_of_safety(serve: Serve, path: str) -> None:
    answer = serve().get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_with_a_token_nothing_is_answered_without_it(serve: Serve) -> None:
    client = serve(access=Access(TOKEN, False, 8080))
    for path in ("/", "/api/runs", "/api/nothing", "/assets/index.js"):
        assert client.get(path).status_code == 403
        assert client.get(path, params={"token": "wrong"}).status_code == 403
        assert client.get(path, headers={"cookie": "stepscope-8080=wrong"}).status_code == 403
        assert client.get(path, headers={"authorization": b"Bearer \xe9"}).status_code == 403


def test_the_token_opens_the_page_and_leaves_the_address(serve: Serve) -> None:
    client = serve(access=Access(TOKEN, False, 8080))
    welcome = client.get("/", params={"token": TOKEN, "lang": "zh"}, headers={"host": "node7:8080"})
    assert (welcome.status_code, welcome.headers["location"]) == (303, "./?lang=zh")
    assert welcome.headers["set-cookie"] == f"stepscope-8080={TOKEN}; Path=/; HttpOnly; SameSite=Lax"
    assert client.get("/api/runs", headers={"cookie": f"a=b; stepscope-8080={TOKEN}"}).status_code == 200
    assert client.get("/api/runs", headers={"cookie": f"stepscope-8081={TOKEN}"}).status_code == 403


def test_a_ticket_opens_the_page_once(serve: Serve) -> None:
    """The address that a browser is started with stands in the list of processes, which every user reads."""
    client = serve(access=Access(TOKEN, True, 8080, "ticket"))
    assert client.get("/api/runs", params={"token": "ticket"}).status_code == 403
    welcome = client.get("/", params={"token": "ticket"})
    assert (welcome.status_code, welcome.headers["location"]) == (303, "./")
    assert welcome.headers["set-cookie"].startswith(f"stepscope-8080={TOKEN};")
    assert client.get("/", params={"token": "ticket"}).status_code == 403
    assert client.get("/", params={"token": "ticket"}, headers={"cookie": f"stepscope-8080={TOKEN}"}).status_code == 200


def test_a_person_without_the_token_gets_a_page(serve: Serve) -> None:
    client = serve(access=Access(TOKEN, False, 8080))
    answer = client.get("/", headers={"accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert "<p>Cannot answer: the token is missing or wrong. Open the address that" in answer.text
    assert client.get("/api/runs", headers={"accept": "text/html"}).headers["content-type"] == "application/json"


def test_a_script_gives_the_token_with_each_request(serve: Serve) -> None:
    client = serve(access=Access(TOKEN, False, 8080))
    assert get(client, "runs", token=TOKEN)["runs"] == []
    assert client.get("/api/runs", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


@pytest.fixture
def fenced(tmp_path: Path) -> Path:
    """A folder served, beside a trace that is not."""
    folder = tmp_path / "served"
    folder.mkdir()
    write(tmp_path / "secret.json", step(1, 0, 10))
    return folder


@pytest.mark.parametrize(
    "run",
    [
        "../secret.json",
        "..",
        "/etc/passwd",
        "{outside}",
        "a/../../secret.json",
        "..%2fsecret.json",
        "%2e%2e/secret.json",
        "..\\secret.json",
        "file:///etc/passwd",
        "s3://bucket/key",
        "*",
        "",
        "a\0b",
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)
@pytest.mark.parametrize("path", ["run", "table", "verdict", "source"])
def test_no_id_leads_out_of_the_folder(serve: Serve, fenced: Path, run: str, path: str) -> None:
    asked = {"run": run.replace("{outside}", str(fenced.parent / "secret.json"))}
    asked |= {"table": {"table": "steps"}, "source": {"file": "a.py", "line": "1"}}.get(path, {})
    assert serve(fenced).get(f"/api/{path}", params=asked).status_code in (400, 404)


def test_links_that_lead_out_are_not_followed(serve: Serve, fenced: Path) -> None:
    (fenced / "link.json").symlink_to(fenced.parent / "secret.json")
    (fenced / "above").symlink_to(fenced.parent)
    (fenced / "loop").symlink_to(fenced)
    write(fenced / "own.json", step(1, 0, 10))
    (fenced / "inside.json").symlink_to(fenced / "own.json")
    client = serve(fenced)
    assert ids(client) == ["inside.json", "own.json"]
    assert notes(get(client, "runs")) == ["Not looked at, because they lead out of the folder: above, link.json."]


def test_a_file_that_becomes_a_link_outwards_is_not_opened(
    serve: Serve, fenced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(fenced / "a.json", step(1, 0, 10))
    client = serve(fenced)
    assert ids(client) == ["a.json"]
    path.unlink()
    path.symlink_to(fenced.parent / "secret.json")
    answer = opened(client, "a.json")
    assert answer["error"]["found"] == "it leads out of the folder served"


def test_a_rank_that_is_a_link_outwards_is_left_out(
    serve: Serve, fenced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "_RESCAN_SECONDS", 0)
    for rank in range(2):
        write(fenced / f"rank{rank}.json", step(1, 0, 10))
    (fenced / "rank2.json").symlink_to(fenced.parent / "secret.json")
    assert [rank["rank"] for rank in opened(serve(fenced), ".")["ranks"]] == [0, 1]


@pytest.mark.long
def test_the_list_says_nothing_of_what_a_link_outwards_holds(
    serve: Serve, fenced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps and health of a run that was read before once came of its whole folder, the link followed."""
    monkeypatch.setattr(runs, "_RESCAN_SECONDS", 0)
    for rank in range(2):
        write(fenced / f"rank{rank}.json", step(1, 0, 10))
    outside = write(fenced.parent / "more.json", *(step(i, 10 * i, 10 * i + 10) for i in range(5)))
    (fenced / "rank2.json").symlink_to(outside)
    opened(serve(fenced), ".")
    client = serve(fenced)

    def told() -> dict[str, Any]:
        (run,) = get(client, "runs")["runs"]
        return dict(run)

    until(lambda: told()["steps"] is not None)
    assert told()["steps"] == 1
    assert not entry_folder(Source(str(outside)).fingerprint()).exists()


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.json",
        "/%2e%2e/secret.json",
        "/..%2fsecret.json",
        "//etc/passwd",
        "/assets/../../secret.json",
        "/a%00b",
    ],
)
def test_no_address_of_the_app_leads_out_of_it(serve: Serve, fenced: Path, path: str) -> None:
    web = fenced / "web"
    web.mkdir()
    (web / "index.html").write_text("<p>the app</p>")
    client = serve(fenced, web=web)
    assert client.get("/").text == "<p>the app</p>"
    assert client.get(path).status_code == 404


def test_text_of_a_trace_is_never_html(serve: Serve, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    write(tmp_path / f"{name}.json".replace("/", ""), step(1, 0, 10), operator(name, 0, 5))
    client = serve()
    (run,) = ids(client)
    for path in ("runs", "run", "table", "verdict"):
        answer = client.get(f"/api/{path}", params={"run": run, "table": "operators"} if path != "runs" else {})
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert get(client, "table", run=run, table="operators")["data"]["name"] == [name]
    refused = client.get("/api/table", params={"run": run, "table": name})
    assert (refused.status_code, refused.headers["content-type"]) == (400, "application/json")


def test_an_address_that_is_too_long_is_refused(serve: Serve) -> None:
    assert error(serve(), "run", 400, run="x" * 20_000) == "the address is too long"
    assert (
        error(serve(), "run", 400, **{f"p{i}": "1" for i in range(40)}) == "its parameters are not UTF-8, or too many"
    )
    assert serve().get("/api/run?run=a&run=b").status_code == 400


@pytest.mark.parametrize(
    "where",
    [
        "LENGTH(LPAD(name, 100000000)) > 1",
        "name = \"Replace\"(name, 'a', 'aaaa')",
        "rpad /* */ (name, 9) = ''",
        "name = /* ' */ LPAD(name, 9) /* ' */",
        "name = 'a' -- '\n OR LPAD(name, 9) = ' '",
        "name = $$'$$ OR LPAD(name, 9) = $$'$$",
        "name = `'` OR LPAD(name, 9) = `'`",
        "1=1 OR " * 200,
    ],
)
def test_a_condition_cannot_fill_the_memory(fuzzed: Client, where: str) -> None:
    """A link to a page may hold any condition; this one took 11 GB."""
    assert error(fuzzed, "table", 400, run="a.json", table="operators", where=where)


def test_what_a_condition_quotes_may_be_anything(fuzzed: Client) -> None:
    asked = {"run": "a.json", "table": "operators", "where": "name LIKE '%replace(%' OR name = 'it''s lpad'"}
    assert get(fuzzed, "table", **asked)["total"] == 0


_NAMES = [
    "run",
    "table",
    "by",
    "source",
    "rank",
    "step",
    "where",
    "sort",
    "limit",
    "since",
    "file",
    "line",
    "t0",
    "lanes",
]
_TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        """a.json|operators|kernels|1|0|-1|0,0|1:2|99999999999999999999|NaN|1e9|shape|calls > 1|calls|-name|NULL|'|*
        |name LIKE '%'|SELECT 1|calls IN (SELECT 1)|1 = 1|CAST(name AS INT) > 0|SUM(calls) > 1|REPEAT(name, 3) = ''
        |calls / 0 > 1|COUNT(*) > 0""".replace("\n        ", "").split("|")
    ),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from([route.path for route in routes]),
    asked=st.dictionaries(st.sampled_from(_NAMES), _TEXTS, max_size=6),
    named=st.booleans(),
)
def test_garbage_is_refused_in_words(fuzzed: Client, path: str, asked: dict[str, str], named: bool) -> None:
    asked = asked | ({"run": "a.json", "table": asked.get("table", "operators")} if named else {})
    answer = fuzzed.get(path, params=asked)
    assert answer.status_code in (200, 400, 404), answer.text
    assert answer.headers["content-type"] == "application/json"
    if answer.status_code != 200:
        assert set(answer.json()["error"]) == {"tried", "found", "advice", "messages"}


@pytest.fixture
def fuzzed(serve: Serve, tmp_path: Path) -> Client:
    """A server over one small trace, read already."""
    write(tmp_path / "a.json", step(1, 0, 10), operator("aten::mm", 0, 5))
    client = serve()
    opened(client, "a.json")
    return client


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60))
def test_any_query_is_answered(fuzzed: Client, query: bytes) -> None:
    text = "".join(chr(byte) if 33 <= byte < 127 and byte not in b'#"<>' else f"%{byte:02x}" for byte in query)
    assert fuzzed.get(f"/api/table?{text}").status_code in (200, 400, 404)


def test_the_folder_itself_may_be_a_link(serve: Serve, fenced: Path) -> None:
    write(fenced / "a.json", step(1, 0, 10))
    (fenced.parent / "link").symlink_to(fenced)
    assert ids(serve(fenced.parent / "link")) == ["a.json"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_folders_that_may_not_be_read_are_said(serve: Serve, fenced: Path) -> None:
    (fenced / "locked").mkdir(mode=0)
    assert notes(get(serve(fenced), "runs")) == ["Not looked at, because they may not be read: locked."]
