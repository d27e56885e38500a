"""Where bytes come from: local files, compressed files, and URLs that fsspec can open.

A `Source` names one file and tells how to recognise it again (`Source.fingerprint`). A `Stream` delivers its bytes,
inflated when they are gzip (recognised by content, not by name), and says how the delivery ended.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from stepscope.errors import UnreadableInput

_GZIP_MAGIC = b"\x1f\x8b"
_COMPRESSED_CHUNK = 1 << 18

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
    """One file, local or remote."""

    path: str

    @property
    def name(self) -> str:
        """File name without its folder."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def is_remote(self) -> bool:
        return is_url(self.path)

    def fingerprint(self) -> Fingerprint:
        """Size and version of the file as it is now.

        Raises:
            UnreadableInput: the file is missing or may not be read.
        """
        if self.is_remote:
            return _remote_fingerprint(self.path)
        try:
            status = os.stat(self.path)
        except OSError as error:
            raise cannot_open(self.path, error) from error
        return Fingerprint(os.path.realpath(self.path), status.st_size, str(status.st_mtime_ns))

    def open(self, max_bytes: int | None = None) -> Stream:
        """Start reading.

        Args:
            max_bytes: most bytes to deliver after inflating; None for the default of `DEFAULT_INFLATE_RATIO`
                times the size of a gzip file, at least `DEFAULT_INFLATE_FLOOR`.

        Raises:
            UnreadableInput: the file is missing or may not be read.
        """
        size = self.fingerprint().size
        try:
            raw = _open_remote(self.path) if self.is_remote else open(self.path, "rb", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise cannot_open(self.path, error) from error
        return Stream(self, raw, size, max_bytes)


class _Inflater(Protocol):
    eof: bool
    unused_data: bytes
    unconsumed_tail: bytes

    def decompress(self, data: bytes, max_length: int = ...) -> bytes: ...


class Stream:
    """The bytes of a source, front to back.

    Attributes:
        consumed: bytes read from the file so far, for progress.
        delivered: bytes handed out so far, after inflating.
        damage: None, or one sentence saying why the stream ended early.
    """

    def __init__(self, source: Source, raw: BinaryIO | io.RawIOBase, size: int, max_bytes: int | None) -> None:
        self.source = source
        self.size = size
        self.consumed = 0
        self.delivered = 0
        self.damage: str | None = None
        self._raw = raw
        self._pending = self._read_raw(_COMPRESSED_CHUNK)
        self.is_gzip = self._pending[:2] == _GZIP_MAGIC
        self._inflater = _new_inflater() if self.is_gzip else None
        self._given_limit = max_bytes
        floor = max(DEFAULT_INFLATE_FLOOR, DEFAULT_INFLATE_RATIO * size)
        self._limit = max_bytes if max_bytes is not None else (floor if self.is_gzip else None)

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
        filled = 0
        while filled < len(view):
            piece = self._inflate(len(view) - filled) if self._inflater else self._plain(len(view) - filled)
            if not piece:
                break
            view[filled : filled + len(piece)] = piece
            filled += len(piece)
        self.delivered += filled
        if self._limit is not None and self.delivered > self._limit:
            raise self._too_large()
        return filled

    def _too_large(self) -> UnreadableInput:
        limit = self._limit or 0
        return UnreadableInput(
            f"cannot read {self.source.path}",
            f"{self.size:,} bytes on disk inflate to more than {limit:,}",
            "If the file is what you expect, raise the limit: --max-size 100GB",
        )

    def _read_raw(self, count: int) -> bytes:
        try:
            data = self._raw.read(count) or b""
        except OSError as error:
            raise cannot_open(self.source.path, error) from error
        self.consumed += len(data)
        return data

    def _plain(self, count: int) -> bytes:
        if self._pending:
            piece, self._pending = self._pending[:count], self._pending[count:]
            return piece
        return self._read_raw(count)

    def _inflate(self, count: int) -> bytes:
        inflater = self._inflater
        while inflater is not None:
            if inflater.eof:
                # A gzip file may have several members; zero padding behind the last is common.
                self._pending = (inflater.unused_data + self._pending).lstrip(b"\0")
                if not self._pending:
                    self._pending = self._read_raw(_COMPRESSED_CHUNK).lstrip(b"\0")
                if self._pending[:2] != _GZIP_MAGIC:
                    return self._end(f"{len(self._pending)} stray bytes behind the data" if self._pending else None)
                inflater = self._inflater = _new_inflater()
            if not self._pending:
                self._pending = self._read_raw(_COMPRESSED_CHUNK)
                if not self._pending:
                    return self._end("the gzip data ends before its end mark")
            data, self._pending = self._pending, b""
            try:
                piece = inflater.decompress(data, max_length=count)
            except Exception as error:  # isal and zlib raise classes of their own
                return self._end(f"the gzip data is damaged ({error})")
            self._pending = inflater.unconsumed_tail
            if piece:
                return piece
        return b""

    def _end(self, damage: str | None) -> bytes:
        self.damage = self.damage or damage
        self._inflater = None
        self._pending = b""
        self._raw = io.BytesIO()
        return b""


def _new_inflater() -> _Inflater:
    from isal import isal_zlib

    inflater: _Inflater = isal_zlib.decompressobj(wbits=31)
    return inflater


def is_url(path: str) -> bool:
    """Whether a path names a remote file system, as in ``s3://bucket/key``."""
    return "://" in path


def cannot_open(path: str, error: OSError) -> UnreadableInput:
    """The sentence for a file that the system refuses."""
    if isinstance(error, FileNotFoundError):
        return UnreadableInput(f"cannot open {path}", "there is no such file or folder", "Check the path.")
    if isinstance(error, PermissionError):
        return UnreadableInput(f"cannot open {path}", "no permission to read it", "Check its owner and mode.")
    if isinstance(error, IsADirectoryError):
        return UnreadableInput(f"cannot open {path}", "it is a folder", "Name a file in it.")
    reason = error.strerror or type(error).__name__
    return UnreadableInput(f"cannot open {path}", reason, "Check that the file can be read.")


def _filesystem(url: str) -> tuple[object, str]:
    import fsspec

    try:
        filesystem, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        scheme = url.split("://", 1)[0]
        raise UnreadableInput(
            f"cannot open {url}",
            f"no support for {scheme}:// is installed",
            f"Install it: pip install 'stepscope[{scheme}]', or copy the file here.",
        ) from error
    return filesystem, path


def _remote_info(url: str) -> dict[str, object]:
    filesystem, path = _filesystem(url)
    try:
        info: dict[str, object] = filesystem.info(path)  # type: ignore[attr-defined]
    except OSError as error:
        raise cannot_open(url, error) from error
    except Exception as error:  # every remote library has its own family
        raise UnreadableInput(
            f"cannot open {url}", f"the server answered {type(error).__name__}", "Check the address and credentials."
        ) from error
    return info


def _remote_fingerprint(url: str) -> Fingerprint:
    info = _remote_info(url)
    stamp = next((info[key] for key in ("ETag", "etag", "md5Hash", "LastModified", "mtime", "created") if info.get(key)), "")
    size = info.get("size")
    return Fingerprint(url, int(size) if isinstance(size, int) else 0, str(stamp))


def _open_remote(url: str) -> BinaryIO:
    filesystem, path = _filesystem(url)
    stream: BinaryIO = filesystem.open(path, "rb")  # type: ignore[attr-defined]
    return stream


_TRACE_SUFFIXES = (".json", ".json.gz", ".gz")


def find_sources(path: str) -> list[Source]:
    """The files that a path names: itself, the traces of a folder, the matches of a glob; sorted by name.

    Raises:
        UnreadableInput: nothing is there.
    """
    if is_url(path):
        return _find_remote(path)
    if os.path.isdir(path):
        found = [str(file) for file in Path(path).iterdir() if file.is_file() and file.name.endswith(_TRACE_SUFFIXES)]
        if not found:
            raise UnreadableInput(
                f"cannot open {path}",
                "the folder holds no .json or .json.gz file",
                "Name a trace file or the folder that torch.profiler wrote to.",
            )
        return [Source(name) for name in sorted(found, key=_natural)]
    if not os.path.exists(path) and any(sign in path for sign in "*?["):
        import glob

        found = [name for name in glob.glob(path, recursive=True) if os.path.isfile(name)]
        if not found:
            raise UnreadableInput(f"cannot open {path}", "the pattern matches no file", "Check the pattern.")
        return [Source(name) for name in sorted(found, key=_natural)]
    return [Source(path)]


def _find_remote(url: str) -> list[Source]:
    scheme = url.split("://", 1)[0]
    filesystem, path = _filesystem(url)
    try:
        if any(sign in url for sign in "*?["):
            found = filesystem.glob(path)  # type: ignore[attr-defined]
        elif filesystem.isdir(path):  # type: ignore[attr-defined]
            found = [name for name in filesystem.ls(path, detail=False) if name.endswith(_TRACE_SUFFIXES)]  # type: ignore[attr-defined]
        else:
            return [Source(url)]
    except OSError as error:
        raise cannot_open(url, error) from error
    if not found:
        raise UnreadableInput(f"cannot open {url}", "no trace file there", "Check the address.")
    return [Source(f"{scheme}://{name.lstrip('/')}") for name in sorted(found, key=_natural)]


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sort key that puts rank10 after rank9."""
    import re

    parts = re.split(r"(\d+)", name)
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]
