"""Data inside the page of a report: nothing in them can become HTML, and the page may load and run nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report_page import SHELL, parts
from stepscope.errors import BadRequest
from stepscope.reporters.html.parts import packed
from stepscope.reporters.html.shell import page_with, policy, read_licenses, read_shell


@given(st.binary(max_size=300))
def test_data_come_back_as_they_were(content: bytes) -> None:
    assert parts(packed("x", content).element) == {"x": content}


@pytest.mark.parametrize("content", [b"</script><img src=x onerror=alert(1)>", b"<!--", b"]]>", "\u2028\0".encode()])
def test_no_content_ends_the_element_it_stands_in(content: bytes) -> None:
    element = packed("x", content).element
    assert re.fullmatch(r'<script type="application/octet-stream" id="stepscope-x">[A-Za-z0-9+/=]+</script>\n', element)


@pytest.mark.parametrize("name", ["", 'a"b', "a b", "é", "<"])
def test_names_of_parts_fit_into_an_attribute(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a part"):
        packed(name, b"")


def test_equal_data_make_equal_pages() -> None:
    assert packed("x", b"1" * 1000) == packed("x", b"1" * 1000)


def test_the_page_holds_the_app_packed_and_the_data() -> None:
    page = page_with(SHELL, [packed("run", b"{}")])
    assert parts(page) == {"app": b'the("app")', "run": b"{}"}
    assert '<script type="module"' not in page
    assert "<!--stepscope:data-->" not in page


def test_the_page_may_run_its_own_two_scripts_only() -> None:
    page = page_with(SHELL, [])
    told = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert told is not None
    rules = dict(rule.split(" ", 1) for rule in told.group(1).split("; "))
    assert rules["default-src"] == "'none'"
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", rules["script-src"])) == 2
    assert "unsafe" not in rules["script-src"]
    assert "http" not in told.group(1)


def test_the_policy_names_scripts_by_their_hash() -> None:
    """The hash of an empty text, as printed by: printf '' | openssl dgst -sha256 -binary | base64."""
    assert "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';" in policy([""])


def test_without_an_app_the_error_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="this installation has no web app") as error:
        read_shell(tmp_path / "report.html")
    assert "STEPSCOPE_SKIP_WEB" in str(error.value)


def test_in_a_clone_the_app_is_built_by_make(tmp_path: Path) -> None:
    for name in ("Makefile", "hatch_build.py"):
        (tmp_path / name).touch()
    with pytest.raises(BadRequest) as error:
        read_shell(tmp_path / "src" / "stepscope" / "web" / "report.html")
    assert f"Run make web in {tmp_path}, or" in str(error.value)


def test_the_licenses_of_libraries_go_with_the_page(tmp_path: Path) -> None:
    (tmp_path / "licenses.txt").write_text("MIT, by <a@b>, with </script> in it\n", encoding="utf-8")
    page = page_with(SHELL, [], read_licenses(tmp_path / "licenses.txt"))
    assert '<script type="text/plain" id="stepscope-licenses">\nMIT, by &lt;a@b>, with &lt;/script> in it' in page
    assert page.count("</script>") == 3
    assert read_licenses(tmp_path / "none.txt") == ""


@pytest.mark.parametrize("wrong", ["", SHELL.replace("<!--stepscope:data-->", ""), SHELL.replace("module", "text")])
def test_a_damaged_app_is_refused(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "report.html").write_text(wrong, encoding="utf-8")
    with pytest.raises(BadRequest, match="is damaged"):
        read_shell(tmp_path / "report.html")
