"""The shuffle for decks to play: what decides it, that no order is favoured, and its reveal."""

import hashlib
from collections import Counter
from itertools import islice, permutations

import pytest

from adapters.shuffle import (
    below,
    commit_secret,
    in_new_order,
    is_revealed,
    new_salt,
    new_secret,
    shuffled,
    stream,
)
from domain.cards import DECK, split
from domain.deck import is_deck

SECRET = bytes(range(32))
GIVEN = [b"ann", b"", b"bob"]
GOLDEN = (
    "4c4d7sKsTc7cJh6d4h9h3sAs9dAd5hJsQdKh9c3h8d3cKcKdQh6s"
    "Ah5d8hQs6h7hAcTsJd2c9sTd5s8c6c2dQc2s5c3d4sThJc2h7d8s"
)


def prefixed(*fields: bytes) -> bytes:
    """Return each field after its length, as the rule says."""
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


# --- a deck ------------------------------------------------------------------------------


def test_a_deck_follows_from_the_secret_and_the_contributions():
    """Pinned: whoever shuffles again, years later, gets the same order."""
    assert GOLDEN == shuffled(SECRET, GIVEN)


def test_anybody_can_shuffle_again():
    """Written out here: SHA-256 with a counter, a byte at a time, Fisher and Yates downwards."""
    seed = hashlib.sha256(prefixed(b"jinhua.shuffle.v1", SECRET, *GIVEN)).digest()
    blocks = (hashlib.sha256(seed + n.to_bytes(8, "big")).digest() for n in range(100))
    drawn = [byte for block in blocks for byte in block]
    cards = list(DECK)
    for last in range(51, 0, -1):
        while drawn[0] >= 256 // (last + 1) * (last + 1):
            drawn.pop(0)
        chosen = drawn.pop(0) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]

    assert "".join(cards) == shuffled(SECRET, GIVEN)


OTHERS = {
    # what is another              secret           contributions
    "the secret":                 (bytes(32),       GIVEN),
    "a contribution":             (SECRET,          [b"ann", b"", b"boc"]),
    "their order":                (SECRET,          [b"bob", b"", b"ann"]),
    "one more that is empty":     (SECRET,          [*GIVEN, b""]),
    "where one ends":             (SECRET,          [b"an", b"n", b"bob"]),
    "nobody contributes":         (SECRET,          []),
}  # fmt: skip


@pytest.mark.parametrize(("secret", "contributions"), OTHERS.values(), ids=OTHERS)
def test_whatever_is_another_makes_another_deck(secret, contributions):
    """Of the house or of a player, and always all 52 cards."""
    deck = shuffled(secret, contributions)

    assert is_deck(deck)
    assert GOLDEN != deck


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)], ids=len)
def test_a_secret_has_32_bytes(secret):
    """One that could be guessed is a fault of the caller."""
    with pytest.raises(AssertionError):
        shuffled(secret, GIVEN)
    with pytest.raises(AssertionError):
        commit_secret(secret)


# --- no order is favoured ----------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 7, 51, 52, 100, 255, 256])
def test_each_number_is_drawn_from_as_many_bytes(limit):
    """Of all 256 values, so many are passed over that the rest divide evenly."""
    fair = 256 // limit * limit
    counts = Counter(below(limit, iter([byte])) for byte in range(fair))

    assert dict.fromkeys(range(limit), 256 // limit) == counts


@pytest.mark.parametrize("limit", [3, 5, 6, 7, 51, 52, 100, 255])
def test_every_byte_that_would_favour_a_number_is_passed_over(limit):
    """Each of them alone, and all together."""
    fair = 256 // limit * limit
    unfair = list(range(fair, 256))

    assert unfair
    assert {limit - 1} == {below(limit, iter([byte, fair - 1])) for byte in unfair}
    assert 0 == below(limit, iter([*unfair, 0]))


def test_a_shuffle_takes_the_next_byte_where_one_is_passed_over():
    """Of three cards 255 decides nothing: the order is that of the bytes after it."""
    assert ["c", "b", "a"] == in_new_order("abc", iter([0, 1]))
    assert ["c", "b", "a"] == in_new_order("abc", iter([255, 255, 0, 1]))


def test_every_order_comes_from_as_many_bytes():
    """Of four cards, over every choice that there is: each of 24 orders once."""
    orders = [
        "".join(in_new_order("abcd", iter(chosen)))
        for chosen in ((a, b, c) for a in range(4) for b in range(3) for c in range(2))
    ]

    assert sorted("".join(order) for order in permutations("abcd")) == sorted(orders)


def test_in_many_shuffles_every_order_is_about_as_frequent():
    """20,000 shuffles of four cards from fixed seeds: chi-square, far from its bound."""
    shuffles = 20_000
    orders = Counter(
        "".join(in_new_order("abcd", stream(n.to_bytes(32, "big")))) for n in range(shuffles)
    )
    expected = shuffles / 24

    chi_square = sum((count - expected) ** 2 / expected for count in orders.values())

    assert 24 == len(orders)
    assert chi_square < 60  # 23 degrees of freedom: exceeded by chance once in 30,000


def test_in_many_decks_every_card_comes_first_about_as_often():
    """And last: 5,200 decks from fixed secrets, a hundred times each card."""
    decks = [split(shuffled(n.to_bytes(32, "big"), [])) for n in range(5_200)]
    for place in (0, 51):
        firsts = Counter(deck[place] for deck in decks)
        chi_square = sum((firsts[card] - 100) ** 2 / 100 for card in DECK)
        assert chi_square < 110  # 51 degrees of freedom: exceeded by chance once in 300,000


def test_the_stream_goes_on_with_a_counter():
    """Two blocks, as anybody computes them."""
    blocks = [hashlib.sha256(SECRET + n.to_bytes(8, "big")).digest() for n in range(2)]

    assert b"".join(blocks) == bytes(islice(stream(SECRET), 64))


# --- commit, then reveal -----------------------------------------------------------------


def test_a_revealed_secret_is_the_one_committed_to():
    """And no other; the commitment is what anybody computes."""
    commitment = commit_secret(SECRET)

    assert hashlib.sha256(prefixed(b"jinhua.secret.v1", SECRET)).hexdigest() == commitment
    assert is_revealed(commitment, SECRET)
    assert not is_revealed(commitment, bytes(32))
    assert not is_revealed(commitment, SECRET[:-1])
    assert not is_revealed(commitment.upper(), SECRET)


@pytest.mark.parametrize("draw", [new_salt, new_secret])
def test_a_secret_and_a_salt_are_new_each_time(draw):
    """32 bytes from the system."""
    drawn = {draw() for _ in range(100)}

    assert 100 == len(drawn)
    assert {32} == {len(one) for one in drawn}
