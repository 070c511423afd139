"""Hands found by any filter whatever are those that a look at every hand finds."""

import os
from datetime import timedelta

import psycopg
import pytest

from adapters.shuffle import Chance
from adapters.store.migrations import migrate
from adapters.views.hand_list import HandFilter
from domain.events import HandSettled, HandVoided, SettlementClaimed
from domain.stream import Cause, Entry
from projections.hands.row import FLAGS, HandRow
from tests.adapters.stored import (
    agrees,
    execute,
    generations,
    insert,
    migrate_first,
    projector,
    rows,
    views,
)
from tests.projections.histories import history, shuffled

FILTERS = int(os.environ.get("JINHUA_TEST_FILTERS", "300"))
"""How many random filters are tried; 10,000 take two minutes."""

HANDS = 300


def played():
    """Return the events of hands: some run on, some are void, some figures are claimed."""
    chance = Chance("played")
    streams: dict[str, list[Entry]] = {}
    for entry in shuffled(history(HANDS), 8):
        streams.setdefault(entry.originator_id, []).append(entry)
    found = []
    for stream, entries in streams.items():
        if stream.startswith("hand:"):
            table = chance.pick(("", "", "t1/", "t2/", "t20/"))
            at_table = stream.replace("hand:", f"hand:{table}", 1)
            moved = [entry._replace(originator_id=at_table) for entry in entries]
            found += altered(moved, chance.below(10))
    return shuffled(found, 3)


def altered(entries, kind):
    """Return the events of a hand, most often as they are."""
    settled = next(e for e in entries if isinstance(e.event, HandSettled))
    before = [e for e in entries if e.originator_version < settled.originator_version]
    match kind:
        case 0:
            return before
        case 1:
            return [*before, after(before, HandVoided(reason="power"))]
        case 2 | 3:
            own = dict(settled.event.settlement)
            given = own if kind == 2 else own | {"pot": 1}
            claim = SettlementClaimed(claimant="them", settlement=given)
            return [*entries, after(entries, claim)]
    return entries


def after(entries, event):
    """Return one more event of a hand, a minute later."""
    last = entries[-1]
    cause = Cause("later", "tests", last.cause.at + timedelta(minutes=1))
    return Entry(last.originator_id, last.originator_version + 1, event, cause)


@pytest.fixture(scope="module")
def stored(server, template):
    """A database with all of these hands, taken in in batches that end in the middle of hands."""
    name = "test_hand_list"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    dsn = psycopg.conninfo.make_conninfo(server, dbname=name)
    insert(dsn, played())
    with projector(dsn) as keeper:
        keeper.catch_up()
    execute(dsn, "VACUUM ANALYZE")
    yield dsn
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)")


def admits(wanted, row):
    """Tell whether a hand meets every condition, one by one."""
    return (
        wanted.player in (None, *row.players)
        and wanted.winner in (None, *(row.winners or ()))
        and wanted.rulebook in (None, row.rulebook)
        and wanted.version in (None, row.version)
        and (wanted.ante is None or wanted.ante == row.ante)
        and (wanted.max_stake is None or wanted.max_stake == row.max_stake)
        and (wanted.since is None or wanted.since <= row.opened_at)
        and (wanted.until is None or wanted.until > row.opened_at)
        and wanted.state in (None, row.state)
        and {*(wanted.flags or ())} <= {*row.flags}
        and (wanted.tables is None or row.hand.partition("/")[0] in wanted.tables)
        and (wanted.hands is None or row.hand in wanted.hands)
    )


def any_filter(chance, hands):
    """Draw a filter; mostly one that some hand meets, of one condition or several."""
    row, other = chance.pick(hands), chance.pick(hands)
    drawn = {
        "player": chance.pick((*row.players, "nobody")),
        "winner": chance.pick((*(row.winners or ()), *row.players)),
        "rulebook": row.rulebook,
        "version": chance.pick((1, 1, 1, row.version, 2)),
        "ante": row.ante,
        "max_stake": row.max_stake,
        "since": min(row.opened_at, other.opened_at),
        "until": max(row.opened_at, other.opened_at) + timedelta(seconds=chance.below(2)),
        "state": row.state,
        "hands": (row.hand, other.hand, "no-such-hand"),
        "tables": tuple(chance.sample(("t1", "t2", "t20"), chance.between(1, 2))),
        "flags": tuple(chance.sample(row.flags or FLAGS, min(len(row.flags), chance.below(3)))),
    }
    names = chance.sample(list(drawn), chance.between(0, 4))
    return HandFilter(**{name: drawn[name] for name in names})


def test_any_filter_finds_what_a_look_at_every_hand_finds(stored):
    """Page by page too, of any length, from any hand on: nothing twice, nothing left out."""
    chance, hits = Chance("filters"), 0
    with views(stored) as read:
        hands = read.hands()
        assert len(hands) == HANDS
        for _ in range(FILTERS):
            wanted = any_filter(chance, hands)
            expected = [row for row in hands if admits(wanted, row)]
            start = chance.pick((0, 0, chance.pick(hands).opened_position))
            size = chance.between(1, 60)
            page = read.hands(wanted, after=start, limit=size)

            assert [r for r in expected if r.opened_position > start][:size] == page, wanted
            hits += bool(page)
    assert FILTERS // 3 < hits < FILTERS


def test_pages_of_hands_go_on_where_the_last_one_ended(stored):
    """Whatever opens meanwhile comes later."""
    wanted = HandFilter(state="settled")
    with views(stored) as read:
        whole, pages, at = read.hands(wanted), [], 0
        while page := read.hands(wanted, after=at, limit=17):
            pages += page
            at = page[-1].opened_position

    assert pages == whole


def test_hands_are_what_a_fresh_fold_gives(database):
    """In every state, and after a rebuild; a row tampered with is named."""
    insert(database, played())
    with projector(database) as keeper, views(database) as read:
        keeper.catch_up()
        before = read.hands()
        assert {row.state for row in before} == {"running", "settled", "void"}
        keeper.rebuild(["hands"])
        assert read.hands() == before
        assert agrees(database)
        assert generations(database, "hand_players") == generations(database, "hands")
        hand = before[7].hand
        execute(database, "UPDATE projected_hands SET rake = 1 WHERE hand = %s", [hand])

        (found,) = keeper.compare_with_fresh_fold(["hands"])

    assert (found.projection, found.key) == ("hands", hand)


def test_a_hand_whose_opening_cannot_be_read_is_taken_in_later(database):
    """Everything that rests on it waits, and no other hand does."""
    insert(database, [e for e in history(20) if e.originator_id.startswith("hand:")])
    with projector(database) as keeper, views(database) as read:
        keeper.catch_up()
        expected = read.hands()
        opening = expected[7].opened_position
        move = "UPDATE events SET topic = %s WHERE position = %s"
        execute(database, move, ["hand.opened.v9", opening])
        keeper.rebuild(["hands"])
        assert [*expected[:7], *expected[8:]] == read.hands()

        execute(database, move, ["hand.opened.v1", opening])
        keeper.retry_parked(["hands"])

        assert expected == read.hands()
        assert [] == keeper.parked()


def test_the_columns_of_hands_are_the_fields_of_their_rows(database):
    """In their order: rows are written and read by place."""
    columns = "SELECT attname FROM pg_attribute WHERE attnum > 0 AND attrelid = '{}'::regclass"
    fields = list(HandRow._fields)

    of_view = [name for (name,) in rows(database, columns.format("hands"))]
    of_table = [name for (name,) in rows(database, columns.format("projected_hands"))]

    assert of_view == fields
    assert of_table == [*fields, "generation"]


def test_hands_of_an_earlier_version_are_found_by_player(empty_database, tmp_path):
    """Its read model had who sat and who won in arrays alone."""
    with psycopg.connect(empty_database, autocommit=True) as conn:
        migrate_first(conn, 21, tmp_path)
        for generation, place, winners in ((1, 3, "{ann}"), (1, 9, None), (2, 3, "{ann,bo}")):
            conn.execute(
                "INSERT INTO projected_hands (hand, game, rulebook, version, seats, players,"
                " opened_at, opened_position, state, winners, flags, generation)"
                " VALUES (%s, 'g', 'r', 1, '{1,2}', '{ann,bo}', 'epoch', %s, 's', %s, '{}', %s)",
                [f"h{place}", place, winners, generation],
            )
        migrate(conn)
        found = conn.execute("TABLE hand_players ORDER BY 2, 1").fetchall()

    assert found == [("ann", 3, True), ("bo", 3, False), ("ann", 9, False), ("bo", 9, False)]


INDEXED = {
    # what is asked for                            the index that finds it
    "AND opened_position IN (SELECT opened_position FROM hand_players WHERE player = 'p1' AND won)":
        "projected_hand_players_pkey",
    "AND flags @> ARRAY['claim_mismatch']":         "projected_hands_flags",
    "AND rulebook = 'jiuyou' AND version = 1 AND ante = 500": "projected_hands_table",
    "AND state = 'running'":                        "projected_hands_state",
    "AND opened_at >= 'epoch' AND opened_at < 'epoch'": "projected_hands_opened_at",
    "AND opened_position > 5 ORDER BY opened_position LIMIT 5": "projected_hands_position",
}  # fmt: skip


@pytest.mark.parametrize(("condition", "index"), INDEXED.items(), ids=INDEXED.values())
def test_every_filter_has_an_index(stored, condition, index):
    """Where a look at every row costs too much, the server uses it."""
    with psycopg.connect(stored) as owner:
        owner.execute("SET enable_seqscan = off")
        found = owner.execute(f"EXPLAIN SELECT * FROM hands WHERE true {condition}")  # noqa: S608
        plan = "\n".join(line for (line,) in found)

    assert index in plan
