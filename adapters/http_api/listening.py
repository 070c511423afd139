"""Where requests come in: a socket for one process, or one for each of several at one address.

Processes that share a listening socket race for whoever connects, and the one that wakes first
takes many at once: of 32 connections 30 came to one of two. So each has a socket of its own, and
the system deals connections out among them.
"""

import socket
import sys
from functools import partial
from typing import Any, Final, Self

BACKLOG: Final = 2_048

_DEALS_OUT: Final = sys.platform == "linux"  # elsewhere SO_REUSEPORT does not mean that


def listening(host: str, port: int, *, processes: int) -> socket.socket:
    """Return a socket for one process, or what several make theirs from.

    Raises:
        OSError: The address is taken, or none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.create_server((host, port), family=family, backlog=BACKLOG)
    if processes == 1 or not _DEALS_OUT:
        return taken
    # SO_REUSEPORT would share another service's address unasked; by now it is known to be free.
    with taken:
        address = taken.getsockname()
    try:
        return Reserved.at(family, address)
    except OSError:  # connections of an earlier service are about to go
        return Reserved.at(family, address, reuse=True)


class Reserved(socket.socket):
    """A socket that holds an address and does not listen; in another process, its own there."""

    @classmethod
    def at(cls, family: int, address: Any, *, reuse: bool = False) -> Self:  # noqa: ANN401
        """Bind one.

        Args:
            family: Of the address.
            address: As ``bind`` takes it.
            reuse: Also beside whoever has reserved it, or where closed connections linger.

        Raises:
            OSError: The address is taken.
        """
        made = cls(family, socket.SOCK_STREAM)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, reuse)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # as create_server
            made.bind(address)
        except OSError:
            made.close()
            raise
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as an address, and become a socket of its own there."""
        return partial(Reserved.at, reuse=True), (self.family, self.getsockname())
