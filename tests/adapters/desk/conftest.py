"""The pages on an empty store, and readers who have signed in with a key of the store."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient

from adapters.desk.app import create_app
from adapters.registers.api_keys import Role
from adapters.settings import Settings
from tests.adapters.http_api.keys import key

HOST = "http://127.0.0.1"
FROM_HERE = {"Origin": HOST}
"""What a browser says of a form on a page of ours."""

Reading = Callable[..., AbstractContextManager[TestClient]]


@contextmanager
def pages(dsn: str) -> Iterator[TestClient]:
    """Open the application as it is served, for somebody who has not signed in."""
    app = create_app(Settings(dsn=dsn))
    with TestClient(app, HOST, raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


def sign_in(client: TestClient, text: str, **more: Any):
    """Give a key in the form."""
    return client.post("/desk/sign-in", data={"key": text, **more}, headers=FROM_HERE)


@pytest.fixture
def reading(store_dsn: str) -> Reading:
    """What opens the pages for whoever signs in with a key of a role."""

    @contextmanager
    def read(role: Role, *tables: str, player: str | None = None) -> Iterator[TestClient]:
        text = key(store_dsn, role, *tables, player=player)
        with pages(store_dsn) as client:
            assert sign_in(client, text).status_code == 303
            yield client

    return read


@pytest.fixture
def stranger(store_dsn: str) -> Iterator[TestClient]:
    """The pages for somebody who has not signed in."""
    with pages(store_dsn) as client:
        yield client


@pytest.fixture
def auditor(reading: Reading) -> Iterator[TestClient]:
    """The pages for an auditor."""
    with reading(Role.AUDITOR) as client:
        yield client
