"""The least that a FastAPI service can do: read the body of an action, and answer a receipt.

    python -m scripts.measuring.bare WORKERS

It listens at a free port of its own, and says at which, like `jinhua serve --json`.
"""

import json
import signal
import sys
from typing import Any, Final

from fastapi import FastAPI
from uvicorn import Config, Server
from uvicorn.supervisors.multiprocess import Multiprocess

from adapters.http_api.bodies import OneAct, Opening
from adapters.http_api.listening import BACKLOG, listening
from adapters.http_api.serving import ANSWERING_S, KEEP_ALIVE_S

_ANSWER: Final = {
    "status": "applied",
    "command_id": "h1:0",
    "first_position": 123_456,
    "last_position": 123_456,
    "answer": {"hand": "h1", "version": 8, "state": "running", "turn": 2},
}

app = FastAPI(openapi_url=None)


@app.post("/v1/hands/{hand}/actions")
async def act(hand: str, body: OneAct) -> dict[str, Any]:
    """Answer as a ledger would that keeps nothing."""
    return {**_ANSWER, "command_id": f"{hand}:{body.do}"}


@app.post("/v1/hands", status_code=201)
async def open_hand(body: Opening) -> dict[str, Any]:
    """Likewise."""
    return {**_ANSWER, "command_id": f"open:{body.hand}"}


def main(workers: int) -> None:
    """Answer until a signal asks to stop."""
    listener = listening("127.0.0.1", 0, processes=workers)
    print(json.dumps({"ready": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
    config = Config(
        "scripts.measuring.bare:app",
        workers=workers,
        backlog=BACKLOG,
        access_log=False,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_worker_healthcheck=ANSWERING_S,
    )
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    if workers == 1:
        Server(config).run(sockets=[listener])
    else:
        Multiprocess(config, sockets=[listener]).run()


if __name__ == "__main__":
    main(int(sys.argv[1]))
