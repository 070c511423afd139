"""What each command about a hand asks for."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from adapters.commands.commanding import Commanding
from adapters.commands.deciding import (
    Committing,
    Priced,
    acting,
    acting_many,
    claiming,
    disclosing,
    opening,
    voiding,
)
from adapters.commands.execution import Asked, Command, Unread
from domain.hand import hand_stream
from domain.record import check_name
from domain.zhajinhua.play import Action

UNREAD_CHARACTERS_MAX: Final = 16_384
"""Openings up to here are decided unread, on an event loop while it has others to serve. No table
has seats enough for a longer one."""


class AskingHands(Commanding):
    """The commands that there are about hands."""

    def open_hand(  # noqa: PLR0913 - what a hand opens with, each by name
        self,
        hand: str,
        rulebook_id: str,
        *,
        table: Mapping[str, object],
        dealer: int,
        seats: Sequence[Mapping[str, object]],
        deal: Mapping[int, str],
        command_id: str,
        actor: str,
        opener: int | None = None,
        draws: Mapping[int, int] | None = None,
        commitment: str | None = None,
    ) -> Asked:
        """Open a hand, and reserve every seat's carry from its wallet.

        Args:
            hand: Its id, new to this ledger.
            rulebook_id: The rulebook, in its newest version.
            table: The table's parameters, as a record gives them; and ``commit_deck``, true
                where it opens no hand without a commitment.
            dealer: A seat.
            seats: Who sits where with how much, minor units, as a record gives them:
                ``{"seat": 1, "player": "ann", "carry": 50_000}``.
            deal: Each seat's three cards.
            command_id: Under which it may be given again.
            actor: Who gives it.
            opener: The seat to act first, where the rulebook has it recorded.
            draws: Bonuses drawn outside, minor units by seat.
            commitment: To the deck, from :func:`domain.deck.commit`: 64 hex digits.

        Raises:
            CommitmentRequiredError: There is none, and the table wants one.
            HandExistsError: There is a hand of that id.
            InsufficientFundsError: A wallet has less than its seat's carry.
            RefusalError: Something else of it is refused, as in a record.
        """
        check_name(hand, "hand")
        given: dict[str, object] = {
            "hand": hand,
            "rulebook": rulebook_id,
            "table": {name: value for name, value in table.items() if name != "commit_deck"},
            "dealer": dealer,
            "seats": [dict(seat) for seat in seats],
            "deal": {str(seat): cards for seat, cards in deal.items()},
            "actions": [],
        }
        if opener is not None:
            given["opener"] = opener
        if draws:
            given["bonus_draws"] = {str(seat): amount for seat, amount in draws.items()}
        body = {**given, "table": dict(table)}
        if commitment is not None:
            body["commitment"] = commitment
        # As text, so that it is read as strictly as a record from a file.
        text = json.dumps(given, default=repr)
        unread: Unread | None = "beginning" if len(text) <= UNREAD_CHARACTERS_MAX else None
        command = self._command(
            "open_hand", hand_stream(hand), body, command_id, actor, unread=unread
        )
        committing = Committing(commitment, table.get("commit_deck", False))
        return Asked(command, opening(text, committing), "hand_opened")

    def act(
        self,
        hand: str,
        action: Action,
        *,
        command_id: str,
        actor: str,
        expected_version: int | None = None,
        price: int | None = None,
    ) -> Asked:
        """Take one action in a running hand; the one that ends it settles it and pays out.

        Args:
            hand: Its id.
            action: What is done.
            command_id: Under which it may be given again.
            actor: Who gives it.
            expected_version: How many events the hand has, as far as the actor knows.
            price: Of a bet, a duel or an all-in: what staying in cost the seat when it
                decided, minor units.

        Raises:
            UnknownHandError: There is no such hand.
            ConflictError: The hand has moved on since it was read, or since the actor saw it.
            PriceChangedError: Staying in costs something else by now.
            RefusalError: The rules refuse the action.
        """
        act = Priced(action, price)
        command = self._running_hand_command("act", hand, _body(act), command_id, actor)
        return Asked(command, acting(hand, act, expected_version), "action_taken")

    def act_many(
        self,
        hand: str,
        actions: Sequence[Action | Priced],
        *,
        command_id: str,
        actor: str,
        expected_version: int | None = None,
        atomic: bool = True,
    ) -> Asked:
        """Take several actions in a running hand, in one transaction and under one id.

        The answer says how many were ``applied`` and, where not all were, the ``refusal``
        of the next one. The refusal's numbers have its place, from 0 on, under ``at``.

        Args:
            hand: Its id.
            actions: What is done, in order; with the prices that were seen, or without.
            command_id: Under which they may be given again.
            actor: Who gives them.
            expected_version: How many events the hand has, as far as the actor knows.
            atomic: Take all or none; else those before the first that is refused, if any.

        Raises:
            UnknownHandError: There is no such hand.
            ConflictError: The hand has moved on since it was read, or since the actor saw it.
            RefusalError: An action is refused; without ``atomic``, the first one.
        """
        acts = [act if isinstance(act, Priced) else Priced(act, None) for act in actions]
        body = {"actions": [_body(act) for act in acts], "atomic": atomic}
        command = self._running_hand_command("act_many", hand, body, command_id, actor)
        decide = acting_many(hand, acts, expected_version, atomic=atomic)
        return Asked(command, decide, "actions_taken")

    def void_hand(
        self,
        hand: str,
        reason: str,
        *,
        command_id: str,
        actor: str,
        expected_version: int | None = None,
    ) -> Asked:
        """Let a running hand not count: every seat gets back all that it brought.

        Args:
            hand: Its id.
            reason: Kept for ever, in clear.
            command_id: Under which it may be given again.
            actor: Who gives it.
            expected_version: How many events the hand has, as far as the actor knows.

        Raises:
            UnknownHandError: There is no such hand.
            HandOverError: It is settled or void already.
            ConflictError: It has moved on since it was read, or since the actor saw it.
            RefusalError: The reason or a name is empty, too long or cannot be stored.
        """
        body = {"reason": reason}
        command = self._running_hand_command("void_hand", hand, body, command_id, actor)
        return Asked(command, voiding(hand, reason, expected_version), "hand_voided")

    def disclose_deck(
        self, hand: str, salt: str, deck: str, *, command_id: str, actor: str
    ) -> Asked:
        """Disclose the deck that a hand was committed to, once it is over.

        The answer says what the hand's events prove then, as ``verdict`` and ``reason``
        of :class:`domain.zhajinhua.disclosing.Proof`.

        Args:
            hand: Its id.
            salt: Of the commitment, 64 hex digits.
            deck: 52 cards in the order in which they were dealt: ``"AsKd…"``.
            command_id: Under which it may be given again.
            actor: Who gives it.

        Raises:
            UnknownHandError: There is no such hand.
            HandRunningError: It is not over.
            NoCommitmentError: It opened without a commitment.
            AlreadyDisclosedError: Its deck is disclosed.
            CommitmentMismatchError: It is committed to another deck, or with another salt.
            BadRecordError: The salt, the deck or a name is none.
        """
        body = {"salt": salt, "deck": deck}
        command = self._hand_command("disclose_deck", hand, body, command_id, actor)
        return Asked(command, disclosing(hand, salt, deck), "deck_disclosed")

    def claim_settlement(
        self,
        hand: str,
        settlement: Mapping[str, object],
        *,
        claimant: str,
        command_id: str,
        actor: str,
    ) -> Asked:
        """Keep what a foreign system says that a settled hand came to; verification compares.

        The answer names each figure of it that is not the hand's own, as ``differences``.

        Args:
            hand: Its id.
            settlement: Its figures, whichever it gives, as in a record.
            claimant: Whose figures they are.
            command_id: Under which it may be given again.
            actor: Who gives it.

        Raises:
            UnknownHandError: There is no such hand.
            HandNotOverError: It is not settled.
            BadRecordError: A figure or a name is none.
        """
        check_name(claimant, "claimant")
        body = {"claimant": claimant, "settlement": dict(settlement)}
        command = self._hand_command("claim_settlement", hand, body, command_id, actor)
        return Asked(command, claiming(hand, claimant, settlement), "settlement_claimed")

    def _running_hand_command(
        self, kind: str, hand: str, body: Mapping[str, object], command_id: str, actor: str
    ) -> Command:
        """Return a command whose actor saw how the hand stands, as this process may remember it.

        Whoever comes second is refused: that is no longer the hand that was seen.
        """
        check_name(hand, "hand")
        full, stream = {"hand": hand, **body}, hand_stream(hand)
        return self._command(
            kind, stream, full, command_id, actor, is_first_served=True, unread="going_on"
        )

    def _hand_command(
        self, kind: str, hand: str, body: Mapping[str, object], command_id: str, actor: str
    ) -> Command:
        """Return a command that is decided on a hand's events, always.

        A hand that is over takes few more; whoever comes second is told what it found.
        """
        check_name(hand, "hand")
        return self._command(kind, hand_stream(hand), {"hand": hand, **body}, command_id, actor)


_ACT_FIELDS: Final = (*Action._fields, "price")


def _body(act: Priced) -> dict[str, object]:
    """Return what makes an action this one and no other."""
    named = zip(_ACT_FIELDS, (*act.action, act.price), strict=True)
    return {name: value for name, value in named if value is not None}
