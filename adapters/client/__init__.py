"""The Python client of the HTTP API, for threads and for asyncio.

    with Client("http://127.0.0.1:8080", key="jinhua_…") as client:
        client.deposit("ann", 200_000, key="8e03978e-0001")

Read downwards; a file imports only files above it.

- ``errors``   what a client is told, a class per kind of answer
- ``patience`` how long to wait before something is tried again
- ``commands`` what it can tell the service to do
- ``queries``  what it can ask
- ``clients``  the clients themselves
"""

from adapters.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
