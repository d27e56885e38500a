"""A folder of the app imports from its own and from those above it in web/README.md, and libraries have their place."""

from __future__ import annotations

import pytest

import web_sources
from web_sources import Import

LAYERS = ("model", "i18n", "api", "state", "canvas", "components", "pages", "")
"""From the ground up; "" is what stands in ``src`` itself."""

SHAPES = {"api/types.ts", "api/timeline.ts", "api/live.ts"}
"""Only types: what the server sends. Every layer may name them, as types, for all of them work on answers."""

LIBRARIES = {
    "svelte": {"state", "components", "pages", ""},
    "echarts": {"components"},
    "@leeoniya/ufuzzy": {"model"},
    "zrender": {"components"},
}
"""The folders that may import each library; as types, everyone. Tests may use Node's own."""

EXCEPTIONS: dict[tuple[str, str], str] = {}
"""(file, what it imports) that break the rule, each with the reason. May only shrink."""


def layer_of(path: str) -> str:
    return path.split("/")[0] if "/" in path else ""


def is_allowed(path: str, imported: Import) -> bool:
    own = layer_of(path)
    if imported.is_local:
        if imported.is_type and imported.name in SHAPES:
            return True
        return LAYERS.index(layer_of(imported.name)) <= LAYERS.index(own)
    if imported.name.startswith("node:"):
        return path.endswith(".test.ts")
    return imported.is_type or own in LIBRARIES.get(imported.name, ())


def wrong_imports() -> set[tuple[str, str]]:
    return {
        (path, imported.name)
        for path, text in web_sources.files()
        if not path.endswith(".css")
        for imported in web_sources.imports(path, text)
        if not is_allowed(path, imported)
    }


def test_every_file_belongs_to_a_layer() -> None:
    homeless = sorted({layer_of(path) for path, _ in web_sources.files()} - set(LAYERS))
    assert not homeless, f"give the folder a place in LAYERS: {homeless}"


def test_imports_follow_the_layers() -> None:
    wrong = wrong_imports()
    new, mended = sorted(wrong - EXCEPTIONS.keys()), sorted(EXCEPTIONS.keys() - wrong)
    assert not new, f"not its own folder, one above it or a library of its place: {new}"
    assert not mended, f"does not happen any more, take it off EXCEPTIONS: {mended}"


def test_imports_carry_their_extension() -> None:
    """Without it Node cannot run the pure files, and their tests."""
    bare = [
        (path, imported.name)
        for path, text in web_sources.files()
        for imported in web_sources.imports(path, text)
        if imported.is_local and not imported.name.endswith((".ts", ".svelte", ".css"))
    ]
    assert not bare


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("model/format.ts", "import { api } from '../state/app.svelte.ts'"),
        ("model/format.ts", "import { decode } from '../api/wire.ts'"),
        ("canvas/draw.ts", "import Table from '../components/Table.svelte'"),
        ("components/Table.svelte", "\n  import Kernels from '../pages/Kernels.svelte'"),
        ("api/server.ts", "const later = import('../state/app.svelte.ts')"),
        ("model/format.ts", "import { mount } from 'svelte'"),
        ("pages/Kernels.svelte", "import * as echarts from 'echarts/core'"),
        ("model/format.ts", "import test from 'node:test'"),
        ("model/format.ts", "export { en } from '../i18n/en.ts'"),
    ],
)
def test_a_wrong_import_is_found(path: str, text: str) -> None:
    assert [imported for imported in web_sources.imports(path, text) if not is_allowed(path, imported)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("model/rows.ts", "import type { TableData } from '../api/types.ts'"),
        ("components/Chart.svelte", "import { init } from 'echarts/core'"),
        ("model/format.test.ts", "import assert from 'node:assert/strict'"),
        ("pages/Kernels.svelte", "import {\n  one,\n  two,\n} from '../model/format.ts'"),
        ("main.ts", "import './theme.css'"),
    ],
)
def test_a_right_import_is_not_reported(path: str, text: str) -> None:
    found = list(web_sources.imports(path, text))
    assert found
    assert all(is_allowed(path, imported) for imported in found)
