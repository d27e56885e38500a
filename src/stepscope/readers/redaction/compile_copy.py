"""The records of a copy of a log of torch.compile: those that are read, with the members that are read.

Left out: configuration, environment, other graphs and code than those that lines of kernels follow from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.readers.compile_log.compilations import METRICS, is_cache, metrics_read
from stepscope.readers.compile_log.records import WHOSE, Record, Records
from stepscope.readers.redaction.document_copy import kept
from stepscope.readers.redaction.hiding import Hiding

_PLAIN = ("str", "dynamo_start", "chromium_event", "dynamo_output_graph", "inductor_output_code")
_ARTIFACTS = (
    *("recompile_reasons", "dynamo_graph_break_reason", "inductor_provenance_tracking_kernel_stack_traces"),
    *("inductor_provenance_tracking_node_mappings", "inductor_triton_kernel_to_post_grad_nodes", "torch_version"),
)
_STARTED = pl.Struct({"stack": pl.List(pl.Struct({"line": pl.Int64, "name": pl.String, "filename": pl.Int64}))})
_PHASE = ("name", "ph", "ts", "tid", "pid", "cat")
_SHOWN = WHOSE - {"stack", "has_payload"}


class CompileCopy:
    """One copy.

    Attributes:
        records: that were copied.
        left_out: other ones, damaged ones included.
    """

    def __init__(self, records: Records, hiding: Hiding) -> None:
        self.records = self.left_out = 0
        self._source, self._hiding = records, hiding

    def lines(self) -> Iterator[bytes]:
        """The copied records."""
        for record in self._source:
            if (read := _read(record)) is not None:
                self.records += 1
                yield self._written(record, *read)
        self.left_out = self._source.seen - self.records

    def _written(self, record: Record, said: dict[str, Any], payload: bytes) -> bytes:
        payload = self._hiding.hidden(payload)
        if "has_payload" in record.said:
            # Of the copy's own text, which has other letters.
            said["has_payload"] = hashlib.md5(payload, usedforsecurity=False).hexdigest()
        line = self._hiding.hidden(record.head + json.dumps(said).encode())
        return b"\n\t".join([line, *payload.split(b"\n")]) + b"\n" if "has_payload" in said else line + b"\n"


def _read(record: Record) -> tuple[dict[str, Any], bytes] | None:
    """What stays of a record, and of the text behind it; None of one that is not read."""
    kind, said = record.kind, record.said
    own: dict[str, Any] = {key: said[key] for key in said if key in _SHOWN}
    payload = record.payload
    if kind in METRICS:
        about = said[kind]
        own[kind] = metrics_read(about) if isinstance(about, dict) else {}
    elif kind in _PLAIN:
        own[kind] = said[kind] if kind == "str" else kept(said[kind], _STARTED) if kind == "dynamo_start" else {}
    elif kind in _ARTIFACTS or is_cache(kind):
        own["artifact"] = {"name": kind, "encoding": "string"}
    else:
        return None
    if kind == "chromium_event":
        payload = _phase(record.json)
    elif is_cache(kind):
        payload = b""
    return own, payload


def _phase(event: Any) -> bytes:
    if not isinstance(event, dict):
        return b""
    arguments = event.get("args")
    named = arguments.get("compile_id") if isinstance(arguments, dict) else None
    return json.dumps({**{key: event[key] for key in _PHASE if key in event}, "args": {"compile_id": named}}).encode()
