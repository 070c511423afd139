"""``jinhua disclose``: the deck that a hand was committed to, once it is over."""

from typing import Annotated

from cyclopts import Parameter

from adapters.console.deck_proofs import proof_of, told_proof
from adapters.console.failures import DISAGREEMENT
from adapters.console.hands import catch_up
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say


def disclose(
    hand: str,
    /,
    *,
    salt: Annotated[str, Parameter(help="Of the commitment: 64 hex digits.")],
    deck: Annotated[str, Parameter(help="52 cards in the order in which they were dealt.")],
    actor: Annotated[str, Parameter(help="Who discloses it.")] = "console",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Disclose the deck of a hand that is over, and say whether its deal is proven by it.

    A deck is refused that is not the one committed to at the opening. Given again, the command
    changes nothing. The exit status is 3 where the deck gives some seat other cards than it was
    dealt, 2 where the deck is refused.

    For example:

        jinhua disclose h-1 --salt 9f86d081884c… --deck AsKd2cQh…

    Parameters:
        hand: Its id.
    """
    with opened(where) as store:
        receipt = store.ledger.disclose_deck(
            hand, salt, deck, command_id=f"disclose:{hand}", actor=actor
        )
        catch_up(store)
        proof = proof_of(hand, [entry.event for _, entry in store.ledger.shown(hand)])
    if json:
        print_json({"hand": hand, "status": receipt.status, "deck_proof": proof})
    else:
        say(f"hand {hand}: {told_proof(proof)}")
    return 0 if proof["verdict"] == "proven" else DISAGREEMENT
