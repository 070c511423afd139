"""What can be wrong with a request, whatever it asks: a class per cause, each with a status."""

from typing import ClassVar

from adapters.errors import AdapterError


class RequestError(AdapterError):
    """The request cannot be answered as it was sent."""

    status: ClassVar[int]

    def __init__(self, message: str, *, field: str | None = None) -> None:
        """Say what is wrong, and with which part of the request."""
        super().__init__(message)
        self.field = field


class BadRequestError(RequestError):
    """A part of the request is missing, or is not what the document says."""

    code = "bad_request"
    status = 400


class IdempotencyKeyMissingError(RequestError):
    """Every request that writes carries an Idempotency-Key."""

    code = "idempotency_key_missing"
    status = 400


class UnauthenticatedError(RequestError):
    """No key was given, or it is no key of this service."""

    code = "unauthenticated"
    status = 401


class NotAllowedError(RequestError):
    """The key does not allow this."""

    code = "not_allowed"
    status = 403


class NotFoundError(RequestError):
    """There is nothing at this address."""

    code = "not_found"
    status = 404


class MethodNotAllowedError(RequestError):
    """What is at this address does not take this method."""

    code = "method_not_allowed"
    status = 405


class RequestTooLargeError(RequestError):
    """The request is longer than is taken at once."""

    code = "too_large"
    status = 413


class UnsupportedTypeError(RequestError):
    """The body is of a type that is not read here."""

    code = "unsupported_type"
    status = 415


class TooManyRequestsError(RequestError):
    """The key has been used too often in a short time."""

    code = "too_many_requests"
    status = 429


class InternalError(RequestError):
    """A fault of this service; it was logged."""

    code = "internal"
    status = 500


class NotReadyError(RequestError):
    """The store is not what this program works on: it lacks migrations, or has newer ones."""

    code = "not_ready"
    status = 503


class TooSlowError(RequestError):
    """The answer was not there in time; a command may have been carried out: give it again."""

    code = "too_slow"
    status = 503
