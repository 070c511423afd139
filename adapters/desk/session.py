"""The cookie that holds the reader's key, and requests that come from another site.

The cookie is the key itself (domain/decisions/0028): it is looked at on every request as the API
looks at one, so a key that is revoked is out at once, in every process.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request, Response

from adapters.http_api.errors import NotAllowedError

COOKIE: Final = "jinhua_key"
PATH: Final = "/desk"

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_CHANGES_NOTHING: Final = frozenset({"GET", "HEAD"})


def keep(request: Request, response: Response, key: str) -> None:
    """Let the browser keep a key until it is closed, or its holder signs out."""
    response.set_cookie(
        COOKIE, key, path=PATH, secure=_is_secure(request), httponly=True, samesite="strict"
    )


def forget(request: Request, response: Response) -> None:
    """Let the browser forget it."""
    response.delete_cookie(
        COOKIE, path=PATH, secure=_is_secure(request), httponly=True, samesite="strict"
    )


def check_origin(method: str, headers: Mapping[str, str]) -> None:
    """Refuse what would change something and does not come from a page of ours.

    Raises:
        NotAllowedError: It comes from elsewhere, or does not say from where.
    """
    if method in _CHANGES_NOTHING:
        return
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        raise NotAllowedError("the request comes from another site")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        raise NotAllowedError("the request comes from another site")
    if site is None and origin is None:
        raise NotAllowedError("the request does not say from where it comes")


def _is_secure(request: Request) -> bool:
    """Tell whether a cookie is for HTTPS alone: everywhere but on this machine, in the clear.

    Behind a proxy the scheme is the proxy's own matter; the host is what the browser asked for.
    """
    return request.url.scheme == "https" or request.url.hostname not in _LOOPBACK
