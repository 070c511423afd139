"""What every request for a page passes: choices, the cookie, where it comes from, headers.

Whoever asks for the head of an answer gets what a GET would, without its body.

Inside of it a request is one of the API's: the key in the cookie is what ``Authorization`` is
there, and nothing else counts. So the API's own dependencies let callers in, and no cookie ever
opens the API.
"""

from collections.abc import Collection
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.desk import session
from adapters.desk.choices import KEPT_S, switch_in

SECURITY: Final = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",  # with none at all, a form does not say where it comes from
    "x-frame-options": "DENY",
}
"""Of every page; what else is on every answer the service puts there."""


class Front:
    """Stands before the pages, behind what holds for every request."""

    def __init__(self, app: ASGIApp, streams: Collection[str] = ()) -> None:
        """Stand before an application.

        Args:
            app: The pages.
            streams: Addresses of answers that go on and on: of these nobody asks the head alone.
        """
        self._app = app
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through as its cookie's, or answer that it chose something."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        is_head = scope["method"] == "HEAD" and scope["path"] not in self._streams
        if is_head:
            scope = {**scope, "method": "GET"}

        async def sent(message: Message) -> None:
            if is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        switch = switch_in(scope["query_string"].decode("latin-1"))
        if switch is not None and scope["method"] == "GET":
            request = Request(scope)
            response = RedirectResponse(f"{scope['path']}?{switch.rest}".rstrip("?"), 303)
            for name, value in switch.chosen.items():
                response.set_cookie(
                    name, value, KEPT_S, path=session.PATH, httponly=True, samesite="lax",
                    secure=request.url.scheme == "https",
                )  # fmt: skip
            await response(scope, receive, sent)
            return
        scope["headers"] = _as_of_the_api(Request(scope))
        await self._app(scope, receive, sent)


def _as_of_the_api(request: Request) -> list[tuple[bytes, bytes]]:
    """Return headers in which the key is where the API looks for it."""
    headers = [pair for pair in request.headers.raw if pair[0] != b"authorization"]
    key = request.cookies.get(session.COOKIE)
    if key is not None:
        headers.append((b"authorization", f"Bearer {key}".encode("latin-1", "replace")))
    return headers
