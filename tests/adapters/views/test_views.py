from collections import Counter

import psycopg
import pytest
from psycopg import sql

from adapters.views.catalogue import READ_MODELS
from adapters.views.projector import ROLE
from domain.events import BonusGranted, FundsDeposited, HandOpened
from domain.money import CASHIER, MAX_AMOUNT, account, player_account, transfer
from domain.stream import Entry
from domain.wallet import wallet_id
from projections.audit_trail.row import Amounts, OperatorColumns, Place, Who
from projections.balances import Balance
from tests.adapters.stored import insert, projector, rows, views
from tests.projections.histories import cause_of, history, shuffled


@pytest.fixture
def stored(database):
    """A database with forty hands, taken in."""
    insert(database, shuffled(history(40), 2))
    with projector(database) as keeper:
        keeper.catch_up()
    return database


def test_balances_are_what_every_transfer_comes_to(stored):
    """Account by account, equal to a count of each transfer of each event; and no chip is lost."""
    counted: Counter[str] = Counter()
    for entry in history(40):
        hand = entry.originator_id.removeprefix("hand:")
        for source, target, amount, _ in entry.event.transfers:
            counted[account(source, hand)] -= amount
            counted[account(target, hand)] += amount

    with views(stored) as read:
        got = dict(read.balances())

    assert sum(got.values()) == 0
    assert got == {name: n for name, n in counted.items() if n or not name.startswith("hand:")}


def test_bonuses_are_what_every_grant_comes_to(stored):
    """Player by player, equal to a count of each bonus of each hand."""
    openings = {e.originator_id: e.event for e in history(40) if isinstance(e.event, HandOpened)}
    counted: Counter[tuple[str, ...]] = Counter()
    for entry in history(40):
        if isinstance(entry.event, BonusGranted):
            opening, receiver = openings[entry.originator_id], f"seat:{entry.event.seat}"
            (player,) = (s.player for s in opening.seats if s.seat == entry.event.seat)
            key = (player, entry.event.category, opening.rulebook)
            counted[(*key, "times")] += 1
            counted[(*key, "amount")] += sum(
                t.amount for t in entry.event.transfers if t.target == receiver
            )

    with views(stored) as read:
        got = read.bonuses()

    assert got
    assert +counted == +Counter(
        {
            key: value
            for row in got
            for key, value in {
                (row.player, row.category, row.rulebook, "times"): row.times,
                (row.player, row.category, row.rulebook, "amount"): row.amount,
            }.items()
        }
    )


def test_a_trail_of_forty_hands_has_a_line_for_each_event(stored):
    """In the order of positions, no matter how often a batch ended within a hand."""
    with views(stored) as read:
        trail = read.audit_trail()

    assert [row.place.position for row in trail] == list(range(1, len(history(40)) + 1))
    assert all(r.amounts.pot_after is not None for r in trail if r.place.stream.startswith("hand:"))


def test_a_trail_is_read_by_hand_and_by_player(stored):
    """A hand with the reservations and releases around it; a player, seat or wallet."""
    with views(stored) as read:
        whole, of_hand = read.audit_trail(), read.audit_trail(hand="h7")
        player = next(row.who.player for row in of_hand if row.who.player)
        of_player = read.audit_trail(player=player)
        both = read.audit_trail(hand="h7", player=player)

    assert of_hand == [row for row in whole if row.who.hand == "h7"]
    assert {row.place.stream.split(":")[0] for row in of_hand} == {"hand", "wallet"}
    assert of_player == [row for row in whole if row.who.player == player]
    assert both == [row for row in of_hand if row.who.player == player]


def test_a_trail_is_read_page_by_page(stored):
    """Each page goes on after the last position of the one before."""
    with views(stored) as read:
        whole, pages, after = read.audit_trail(), [], 0
        while page := read.audit_trail(after=after, limit=100):
            pages += page
            after = page[-1].place.position

    assert pages == whole


def test_a_statement_runs_up_to_the_balance(stored):
    """Each balance is the one before and the amount; the last is that of the account."""
    with views(stored) as read:
        for name, balance in read.balances():
            if name.startswith("player:"):
                player, running = name.removeprefix("player:"), 0
                for movement in read.statement(player):
                    running += movement.amount
                    assert movement.balance == running
                assert running == balance
                assert read.balances(player) == [Balance(name, balance)]


def test_a_player_unknown_has_nothing(stored):
    """No account, no movement, no bonus, no line: empty answers, no error."""
    with views(stored) as read:
        got = [
            read.balances("nobody"),
            read.statement("nobody"),
            read.bonuses("nobody"),
            read.audit_trail(player="nobody"),
        ]

    assert got == [[], [], [], []]


def test_a_player_has_bonuses_of_his_own(stored):
    """The rows of one player are those of all that bear the name."""
    with views(stored) as read:
        whole = read.bonuses()
        player = whole[0].player
        own = read.bonuses(player)

    assert own == [row for row in whole if row.player == player]


def test_sums_may_exceed_every_amount(database):
    """Balances beyond 2^63-1, as the cashier's after three such deposits, are exact."""
    deposits = [
        Entry(
            wallet_id(player),
            1,
            FundsDeposited(
                balance=MAX_AMOUNT,
                transfers=transfer(CASHIER, player_account(player), MAX_AMOUNT, "deposit"),
            ),
            cause_of(1),
        )
        for player in ("ann", "bo", "张三🀄")
    ]
    insert(database, deposits)

    with projector(database) as keeper, views(database) as read:
        keeper.catch_up()

        assert dict(read.balances())["cashier"] == -3 * MAX_AMOUNT
        assert read.balances("张三🀄") == [Balance("player:张三🀄", MAX_AMOUNT)]
        assert list(keeper.compare_with_fresh_fold()) == []


def test_the_columns_of_the_trail_are_the_fields_of_its_rows(database):
    """In their order, as rows are read by place; where they are kept the order is another."""
    fields = [f for group in (Place, Who, Amounts, OperatorColumns) for f in group._fields]
    columns = "SELECT attname FROM pg_attribute WHERE attnum > 0 AND attrelid = '{}'::regclass"

    of_view = [name for (name,) in rows(database, columns.format("audit_trail"))]
    of_table = [name for (name,) in rows(database, columns.format("projected_audit_trail"))]

    assert of_view == fields
    assert sorted(of_table) == sorted([*fields, "generation"])


def test_a_backslash_is_not_what_follows_it(database):
    """U+0000 can be stored nowhere; the six characters that JSON spells it with can."""
    given = transfer(CASHIER, player_account(r"\u0000"), 5, r"\u0000")
    insert(
        database,
        [Entry(wallet_id(r"\u0000"), 1, FundsDeposited(balance=5, transfers=given), cause_of(1))],
    )
    with projector(database) as keeper, views(database) as read:
        keeper.catch_up()

        assert [row.amounts.transfers for row in read.audit_trail()] == [given]
        assert keeper.parked() == []


@pytest.mark.parametrize(
    ("condition", "index"),
    {
        "hand = 'h7'": "projected_audit_trail_hand",
        "player = 'p1'": "projected_audit_trail_player",
        "player = 'p1' AND stream = 'wallet:p1'": "projected_audit_trail_player",
        "position > 5": "projected_audit_trail_pkey",
    }.items(),
)
def test_every_page_of_the_trail_has_an_index(stored, condition, index):
    """Where a look at every line costs too much, the server uses it."""
    query = f"EXPLAIN SELECT * FROM audit_trail WHERE position > 0 AND {condition}"  # noqa: S608
    with psycopg.connect(stored) as owner:
        owner.execute("ANALYZE projected_audit_trail")
        owner.execute("SET enable_seqscan = off")
        found = owner.execute(f"{query} ORDER BY position LIMIT 50")
        plan = "\n".join(line for (line,) in found)

    assert index in plan


@pytest.mark.parametrize("table", [*(f"projected_{name}" for name in READ_MODELS), "parked_events"])
def test_a_reader_reads_views_alone(database, table):
    """Neither a generation that is being built nor the bytes of a parked event are shown."""
    everything = sql.SQL("SELECT * FROM {}")
    with psycopg.connect(database) as conn:
        conn.execute("SET ROLE jinhua_reader")
        for name in (*READ_MODELS, "parked"):
            conn.execute(everything.format(sql.Identifier(name)))

        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(everything.format(sql.Identifier(table)))


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO events (position) VALUES (1)",
        "UPDATE events SET body = ''",
        "DELETE FROM events",
        "TRUNCATE events",
        "DELETE FROM projections",
        "UPDATE receipts SET answer = ''",
    ],
)
def test_a_projector_changes_no_history(database, statement):
    """It reads events, and writes read models alone."""
    with psycopg.connect(database) as conn:
        conn.execute(f"SET ROLE {ROLE}")

        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement)
