"""Keys of each role, for tests, and the application as it lets their holders in."""

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi.testclient import TestClient

from adapters.http_api.app import create_app
from adapters.registers.api_keys import Role, make_key
from adapters.settings import Settings
from adapters.store.postgres import Store


def key(dsn: str, role: Role, *tables: str, player: str | None = None) -> str:
    """Make a key."""
    with Store(dsn) as store:
        return make_key(store, role, tables=tables, player=player)


def bearer(text: str) -> dict[str, str]:
    """Return the header that a key is sent in."""
    return {"Authorization": f"Bearer {text}"}


@contextmanager
def application(dsn: str, text: str = "") -> Iterator[TestClient]:
    """Open the application as it is served; the client holds a key."""
    app = create_app(Settings(dsn=dsn))
    headers = bearer(text) if text else {}
    with TestClient(app, raise_server_exceptions=False, headers=headers) as client:
        yield client
