"""Keys: what is kept of them, who is let in, when a revocation counts, how often is too often."""

import asyncio
import hmac
import json
import time
from typing import Any

import psycopg
import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege

from adapters.cli import main
from adapters.http_api.admission import FRESH_S, KeyHolders, Rate
from adapters.http_api.errors import TooManyRequestsError, UnauthenticatedError
from adapters.registers import api_keys
from adapters.registers.api_keys import (
    KeyRefusedError,
    Role,
    find_key,
    list_keys,
    make_key,
    revoke_key,
)
from adapters.store.postgres import Runner, Store
from tests.adapters.http_api.keys import application, bearer
from tests.adapters.http_api.test_commands import code
from tests.adapters.stored import rows

ADDRESS = "/v1/rulebooks"


@pytest.fixture
def store(store_dsn):
    """An empty store."""
    with Store(store_dsn) as store:
        yield store


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock():
    """A clock that stands still."""
    return Clock()


def let_in(holders: KeyHolders, *keys: str | None) -> list[str]:
    """Come with keys, one after another; return who was let in, or why somebody was not."""

    async def come() -> list[str]:
        told = []
        for key in keys:
            try:
                told.append((await holders.of(key)).name)
            except (UnauthenticatedError, TooManyRequestsError) as error:
                told.append(error.code)
        return told

    return asyncio.run(come())


def prefix_of(key: str) -> str:
    """Return what names a key."""
    prefix = api_keys.prefix_of(key)
    assert prefix is not None
    return prefix


# --- at rest ---------------------------------------------------------------------------


def test_the_store_keeps_no_key(store, store_dsn):
    """Only its digest, in whatever is dumped; and no two keys are alike."""
    keys = [make_key(store, Role.AUDITOR) for _ in range(20)]
    kept = str(rows(store_dsn, "TABLE api_keys"))

    assert len({key.partition("_")[2] for key in keys}) == 20
    for key in keys:
        _, prefix, secret = key.split("_", 2)
        assert len(secret) == 43  # 32 bytes
        assert prefix in kept
        assert secret not in kept


def test_keys_are_added_and_revoked_and_never_edited(store, store_dsn):
    """The role that the service has may do no more; a reader does not even see them."""
    make_key(store, Role.SERVICE)
    (row,) = list_keys(store)
    forbidden = [
        "UPDATE api_keys SET role = 'service'",
        "UPDATE api_keys SET tables = NULL",
        "DELETE FROM api_keys",
        "TRUNCATE api_keys CASCADE",
        "UPDATE api_key_revocations SET revoked_at = now()",
        "DELETE FROM api_key_revocations",
        "INSERT INTO api_key_revocations (prefix, revoked_at) VALUES ('00000000', now())",
    ]
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        for role in ("jinhua_writer", "jinhua_reader", "jinhua_projector"):
            conn.execute(f"SET ROLE {role}")
            unseen = [] if role == "jinhua_writer" else ["TABLE api_keys"]
            for statement in forbidden + unseen:
                with pytest.raises(InsufficientPrivilege):
                    conn.execute(statement)

    assert list_keys(store) == [row]


def test_a_revoked_key_stays_revoked_since_the_first_time(store):
    """To revoke it again changes nothing."""
    key = make_key(store, Role.SERVICE)
    prefix = prefix_of(key)
    first, again = revoke_key(store, prefix), revoke_key(store, prefix)

    assert first.revoked_at is not None
    assert first == again == find_key(store, prefix)


REFUSED = {
    "a player without a player": {"role": Role.PLAYER},
    "a service with a player": {"role": Role.SERVICE, "player": "ann"},
    "a player bound to tables": {"role": Role.PLAYER, "player": "ann", "tables": ["t1"]},
}


@pytest.mark.parametrize("given", REFUSED.values(), ids=REFUSED)
def test_what_would_mean_nothing_is_no_key(store, store_dsn, given):
    """It is refused, by the program and by the database."""
    role = given["role"]
    with pytest.raises(KeyRefusedError):
        make_key(store, role, tables=given.get("tables", ()), player=given.get("player"))
    values = [str(role), given.get("tables"), given.get("player")]
    with (
        psycopg.connect(store_dsn, autocommit=True) as conn,
        pytest.raises(CheckViolation),
    ):
        conn.execute(
            "INSERT INTO api_keys (prefix, digest, name, role, tables, player)"
            " VALUES ('00000000', decode(repeat('00', 32), 'hex'), 'n', %s, %s, %s)",
            values,
        )
    assert list_keys(store) == []


# --- commands --------------------------------------------------------------------------


@pytest.fixture
def jinhua(store_dsn, capfd):
    """Run a command on the store: its status, and what it printed, read as JSON if asked."""

    def run(*words):
        status = main([*words, "--dsn", store_dsn])
        out, err = capfd.readouterr()
        return status, json.loads(out) if out and "--json" in words else out or err

    return run


def test_a_key_is_made_listed_and_revoked_on_the_command_line(jinhua):
    """It is shown once; the list has its prefix."""
    given = ("--role", "service", "--table", "t1", "--table", "t2", "--name", "backend")
    status, made = jinhua("keys", "create", *given, "--json")
    _, text = jinhua("keys", "create", "--role", "player", "--player", "ann")
    _, listed = jinhua("keys", "list", "--json")
    _, table = jinhua("keys", "list")
    revoked, told = jinhua("keys", "revoke", made["prefix"], "--json")

    assert (status, revoked) == (0, 0)
    assert text.startswith("jinhua_")
    first, second = listed["keys"]
    assert (first["prefix"], first["name"], first["role"]) == (made["prefix"], "backend", "service")
    assert (first["tables"], first["revoked_at"]) == (["t1", "t2"], None)
    assert (second["role"], second["player"]) == ("player", "ann")
    assert made["prefix"] in table
    assert made["key"] not in table + str(listed)
    assert told["revoked_at"] is not None


def test_what_cannot_be_made_or_revoked_is_bad_input(jinhua):
    """Status 2, with a code."""
    for words, why in (
        (("create", "--role", "player"), "key_refused"),
        (("create", "--role", "service", "--table", ""), "bad_record"),
        (("revoke", "00000000"), "unknown_api_key"),
    ):
        status, told = jinhua("keys", *words)
        assert (status, why in told) == (2, True), told
    assert jinhua("keys", "create", "--role", "king")[0] == 2


# --- who is let in ---------------------------------------------------------------------


def test_nobody_is_let_in_without_a_key(store, store_dsn):
    """None, one of another scheme, one that is nearly right, one that is none: 401, and why not."""
    key = make_key(store, Role.AUDITOR)
    other = make_key(store, Role.AUDITOR)
    nearly = key[:-1] + ("A" if key[-1] != "A" else "B")
    mixed = key[: len("jinhua_12345678_")] + other[len("jinhua_12345678_") :]
    headers = {
        "none": {},
        "another scheme": {"Authorization": f"Basic {key}"},
        "no scheme": {"Authorization": key},
        "empty": {"Authorization": "Bearer "},
        "nearly": bearer(nearly),
        "the prefix of one, the secret of another": bearer(mixed),
        "no key at all": bearer("' OR true --"),
        "nobody's": bearer(f"jinhua_00000000_{'A' * 43}"),
    }
    with application(store_dsn) as client:
        good = [client.get(ADDRESS, headers={"Authorization": f"{word} {key}"})
                for word in ("Bearer", "bearer")]  # fmt: skip
        told = {name: client.get(ADDRESS, headers=given) for name, given in headers.items()}

    assert [response.status_code for response in good] == [200, 200]
    for name, response in told.items():
        assert code(response) == (401, "unauthenticated"), name
        assert response.headers["www-authenticate"] == "Bearer"
        assert key not in response.text


def test_a_key_is_compared_in_a_time_that_tells_nothing(store, monkeypatch):
    """Whatever is wrong with it, it goes through the comparison that is made for that."""
    key = make_key(store, Role.AUDITOR)
    compared = []
    real = hmac.compare_digest

    def noted(one: bytes, two: bytes) -> bool:
        compared.append((one, two))
        return real(one, two)

    monkeypatch.setattr(hmac, "compare_digest", noted)

    told = let_in(KeyHolders(store), key, f"{key[:-1]}!", f"{key[:16]}{'A' * 43}")

    assert told[1:] == ["unauthenticated"] * 2
    assert [len(digest) for two in compared for digest in two] == [32] * 4


def test_a_revocation_counts_after_two_seconds(store, clock):
    """Not a moment longer is a key taken that a process knows; and it never comes back."""
    key = make_key(store, Role.SERVICE, name="backend")
    holders = KeyHolders(store, clock=clock)
    assert let_in(holders, key) == ["backend"]
    revoke_key(store, prefix_of(key))

    clock.now = FRESH_S - 0.01
    before = let_in(holders, key)
    clock.now = FRESH_S
    after = let_in(holders, key)

    assert FRESH_S == 2
    assert (before, after) == (["backend"], ["unauthenticated"])
    assert let_in(KeyHolders(store), key) == ["unauthenticated"]


def test_a_revocation_reaches_a_service_that_runs(store, store_dsn):
    """By the clock on the wall; a key that was made meanwhile counts at once."""
    key = make_key(store, Role.SERVICE)
    with application(store_dsn, key) as client:
        assert client.get(ADDRESS).status_code == 200
        fresh = make_key(store, Role.SERVICE)
        assert client.get(ADDRESS, headers=bearer(fresh)).status_code == 200
        revoke_key(store, prefix_of(key))
        revoked_at = time.monotonic()
        while client.get(ADDRESS).status_code == 200:
            assert time.monotonic() - revoked_at < FRESH_S + 30  # a slow machine is no late answer
            time.sleep(0.05)
        last = client.get(ADDRESS)

    assert code(last) == (401, "unauthenticated")


# --- how often -------------------------------------------------------------------------


def test_a_key_is_used_so_often_and_no_more(store, clock):
    """At once as many times as the burst has; then as often as they come back. Each for itself."""
    busy, calm = make_key(store, Role.AUDITOR, name="busy"), make_key(store, Role.AUDITOR, name="c")
    rates = dict.fromkeys(Role, Rate(per_s=2, burst=5))
    holders = KeyHolders(store, rates=rates, clock=clock)

    at_once = let_in(holders, *[busy] * 7)
    other = let_in(holders, calm)
    clock.now = 1.0
    later = let_in(holders, *[busy] * 3)
    clock.now = 100.0  # looked up anew meanwhile: the limit is not forgotten, nor does it grow
    long_after = let_in(holders, *[busy] * 7)

    assert at_once == ["busy"] * 5 + ["too_many_requests"] * 2
    assert other == ["c"]
    assert later == ["busy"] * 2 + ["too_many_requests"]
    assert long_after == at_once


def test_too_many_requests_are_told_when_to_come_again(store, store_dsn):
    """429, and in how many seconds."""
    key = make_key(store, Role.PLAYER, player="ann")
    with application(store_dsn, key) as client:
        app: Any = client.app
        app.state.callers._rates = dict.fromkeys(Role, Rate(0.001, 2))
        told = [client.get(ADDRESS) for _ in range(3)]

    assert [response.status_code for response in told] == [200, 200, 429]
    assert code(told[-1]) == (429, "too_many_requests")
    assert int(told[-1].headers["retry-after"]) >= 1


def test_whoever_guesses_keys_slows_nobody_down_who_is_known(store, clock, monkeypatch):
    """Only so many unknown ones are looked for; a key that is known is let in all the same."""
    key = make_key(store, Role.SERVICE, name="backend")
    looked = []

    def noted(store: Runner, prefix: str) -> Any:
        looked.append(prefix)
        return find_key(store, prefix)

    monkeypatch.setattr("adapters.http_api.admission.find_key", noted)
    holders = KeyHolders(store, clock=clock)
    let_in(holders, key)
    guesses = [f"jinhua_{n:08x}_{'A' * 43}" for n in range(250)]

    told = let_in(holders, *guesses, key)

    assert told.count("unauthenticated") == len(looked) - 1 < 250
    assert told[-2:] == ["too_many_requests", "backend"]
    clock.now = FRESH_S  # its look is due, and is no look for a stranger
    assert let_in(holders, key) == ["backend"]
