"""``jinhua shuffle``: a deck drawn together, shuffled again by whoever checks."""

import io
import json
import re

import pytest

from adapters.cli import main
from adapters.shuffle import commit_secret
from domain.deck import is_deck
from tests.adapters.test_shuffle import GIVEN, GOLDEN, SECRET

THEIRS = [word for one in GIVEN for word in ("--given", one.hex())]
SHUFFLE = ("shuffle", "--secret", SECRET.hex(), *THEIRS)


@pytest.fixture
def jinhua(capfd):
    """Run a command: its status, and what it printed, read as JSON if asked."""

    def run(*words):
        status = main(words)
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, json.loads(out) if out and "--json" in words else out or err

    return run


def test_what_the_house_draws_is_what_it_shuffles_by(jinhua):
    """Secret, commitment and salt, new each time; then the deck, and the check of it."""
    (first, drawn), (_, other) = jinhua("shuffle", "--json"), jinhua("shuffle", "--json")
    by = ("shuffle", "--secret", drawn["secret"], *THEIRS)
    status, done = jinhua(*by, "--json")

    assert (0, 0) == (first, status)
    assert {"secret", "commitment", "salt"} == drawn.keys()
    assert not set(drawn.values()) & set(other.values())
    assert all(re.fullmatch("[0-9a-f]{64}", digits) for digits in drawn.values())
    assert drawn["commitment"] == done["commitment"]
    assert is_deck(done["deck"])
    assert 0 == jinhua(*by, "--commitment", drawn["commitment"], "--deck", done["deck"])[0]
    assert ["secret", "commitment", "salt"] == [
        line.split()[0] for line in jinhua("shuffle")[1].splitlines()
    ]


def test_a_deck_is_shuffled_again_as_the_house_did(jinhua, monkeypatch):
    """Pinned; and a secret that nobody may see is read, not given as an option."""
    found = {"commitment": commit_secret(SECRET), "deck": GOLDEN, "differs": []}
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{SECRET.hex()}\n"))

    assert (0, found) == jinhua(*SHUFFLE, "--json")
    assert (0, found) == jinhua("shuffle", "--secret", "-", *THEIRS, "--json")
    assert GOLDEN in jinhua(*SHUFFLE)[1]


WRONG = {
    # what is another             options                                differs
    "the secret committed to":    (("--commitment", "ab" * 32),          ["commitment"]),
    "the deck dealt from":        (("--deck", GOLDEN[2:] + GOLDEN[:2]),  ["deck"]),
    "what a player gave":         (("--given", "00", "--deck", GOLDEN),  ["deck"]),
    "both":                       (("--commitment", "", "--deck", ""),   ["commitment", "deck"]),
}  # fmt: skip


@pytest.mark.parametrize(("options", "differs"), WRONG.values(), ids=WRONG)
def test_what_the_house_told_wrongly_is_exit_3(jinhua, options, differs):
    """And it is named."""
    status, found = jinhua(*SHUFFLE, *options, "--json")
    _, said = jinhua(*SHUFFLE, *options)

    assert (3, differs) == (status, found["differs"])
    assert all(f"the {what} that was told is another" in said for what in differs)


UNUSABLE = {
    "a secret that is too short": ("--secret", "5f2c"),
    "a secret that is no digits": ("--secret", "x" * 64),
    "half a byte of a player": ("--secret", SECRET.hex(), "--given", "abc"),
    "a contribution and no secret": ("--given", "ab"),
    "a deck and no secret": ("--deck", GOLDEN),
}


@pytest.mark.parametrize("options", UNUSABLE.values(), ids=UNUSABLE)
def test_what_cannot_be_used_is_exit_2_and_is_not_repeated(jinhua, options):
    """It may be a secret."""
    status, said = jinhua("shuffle", *options)

    assert 2 == status
    assert "--secret" in said or "--given" in said
    assert not any(value in said for value in options[1::2])
