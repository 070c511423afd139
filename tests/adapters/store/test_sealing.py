"""Cards at rest: sealed under a key for each event, opened with it, and guessed by nobody."""

import json
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from zlib import crc32

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import SecretStr

from adapters.appending.batches import Append, Replayed, Stored, prepare
from adapters.appending.fingerprints import fingerprint
from adapters.appending.recorder import append_prepared
from adapters.cli import main
from adapters.console.options import Where
from adapters.errors import CardKeyMissingError, UnreadableEventError
from adapters.ledger import Ledger
from adapters.settings import Settings
from adapters.store.codec import Codec, encode
from adapters.store.postgres import Store
from adapters.store.sealing import (
    NO_KEYS,
    SEALED_TOPICS,
    CardKey,
    CardKeys,
    sealed_under,
)
from adapters.views.projector import ROLE, Projector
from domain.errors import BadDealError, CommandIdReusedError
from domain.events import TOPICS, CardsDealt, HandSettled
from domain.stream import Cause, Entry
from tests.adapters.play import DEAL, balance, do, fund, lines, sit_down, vectors
from tests.adapters.stored import event_at, execute, replace, rows

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
OLD_ID, NEW_ID = CardKey(OLD).id, CardKey(NEW).id
KEYS, ROTATED = CardKeys([OLD]), CardKeys([NEW, OLD])
TOPIC = CardsDealt.TOPIC
BODY = encode(CardsDealt(cards=dict(DEAL)))
PLACE = ("hand:h-1", 4)


def _ledger(dsn: str, cards: CardKeys) -> Ledger:
    return Ledger(Store(dsn, cards=cards))


@pytest.fixture
def sealing(store_dsn: str) -> Iterator[Ledger]:
    """An empty ledger that seals; two players have chips."""
    with _ledger(store_dsn, KEYS) as ledger:
        fund(ledger, "ann", "bob", amount=1_000_000)
        yield ledger


def _deal(dsn: str, hand: str = "h-1") -> tuple[int, str]:
    """Return where a deal is stored, and how."""
    query = "SELECT position, body FROM events WHERE topic = %s AND originator_id = %s"
    ((position, body),) = rows(dsn, query, [TOPIC, f"hand:{hand}"])
    return position, body


# --- one body ----------------------------------------------------------------------------


def test_what_is_sealed_comes_back_byte_for_byte():
    """Under the key that is named in it, and nothing of the cards is left to be read."""
    sealed = KEYS.sealed(*PLACE, TOPIC, BODY)

    assert KEYS.unsealed(*PLACE, TOPIC, sealed, 9) == BODY
    assert sealed_under(sealed) == OLD_ID
    assert list(json.loads(sealed)) == ["sealed"]
    assert not any(cards in sealed for cards in DEAL.values())


def test_events_with_cards_are_sealed_and_no_others():
    """Whatever else has a field of cards must say that it is secret."""
    with_cards = {topic for topic, event in TOPICS.items() if "cards" in event.model_fields}

    assert with_cards == SEALED_TOPICS == {TOPIC}
    assert KEYS.sealed("hand:h-1", 5, HandSettled.TOPIC, '{"a":1}') == '{"a":1}'


def test_without_a_key_a_body_is_stored_as_it_is():
    """Nothing changes for whoever sets none; what was stored so is read with a key too."""
    assert NO_KEYS.sealed(*PLACE, TOPIC, BODY) == BODY
    assert KEYS.unsealed(*PLACE, TOPIC, BODY, 9) == BODY


def test_the_same_cards_are_sealed_differently_each_time():
    """Or whoever knows one hand's cards would find them again in another."""
    assert len({KEYS.sealed(*PLACE, TOPIC, BODY) for _ in range(20)}) == 20


ELSEWHERE = {
    "another hand": ("hand:h-2", 4, TOPIC),
    "another version": ("hand:h-1", 5, TOPIC),
    "a boundary moved": ("hand:h-", 14, TOPIC),
}


@pytest.mark.parametrize("case", ELSEWHERE)
def test_a_sealed_body_opens_in_its_own_place_alone(case):
    """Cards cannot be moved from hand to hand under their seal."""
    sealed = KEYS.sealed(*PLACE, TOPIC, BODY)

    with pytest.raises(UnreadableEventError, match=r"position 9.*seal is broken"):
        KEYS.unsealed(*ELSEWHERE[case], sealed, 9)


def test_whatever_is_changed_in_a_seal_breaks_it():
    """Every character of it counts, and what is cut off."""
    sealed = KEYS.sealed(*PLACE, TOPIC, BODY)
    start = sealed.index(":", len('{"sealed":')) + 1
    changed = [
        sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :]
        for at in range(start, len(sealed) - 4)
    ]

    for damaged in [*changed, sealed[:-10] + '"}', '{"sealed":7}', '{"sealed":"00:"}']:
        with pytest.raises(UnreadableEventError, match="seal is broken"):
            KEYS.unsealed(*PLACE, TOPIC, damaged, 9)


def _opened(key: bytes, stream: str, version: int, topic: str, body: str) -> str:
    """Open a sealed body with its event's key and nothing of ours, as ADR 0017 writes it down."""
    sealed = b64decode(json.loads(body)["sealed"].split(":")[1])
    parts = (b"jinhua.cards.v1", stream.encode(), str(version).encode(), topic.encode())
    bound = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return AESGCM(key).decrypt(sealed[:12], sealed[12:], bound).decode()


def test_the_key_of_one_event_opens_that_event_alone():
    """So it may be told, as a proof, and nothing else with it; and only as of its topic."""
    key, sealed = CardKey(OLD).event_key(*PLACE), KEYS.sealed(*PLACE, TOPIC, BODY)

    assert _opened(key, *PLACE, TOPIC, sealed) == BODY
    with pytest.raises(InvalidTag):
        _opened(key, *PLACE, "hand.cards_dealt.v2", sealed)
    for stream, version, topic in ELSEWHERE.values():
        other = KEYS.sealed(stream, version, topic, BODY)
        with pytest.raises(InvalidTag):
            _opened(key, stream, version, topic, other)


def test_keys_are_derived_as_they_always_were():
    """Known answers: what was sealed once must open for ever."""
    assert OLD_ID == sha256(b"jinhua.card-key.v1" + OLD).hexdigest()[:8] == "1f3dfc34"
    assert (
        CardKey(OLD).event_key(*PLACE).hex()
        == "fc4b34b916c3df03e88f092377129342706538c33a78f029a5458d4334c94b6b"
    )
    assert KEYS.unsealed(*PLACE, TOPIC, KNOWN, 9) == BODY


KNOWN = (
    '{"sealed":"1f3dfc34:tW7Rm1I8+qEV6H0eWrVbVLyfsncN1PBoJLCD3/Gm2pEaHezwj9vMXuPmKdq2'
    '2WVkf21x93/h+m2F0cGpmV1BfU4="}'
)


def test_a_new_key_seals_and_the_old_one_still_opens():
    """Rotation: the new key is put first, and the old one kept."""
    before, after = KEYS.sealed(*PLACE, TOPIC, BODY), ROTATED.sealed(*PLACE, TOPIC, BODY)

    assert (sealed_under(before), sealed_under(after)) == (OLD_ID, NEW_ID)
    assert ROTATED.unsealed(*PLACE, TOPIC, before, 9) == BODY
    with pytest.raises(CardKeyMissingError, match=f"under key {NEW_ID}, which JINHUA_CARD_KEY"):
        KEYS.unsealed(*PLACE, TOPIC, after, 9)


def test_a_key_is_in_no_text():
    """Neither of the settings nor of what holds it."""
    told = repr([Settings(card_key=SecretStr(OLD.hex())), KEYS, CardKey(OLD), vars(KEYS)])

    assert OLD.hex() not in told
    assert repr(OLD) not in told


# --- settings ----------------------------------------------------------------------------

BAD = {
    "too short": "ab" * 31,
    "too long": "ab" * 33,
    "no hexadecimal digits": "zz" * 32,
    "one of two": f"{OLD.hex()},secret",
    "nothing between commas": f"{OLD.hex()},,{NEW.hex()}",
    "another separator": f"{OLD.hex()};{NEW.hex()}",
}


@pytest.mark.parametrize("case", BAD)
def test_a_malformed_key_is_exit_2_and_is_not_repeated(case, monkeypatch, capfd, database):
    """The line says what a key looks like."""
    monkeypatch.setenv("JINHUA_CARD_KEY", BAD[case])

    status = main(["verify", "--dsn", database])
    out, err = capfd.readouterr()

    assert (status, out) == (2, "")
    assert "card_key" in err
    assert "64 hexadecimal digits" in err
    assert not any(part in err for part in BAD[case].replace(";", ",").split(",") if part)


def test_keys_come_from_the_environment_in_order(monkeypatch):
    """The first seals."""
    monkeypatch.setenv("JINHUA_CARD_KEY", f"{NEW.hex().upper()}, {OLD.hex()}")
    assert Where().settings.card_keys == (NEW, OLD)

    monkeypatch.setenv("JINHUA_CARD_KEY", "")
    assert Where().settings.card_keys == ()


# --- a ledger ----------------------------------------------------------------------------


def _play(ledger: Ledger, hand: str = "h-1") -> None:
    sit_down(ledger, hand)
    do(ledger, 1, "look", hand=hand)
    do(ledger, 1, "call", hand=hand)
    do(ledger, 2, "fold", hand=hand)


def test_a_hand_is_played_verified_and_projected_under_its_seal(sealing, store_dsn):
    """Every reader of the history opens it; the store itself has no card in it."""
    _play(sealing)
    with Store(store_dsn, role=ROLE, cards=KEYS) as store:
        projector = Projector(store, batch=3)
        projector.rebuild()

        assert not list(projector.compare_with_fresh_fold())
        assert not projector.parked()
    assert not list(sealing.verify())
    assert sealing.hand("h-1")[3].entry.event == CardsDealt(cards=dict(DEAL))
    assert balance(sealing, "ann") > 1_000_000
    assert sealed_under(_deal(store_dsn)[1]) == OLD_ID


def test_a_hand_goes_on_after_the_key_was_changed(sealing, store_dsn):
    """Begun before there was a key, or under the old one."""
    with _ledger(store_dsn, NO_KEYS) as before:
        sit_down(before, "h-0")
    sit_down(sealing, "h-1")

    with _ledger(store_dsn, ROTATED) as after:
        for hand in ("h-0", "h-1"):
            do(after, 1, "fold", hand=hand)
        _play(after, "h-2")
        found = list(after.verify())

    sealed = [sealed_under(_deal(store_dsn, hand)[1]) for hand in ("h-0", "h-1", "h-2")]
    assert sealed == [None, OLD_ID, NEW_ID]
    assert not found


def test_imported_hands_are_sealed_and_recognised(store_dsn):
    """A file that is imported again, after a rotation too, finds its hands stored."""
    record, other = vectors("jiuyou")[:2]
    with _ledger(store_dsn, KEYS) as ledger:
        assert ledger.import_hands(lines(record, other)).hands == 2
    with _ledger(store_dsn, ROTATED) as ledger:
        again = ledger.import_hands(lines(record, other))

        assert (again.hands, again.already, again.refused) == (0, 2, [])
        assert not list(ledger.verify())
    bodies = rows(store_dsn, "SELECT body FROM events WHERE topic = %s", [TOPIC])
    assert [sealed_under(body) for (body,) in bodies] == [OLD_ID, OLD_ID]


def test_the_base_library_reads_and_writes_what_is_sealed(sealing, store_dsn):
    """Its recorder seals what comes in the clear, and its mapper opens."""
    _play(sealing)
    codec = Codec(KEYS)
    entries = [codec.to_domain_event(row) for row in sealing.recorder.select_events("hand:h-1")]
    execute(store_dsn, "TRUNCATE events, receipts")
    deal = next(entry for entry in entries if entry.event.SECRET)
    stored = codec.to_stored_event(Codec().to_domain_event(codec.to_stored_event(deal)))
    alone = [type(stored)("hand:x", 1, TOPIC, stored.state, 0, stored.cause)]

    assert [1] == list(sealing.recorder.insert_events(alone))
    assert [1] == list(sealing.recorder.insert_events(alone))

    (row,) = sealing.recorder.select_events("hand:x")
    assert sealed_under(row.state.decode()) == OLD_ID
    assert codec.to_domain_event(row).event == deal.event


def test_a_batch_that_is_given_again_stores_the_same_bytes(sealing, store_dsn):
    """It is sealed once, when it is made ready, however often it has to be tried."""
    _play(sealing)
    (row,) = sealing.recorder.select_events("hand:h-1", gt=3, lte=4)
    deal = Codec(KEYS).to_domain_event(row)
    entry = Entry("hand:x", 1, deal.event, Cause("c-1", "table-1", deal.cause.at))
    ready = prepare(Append("c-1", fingerprint("test", {}), [entry], "{}"), KEYS)

    first, again = (append_prepared(sealing.store, [ready])[0] for _ in range(2))

    assert (type(first), type(again)) == (Stored, Replayed)
    assert _deal(store_dsn, "x")[1] == ready.rows[0].body
    assert sealed_under(ready.rows[0].body) == OLD_ID


# --- what is missing or broken -------------------------------------------------------------


def test_a_missing_key_is_told_apart_from_tampering(sealing, store_dsn, monkeypatch, capfd):
    """Exit 1, and the key's name; what needs no card goes on."""
    _play(sealing)
    monkeypatch.setenv("JINHUA_CARD_KEY", NEW.hex())
    capfd.readouterr()

    for words in (["verify"], ["verify", "h-1", "--json"], ["show", "h-1"], ["explain", "h-1"]):
        assert main([*words, "--dsn", store_dsn]) == 1
        out, err = capfd.readouterr()
        assert out == ""
        assert f"cards are sealed under key {OLD_ID}, which JINHUA_CARD_KEY does not hold" in err
    assert main(["doctor", "--deep", "--dsn", store_dsn]) == 0


def test_without_the_key_nothing_is_parked(sealing, store_dsn):
    """A projection waits where it is: given the key it goes on, and lacks nothing."""
    _play(sealing)
    with Store(store_dsn, role=ROLE) as store:
        keyless = Projector(store)
        keyless.rebuild(["bonuses", "hands"])
        for name in ("balances", "house", "audit_trail"):
            with pytest.raises(CardKeyMissingError):
                keyless.rebuild([name])
        assert not keyless.parked()
    with Store(store_dsn, role=ROLE, cards=KEYS) as store:
        Projector(store).rebuild()
        assert not list(Projector(store).compare_with_fresh_fold())


def test_a_broken_seal_is_a_discrepancy_and_is_parked_sealed(sealing, store_dsn):
    """Another hand's cards under this one's place; what is kept aside is still sealed."""
    for hand in ("h-1", "h-2"):
        _play(sealing, hand)
    position, _ = _deal(store_dsn)
    replace(store_dsn, position, TOPIC, _deal(store_dsn, "h-2")[1])

    found = list(sealing.verify())
    with Store(store_dsn, role=ROLE, cards=KEYS) as store:
        Projector(store).rebuild()
        parked = Projector(store).parked()
    kept = rows(store_dsn, "SELECT DISTINCT topic, body FROM parked_events")
    execute(store_dsn, "TRUNCATE parked_events")

    assert {d.hand for d in found} == {"h-1"}
    assert {(one.projection, one.position) for one in parked} >= {
        ("audit_trail", position),
        ("balances", position),
    }
    assert all("seal is broken" in one.reason for one in parked)
    assert kept == [event_at(store_dsn, position)]
    assert sealed_under(kept[0][1]) == OLD_ID


# --- receipts and refusals -----------------------------------------------------------------


def _receipt(dsn: str, command_id: str) -> tuple[bytes, dict[str, int | str]]:
    query = "SELECT digest, fields FROM receipts WHERE command_id = %s"
    ((digest, fields),) = rows(dsn, query, [command_id])
    return digest, json.loads(fields)


def test_cards_cannot_be_guessed_from_a_receipt(sealing, store_dsn):
    """Neither the digest nor a checksum is what anybody can compute; the key's name is there."""
    sit_down(sealing)
    digest, sums = _receipt(store_dsn, "open:h-1")
    with _ledger(store_dsn, NO_KEYS) as bare:
        fund(bare, "cai", "dan")
        sit_down(bare, "h-2", players=("cai", "dan"))
    bare_digest, bare_sums = _receipt(store_dsn, "open:h-2")
    guess = crc32(json.dumps(DEAL[1]).encode())

    assert bare_sums["deal.1"] == guess  # so the guess is a good one
    assert sums["deal.1"] != guess
    assert (sums["card_key"], "card_key" in bare_sums) == (OLD_ID, False)
    assert digest != bare_digest


def test_the_same_deal_leaves_other_checksums_in_another_hand(sealing, store_dsn):
    """Or a hand that ended would tell the cards of one that runs."""
    for hand in ("h-1", "h-2"):
        sit_down(sealing, hand)
    (first, sums), (second, others) = (_receipt(store_dsn, f"open:h-{n}") for n in (1, 2))

    assert first != second
    assert not [name for name in sums if name.startswith("deal.") and sums[name] == others[name]]
    assert sums["table.ante"] == others["table.ante"]


AGAIN = {
    "under the same key": (KEYS, KEYS),
    "after a rotation": (KEYS, ROTATED),
    "since there is a key": (NO_KEYS, KEYS),
    "never a key": (NO_KEYS, NO_KEYS),
}


@pytest.mark.parametrize("case", AGAIN)
def test_a_deal_given_again_gets_its_first_answer(case, store_dsn):
    """With other cards it is refused, and the seat is named."""
    first, later = AGAIN[case]
    with _ledger(store_dsn, first) as ledger:
        fund(ledger, "ann", "bob")
        receipt = sit_down(ledger)
    with _ledger(store_dsn, later) as ledger:
        again = sit_down(ledger)
        with pytest.raises(CommandIdReusedError) as refused:
            sit_down(ledger, deal={**DEAL, 2: "2c4d8h"})
        with pytest.raises(CommandIdReusedError):
            ledger.deposit("ann", 5, command_id="open:h-1")

    assert (again.status, again.text) == ("replayed", receipt.text)
    assert refused.value.numbers["field"] == "deal.2"


def test_without_its_key_a_deal_given_again_is_no_other_command(sealing, store_dsn):
    """It is not known whether it is the same: that is said, and nothing is refused."""
    sit_down(sealing)

    with (
        _ledger(store_dsn, CardKeys([NEW])) as other,
        pytest.raises(CardKeyMissingError, match=OLD_ID),
    ):
        sit_down(other)
    digest, fields = _receipt(store_dsn, "open:h-1")
    assert len(digest) == 32
    assert fields["card_key"] == OLD_ID


def test_a_refused_deal_is_kept_under_a_keyed_digest(sealing, store_dsn):
    """It may be dealt a moment later."""
    with pytest.raises(BadDealError):
        sit_down(sealing, deal={**DEAL, 2: "2c4dXx"}, command_id="o-1")
    with _ledger(store_dsn, NO_KEYS) as bare, pytest.raises(BadDealError):
        sit_down(bare, deal={**DEAL, 2: "2c4dXx"}, command_id="o-1")
    keyed, guessed = (refusal.digest for refusal in sealing.refusals())

    assert keyed != guessed
    assert len(keyed) == 32


def test_commands_without_cards_are_remembered_as_ever(sealing, store_dsn):
    """A key changes nothing for them."""
    digest, fields = _receipt(store_dsn, "fund:ann")
    plain = fingerprint("deposit", {"player": "ann", "amount": 1_000_000, "actor": "cashier"})

    assert (digest, fields) == (plain.digest, json.loads(plain.fields))
    assert sealing.store.cards is KEYS
