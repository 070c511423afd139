"""What an import comes to: each hand of a batch played between its players' wallets."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from adapters.appending.batches import Append
from adapters.clock import Clock
from adapters.commands.history import History
from adapters.commands.imported import Batch, Incoming, answered
from domain.claims import differences
from domain.custody import collect, deposit_missing, players, release, reserve
from domain.errors import HandExistsError, RefusalError
from domain.events import HandSettled
from domain.hand import Hand
from domain.playing import Reject, play
from domain.stream import Cause, Entry
from domain.wallet import Wallet

ACTOR: Final = "import"


class DecidingImports(NamedTuple):
    """On what terms hands are decided."""

    clock: Clock  # says when
    claimant: str  # whose figures a record's own settlement is
    deposit_missing: bool  # bring in from the cashier what a player lacks

    def decide(self, history: History, batch: Batch) -> dict[int, Append]:
        """Return what is to be stored, by place; be done with what needs no storing."""
        waiting = batch.waiting
        seats = (seat for given in waiting.values() for seat in given.record.seats)
        funds = history.wallets(list(dict.fromkeys(seat.player for seat in seats)))
        existing = history.existing([given.stream for given in waiting.values()])
        # Read last: a hand that exists by its import, or was paid for by it, has a receipt by now.
        receipts = history.receipts([given.command_id for given in waiting.values()])
        appends: dict[int, Append] = {}
        moved_by: dict[str, str] = {}
        for place, given in list(waiting.items()):
            receipt = receipts.get(given.command_id)
            if receipt is not None:
                batch.settle(place, answered(given, receipt.answered(given.fingerprint)))
            elif given.stream in existing:
                message = f"hand {given.hand} is recorded already, and not from a record"
                refusal = HandExistsError(message, hand=given.hand)
                batch.settle(place, Reject.of(refusal, hand=given.hand, at=-1))
            else:
                decided = self._decide_one(given, funds)
                if isinstance(decided, Append):
                    appends[place] = _after(decided, given, moved_by)
                else:
                    batch.settle(place, decided)
        return appends

    def _decide_one(self, given: Incoming, funds: dict[str, Wallet]) -> Append | Reject:
        """Play one record between its players' wallets; ``funds`` go on only if nothing refuses."""
        cause = Cause(given.command_id, ACTOR, self.clock())
        hand = play(given.record, cause)
        if isinstance(hand, Reject):
            return hand
        wallets = {
            player: Wallet.resume(
                player, version=funds[player].version, balance=funds[player].balance
            )
            for player in players(hand)
        }
        at = -1
        try:
            if self.deposit_missing:
                deposit_missing(hand, wallets, cause)
            reserve(hand, wallets, cause)
            entries = collect(wallets)
            at = len(given.record.actions)
            claim = given.record.claim
            if claim is not None:
                hand.claim(self.claimant, claim, cause)
            played = hand.collect_events()
            release(hand, wallets, cause)
        except RefusalError as refusal:
            return Reject.of(refusal, hand=given.hand, at=at)
        funds |= wallets
        entries += [*played, *collect(wallets)]
        answer = json.dumps(_answer(hand, played, claim or {}), ensure_ascii=False)
        return Append(given.command_id, given.fingerprint, entries, answer)


def _after(append: Append, given: Incoming, moved_by: dict[str, str]) -> Append:
    """Return an append that names those before it that moved its players' wallets.

    ``moved_by`` gives the last command of the batch for each player; this one takes its place.
    """
    who = {seat.player for seat in given.record.seats}
    before = frozenset(moved_by[player] for player in who if player in moved_by)
    moved_by |= dict.fromkeys(who, append.command_id)
    return append._replace(rests_on=before)


def _answer(hand: Hand, played: Sequence[Entry], claim: Mapping[str, object]) -> dict[str, object]:
    """Return what is to be told of a hand, now and whenever it is imported again."""
    settlement = next(
        entry.event.settlement for entry in played if isinstance(entry.event, HandSettled)
    )
    parted = [difference._asdict() for difference in differences(claim, settlement)]
    return {"hand": hand.hand, "version": hand.version, "differences": parted}
