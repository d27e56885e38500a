"""Hostile values for every parameter of every address: an answer or a refusal, never a defect, nothing of any file."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from building import kernel, launched, operator, step, write
from served import Client, opened
from stepscope.server.app import make_app

SECRET = "do-not-tell-4711"
GOOD = {
    "run": "run.json",
    "table": "operators",
    "file": "train.py",
    "line": "1",
    "change": "no-sync",
    "changes": quote('["no-sync"]'),
    "t0": "0",
    "t1": "400",
    "lane": "0",
    "row": "0",
    "first": "0",
    "count": "1",
    "code": "0",
    "kind": "kernel",
    "name": "gemm",
}
"""What stands for the other parameters where an address needs them."""

ADDRESSES = {
    "version": "",
    "runs": "since",
    "run": "run",
    "table": "run table by source rank step where sort limit",
    "verdict": "run rank step",
    "source": "run file line",
    "changes": "run rank step",
    "what-if": "run change rank step",
    "timeline/state": "run",
    "timeline/tracks": "run packed",
    "timeline/window": "run t0 t1 px lanes",
    "timeline/counters": "run t0 t1 px tracks",
    "timeline/names": "run codes",
    "timeline/cell": "run lane first count limit",
    "timeline/event": "run lane row packed",
    "timeline/flows": "run lane row limit packed",
    "timeline/area": "run t0 t1 tracks",
    "timeline/search": "run q limit packed",
    "timeline/next": "run lane row code direction tracks every packed",
    "timeline/places": "run kind name limit step packed",
    "timeline/path": "run t0 t1 px rank step packed",
    "timeline/simulated": "run changes t0 t1 px rank step packed",
}
ATTACKS = [
    *("", "%00", "%ff", "%c3%28", "%ed%a0%80", "%zz", "a" * 3990, "a" * 16_000, quote("…" * 1300)),
    *(
        "-1",
        "0",
        str(1 << 63),
        str(-1 - (1 << 63)),
        "9" * 400,
        "1e400",
        "-1e308",
        "nan",
        "inf",
        "0x10",
        "1_0",
        "%D9%A1",
    ),
    *("0," * 1900, "0-" + "9" * 18, "9-0", "0-99999999," * 350, "0:" + "9" * 18, "5:3"),
]
"""As they stand in an address."""

TEXTS = [
    *("../secret.txt", "{folder}/secret.txt", "/proc/self/environ", "file://{folder}/secret.txt"),
    *("/(/", "/((a{100}){100}){100}/", "/(a+)+$/", "/" + "(" * 1500 + ")" * 1500 + "/", r"/\x{110000}/"),
    *("(" * 450 + "1=1" + ")" * 450, "NOT " * 240 + "true", "-" * 900 + "1=1", "name LIKE '" + "%a" * 450 + "'"),
    *("name ~ '((a{100}){100}){100}'", "name ~ '" + "(" * 900 + "'", r"name ~ '\'", "calls % 0 = 1", "calls > 1e400"),
    *(
        "name IN (SELECT * FROM read_csv('{folder}/secret.txt'))",
        "calls = 'a'",
        "CAST(name AS INT) = 1",
        "LENGTH(1) > 1",
    ),
    *("[" * 3000, r'["op:\ud800 x0.5"]', '["op:/((a{100}){100}){100}/ x0.5"]', '["fix:../secret.txt"]'),
    *("op:/((a{100}){100}){100}/ x0.5", "op:/(/ x0.5", "kernel:" + "*a" * 1900 + " x0.5", "op:gemm x" + "9" * 400),
    *(
        "no-python:{folder}/secret.txt",
        "op:" + "a " * 1900 + "x",
        "gpu:../secret.txt",
        "fix:../secret.txt",
        "kernel:[ x0",
    ),
]
MOST_BYTES = 2_000_000


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Client, Path]:
    folder = tmp_path_factory.mktemp("runs")
    (folder / "secret.txt").write_text(f"{SECRET},a\n1,2\n")
    (folder / "link.json").symlink_to(folder / "secret.txt")
    events = (step(1, 0, 400), operator("aten::mm", 100, 200), launched(kernel("gemm", 150, 300, 1), 120))
    write(folder / "run.json", *events)
    client = Client(make_app(str(folder), web=folder / "none"))
    opened(client, "run.json")
    return client, folder


@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "parameter"),
    [(address, name) for address, names in ADDRESSES.items() for name in [*names.split(), "unknown"]],
)
def test_hostile_values_are_answered_or_refused(attacked: tuple[Client, Path], address: str, parameter: str) -> None:
    client, folder = attacked
    others = [f"{name}={GOOD[name]}" for name in ADDRESSES[address].split() if name in GOOD and name != parameter]
    values = [*ATTACKS, *(quote(text.replace("{folder}", str(folder)), safe="") for text in TEXTS)]
    for value in values:
        answer = client.get(f"/api/{address}?{'&'.join([*others, f'{parameter}={value}'])}")
        assert answer.status_code in (200, 304, 400, 404), (value[:80], answer.text[:300])
        assert len(answer.content) < MOST_BYTES, value[:80]
        for told in (SECRET, "polars", "sqlglot", "regex", "Traceback", "panicked"):
            assert told not in answer.text.replace(value, ""), value[:80]


@pytest.mark.parametrize("address", [address for address, names in ADDRESSES.items() if names])
def test_a_parameter_given_twice_is_refused(attacked: tuple[Client, Path], address: str) -> None:
    name = ADDRESSES[address].split()[-1]
    others = [f"{one}={GOOD[one]}" for one in ADDRESSES[address].split() if one in GOOD and one != name]
    query = "&".join([*others, f"{name}=1", f"{name}=2"])
    assert attacked[0].get(f"/api/{address}?{query}").status_code == 400


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "/etc/passwd", "%00", "%ff", "a" * 5000, "link.json"],
)
def test_no_path_leads_to_a_file(attacked: tuple[Client, Path], path: str) -> None:
    answer = attacked[0].get(f"/{path}")
    assert answer.status_code == 404
    assert SECRET not in answer.text


def test_a_link_to_another_file_tells_nothing_of_it(attacked: tuple[Client, Path]) -> None:
    listed = attacked[0].get("/api/runs").text
    answer = attacked[0].get("/api/run?run=link.json")
    assert SECRET not in listed + answer.text


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "", "\u00ff", "http://" + "a" * 5000])
def test_an_origin_that_is_no_address_is_refused(attacked: tuple[Client, Path], origin: str) -> None:
    """``http://[`` raised ValueError in front of what answers defects: the connection broke off."""
    answer = attacked[0].get("/api/version", headers={"origin": origin.encode("latin-1")})  # type: ignore[dict-item]
    assert answer.status_code == 403


def test_counters_of_very_many_tracks_are_bounded(
    attacked: tuple[Client, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recording names its counters: each took 12 bytes for each of the 65,536 pixels that one may ask for."""
    monkeypatch.setattr("stepscope.timeline.timeline._MOST_VALUES", 100)
    answer = attacked[0].get("/api/timeline/counters?run=run.json&t0=0&t1=400&px=60000")
    assert answer.status_code == 200
    assert len(answer.content) < 100 * 12 + 1000
