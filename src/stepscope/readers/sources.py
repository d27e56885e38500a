"""Where bytes come from: local files, compressed files, and URLs that fsspec can open.

A `Source` names one file, a folder that is one recording, or several files that belong together, and tells how to
recognise it again (`Source.fingerprint`). A `Stream` delivers its bytes, inflated when they are gzip (recognised by
content, not by name), and says how the delivery ended.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers import remote
from stepscope.readers.inflating import CHUNK, MAGIC, Inflating, RawFile
from stepscope.readers.remote import cannot_open, is_url

Between = tuple[int | None, int | None]
DEFAULT_INFLATE_RATIO = 200
DEFAULT_INFLATE_FLOOR = 1 << 30
"""Without a limit given, a gzip file may inflate to this many times its size, and to this many bytes at least."""


@dataclass(frozen=True)
class Fingerprint:
    """What tells one version of a file from another."""

    path: str
    size: int
    stamp: str
    """Modification time in ns, or the etag of a remote object."""


@dataclass(frozen=True)
class Source:
    """What one recording is read from.

    Attributes:
        path: a file, local or remote, or a local folder.
        companions: other files that belong to it, as its reader says (`readers.formats.Format.companions`).
        between: the part of its time that is wanted, in ns from its first event, None for an open end; None for all of
            it. Only memory snapshots are read in part.
    """

    path: str
    companions: tuple[str, ...] = ()
    between: Between | None = None

    @property
    def name(self) -> str:
        """File name without its folder."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def is_remote(self) -> bool:
        return is_url(self.path)

    @property
    def is_folder(self) -> bool:
        return not self.is_remote and os.path.isdir(self.path)

    def fingerprint(self) -> Fingerprint:
        """Size and version of the file as it is now; of a folder or several files, those of all of them.

        Raises:
            UnreadableInput: the file is missing or may not be read.
        """
        own = self._own_fingerprint()
        if self.between is not None:
            own = replace(own, stamp=f"{own.stamp} {self.between}")
        parts = _files_below(self.path) if self.is_folder else list(self.companions)
        if not parts:
            return own
        known = [own, *(Source(part)._own_fingerprint() for part in parts)]
        stamps = "\n".join(f"{one.path} {one.size} {one.stamp}" for one in known)
        size = sum(one.size for one in (known[1:] if self.is_folder else known))
        return Fingerprint(own.path, size, hashlib.sha256(stamps.encode("utf-8", "surrogateescape")).hexdigest())

    def _own_fingerprint(self) -> Fingerprint:
        if self.is_remote:
            size, stamp = remote.version(self.path)
            return Fingerprint(self.path, size, stamp)
        try:
            status = os.stat(self.path)
        except (OSError, ValueError) as error:
            raise _cannot_stat(self.path, error) from error
        return Fingerprint(os.path.realpath(self.path), status.st_size, str(status.st_mtime_ns))

    def open(self, max_bytes: int | None = None) -> Stream:
        """Start reading.

        Args:
            max_bytes: most bytes to deliver after inflating; None for the default of `DEFAULT_INFLATE_RATIO`
                times the size of a gzip file, at least `DEFAULT_INFLATE_FLOOR`.

        Raises:
            UnreadableInput: the file is missing or may not be read.
        """
        return Stream(self, self.fingerprint().size, max_bytes)

    def open_raw(self) -> RawFile:
        """The file as it is, not inflated.

        Raises:
            UnreadableInput: the file is missing or may not be read.
        """
        if self.is_remote:
            return remote.open_url(self.path)
        try:
            return open(self.path, "rb", buffering=0)
        except OSError as error:
            raise cannot_open(self.path, error) from error


def is_below(path: str, folder: str) -> bool:
    """Whether a path, links followed, lies in a folder whose own links were followed."""
    real = os.path.realpath(path)
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)


def _files_below(folder: str) -> list[str]:
    """Every file of a folder that is one recording, in order."""
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)


def _cannot_stat(path: str, error: OSError | ValueError) -> UnreadableInput:
    if isinstance(error, OSError):
        return cannot_open(path, error)
    return UnreadableInput(
        Message("error-cannot-open", path=repr(path)), Message("reader-no-name"), Message("reader-check-path")
    )


class Stream:
    """The bytes of a source, front to back.

    Attributes:
        consumed: bytes read from the file so far, for progress.
        delivered: bytes handed out so far, after inflating.
        is_gzip: whether the bytes are inflated.
    """

    def __init__(self, source: Source, size: int, max_bytes: int | None) -> None:
        self.source = source
        self.size = size
        self.consumed = 0
        self.delivered = 0
        self._ahead = b""
        self._raw = source.open_raw()
        try:
            self._first = self._read_first()
        except BaseException:
            self._raw.close()
            raise
        self.is_gzip = self._first.startswith(MAGIC)
        # A pipe cannot be read twice: to open it again would wait for ever for somebody to write.
        reopen = source.open_raw if self._raw.seekable() else None
        self._inflating = Inflating(self._read_raw, self._first, reopen) if self.is_gzip else None
        floor = max(DEFAULT_INFLATE_FLOOR, DEFAULT_INFLATE_RATIO * size)
        self._limit = max_bytes if max_bytes is not None else (floor if self.is_gzip else None)

    @property
    def damage(self) -> Message | None:
        """None, or why the stream ended early."""
        return self._inflating.damage if self._inflating else None

    @property
    def stray_bytes(self) -> int:
        """Bytes behind the gzip data that were not read; those of the last chunk only."""
        return self._inflating.stray_bytes if self._inflating else 0

    def close(self) -> None:
        self._raw.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read_into(self, view: memoryview) -> int:
        """Fill ``view`` from the front; returns the bytes written, fewer than its length only at the end.

        Raises:
            UnreadableInput: the stream inflates beyond its limit.
        """
        filled = min(len(view), len(self._ahead))
        if filled:
            view[:filled], self._ahead = self._ahead[:filled], self._ahead[filled:]
            self._check_limit(filled)
        while filled < len(view):
            piece = self._next(len(view) - filled)
            if not piece:
                break
            view[filled : filled + len(piece)] = piece
            filled += len(piece)
            self._check_limit(filled)
        self.delivered += filled
        return filled

    def peek(self, count: int) -> bytes:
        """The next bytes, as many as asked for if there are so many; `read_into` delivers them all the same."""
        while len(self._ahead) < count and (piece := self._next(count - len(self._ahead))):
            self._ahead += piece
        return self._ahead[:count]

    def _next(self, count: int) -> bytes:
        return self._inflating.read(count) if self._inflating else self._plain(count)

    def _check_limit(self, filled: int) -> None:
        if self._limit is not None and self.delivered + filled > self._limit:
            raise self._too_large(self._limit)

    def _too_large(self, limit: int) -> UnreadableInput:
        found = (
            Message("reader-inflates", size=self.size, limit=limit)
            if self.is_gzip
            else Message("reader-longer", limit=limit)
        )
        return UnreadableInput(
            Message("error-cannot-read", path=self.source.path), found, Message("reader-raise-limit")
        )

    def _read_first(self) -> bytes:
        first = self._read_raw(CHUNK)
        while 0 < len(first) < len(MAGIC):  # a pipe may deliver single bytes
            more = self._read_raw(CHUNK)
            if not more:
                break
            first += more
        return first

    def _read_raw(self, count: int) -> bytes:
        try:
            data = self._raw.read(count) or b""
        except OSError as error:
            raise cannot_open(self.source.path, error) from error
        except Exception as error:
            if not self.source.is_remote:
                raise
            raise UnreadableInput(
                Message("error-cannot-read", path=self.source.path),
                Message("reader-connection", type=type(error).__name__),
                Message("reader-try-again"),
            ) from error
        self.consumed += len(data)
        return data

    def _plain(self, count: int) -> bytes:
        if self._first:
            piece, self._first = self._first[:count], self._first[count:]
            return piece
        return self._read_raw(count)
