"""A copy of a log of telemetry: moments, numbers of GPUs, and cells with numbers, as they stood.

Left out: lines that are no row, cells that are no number, and labels of exporters but the number of the GPU. Names and
numbers that identify boards become ``GPU-0``, ``GPU-1``, in order of what they were, so that GPUs keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from stepscope.readers.redaction.own_log_copy import own_log_lines

_UNIT = r"(?:%|[mk]?W|[KMGT]i?B|[KMG]?B/s|[MG]?Hz|C|[mk]?J|[mun]?s)"
_CELL = re.compile(
    rf"\s*(?:[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*{_UNIT}?|0x[0-9a-fA-F]{{1,16}}|P\d{{1,2}}|-|N/A"
    r"|\[?(?:N/A|Not Supported|Unknown Error|Insufficient Permissions)\]?|(?:Not )?Active|Enabled|Disabled|)\s*"
)
_MOMENT = re.compile(r"\s*[\d/:.T+-]*(?: [\d:.]+)?\s*")
_BOARD = ("uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id")
_NAMED = ("serial", "name", "gpu_name")
_HEADING = re.compile(r"\s*[\w.]{1,80}(?: \[[\w%/]{1,8}\])?\s*")
_WORD = re.compile(r"[\w/%:.-]{1,40}")
_HELP = re.compile(r"# HELP (DCGM_FI_\w{1,80}) .*?(\((?:in |ratio of )?[A-Za-z%]{1,3}\)\.?)?\s*")
_TYPE = re.compile(r"# TYPE DCGM_FI_\w{1,80} (?:gauge|counter|untyped)\s*")
_SAMPLE = re.compile(r'(DCGM_FI_\w{1,80})\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\}(\s+[-+.\w]{1,40}(?:\s+\d{10,16})?\s*)')
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_NUMBER = re.compile(r"\d{1,5}")
_DCGM = re.compile(r"(.*?)(#\s*Entity\s.*|\b(?:GPU|GPU-I) \d{1,5}\s.*|\bID\s*)")


class LogCopy:
    """A copy of the text of a log.

    Args:
        text: all of it.
        format_: as its reader is named.

    Attributes:
        text: of the copy.
        lines: how many were left out.
        cells: how many were emptied.
    """

    def __init__(self, text: str, format_: str) -> None:
        self.lines = 0
        self.cells = 0
        lines = [line for line in text.splitlines() if line.strip()]
        kept = list(self._makers()[format_](lines))
        self.lines = len(lines) - len(kept)
        self.text = "".join(f"{line}\n" for line in kept)

    def _makers(self) -> dict[str, Callable[[list[str]], Iterator[str]]]:
        return {
            "nvidia_smi": self._table,
            "timed_csv": self._table,
            "nvidia_smi_dmon": self._monitored,
            "dcgm": self._exported,
            "dcgm_dmon": self._dcgm_monitored,
            "stepscope_telemetry": self._own,
        }

    def _own(self, lines: list[str]) -> Iterator[str]:
        """What stepscope itself sampled."""
        for line, cells in own_log_lines(lines):
            self.cells += cells
            yield line

    def _table(self, lines: list[str]) -> Iterator[str]:
        """Rows between commas below their header."""
        header = lines[0] if lines else ""
        headings = header.split(",")
        plain = [name.strip().partition(" [")[0] for name in headings]
        shown = ",".join(name if _HEADING.fullmatch(name) else f"column_{at}" for at, name in enumerate(headings))
        rows = [line.split(",") for line in lines if line.count(",") == len(headings) - 1]
        boards = {
            at: _numbered({row[at].strip() for row in rows[1:]}) for at, name in enumerate(plain) if name in _BOARD
        }
        for row in rows:
            yield (
                shown
                if row == headings
                else ",".join(self._cell(cell, plain[at], boards.get(at)) for at, cell in enumerate(row))
            )

    def _cell(self, cell: str, column: str, boards: dict[str, str] | None) -> str:
        """A cell of a table; a board by its new name."""
        blanks = cell[: len(cell) - len(cell.lstrip())]
        if boards is not None:
            return blanks + boards.get(cell.strip(), "")
        allowed = _MOMENT if column == "timestamp" else _CELL
        if column not in _NAMED and allowed.fullmatch(cell):
            return cell
        self.cells += bool(cell.strip())
        return blanks

    def _monitored(self, lines: list[str]) -> Iterator[str]:
        """Rows between blanks below their headers, the first and the second line."""
        headers = [line for line in lines[:2] if line.startswith("#")]
        count = len(lines[0].lstrip("# ").split()) if lines else 0
        for line in lines:
            words = line.split()
            if line in headers and all(map(_WORD.fullmatch, line.lstrip("# ").split())):
                yield line
            elif not line.startswith("#") and len(words) == count:
                odd = [word for word in words if not _MOMENT.fullmatch(word)]
                self.cells += len(odd)
                yield line if not odd else " ".join("-" if word in odd else word for word in words)

    def _exported(self, lines: list[str]) -> Iterator[str]:
        """Samples with the number of their GPU as the only label, what they are measured in, and their types."""
        for line in lines:
            helped, sample = _HELP.fullmatch(line), _SAMPLE.fullmatch(line)
            if helped is not None:
                yield " ".join(part for part in ("# HELP", helped[1], helped[1], helped[2]) if part)
            elif sample is not None:
                gpu = dict(_LABEL.findall(sample[2])).get("gpu", "")
                labels = f'gpu="{gpu}"' if _NUMBER.fullmatch(gpu) else ""
                yield f"{sample[1]}{{{labels}}}{sample[3]}"
            elif _TYPE.fullmatch(line):
                yield line

    def _dcgm_monitored(self, lines: list[str]) -> Iterator[str]:
        """Rows between blanks; in front of each the moment that another program put there."""
        for line in lines:
            found = _DCGM.fullmatch(line)
            if found is None:
                continue
            moment = found[1] if _MOMENT.fullmatch(found[1]) else ""
            if not found[2].startswith(("GPU", "ID")) and all(map(_WORD.fullmatch, found[2].lstrip("# ").split())):
                yield moment + found[2]
            elif found[2].startswith("ID"):
                yield moment + "ID"
            elif found[2].startswith("GPU"):
                entity, number, *cells = found[2].split()
                odd = [cell for cell in cells if not _CELL.fullmatch(cell)]
                self.cells += len(odd)
                yield moment + " ".join(chain((entity, number), ("N/A" if cell in odd else cell for cell in cells)))


def _numbered(names: set[str]) -> dict[str, str]:
    """New names of boards, in the order of their own."""
    ordered = sorted(names)
    width = len(str(len(ordered)))
    return {name: f"GPU-{at:0{width}}" for at, name in enumerate(ordered)}
