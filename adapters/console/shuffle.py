"""``jinhua shuffle``: decks that neither the house nor the players alone choose, and the check."""

import sys
from collections.abc import Sequence
from typing import Annotated, Final

from cyclopts import Parameter

from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.output import AsJson, print_json, say
from adapters.shuffle import (
    SECRET_LENGTH,
    commit_secret,
    is_revealed,
    new_salt,
    new_secret,
    shuffled,
)

_READ: Final = "-"


def shuffle(
    *,
    secret: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    given: Annotated[Sequence[str], Parameter(negative=())] = (),
    commitment: str | None = None,
    deck: str | None = None,
    json: AsJson = False,
) -> int:
    """Draw a secret to shuffle by; or shuffle by it, before the hand or again afterwards.

    First, without options, the house draws a secret and publishes the commitment to it. Then each
    player contributes, and the house shuffles by all of these. (The salt is for the commitment to
    the deck, which the hand opens with.) Once the hand is over, the secret and what everybody gave
    are published, and whoever shuffles again gets the same deck. The exit status is 3 if the house
    dealt from another deck, or had committed to another secret.

    For example:

        jinhua shuffle
        echo 5f2c… | jinhua shuffle --secret - --given 616e6e --given 626f
        jinhua shuffle --secret 5f2c… --given 616e6e --given 626f --commitment 08ab… --deck AsKd…

    Parameters:
        secret: 64 hexadecimal digits, or - to read them from standard input, for as long as
            nobody may see them.
        given: What a player gave, in hexadecimal digits; again for each, in the order of the
            seats, and '' for one who gave nothing.
        commitment: What the house published first, to hold the secret against.
        deck: The 52 cards that the house dealt from, to hold the shuffle against.
    """
    if secret is None:
        if given or commitment is not None or deck is not None:
            raise BadInputError("--given, --commitment and --deck need --secret")
        return _draw(json=json)
    words = sys.stdin.readline().strip() if secret == _READ else secret
    drawn = _bytes("--secret", words)
    if len(drawn) != SECRET_LENGTH:
        raise BadInputError(f"--secret is {SECRET_LENGTH} bytes, and this is {len(drawn)}")
    found = shuffled(drawn, [_bytes("--given", one) for one in given])
    differs = []
    if commitment is not None and not is_revealed(commitment, drawn):
        differs.append("commitment")
    if deck is not None and deck != found:
        differs.append("deck")
    if json:
        print_json({"commitment": commit_secret(drawn), "deck": found, "differs": differs})
    else:
        say(f"commitment {commit_secret(drawn)}", f"deck       {found}")
        say(*(f"the {what} that was told is another" for what in differs))
    return DISAGREEMENT if differs else 0


def _draw(*, json: bool) -> int:
    """Draw what the house begins with."""
    secret, salt = new_secret(), new_salt().hex()
    if json:
        print_json({"secret": secret.hex(), "commitment": commit_secret(secret), "salt": salt})
    else:
        say(f"secret     {secret.hex()}")
        say(f"commitment {commit_secret(secret)}")
        say(f"salt       {salt}")
    return 0


def _bytes(option: str, digits: str) -> bytes:
    """Read hexadecimal digits; what they are is not repeated: it may be a secret.

    Raises:
        BadInputError: They are none.
    """
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise BadInputError(f"{option} takes hexadecimal digits, two a byte") from None
