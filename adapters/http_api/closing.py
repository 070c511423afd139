"""How whoever streams learns that the service is about to stop.

The server waits for answers that are under way before it lets the application close. A stream has
no end of its own, so it has to be told.
"""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def told_of_stopping(closing: asyncio.Event) -> Iterator[None]:
    """Set an event as soon as a signal asks to stop; whoever handled that signal still does."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield  # signals come to the main thread alone
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def tell(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(closing.set)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in _SIGNALS:
        signal.signal(number, tell)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
