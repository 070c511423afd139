"""What a client is told where a request was not carried out: a class per kind of answer."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final, NoReturn

import pydantic_core

from adapters.clock import now


class ServiceError(Exception):
    """The service did not do what it was asked."""

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        status: int | None = None,
        rule: str | None = None,
        field: str | None = None,
        numbers: Mapping[str, Any] | None = None,
        key: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        """Say what is wrong.

        Args:
            detail: In words.
            code: What programs look at.
            status: Of the answer; None where there was none.
            rule: The one that refuses: a section of the rules of play.
            field: The part of the request to blame.
            numbers: What broke the rule.
            key: The command's Idempotency-Key, as it was sent.
            retry_after_s: How long to wait before it is given again, seconds.
        """
        super().__init__(f"{code}: {detail}")
        self.detail, self.code, self.status = detail, code, status
        self.rule, self.field, self.numbers = rule, field, dict(numbers or {})
        self.key, self.retry_after_s = key, retry_after_s


class BadRequestError(ServiceError):
    """The request is not what the document of the API says."""


class DeniedError(ServiceError):
    """The API key is none, or does not allow this."""


class NotThereError(ServiceError):
    """There is no such hand, player or address."""


class OvertakenError(ServiceError):
    """Somebody was first: the hand has moved on, or the key was used for something else."""


class RefusedError(ServiceError):
    """The rules refuse it."""


class UnavailableError(ServiceError):
    """There was no answer, or none yet: of a command it is not known whether it was carried out.

    To give it again under the same key is safe.
    """


class FaultError(ServiceError):
    """A fault of the service."""


_KINDS: Final[Mapping[int, type[ServiceError]]] = {
    401: DeniedError,
    403: DeniedError,
    404: NotThereError,
    409: OvertakenError,
    412: OvertakenError,
    422: RefusedError,
    429: UnavailableError,
    502: UnavailableError,  # a proxy's words for a service that is away
    503: UnavailableError,
    504: UnavailableError,
}

_SERVER_ERRORS: Final = 500


def raised(status: int, headers: Mapping[str, str], content: bytes, key: str | None) -> NoReturn:
    """Raise what an answer says is wrong; one that is no problem is a proxy's.

    Raises:
        ServiceError: Always.
    """
    try:
        problem = pydantic_core.from_json(content)
        assert isinstance(problem, dict), problem
    except (ValueError, AssertionError):
        problem = {}
    given = {"code": f"http_{status}", "detail": "the answer is no problem", **problem}
    error = told({**given, "status": status}, key)
    error.retry_after_s = _seconds(headers.get("retry-after"))
    raise error


def told(problem: Mapping[str, Any], key: str | None) -> ServiceError:
    """Return the error that a problem is."""
    status = int(problem["status"])
    kind = FaultError if status >= _SERVER_ERRORS else BadRequestError
    return _KINDS.get(status, kind)(
        str(problem["detail"]),
        code=str(problem["code"]),
        status=status,
        rule=problem.get("rule"),
        field=problem.get("field"),
        numbers=problem.get("numbers"),
        key=key,
    )


def lost(error: Exception, key: str | None) -> UnavailableError:
    """Return the error that a broken connection is."""
    found = UnavailableError(str(error) or type(error).__name__, code="unreachable", key=key)
    found.__cause__ = error
    return found


def _seconds(text: str | None) -> float | None:
    """Return how long Retry-After says to wait: seconds, or until a date."""
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max((parsedate_to_datetime(text) - now()).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
