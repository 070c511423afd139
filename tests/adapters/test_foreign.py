"""Imports of hands as others keep them: hand histories, tables of actions; rehearsals of both."""

# ruff: noqa: E501 - a case stays on one line

import io
import json
import re

import pytest

from adapters.cli import main
from adapters.foreign import action_table, phh
from adapters.foreign.errors import BadMappingError
from adapters.foreign.given import Given, RefusedLine, carry_out
from adapters.foreign.mapping import mapping_of
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from domain.hand import Hand
from domain.playing import play
from domain.record import read
from domain.stream import Cause
from domain.zhajinhua.rulebooks import published
from tests.adapters.mixed import digests
from tests.adapters.play import balance, lines, vectors
from tests.projections.histories import START

MAPPING = """
[file]
money_factor = 100
time_format = "%d.%m.%Y %H:%M"

[columns]
hand = "No"
do = "Action"
seat = "Seat"
player = "Who"
carry = "Buy-in"
cards = "Cards"
stake = "Amount"
amount = "Amount"
with = "Against"
at = "When"
dealer = "Button"

[constants]
rulebook = "jiuyou"
"table.ante" = 500
"table.max_stake" = 10000

[values.do]
SIT = "sit"
RAISE = "raise"
SEE = "look"
CALL = "call"
FOLD = "fold"
SHOWDOWN = "compare"

[cards]
"10" = "T"
"♠" = "s"
"♥" = "h"
"♦" = "d"
"♣" = "c"
"""

HEADER = "No,Action,Seat,Who,Buy-in,Cards,Amount,Against,When,Button\n"
HAND = """\
t1-0001,SIT,1,ann,500.00,7♠ 6♦ 2♥,,,,1
t1-0001,SIT,2,bo,500.00,K♠ K♦ 4♥,,,,
t1-0001,SIT,3,cai,500.00,Q♥ J♥ 10♥,,,,
t1-0001,RAISE,3,,,,10.00,,01.03.2026 20:00,1
t1-0001,SEE,2,,,,,,01.03.2026 20:01,1
t1-0001,CALL,2,bo,,,20.00,,01.03.2026 20:01,
t1-0001,FOLD,1,,,,,,01.03.2026 20:02,
t1-0001,SHOWDOWN,3,,,,,2,01.03.2026 20:03,
"""
"""The hand of the README."""


def table(*parts):
    """Return a table as a source."""
    return io.BytesIO("".join((HEADER, *parts)).encode())


def read_table(*parts, mapping=MAPPING):
    """Return what a table holds: records, and rows that are refused."""
    return list(action_table.hands(table(*parts), mapping_of(mapping.encode())))


def test_a_table_of_actions_is_read_as_its_mapping_says():
    """Facts of the hand and of its seats from whichever row gives them, each action from its own."""
    (given,) = read_table(HAND)
    record = read(given.text)
    hand = play(record, Cause("c", "tests", START))

    assert isinstance(hand, Hand)
    assert (2, (5, 6, 7, 8, 9)) == (given.line, given.action_lines)
    assert {1: "7s6d2h", 2: "KsKd4h", 3: "QhJhTh"} == record.cards
    assert [50_000] * 3 == [seat.carry for seat in record.seats]
    assert "2026-03-01T20:03:00Z" == record.actions[-1].at
    assert 53_850 == hand.state.seats[3].stack


# fmt: off
REFUSED = {
    # why                        what is replaced           by                            line  code
    "a word for an amount":     ("3,,,,10.00",              "3,,,,ten",                      5, "bad_row"),
    "half a minor unit":        ("3,,,,10.00",              "3,,,,10.001",                   5, "bad_row"),
    "an amount beyond any":     ("3,,,,10.00",              f"3,,,,{2**63}",                 5, "bad_row"),
    "no amount":                ("3,,,,10.00",              "3,,,,",                         5, "bad_row"),
    "no seat":                  ("SEE,2",                   "SEE,",                          6, "bad_row"),
    "no verb":                  ("SEE,2",                   ",2",                            6, "bad_row"),
    "no seat number":           ("SEE,2",                   "SEE,two",                       6, "bad_row"),
    "no time":                  ("01.03.2026 20:02",        "yesterday",                     8, "bad_row"),
    "a cell too few":           ("20:02,\n",                "20:02\n",                       8, "bad_row"),
    "two dealers":              ("20:00,1",                 "20:00,2",                       5, "rows_apart"),
    "two names in a seat":      ("CALL,2,bo",               "CALL,2,bob",                    7, "rows_apart"),
    "an unknown verb":          ("SEE,2",                   "SHOUT,2",                       6, "unknown_action"),
    "out of turn":              ("FOLD,1",                  "FOLD,3",                        8, "not_your_turn"),
    "too low":                  ("3,,,,10.00",              "3,,,,5.00",                     5, "raise_too_low"),
    "no such card":             ("K♠ K♦ 4♥",                "K♠ K♦ 1♥",                      2, "bad_deal"),
    "nobody in a seat":         ("3,cai,500.00",            "3,,500.00",                     2, "bad_record"),
}
# fmt: on


@pytest.mark.parametrize(("old", "new", "line", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_named_by_its_line(ledger, old, new, line, code):
    """The others of the file are stored."""
    wrong = HAND.replace(old, new, 1)
    assert wrong != HAND
    more = HAND.replace("t1-0001", "t1-0002")
    mapped = mapping_of(MAPPING.encode())
    work = ledger.importing(deposit_missing=True, claimant="record")

    report = carry_out(work, action_table.hands(table(wrong, more), mapped), lambda _done: None)

    assert [(line, "t1-0001", code)] == [(r.line, r.hand, r.code) for r in report.refused]
    assert 1 == report.counts.hands


def test_every_row_that_cannot_be_read_is_named():
    """Not the first alone; nothing of their hand is taken."""
    wrong = HAND.replace("10.00", "ten").replace("20:03", "20:63")
    found = read_table(wrong, "\n", ",,,\n", HAND.replace("t1-0001", "t1-0002"), "x,y\n")

    assert [RefusedLine, RefusedLine, Given, RefusedLine] == list(map(type, found))
    assert [5, 9, 12, 20] == [row.line for row in found]


def test_a_cell_may_go_over_several_lines():
    """A row is named by the first of them."""
    (given,) = read_table('t1-0001,SIT,1,"an\nn",500.00,7♠ 6♦ 2♥,,,,1\n', HAND[39:])

    assert "an\nn" == read(given.text).seats[0].player
    assert (2, 6) == (given.line, given.action_lines[0])


BAD_MAPPINGS = {
    "no TOML": "[columns",
    "no column of hands": MAPPING.replace('hand = "No"', ""),
    "a field that there is not": MAPPING.replace("stake =", "steak ="),
    "a part that there is not": MAPPING + "[colours]\n",
    "an action as a constant": MAPPING.replace('rulebook = "jiuyou"', "seat = 1"),
    "a column that there is not": MAPPING.replace('"Against"', '"Versus"'),
    "too deep": MAPPING.replace('rulebook = "jiuyou"', f"rulebook = {'[' * 3000}"),
    "a number without end": MAPPING.replace('rulebook = "jiuyou"', f"dealer = 0x{'f' * 5000}"),
    "no format of times": MAPPING.replace("%d.%m.%Y %H:%M", "%Y %Y"),
    "a factor of nothing": MAPPING.replace("money_factor = 100", "money_factor = 0"),
}


@pytest.mark.parametrize("mapping", BAD_MAPPINGS.values(), ids=BAD_MAPPINGS)
def test_a_mapping_that_cannot_be_used_is_refused(mapping):
    """Before anything is read with it."""
    with pytest.raises(BadMappingError):
        read_table(HAND, mapping=mapping)


def test_a_table_that_breaks_off_says_where(tmp_path, store_dsn, capfd):
    """What came before is stored, but not the hand that it breaks off in, though it be over."""
    file, mapping = tmp_path / "t.csv", tmp_path / "m.toml"
    second = HAND.replace("t1-0001", "t1-0002")
    file.write_text(f'{HEADER}{HAND}{second}t1-0003,"SIT\n', encoding="utf-8")
    mapping.write_text(MAPPING, encoding="utf-8")
    words = ["import", str(file), "--format", "csv", "--mapping", str(mapping), "--json"]

    status = main([*words, "--dsn", store_dsn])
    told = json.loads(capfd.readouterr().out)

    assert 2 == status
    assert {"hand:t1-0001"} == {stream for stream, *_ in digests(store_dsn)}
    ((line, hand, code),) = ((r["line"], r["hand"], r["code"]) for r in told["refused"])
    assert (18, "t1-0002", "bad_table") == (line, hand, code)


def test_bytes_that_are_no_text_are_named_by_their_line():
    """Wherever they are; the hands around them are read."""
    source = table(HAND, HAND.replace("t1-0001", "t1-0002"), HAND.replace("t1-0001", "t1-0003"))
    wrong = io.BytesIO(source.getvalue().replace(b"t1-0002,SEE", b"t1-0002,S\xffE"))
    found = list(action_table.hands(wrong, mapping_of(MAPPING.encode())))

    before, refused, after = found
    assert (Given, Given) == (type(before), type(after))
    assert isinstance(refused, RefusedLine)
    assert (14, "bad_row") == (refused.line, refused.code)


def as_rows(record, number):
    """Return a hand of a simulation as rows of a table, for the mapping below."""
    table_cells = [record["rulebook"], record["dealer"], record.get("opener", "")]
    for name in TABLE_FIELDS:
        value = record["table"].get(name, "")
        table_cells.append(str(value).lower() if isinstance(value, bool) else value)
    rows = []
    draws = record.get("bonus_draws", {})
    for seat in record["seats"]:
        key = str(seat["seat"])
        protect = str(seat.get("protect", "")).lower()
        sat = (f"h{number}", "sit", key, seat["player"], seat["carry"], protect)
        rows.append((*sat, record["deal"][key], draws.get(key, ""), "", "", "", *table_cells))
    for action in record["actions"]:
        given = (action.get(name, "") for name in ("stake", "with", "amount"))
        seat = action.get("seat", "")
        did = (f"h{number}", action["do"], seat)
        rows.append((*did, *[""] * 5, *given, *[""] * len(table_cells)))
    return rows


TABLE_FIELDS = (
    *("ante", "max_stake", "round_limit", "top_ups", "chain", "blind_limit", "push_antes"),
    *("suits", "a23", "blind_all_in_duel", "sweep"),
)
COLUMNS = (
    *("hand", "do", "seat", "player", "carry", "protect", "cards", "bonus_draw"),
    *("stake", "with", "amount", "rulebook", "dealer", "opener"),
    *(f"table.{name}" for name in TABLE_FIELDS),
)
OWN_NAMES = "[columns]\n" + "".join(f'"{name}" = "{name}"\n' for name in COLUMNS)


def test_hands_of_every_rulebook_go_through_a_table(ledger, store_dsn, database):
    """And have the events that their records have."""
    rulebooks = dict.fromkeys(rulebook.id for rulebook in published())
    records = [r for name in rulebooks for r in simulate(name, hands=6, seed=9)]
    # A list is a constant of the mapping, and jisu's tables differ in theirs.
    records = [r for r in records if "multiples_pct" not in r["table"]]
    rows = [COLUMNS, *(row for n, record in enumerate(records) for row in as_rows(record, n))]
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    mapped = mapping_of(OWN_NAMES.encode())
    work = ledger.importing(deposit_missing=True, claimant="record")

    report = carry_out(
        work, action_table.hands(io.BytesIO(text.encode()), mapped), lambda _done: None
    )
    plain = [
        {k: v for k, v in record.items() if k != "settlement"} | {"hand": f"h{n}"}
        for n, record in enumerate(records)
    ]
    with Ledger(Store(database)) as other:
        other.import_hands(lines(*plain))

    assert [] == report.refused
    assert len(records) == report.counts.hands > 25
    assert digests(database) == digests(store_dsn)


# --- hand histories -------------------------------------------------------------------

PHH = """\
# a comment
[1]
variant = "ZJH"
antes = [500, 500]
starting_stacks = [50000, 50000]
hand = "h-1"
players = ["ann", "bob"]
actions = []
_zjh_hand = "h-1"
_zjh_rulebook = "jiuyou"
_zjh_dealer = 2
_zjh_table = { ante = 500, max_stake = 10000 }
_zjh_seats = [
    { seat = 1, player = "ann", carry = 50000 },
    { seat = 2, player = "bob", carry = 50000 },
]
_zjh_deal = { 1 = "AsAdAh", 2 = "2c4d7h" }
_zjh_actions = [{ do = "fold", seat = 1 }]
[1._zjh_about]
whatever = "it says"
"""

NOT_OURS = {
    # why                     what is replaced           by                         line  code
    "no TOML":               ("_zjh_dealer = 2",         "_zjh_dealer = ",            11, "bad_phh"),
    "a number without end":  ("_zjh_dealer = 2",         f"_zjh_dealer = {'1' * 5000}", 2, "bad_phh"),
    "too large to be said":  ("_zjh_dealer = 2",         f"_zjh_dealer = 0x{'f' * 5000}", 2, "bad_phh"),
    "too deep":              ("_zjh_dealer = 2",         f"_zjh_dealer{'.a' * 5000} = 2", 2, "bad_phh"),
    "another program's":     ("_zjh_",                   "_other_",                    2, "not_ours"),
    "another stack":         ("[50000, 50000]",          "[50000, 40000]",             2, "fields_apart"),
    "another player":        ('["ann", "bob"]',          '["ann", "eve"]',             2, "fields_apart"),
    "a field too many":      ("_zjh_dealer = 2",         "_zjh_dealer = 2\n_zjh_x = 1", 2, "bad_record"),
    "a time for a number":   ("_zjh_dealer = 2",         "_zjh_dealer = 07:30:00",     2, "bad_record"),
    "against the rules":     ('"fold", seat = 1',        '"fold", seat = 2',           2, "not_your_turn"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "code"), NOT_OURS.values(), ids=NOT_OURS)
def test_a_hand_history_that_is_not_ours_is_refused(ledger, old, new, line, code):
    """By the line of its hand, or where it stops being TOML; the next one is stored."""
    assert old in PHH
    second = PHH.replace("[1]", "[2]").replace("[1.", "[2.").replace('"h-1"', '"h-2"')
    source = io.BytesIO((PHH.replace(old, new) + second).encode())
    work = ledger.importing(deposit_missing=True, claimant="record")

    report = carry_out(work, phh.hands(source), lambda _done: None)

    assert [(line, code)] == [(refused.line, refused.code) for refused in report.refused]
    assert 1 == report.counts.hands


# --- rehearsals -----------------------------------------------------------------------


def test_a_rehearsal_says_what_the_import_then_does(ledger, store_dsn):
    """Wallets go on from line to line, without any of it stored; a hand twice is found too."""
    records = vectors("jiuyou")[:8]
    other = records[0] | {"table": records[0]["table"] | {"ante": 1}}
    given = lines(*records, records[0], other, *vectors("jiuyou-refusals")[:3])

    def told(*, rehearsed, deposit):
        work = ledger.importing(deposit_missing=deposit, claimant="them", rehearsed=rehearsed)
        rows = (Given(line, number) for number, line in enumerate(given, start=1))
        report = carry_out(work, rows, lambda _done: None)
        counts = (report.counts.hands, report.counts.events, report.counts.already)
        return counts, report.refused, report.counts.mismatched

    players = sorted({seat["player"] for seat in records[0]["seats"]})
    for player in players:
        ledger.deposit(player, 100, command_id=f"fund:{player}")
    poor = told(rehearsed=True, deposit=False)
    rehearsal = told(rehearsed=True, deposit=True)

    assert digests(store_dsn) == []
    assert [100] * len(players) == [balance(ledger, player) for player in players]
    assert {"insufficient_funds"} <= {refused.code for refused in poor[1]}
    assert rehearsal == told(rehearsed=False, deposit=True)
    assert (8, 1) == (rehearsal[0][0], rehearsal[0][2])
    assert "command_id_reused" == rehearsal[1][0].code
    assert 10 == rehearsal[1][0].line


def test_lines_of_refusals_count_blank_ones_too(tmp_path, store_dsn, capfd):
    """As an editor does; told to people and to programs."""
    file = tmp_path / "hands.jsonl"
    good, bad = lines(vectors("jiuyou")[0], vectors("jiuyou")[1] | {"dealer": 99})
    file.write_text(f"\n{good}\n\n\n{bad}\n{{")
    words = ["import", str(file), "--dry-run", "--dsn", store_dsn]

    assert 2 == main([*words, "--json"])
    told = json.loads(capfd.readouterr().out)
    assert 2 == main(words)
    assert re.match(r"1 hands, \d+ events, 0 already; nothing is stored", capfd.readouterr().out)

    assert [(5, "unknown_seat"), (6, "bad_record")] == [
        (refused["line"], refused["code"]) for refused in told["refused"]
    ]
    assert told["dry_run"]
    assert digests(store_dsn) == []


@pytest.mark.parametrize(
    "words",
    [["--format", "csv"], ["--mapping", "m.toml"], ["--format", "csv", "--mapping", "missing"]],
)
def test_a_mapping_belongs_to_tables(words, tmp_path, store_dsn, capfd):
    """And a table has one."""
    (tmp_path / "x").touch()

    assert 2 == main(["import", str(tmp_path / "x"), *words, "--dsn", store_dsn])
    assert "bad_input" in capfd.readouterr().err
