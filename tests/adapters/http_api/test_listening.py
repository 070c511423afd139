"""Where requests come in, and how long connections stay: with one process, and with several."""

import pickle
import socket
import sys
from contextlib import ExitStack, closing

import pytest

from adapters.http_api.limits import LAST_OF
from adapters.http_api.listening import listening

HERE = "127.0.0.1"

deals_out = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux deals connections out among sockets"
)


@pytest.mark.parametrize("processes", [1, 2])
def test_no_other_service_gets_an_address_that_is_taken(processes):
    """Also where those of one service share it."""
    with closing(listening(HERE, 0, processes=processes)) as listener:
        for others in (1, 2):
            with pytest.raises(OSError, match="in use"):
                listening(HERE, listener.getsockname()[1], processes=others)


@deals_out
@pytest.mark.parametrize("host", [HERE, "::1"])
def test_connections_are_dealt_out_among_processes(host):
    """Each has a socket of its own; before it listens nobody is kept waiting by it."""
    with ExitStack() as stack:
        reserved = stack.enter_context(listening(host, 0, processes=2))
        address = reserved.getsockname()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address[:2], timeout=5)
        sent = pickle.dumps(reserved)
        own = [stack.enter_context(pickle.loads(sent)) for _ in range(2)]  # noqa: S301 - ours
        for one in own:
            one.listen(64)
            one.settimeout(0)

        for _ in range(64):
            stack.enter_context(socket.create_connection(address[:2], timeout=5))

        counts = [len(accepted(one, stack)) for one in own]

    assert sum(counts) == 64
    assert min(counts) > 10


def accepted(listener: socket.socket, stack: ExitStack) -> list[socket.socket]:
    """Return all connections that wait to be accepted."""
    found = []
    while True:
        try:
            found.append(stack.enter_context(listener.accept()[0]))
        except BlockingIOError:
            return found


@pytest.mark.parametrize(("workers", "last"), [(None, 0), (1, 0), (2, 2)])
def test_connections_spread_out_again(calling, workers, last):
    """Where several processes serve, one answer of so many ends its connection."""
    with calling(workers=workers) as client:
        answers = [client.get("/healthz") for _ in range(2 * LAST_OF)]

    assert {answer.status_code for answer in answers} == {200}
    closed = [answer.headers.get("connection") == "close" for answer in answers]
    assert sum(closed) == last
