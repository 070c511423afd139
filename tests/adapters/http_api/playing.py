"""Hands played over HTTP, for tests."""

from typing import Any

from fastapi.testclient import TestClient

from adapters.http_api.paths import segment
from tests.adapters.play import CARRY, DEAL, TABLE

FUNDS = 10 * CARRY


def post(client: TestClient, address: str, key: str, body: Any, **headers: str):
    """Give a command under a key."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(address, json=body, headers={"Idempotency-Key": key, **given})


def deposit(client: TestClient, player: str, amount: int = FUNDS, key: str = ""):
    """Bring chips in."""
    address = f"/v1/players/{segment(player)}/deposits"
    return post(client, address, key or f"fund:{player}", {"amount": amount})


def opening(hand: str = "t1/1", players: tuple[str, ...] = ("ann", "bob"), **more: Any):
    """Return what opens a hand of two: seat 1 acts first, and has the better cards."""
    seats = [{"seat": n, "player": who, "carry": CARRY} for n, who in enumerate(players, 1)]
    deal = {str(seat): cards for seat, cards in DEAL.items()}
    given = {"hand": hand, "rulebook": "jiuyou", "table": dict(TABLE), "dealer": 2}
    return {**given, "seats": seats, "deal": deal, **more}


def sit_down(client: TestClient, hand: str = "t1/1", **more: Any):
    """Fund two players and open a hand; it is at version 4."""
    given = opening(hand, **more)
    for seat in given["seats"]:
        deposit(client, seat["player"])
    return post(client, "/v1/hands", f"open:{segment(hand)}", given)


def act(client: TestClient, do: str, seat: int, *, key: str = "", hand: str = "t1/1", **more: Any):
    """Take one action; ``If_Match`` is a header, everything else of the body."""
    headers = {"If_Match": more.pop("If_Match")} if "If_Match" in more else {}
    address = f"/v1/hands/{segment(hand)}/actions"
    body = {"do": do, "seat": seat, **more}
    return post(client, address, key or f"{segment(hand)}:{seat}:{do}", body, **headers)
