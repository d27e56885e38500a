"""Who may ask: a shield around the whole app.

Pages of other sites run in the same browser and can send requests to this server, even by a name of their own that they
let point to 127.0.0.1 (DNS rebinding). So a request has to name this machine in ``Host``, must not come from a page of
another origin, and only reads, but for one that has a running job record some steps. Other users of the machine, and
others on the network, could still ask: so a request carries the token of the printed address, in a cookie of the page
or by itself.
"""

from __future__ import annotations

import hmac
import html
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

import orjson
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from stepscope.errors import BadRequest, StepscopeError
from stepscope.messages import Message
from stepscope.server.errors import Forbidden, NotAllowed, as_object, status_of
from stepscope.server.parameters import MAX_QUERY_BYTES

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the app's pages may load: nothing from elsewhere. Charts write tooltips with a ``style`` of
their own, hence the one exception; a style sheet from a trace's text would still be refused."""

_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
RECORD = "/api/live/record"
"""The one address that has something done; it takes POST."""

_LOOPBACK = re.compile(r"^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$", re.IGNORECASE)


@dataclass(frozen=True)
class Access:
    """Who may ask.

    Attributes:
        token: what a request has to carry, or None.
        ticket: opens the page like the token, but once. For what others can read, as the command line of a browser.
        loopback: whether ``Host`` has to name this machine's own address.
        port: tells the cookies of several servers of one machine apart.
    """

    token: str | None = None
    loopback: bool = True
    port: int = 0
    ticket: str | None = None

    @property
    def cookie(self) -> str:
        return f"stepscope-{self.port}"


class Guard:
    """Refuses what must not be answered and adds the headers of safety to everything that is."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access
        self._ticket = access.ticket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no WebSocket: a connection without an answer is refused

        async def guarded(message: Event) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        try:
            welcome = self._check(scope)
        except StepscopeError as error:
            await _respond(guarded, status_of(error), *_refusal(scope, error))
            return
        if welcome is not None:
            await _respond(guarded, 303, welcome, b"")
            return
        await self._app(scope, receive, guarded)

    def _check(self, scope: Scope) -> list[tuple[bytes, bytes]] | None:
        """Headers of a redirection that takes the token out of the address, or None to go on.

        Raises:
            StepscopeError: the request must not be answered.
        """
        headers = _headers(scope)
        if scope["method"] == "POST" and scope["path"] == RECORD:
            self._check_change(headers)
        elif scope["method"] not in ("GET", "HEAD"):
            found = Message("error-unknown-method", method=scope["method"][:20])
            raise NotAllowed(Message("error-cannot-answer"), found, Message("error-use-get"))
        if len(scope["query_string"]) > MAX_QUERY_BYTES:
            raise BadRequest(
                Message("error-cannot-answer"), Message("error-address-too-long"), Message("error-shorten")
            )
        host = headers.get("host", "")
        if self._access.loopback and not _LOOPBACK.match(host):
            raise Forbidden(
                Message("error-cannot-answer"), Message("error-other-machine"), Message("error-open-printed")
            )
        _check_origin(headers, host, scope["path"])
        return self._check_token(scope, headers)

    def _check_change(self, headers: dict[str, str]) -> None:
        """Refuse where anybody could have sent it: without a token another user, with its cookie alone another page."""
        if self._access.token is None:
            raise Forbidden(Message("live-cannot-ask"), Message("live-no-token"), Message("live-serve-with-token"))
        if "origin" not in headers and "authorization" not in headers:
            raise Forbidden(Message("live-cannot-ask"), Message("error-foreign-site"), Message("error-open-app"))

    def _check_token(self, scope: Scope, headers: dict[str, str]) -> list[tuple[bytes, bytes]] | None:
        token = self._access.token
        if token is None:
            return None
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in pairs if name == "token"), None)
        rest = [(name, value) for name, value in pairs if name != "token"]
        of_api = scope["path"].startswith("/api/")
        if given is not None and (_same(given, token) or (not of_api and self._is_ticket(given))):
            if of_api:
                scope["query_string"] = urlencode(rest).encode()
                return None
            query = f"?{urlencode(rest)}" if rest else ""
            # Lax: a strict cookie would be left out where the address is clicked in a terminal that is a page itself.
            cookie = f"{self._access.cookie}={token}; Path=/; HttpOnly; SameSite=Lax"
            # Relative, so that it holds behind a proxy that puts a path in front.
            return [(b"location", f"./{query}".encode()), (b"set-cookie", cookie.encode())]
        if _same(_cookie(headers, self._access.cookie), token):
            return None
        if _same(headers.get("authorization", "").removeprefix("Bearer "), token):
            return None
        raise Forbidden(Message("error-cannot-answer"), Message("error-no-token"), Message("error-open-with-token"))

    def _is_ticket(self, given: str) -> bool:
        """Whether it is the ticket, which is void from now on."""
        if self._ticket is None or not _same(given, self._ticket):
            return False
        self._ticket = None
        return True


def _check_origin(headers: dict[str, str], host: str, path: str) -> None:
    """Refuse what a page of another origin asks for; links to the app itself may be followed from anywhere."""
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "none")
    foreign = origin is not None and _host_of(origin) != host.lower()
    navigates = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    navigates = navigates and not path.startswith("/api/")
    if foreign or (site not in ("none", "same-origin") and not navigates):
        raise Forbidden(Message("error-cannot-answer"), Message("error-foreign-site"), Message("error-open-app"))


def _host_of(origin: str) -> str | None:
    """Host and port of an origin, None where it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _headers(scope: Scope) -> dict[str, str]:
    """Headers by name; of those given twice, an empty one, which nothing accepts."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        found[key] = "" if key in found and key in ("host", "origin") else value.decode("latin-1")
    return found


def _cookie(headers: dict[str, str], name: str) -> str:
    pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return next((value for key, _, value in pairs if key == name), "")


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _refusal(scope: Scope, error: StepscopeError) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """An error for whoever asked: a person who opens the page gets a page."""
    if scope["path"].startswith("/api/") or "text/html" not in _headers(scope).get("accept", ""):
        return [(b"content-type", b"application/json")], orjson.dumps({"error": as_object(error)})
    told = str(error)
    told = html.escape(f"{told[:1].upper()}{told[1:]}")
    page = f"<!doctype html><html lang=en><meta charset=utf-8><title>stepscope</title><p>{told}</p></html>"
    return [(b"content-type", b"text/html; charset=utf-8")], page.encode()


async def _respond(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
