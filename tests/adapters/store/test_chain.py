"""Every byte of an event is bound to all that came before it in its stream."""

import hashlib
from datetime import UTC, datetime, timedelta, timezone

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.store.chain import GENESIS, Chain, Linked, link_of
from adapters.store.migrations import migrate
from tests.adapters.play import do, fund, sit_down
from tests.adapters.stored import migrate_first

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

EVENT = Linked(
    7, "hand:张三🀄", 3, "hand.folded.v1", '{"seat":2}', "fold-1", "ann\u2028", AT,
    AT + timedelta(microseconds=1), b"",
)  # fmt: skip


def test_the_link_is_what_the_module_says():
    """Anyone with a SHA-256 can make it: here it is written out once more, byte by byte."""
    data = b""
    for field in (
        b"jinhua.event.v1",
        b"\x11" * 32,
        (1_767_323_045_678_902).to_bytes(8, "big"),
        (1_767_323_045_678_901).to_bytes(8, "big"),
        (3).to_bytes(8, "big"),
        "hand:张三🀄".encode(),
        b"hand.folded.v1",
        b"fold-1",
        "ann\u2028".encode(),
        b'{"seat":2}',
    ):
        data += len(field).to_bytes(8, "big") + field

    assert link_of(b"\x11" * 32, EVENT) == hashlib.sha256(data).digest()


def test_a_moment_is_the_same_in_every_zone_and_before_the_epoch():
    """What is hashed is the moment, not how it was written."""
    elsewhere = EVENT._replace(happened_at=AT.astimezone(timezone(timedelta(hours=8))))
    earlier = [EVENT._replace(happened_at=EPOCH + timedelta(microseconds=n)) for n in (-1, 0, 1)]

    assert link_of(GENESIS, elsewhere) == link_of(GENESIS, EVENT)
    assert len({link_of(GENESIS, event) for event in earlier}) == 3


def test_what_stands_in_one_field_is_told_apart_from_the_next():
    """No two events have the same bytes: each field comes with its length."""
    moved = EVENT._replace(command_id="fold-1a", actor="nn\u2028")

    assert link_of(GENESIS, moved) != link_of(GENESIS, EVENT)
    assert link_of(GENESIS, EVENT._replace(recorded_at=AT)) != link_of(GENESIS, EVENT)


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
moments = st.timedeltas(timedelta(days=-719_000), timedelta(days=2_900_000)).map(
    lambda since: EPOCH + since
)


@given(
    st.binary(min_size=32, max_size=32),
    st.builds(
        Linked,
        st.just(0),
        texts,
        st.integers(1, 2**31 - 1),
        *(texts, texts, texts, texts),
        *(moments, moments),
        st.just(b""),
    ),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_store_links_as_verification_does(own, previous, event):
    """The link is computed twice, by the store and by whoever does not believe it."""
    _, stream, version, topic, body, command_id, actor, happened, recorded, _ = event

    found = own.execute(
        "SELECT event_link(%s, %s, %s, %s::int, %s, %s, %s, %s, %s)",
        [previous, recorded, happened, version, stream, topic, command_id, actor, body],
    ).fetchone()

    assert found == (link_of(previous, event),)


@pytest.fixture
def own(store_dsn):
    """A connection of the owner's."""
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        yield conn


@pytest.fixture
def owner(ledger, store_dsn):
    """The owner's connection to a store with a hand that was played and settled."""
    fund(ledger, "ann", "bob")
    sit_down(ledger, "h-1")
    do(ledger, 1, "call")
    do(ledger, 2, "fold")
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        yield conn


_STREAMS = """
    SELECT position, originator_id, originator_version, topic, body, command_id, actor,
           happened_at, recorded_at, link
      FROM events ORDER BY originator_id, originator_version
"""


def stored(owner: psycopg.Connection) -> list[Linked]:
    """Return everything, stream by stream."""
    return [Linked(*row) for row in owner.execute(_STREAMS, binary=True)]


def misfits(ledger) -> list[tuple[str, int | None]]:
    """Return where events do not fit, as verification finds it."""
    return [(found.hand, found.position) for found in ledger.verify() if found.what == "link"]


def test_what_the_ledger_stores_is_chained(ledger, owner):
    """Each stream from its first event on, hands and wallets alike."""
    events = stored(owner)

    assert list(Chain().misfits(events)) == []
    assert {event.stream for event in events} == {"hand:h-1", "wallet:ann", "wallet:bob"}
    assert misfits(ledger) == []


EDITS = {
    "body":               "body = body || ' '",
    "topic":              "topic = topic || ' '",
    "actor":              "actor = 'eve'",
    "command_id":         "command_id = 'other'",
    "happened_at":        "happened_at = happened_at + '1 microsecond'",
    "recorded_at":        "recorded_at = recorded_at - interval '1 microsecond'",
    "link":               "link = set_byte(link, 31, get_byte(link, 31) # 1)",
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("stream", ["hand:h-1", "wallet:ann"])
def test_one_edited_bit_is_found_where_it_is(ledger, owner, stream, edit):
    """Though the rules may not mind it: who gave a command, when, or a blank."""
    where = "originator_id = %s AND originator_version = 2"
    (position,) = owner.execute(f"SELECT position FROM events WHERE {where}", [stream]).fetchone()  # noqa: S608
    owner.execute(f"UPDATE events SET {EDITS[edit]} WHERE {where}", [stream])  # noqa: S608

    name = stream.removeprefix("hand:")
    first, *rest = misfits(ledger)
    assert first == (name, position)
    # The next event was hashed over the link that stood there before.
    assert len(rest) == (edit == "link")


def test_an_event_that_is_missing_is_found_at_the_next_one(ledger, owner):
    """Even where the versions and positions behind it are moved up to hide it."""
    owner.execute("DELETE FROM events WHERE originator_id = 'hand:h-1' AND originator_version = 4")
    owner.execute(
        "UPDATE events SET originator_version = originator_version - 1"
        " WHERE originator_id = 'hand:h-1' AND originator_version = 5"
    )
    (position,) = owner.execute(
        "SELECT position FROM events WHERE originator_id = 'hand:h-1' AND originator_version = 4"
    ).fetchone()

    assert misfits(ledger)[0] == ("h-1", position)


def test_two_events_that_change_places_are_both_found(ledger, owner):
    """Neither fits what is before it now."""
    owner.execute(
        "UPDATE events SET originator_version = -originator_version + 105"
        " WHERE originator_id = 'hand:h-1' AND originator_version IN (2, 3)"
    )
    owner.execute(
        "UPDATE events SET originator_version = originator_version - 100"
        " WHERE originator_id = 'hand:h-1' AND originator_version > 100"
    )
    positions = owner.execute(
        "SELECT position FROM events WHERE originator_id = 'hand:h-1'"
        " AND originator_version IN (2, 3) ORDER BY originator_version"
    ).fetchall()

    assert misfits(ledger)[:2] == [("h-1", position) for (position,) in positions]


def test_a_store_from_before_the_chain_gets_the_links_it_would_have(empty_database, tmp_path):
    """The migration hashes in SQL what this program hashes in Python."""
    with psycopg.connect(empty_database, autocommit=True) as conn:
        migrate_first(conn, 10, tmp_path)
        conn.execute("SET TIME ZONE 'Asia/Shanghai'")
        for position, (stream, version) in enumerate(
            (("hand:张三🀄", 1), ("wallet:ann", 1), ("hand:张三🀄", 2), ("wallet:ann", 2)), 1
        ):
            conn.execute(
                "INSERT INTO events VALUES (%s, %s, %s, 'hand.voided.v1', %s, 'c', 'ann\u2028',"
                " '1969-12-31 23:59:59.999999Z', '2026-01-02 03:04:05.678901Z')",
                [position, stream, version, '{"reason":"停电"}'],
            )

        migrate(conn)

        events = stored(conn)
    assert len(events) == 4
    assert list(Chain().misfits(events)) == []
