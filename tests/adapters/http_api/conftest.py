"""The application on an empty store, and a client that plays the story of the examples."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient

from adapters.http_api.app import create_app
from adapters.http_api.callers import Caller
from adapters.registers.api_keys import Role
from adapters.settings import Settings

SERVICE = Caller("service", Role.SERVICE)

Calling = Callable[..., AbstractContextManager[TestClient]]


class Only:
    """Takes everybody for one caller."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    async def of(self, _key: str | None) -> Caller:
        """Return that one."""
        return self.caller

    async def check(self, _key: str | None) -> None:
        """Let everybody stay."""


@pytest.fixture
def calling(store_dsn: str) -> Calling:
    """What opens the application for one caller; several may be open at once."""

    @contextmanager
    def call(caller: Caller = SERVICE, **more: Any) -> Iterator[TestClient]:
        app = create_app(Settings(dsn=store_dsn), callers=Only(caller), **more)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client

    return call


@pytest.fixture
def client(calling: Calling) -> Iterator[TestClient]:
    """A service that is bound to no table."""
    with calling() as client:
        yield client
