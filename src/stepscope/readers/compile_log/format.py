"""Recognise structured logs of torch.compile.

Format: a line for each record, whose JSON has one key that says what it is, and lines behind it that begin with a tab
and hold its payload (``torch/_logging/_internal.py``); one file a process. Seen: torch 2.6 to 2.13, by the test inputs
of tlparse and by programs on the CPU.
Read: metrics of compilations, phases, reasons of recompiles, graph breaks, caches, kernels and the lines they come
from. Ignored: guards, graphs and generated code as such, tensors, links.
"""

from __future__ import annotations

import re

from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import COMPILE_LOG, Input, Match, Reader, Reading

RECORDER = "torch.compile"
_BEGINS = re.compile(rb"[VIWEC]\d{4} \d\d:\d\d:\d\d\.\d{1,6} +\d{1,20} [^\]\n]{1,1000}:\d{1,7}\] \{", re.MULTILINE)
_KINDS = re.compile(
    rb'"(?:str|artifact|chromium_event|dynamo_start|compilation_metrics|describe_storage|dynamo_output_graph|link'
    rb'|guard_added|inductor_output_code|graph_dump|exported_program|create_symbol)"\s*:'
)


class CompileLog(Reader):
    """``TORCH_TRACE=FOLDER``."""

    name = "compile_log"
    recorder = RECORDER
    kind = COMPILE_LOG
    suffixes = (".log", ".log.gz")

    def promises(self, name: str) -> bool:
        return "torch_trace" in name.lower()

    def recognise(self, beginning: Beginning) -> Match | None:
        first = beginning.first
        known = _BEGINS.match(first.lstrip()) is not None and _KINDS.search(first) is not None
        return Match(self.kind, self.recorder, self.name, framework="PyTorch") if known else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.compile_log.reading import LogReading

        return LogReading(given)
