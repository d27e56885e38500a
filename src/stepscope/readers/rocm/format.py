"""Recognise what rocprofv3 writes, and what its forerunners wrote, which is not read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import TRACE, Input, Match, Reader, Reading

_SQLITE = b"SQLite format 3\0"
_TABLES = (b"rocpd_metadata", b"rocpd_info_agent", b"rocpd_kernel_dispatch")
_OLD_TABLES = (b"rocpd_api", b"rocpd_op", b"rocpd_ustring")
_JSON = re.compile(rb'^\s*\{\s*"rocprofiler-sdk-tool"\s*:')

KINDS = {
    "kernel_trace": "kernel",
    "memory_copy_trace": "copy",
    "hip_api_trace": "call",
    "hip_runtime_api_trace": "call",
    "hip_compiler_api_trace": "call",
    "hsa_api_trace": "call",
    "rccl_api_trace": "call",
    "marker_api_trace": "marker",
    "agent_info": "agent",
}
"""How the names of a recording's files end, and what they hold; others hold sums, or counters."""

_NAME = re.compile(r"^(?P<prefix>.*?)(?P<kind>" + "|".join(KINDS) + r")\.csv$", re.IGNORECASE)
_HEADER = re.compile(
    rb'^(?:\xef\xbb\xbf)?(?:"?Guid"?,)?(?:"?Kind"?,"?(?:Agent_Id|Direction)|"?Domain"?,"?Function"?,"?Process_Id)'
)


def kind_of(name: str) -> str:
    """What a file holds, by its name; "" where it is none of rocprofv3."""
    found = _NAME.match(name)
    return KINDS[found["kind"].lower()] if found else ""


class _Rocprof(Reader):
    recorder = "rocprofv3"
    kind = TRACE

    def _matched(self) -> Match:
        return Match(self.kind, self.recorder, self.name, ranks=None)

    @staticmethod
    def _checked(given: Input) -> None:
        if given.stream is None:
            tried = Message("error-cannot-read", path=given.source.path)
            raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))


class Rocpd(_Rocprof):
    """Databases: ``rocprofv3 --output-format rocpd``, the default of ROCm 7."""

    name = "rocpd"
    suffixes = (".db", ".db.gz")

    def recognise(self, beginning: Beginning) -> Match | None:
        if not beginning.first.startswith(_SQLITE):
            return None
        known = set()
        for piece in beginning.pieces():
            known |= {word for word in (*_TABLES, *_OLD_TABLES) if word in piece}
            if known & set(_TABLES):
                return self._matched()
        if known:
            return Match(self.kind, self.recorder, self.name, Message("reader-rocm-old"), False)
        return None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.rocm.rocpd import RocpdReading

        self._checked(given)
        return RocpdReading(given)


class RocprofJson(_Rocprof):
    """JSON: ``rocprofv3 --output-format json``."""

    name = "rocprof_json"
    suffixes = (".json", ".json.gz")

    def recognise(self, beginning: Beginning) -> Match | None:
        return self._matched() if _JSON.match(beginning.first) else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.rocm.documents import DocumentReading

        self._checked(given)
        return DocumentReading(given)


class RocprofCsv(_Rocprof):
    """CSV: ``rocprofv3 --output-format csv``; the files of one prefix are one recording."""

    name = "rocprof_csv"
    suffixes = (".csv",)

    def recognise(self, beginning: Beginning) -> Match | None:
        return self._matched() if _HEADER.match(beginning.first) else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.rocm.csv_files import CsvReading

        self._checked(given)
        return CsvReading(given)

    def companions(self, name: str, beside: Sequence[str]) -> tuple[str, ...]:
        """Files of the same prefix, for the first of them: the kernels, where there are some."""
        own = _NAME.match(name)
        if own is None:
            return ()
        several = [other for other in beside if (found := _NAME.match(other)) and found["prefix"] == own["prefix"]]
        first = min((one for one in several if kind_of(one) != "agent"), key=_order, default=name)
        return tuple(one for one in several if one != name) if name == first else ()


def _order(name: str) -> tuple[int, str]:
    kinds = list(dict.fromkeys(KINDS.values()))
    return kinds.index(kind_of(name)), name
