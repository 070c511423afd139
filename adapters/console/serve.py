"""``jinhua serve``: the HTTP API and the pages, from one process or several on one store."""

import http.client
import socket
import sys
import threading
from contextlib import closing, suppress
from typing import Annotated, Final

from cyclopts import Parameter, validators

from adapters.bootstrap import prepare_store
from adapters.console.failures import FAILED
from adapters.console.options import HERE, Where
from adapters.console.output import AsJson, print_json, say
from adapters.desk.app import create_app
from adapters.http_api.listening import listening
from adapters.http_api.serving import run
from adapters.logs import configure

_POLL_S: Final = 0.1
_ANSWER_TIMEOUT_S: Final = 5.0

Port = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65_535))]
Workers = Annotated[int, Parameter(validator=validators.Number(gte=1, lte=64))]


def serve(
    *,
    host: str = "127.0.0.1",
    port: Port = 8080,
    workers: Workers | None = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Answer over HTTP until asked to stop, by SIGTERM or SIGINT.

    A line on standard output says when requests are answered, and where. Asked to stop, it takes
    no new request, finishes what was begun, and exits with 0. The exit status is 1 where it cannot
    start, 2 where the address is taken or the store is not migrated, 4 where the store cannot be
    reached. The document of the API is at /openapi.json. The pages for people are at /desk/; they
    are opened with a key, as the API is: `jinhua keys create --role auditor` makes one.

    For example:

        jinhua serve
        jinhua serve --host 0.0.0.0 --port 80 --workers 4 --dsn postgresql://db.example/jinhua

    Parameters:
        host: The address to listen at.
        port: Its port; 0 takes any that is free.
        workers: Processes that answer, on one store; one that dies is replaced. One more keeps the
            read models up, and the one that was started watches over them. Without it, this process
            does everything.
    """
    configure()
    settings = where.settings
    configure(settings.log_level)
    prepare_store(settings)  # what is wrong with it is said before anything is started
    with closing(listening(host, port, processes=workers or 1)) as listener:
        stopped = threading.Event()
        telling = threading.Thread(
            target=_tell_when_ready, args=(listener, workers or 1, stopped), kwargs={"json": json}
        )
        telling.start()
        try:
            has_run = run(settings, listener, workers, create_app)
        finally:
            stopped.set()
            telling.join()
    return 0 if has_run else FAILED


def _tell_when_ready(
    listener: socket.socket, workers: int, stopped: threading.Event, *, json: bool
) -> None:
    """Say where requests are answered, as soon as one is."""
    host, port = listener.getsockname()[:2]
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - as given
    while not stopped.is_set():
        if _is_ready(reached, port):
            url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
            if json:
                print_json({"ready": url, "workers": workers})
            else:
                say(f"ready: {url}")
                say(f"pages: {url}/desk/, for a key of `jinhua keys create --role auditor`")
            sys.stdout.flush()
            return
        stopped.wait(_POLL_S)


def _is_ready(host: str, port: int) -> bool:
    with (
        suppress(OSError, http.client.HTTPException),
        closing(http.client.HTTPConnection(host, port, timeout=_ANSWER_TIMEOUT_S)) as connection,
    ):
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    return False
