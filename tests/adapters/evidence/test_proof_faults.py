"""Whatever is done to a proof, or to the history behind it, the verifier names it and its place."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from adapters.store.sealing import CardKey, CardKeys
from domain.zhajinhua.rulebooks import find, published
from tests.adapters.proving import (
    OTHER,
    SIGNER,
    Proven,
    at,
    changed,
    claims,
    copied,
    faults,
    forged,
    leaves,
    prove,
    rechain,
    recorded,
    signed_again,
    unsigned,
    verifier,
)


@contextmanager
def _ledger(server: str, template: str) -> Iterator[Ledger]:
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        with Ledger(Store(make_conninfo(server, dbname=name))) as ledger:
            yield ledger
    finally:
        with psycopg.connect(server, autocommit=True) as owner:
            owner.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def proven(server: str, template: str) -> Iterator[Proven]:
    """A hand and a player's hands, proven by a ledger in which nothing is wrong."""
    with _ledger(server, template) as ledger:
        yield prove(ledger)


@pytest.fixture(scope="module")
def fork(server: str, template: str) -> Iterator[Proven]:
    """The same by another history of the same names, signed by the same key."""
    with _ledger(server, template) as ledger:
        yield prove(ledger, funds=2_000_000)


def test_what_is_right_is_proven(proven):
    """So that the tests below can fail: nothing is found where nothing was done."""
    assert claims(proven.hand, proven.monday) == [
        "signed", "grew", "kept", "chain", "included", "rulebook", "money", "deck_absent",
    ]  # fmt: skip
    assert claims(proven.player, proven.monday) == [
        "signed", "grew", "kept", "chain", "leaf", "leaf", "hand", "hand", "hands",
    ]  # fmt: skip


# --- the history ---------------------------------------------------------------------------


def test_one_flipped_bit_is_found_in_its_event(proven):
    """In a body, in the fifth event, where no rule would mind it."""
    body = proven.hand["events"][4]["body"]
    edited = changed(proven.hand, ("events", 4, "body"), body[:-2] + chr(ord(body[-2]) ^ 1) + "}")

    assert ("event 5 (hand.bet_raised.v1), link", "link") in faults(edited)


def test_a_deleted_event_is_found_where_it_was(proven):
    """And so it is where the versions behind it were moved up."""
    shorter = copied(proven.hand)
    del shorter["events"][4]
    assert ("event 6 (hand.cards_seen.v1), version", "gap") in faults(shorter)

    for version, event in enumerate(shorter["events"], start=1):
        event["version"] = version
    assert ("event 5 (hand.cards_seen.v1), link", "link") in faults(shorter)


def test_two_events_that_changed_places_are_found(proven):
    """At the first of them, with their versions and without."""
    swapped = copied(proven.hand)
    swapped["events"][4:6] = swapped["events"][5], swapped["events"][4]
    assert ("event 6 (hand.cards_seen.v1), version", "gap") in faults(swapped)

    swapped["events"][4]["version"], swapped["events"][5]["version"] = 5, 6
    assert ("event 5 (hand.cards_seen.v1), link", "link") in faults(swapped)


def test_a_truncated_tail_is_found_at_the_last_event_that_is_left(proven):
    """The checkpoint has another event at that position."""
    cut = changed(proven.hand, ("events",), proven.hand["events"][:-1])

    (fault,) = faults(cut)
    assert fault == ("event 9 (hand.bonus_granted.v1), inclusion at position 43", "inclusion")


def test_a_replaced_settlement_with_a_chain_made_anew_is_not_in_the_checkpoint(proven):
    """Every link fits; and the transfers come to something else too."""
    replaced = copied(proven.hand)
    last = replaced["events"][-1]
    last["body"] = last["body"].replace('"contributed":', '"contributed":1', 1)
    rechain(replaced)

    assert faults(replaced) == [
        ("event 10 (hand.settled.v1), inclusion at position 43", "inclusion"),
        ("event 10 (hand.settled.v1), settlement.seats.1.contributed", "figure"),
    ]


def test_a_fork_that_was_signed_later_is_found_by_the_checkpoint_that_was_kept(proven, fork):
    """Alone it is flawless: only who has kept a checkpoint sees the other history."""
    assert "grew" in claims(fork.hand)

    assert faults(fork.hand, proven.monday) == [("--previous", "fork")]
    assert faults(fork.player, proven.monday) == [("--previous", "fork")]


def test_a_fork_cannot_prove_that_it_grew_from_the_checkpoint_that_was_kept(proven, fork):
    """With the kept checkpoint put in the place of its own."""
    for proof in (fork.hand, fork.player):
        patched = changed(proof, ("since", "checkpoint"), proven.monday)
        assert ("since.consistency", "fork") in faults(patched, proven.monday)


def test_a_checkpoint_signed_again_with_another_key_is_not_signed(proven):
    """Of the same name; so is a signature by nobody."""
    for note in (signed_again(proven.hand["checkpoint"], OTHER), unsigned(proven.monday)):
        other = changed(proven.hand, ("checkpoint",), note)
        assert ("checkpoint", "signature") in faults(other)
        assert faults(proven.hand, note) == [("--previous", "signature")]
    assert (
        verifier.read_key(OTHER.verifier.text).name == verifier.read_key(SIGNER.verifier.text).name
    )


def test_of_a_size_that_the_file_does_not_know_nothing_is_said(proven, fork):
    """A file made without --since says nothing of an older checkpoint; that is no proof."""
    alone = changed(proven.hand, ("since",), None)

    assert "grew" not in claims(alone)
    ((where, why),) = faults(alone, proven.monday)
    assert (where, "--since" in why) == ("", True)
    assert claims(alone, alone["checkpoint"])[1] == "kept"
    assert faults(alone, fork.hand["checkpoint"]) == [("--previous", "fork")]


def test_a_signed_checkpoint_wants_its_key_and_an_unsigned_one_is_told_so(proven):
    """Whoever checks without a key hears that anybody may have made the file."""
    assert "is signed" in faults(proven.hand, key=None)[0][1]

    bare = changed(proven.hand, ("checkpoint",), unsigned(proven.hand["checkpoint"]))
    bare["since"] = None
    assert claims(bare, key=None)[0] == "unsigned"
    assert faults(bare)[0] == ("checkpoint", "signature")


@pytest.mark.parametrize("line", [2, 3])
def test_a_root_that_is_written_in_another_way_is_not_read(proven, line):
    """Base64 has four ways to write the last of 32 bytes; one of them counts, signed or not."""
    lines = unsigned(proven.hand["checkpoint"]).split("\n")
    *before, root = lines[line].split(" ")
    last = root[-2]
    for other in (f"{root[:-2]}{chr(ord(last) + 1)}=", f"{root[:-1]}A", root[:-1], f"{root}="):
        note = "\n".join([*lines[:line], " ".join([*before, other]), *lines[line + 1 :]])
        assert faults(changed(proven.hand, ("checkpoint",), note)) == [("checkpoint", "unread")]


# --- a player's list -----------------------------------------------------------------------


def test_a_hand_taken_out_of_a_players_list_is_found(proven):
    """With versions as they were, and with versions and links made anew."""
    events = [event for event in proven.player["events"] if '"h-3"' not in event["body"]]
    shorter = changed(proven.player, ("events",), events)
    assert faults(shorter) == [("event 8 (wallet.carry_reserved.v1), version", "gap")]

    for version, event in enumerate(shorter["events"], start=6):
        event["version"] = version
    rechain(shorter, bytes.fromhex(proven.player["since"]["leaf"]["link"]))
    assert faults(shorter) == [("event 7, the last", "cut")]


def test_a_hand_put_into_a_players_list_is_found(proven):
    """Though its links are made anew."""
    longer = copied(proven.player)
    for event in copied(longer["events"][:2]):
        event["version"] = longer["events"][-1]["version"] + 1
        event["body"] = event["body"].replace('"h-3"', '"h-9"')
        longer["events"].append(event)
    rechain(longer, bytes.fromhex(longer["since"]["leaf"]["link"]))

    assert faults(longer) == [("event 11, the last", "cut")]


def test_a_players_list_without_its_end_or_its_beginning_is_found(proven):
    """The last hand cut off; the first; all of them."""
    events = proven.player["events"]

    assert faults(changed(proven.player, ("events",), events[:-2])) == [
        ("event 7, the last", "cut")
    ]
    (fault,) = faults(changed(proven.player, ("events",), events[2:]))
    assert fault == ("event 8 (wallet.carry_reserved.v1), version", "gap")
    assert faults(changed(proven.player, ("events",), [])) == [("event 5, the last", "cut")]


def test_a_players_list_of_another_player_is_found(proven):
    """The links are made with the wallet's own id, and so is the leaf."""
    assert faults(changed(proven.player, ("player",), "bob")) == [
        ("event 6 (wallet.carry_reserved.v1), link", "link"),
        ("since.leaf", "no_leaf"),
    ]


# --- every field, every byte ---------------------------------------------------------------

_OTHER_VALUES: tuple[Any, ...] = (None, "", "x", 7, True, [], {}, ["x"])


def _changes(value):
    """Yield other values that a field may be given."""
    yield from (other for other in _OTHER_VALUES if other != value)
    if isinstance(value, int):
        yield from (value + 1, value - 1, float(value), str(value), value + 2**64)
    if isinstance(value, str):
        yield from (f"{value} ", f" {value}", value.upper(), value[:-1], f"{value}\ud800")


@pytest.mark.parametrize("kind", ["hand", "player"])
def test_every_field_that_is_changed_is_noticed(proven, kind):
    """A file holds nothing that is not proven: no field can be another or absent."""
    proof, tried = getattr(proven, kind), 0
    for path in leaves(proof):
        for other in _changes(at(proof, path)):
            if other == at(proof, path) and type(other) is type(at(proof, path)):
                continue  # nothing in upper case
            assert faults(changed(proof, path, other)), (path, other)
            tried += 1
        without = copied(proof)
        del at(without, path[:-1])[path[-1]]
        assert faults(without), path
    assert tried > 500


@pytest.mark.parametrize("kind", ["hand", "player"])
def test_every_field_that_is_added_is_noticed(proven, kind):
    """Nobody can hide in a proof what is not proven."""
    proof = getattr(proven, kind)
    objects = {path[:end] for path in leaves(proof) for end in range(len(path))}
    for path in sorted(objects, key=str):
        if isinstance(at(proof, path), dict):
            assert faults(changed(proof, (*path, "more"), "ab" * 32)), path
        else:
            more = copied(proof)
            at(more, path).append(at(more, path)[-1])
            assert faults(more), path


@pytest.mark.parametrize("kind", ["hand", "player"])
def test_every_single_byte_that_is_changed_is_noticed(proven, kind):
    """One character of one field after another, by its lowest bit."""
    proof, tried = copied(getattr(proven, kind)), 0
    for path in list(leaves(proof)):
        value = at(proof, path)
        if not isinstance(value, str):
            continue
        place = at(proof, path[:-1])
        for index, character in enumerate(value):
            other = chr(ord(character) ^ 1)
            place[path[-1]] = value[:index] + other + value[index + 1 :]
            assert faults(proof), (path, index)
            tried += 1
        place[path[-1]] = value
    assert faults(proof) == []
    assert tried > 2_000


def test_other_json_is_no_proof():
    """Neither nothing nor another format."""
    others: list[Any] = [None, [], {}, 7, "x", {"format": None}, {"format": ["jinhua-proof/1"]}]
    for other in others:
        ((where, why),) = faults(other)
        assert where == ""
        assert "format" in why


# --- money that was signed, and does not add up --------------------------------------------


@pytest.fixture(scope="module")
def happened():
    """The topics and bodies of a hand."""
    return recorded(next(simulate("jiuyou", hands=1, seed=5)))


@pytest.mark.parametrize("rulebook", [rules.id for rules in published()])
def test_the_money_of_every_rulebook_is_followed(rulebook):
    """Side payments, prizes, side pots, bonuses: the figures come out of the transfers alone."""
    for record in simulate(rulebook, hands=40, seed=3):
        proof = forged(recorded(record), hand=record["hand"], rulebook=rulebook)
        assert "money" in claims(proof), record


def _settled(happened, edit):
    """Return the hand with its settlement edited, signed as if nothing were wrong."""
    *before, (topic, body) = happened
    settled = json.loads(body)
    edit(settled)
    return forged([*before, (topic, json.dumps(settled))])


def test_each_figure_of_a_settlement_is_held_against_the_transfers(happened):
    """One minor unit too much in one of them, and it is named."""
    settlement = json.loads(happened[-1][1])["settlement"]
    for path in leaves(settlement):
        if path[0] in ("rounds", "winners"):
            continue

        def more(settled, path=path):
            at(settled["settlement"], path[:-1])[path[-1]] += 1

        where = f"event {len(happened)} (hand.settled.v1), settlement.{'.'.join(path)}"
        assert faults(_settled(happened, more)) == [(where, "figure")]


def test_winners_and_figures_that_are_absent_are_named(happened):
    """Others than those to whom the pot went, or none; a figure left out, one added."""
    where = f"event {len(happened)} (hand.settled.v1), settlement"
    edits = [
        ("winners", lambda told: told.update(winners=[99])),
        ("winners", lambda told: told.update(winners=[])),
        ("winners", lambda told: told.pop("winners")),
        ("pot", lambda told: told.pop("pot")),
        ("more", lambda told: told.update(more=1)),
    ]
    for name, edit in edits:
        wrong = _settled(happened, lambda settled, edit=edit: edit(settled["settlement"]))
        assert faults(wrong) == [(f"{where}.{name}", "figure")]


MONEY = {
    # why                  the first transfer of the settlement   word
    "from nowhere":       (["bank", "house:rake", 5, "x"],        "transfer"),
    "to nowhere":         (["pot", "seat:99", 5, "won"],          "transfer"),
    "of nothing":         (["pot", "house:rake", 0, "x"],         "transfer"),
    "backwards":          (["pot", "house:rake", -5, "x"],        "transfer"),
    "a truth":            (["pot", "house:rake", True, "x"],      "transfer"),
    "of other wallets":   (["player:ann", "house:rake", 5, "x"],  "transfer"),
    "more than there is": (["pot", "house:rake", 10**12, "x"],    "overdrawn"),
}  # fmt: skip


@pytest.mark.parametrize(("transfer", "word"), MONEY.values(), ids=MONEY)
def test_a_transfer_that_cannot_be_is_named(happened, transfer, word):
    """Though its event was signed."""

    def replace(settled):
        settled["transfers"][0] = transfer

    where = f"event {len(happened)} (hand.settled.v1), transfers.0"
    assert faults(_settled(happened, replace)) == [(where, word)]


def test_a_pot_that_is_not_emptied_and_chips_after_the_end_are_named(happened):
    """Whatever the settlement says."""
    last = len(happened)

    def keep(settled):
        settled["transfers"] = []

    where = f"event {last} (hand.settled.v1), chips left in the pot"
    assert faults(_settled(happened, keep)) == [(where, "figure")]
    late = ("hand.bonus_granted.v1", '{"transfers":[["house:bonus","seat:1",5,"bonus"]]}')
    where = f"event {last + 1} (hand.bonus_granted.v1), transfers.0"
    assert faults(forged([*happened, late])) == [(where, "after")]


def test_a_void_hand_gives_everything_back(happened):
    """And a hand that is not over proves nothing of its end."""
    running = happened[: next(n for n, (topic, _) in enumerate(happened) if "bet" in topic)]
    seats = [seat["seat"] for seat in json.loads(happened[0][1])["seats"]]
    ante = json.loads(happened[0][1])["table"]["ante"]
    assert "running" in claims(forged(running))

    back = [["pot", f"seat:{seat}", ante, "void"] for seat in seats]
    void = ("hand.voided.v1", json.dumps({"reason": "x", "transfers": back}))
    assert "money" in claims(forged([*running, void]))
    back[0][1], where = f"seat:{seats[1]}", f"event {len(running) + 1} (hand.voided.v1), chips of"
    void = ("hand.voided.v1", json.dumps({"reason": "x", "transfers": back}))
    ((place, word),) = faults(forged([*running, void]))
    assert (place.startswith(where), word) == (True, "figure")


def test_a_body_that_is_no_events_is_named(happened):
    """Signed or not."""
    for body in ("", "[]", "{", '{"a":1,"a":2}', '"x"'):
        odd = [*happened[:3], ("hand.folded.v1", body), *happened[3:]]
        assert ("event 4 (hand.folded.v1), body", "unread") in faults(forged(odd))
    ((where, word),) = faults(forged(happened[1:]))[:1]
    assert (where, word) == ("proof", "unlike")


# --- rulebook, deck and sealed cards -------------------------------------------------------


def test_another_rulebook_than_the_pinned_one_is_named(happened):
    """Other content, or another id under the same content."""
    proof = forged(happened)
    edited = proof["rulebook"]["content"].replace('"rake_bp":500', '"rake_bp":400')
    assert edited != proof["rulebook"]["content"]

    assert faults(changed(proof, ("rulebook", "content"), edited)) == [
        ("rulebook.content.digest", "figure")
    ]
    digest = sha256(edited.encode()).hexdigest()
    proof["rulebook"] |= {"content": edited, "digest": digest}
    assert faults(proof) == [("rulebook.digest", "figure")]


SALT = "5a" * 32
SUITS = "shdc"
DECK = [rank + suit for rank in "AKQJT98765432" for suit in SUITS]


def _committed(happened, deck, *, disclosed=None, cards=None):
    """Return a hand whose opening commits to a deck, which is disclosed at its end."""
    opening = json.loads(happened[0][1])
    fields = (
        b"jinhua.deck.v1",
        b"h-1",
        find("jiuyou").digest.encode(),
        bytes.fromhex(SALT),
        deck.encode(),
    )
    data = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
    opening["commitment"] = sha256(data).hexdigest()
    events = [(happened[0][0], json.dumps(opening)), *happened[1:]]
    if cards is not None:
        index = next(n for n, (topic, _) in enumerate(events) if topic == "hand.cards_dealt.v1")
        events[index] = (events[index][0], cards)
    if disclosed is not None:
        events.append(("hand.deck_disclosed.v1", json.dumps({"salt": SALT, "deck": disclosed})))
    return forged(events)


def _deck_of(happened):
    """Return a deck that gives the seats of a hand what they were dealt."""
    opening = json.loads(happened[0][1])
    dealt = json.loads(next(body for topic, body in happened if topic == "hand.cards_dealt.v1"))
    order = [seat["seat"] for seat in opening["seats"]]
    if json.loads(find("jiuyou").canonical)["direction"] == "counter_clockwise":
        order.reverse()
    first = order.index(opening["dealer"])
    order = order[first:] + order[:first]
    held = [dealt["cards"][str(seat)] for seat in order]
    top = [cards[place : place + 2] for place in (0, 2, 4) for cards in held]
    return "".join(top + [card for card in DECK if card not in top])


def test_a_deal_is_proven_by_the_deck_that_was_committed_to(happened):
    """Disclosed as it was committed to, and dealt from the top."""
    deck = _deck_of(happened)

    assert "deck_proven" in claims(_committed(happened, deck, disclosed=deck))
    assert "deck_not_disclosed" in claims(_committed(happened, deck))
    assert "deck_absent" in claims(forged(happened))


def test_another_deck_than_the_committed_one_is_named(happened):
    """And so are cards that it does not give."""
    deck, last = _deck_of(happened), len(happened)
    other = deck[-2:] + deck[:-2]

    where = f"event {last + 1} (hand.deck_disclosed.v1), deck"
    assert faults(_committed(happened, deck, disclosed=other)) == [(where, "figure")]
    ((place, word),) = faults(_committed(happened, other, disclosed=other))
    assert ("(hand.cards_dealt.v1), cards." in place, word) == (True, "figure")


def test_a_deck_that_is_none_proves_nothing(happened):
    """Though it was committed to, and gives the cards dealt: one card twice, or one short."""
    deck, place = _deck_of(happened), f"event {len(happened) + 1} (hand.deck_disclosed.v1), deck"

    for odd in (deck[:-2] + deck[-4:-2], deck[:-2], f"{deck}As", deck[:-1]):
        assert faults(_committed(happened, odd, disclosed=odd)) == [
            (f"{place}, in order", "figure")
        ]


@pytest.mark.parametrize("topic", ["hand.cards_dealt.v1", "hand.deck_disclosed.v1"])
def test_a_second_deal_or_deck_is_named(happened, topic):
    """Which of them counts, nobody could tell."""
    deck = _deck_of(happened)
    cards = next(body for name, body in happened if name == "hand.cards_dealt.v1")
    body = cards if "dealt" in topic else json.dumps({"salt": SALT, "deck": deck})
    twice = _committed([*happened, (topic, body)], deck, disclosed=deck)

    assert faults(twice) == [(f"events, how many are {topic}", "figure")]


def _sealed(happened, key, *, version=None):
    """Return the cards of a hand, sealed for their place, with their version and key."""
    index = next(n for n, (topic, _) in enumerate(happened) if topic == "hand.cards_dealt.v1")
    place = version or index + 1
    body = CardKeys([key]).sealed("hand:h-1", place, *happened[index])
    return str(index + 1), body, CardKey(key).event_key("hand:h-1", place).hex()


def test_sealed_cards_are_opened_where_the_file_has_their_key(happened):
    """Without it the deal is not proven, and everything else is."""
    deck = _deck_of(happened)
    version, body, key = _sealed(happened, bytes(range(32)))
    proof = _committed(happened, deck, disclosed=deck, cards=body)

    assert {"money", "deck_sealed"} <= set(claims(proof))
    assert "deck_proven" in claims(changed(proof, ("keys", version), key))


def test_a_key_that_opens_nothing_is_named(happened):
    """Another key, one for an event that is not sealed, one for none, a seal of another place."""
    version, body, key = _sealed(happened, bytes(range(32)))
    proof = _committed(happened, _deck_of(happened), cards=body)
    where = f"event {version} (hand.cards_dealt.v1), body or key"

    assert (where, "unread") in faults(changed(proof, ("keys", version), bytes(32).hex()))
    assert ("keys.99", "unread") in faults(changed(proof, ("keys", "99"), key))
    assert "unread" in {word for _, word in faults(changed(proof, ("keys", "1"), key))}
    _, moved, key = _sealed(happened, bytes(range(32)), version=77)
    proof = _committed(happened, _deck_of(happened), cards=moved)
    assert (where, "unread") in faults(changed(proof, ("keys", version), key))
