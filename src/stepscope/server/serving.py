"""Listening: the socket, the web server around the app, and the address to open."""

from __future__ import annotations

import errno
import ipaddress
import os
import secrets
import socket
from dataclasses import dataclass
from urllib.parse import urlencode

import uvicorn

from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages import Message
from stepscope.readers.probe import check_recording
from stepscope.server.app import make_app
from stepscope.server.connections import BACKLOG, Connection
from stepscope.server.guard import Access

_WILDCARDS = ("", "0.0.0.0", "::")


@dataclass(frozen=True)
class Served:
    """What is served: a folder, or one file of it."""

    root: str
    only: str | None = None


def served(path: str) -> Served:
    """What a path names.

    Raises:
        UnreadableInput: nothing is there, it is no local file or folder, or a file that is no recording.
    """
    if "://" in path:
        tried = Message("error-cannot-serve", path=path)
        raise UnreadableInput(tried, Message("error-is-address"), Message("error-copy-traces"))
    real = os.path.realpath(path)
    if not real.isprintable():
        tried = Message("error-cannot-serve", path=ascii(path))
        raise UnreadableInput(tried, Message("error-name-not-plain"), Message("error-rename"))
    if os.path.isdir(real):
        return Served(real)
    if os.path.isfile(real):
        try:
            check_recording(real)
        except UnreadableInput as error:
            raise UnreadableInput(Message("error-cannot-serve", path=path), error.found, error.advice) from error
        return Served(os.path.dirname(real), os.path.basename(real))
    found = Message("error-neither-file-nor-folder") if os.path.exists(real) else Message("error-no-such-file")
    raise UnreadableInput(Message("error-cannot-serve", path=path), found, Message("error-name-folder-of-traces"))


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        BadRequest: the port is taken, or the host is not this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError, OverflowError) as error:
        tried, advice = Message("error-cannot-listen", host=host, port=port), Message("error-host-example")
        raise BadRequest(tried, Message("error-not-own-address"), advice) from error
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise _cannot_listen(host, port, error) from error
    return listener


def _cannot_listen(host: str, port: int, error: OSError) -> BadRequest:
    tried = Message("error-cannot-listen", host=host, port=port)
    if error.errno == errno.EADDRINUSE:
        return BadRequest(tried, Message("error-port-taken"), Message("error-other-port"))
    if error.errno in (errno.EACCES, errno.EPERM):
        return BadRequest(tried, Message("error-port-forbidden"), Message("error-port-above"))
    return BadRequest(tried, error.strerror or Message("error-not-own-address"), Message("error-host-example"))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True)
class Server:
    """A server that is about to answer; its socket listens already.

    Attributes:
        url: what to open in a browser.
        once: the same for a browser that is started with it; other users see its command line, and find it used up.
        scheduler: who reads the ranks of a run, as of `ReadOptions`.
        reads_ahead: whether runs are read that nobody opened.
    """

    url: str
    once: str
    listener: socket.socket
    what: Served
    access: Access
    scheduler: str = ""
    reads_ahead: bool = True

    def run(self) -> None:
        """Answer until interrupted."""
        uvicorn.Server(self.config()).run([self.listener])

    def config(self) -> uvicorn.Config:
        """What uvicorn has to know."""
        return uvicorn.Config(
            make_app(
                self.what.root,
                self.what.only,
                self.access,
                scheduler=self.scheduler,
                reads_ahead=self.reads_ahead,
            ),
            access_log=False,
            # A defect is told in the answer, as other commands tell it in a line; where it lies shows on demand.
            log_level="error" if os.environ.get("STEPSCOPE_DEBUG") else "critical",
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=1,
            ws="none",
            http=Connection,
            backlog=BACKLOG,
        )


def make_server(
    what: Served, host: str, port: int, with_token: bool = True, scheduler: str = "", reads_ahead: bool = True
) -> Server:
    """A server that listens, and asks for a token: other users reach it on this machine as well.

    Raises:
        BadRequest: it cannot listen there, or shall ask for no token where other machines reach it.
    """
    loopback = is_loopback(host)
    if not with_token and not loopback:
        tried = Message("error-cannot-listen", host=host, port=port)
        raise BadRequest(tried, Message("error-token-needed"), Message("error-leave-no-token"))
    listener = listening(host, port)
    real_port = listener.getsockname()[1]
    token, ticket = (secrets.token_urlsafe(24), secrets.token_urlsafe(24)) if with_token else (None, None)
    shown = host if loopback else _reachable(host)
    name = f"[{shown}]" if ":" in shown else shown
    page = f"#/verdict?{urlencode({'run': what.only})}" if what.only else ""
    url, once = (
        f"http://{name}:{real_port}/{f'?token={secret}' if secret else ''}{page}" for secret in (token, ticket)
    )
    return Server(url, once, listener, what, Access(token, loopback, real_port, ticket), scheduler, reads_ahead)


def _reachable(host: str) -> str:
    """What others can call a host: of a wildcard address this machine's name, or its address where none knows it."""
    if host not in _WILDCARDS:
        return host
    name = socket.gethostname()
    return name if _is_known(name) else _own_address(host) or name


def _is_known(name: str) -> bool:
    """Whether a name leads to this machine from elsewhere, as far as this machine can tell."""
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return any(not ipaddress.ip_address(str(address[0])).is_loopback for *_, address in found)


def _own_address(host: str) -> str | None:
    """The address that this machine has towards others, or None where it has no way to them.

    Nothing is sent: a datagram socket only looks up which way it would take, here to addresses kept for documentation.
    """
    family, far = (socket.AF_INET6, "2001:db8::1") if host == "::" else (socket.AF_INET, "192.0.2.1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((far, 9))
            address = str(asking.getsockname()[0])
    except OSError:
        return None
    return None if ipaddress.ip_address(address).is_loopback else address
