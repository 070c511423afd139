"""Replay, decide afresh, compare. Every discrepancy, as a value.

Each command of a stream is decided again on the recorded facts before it, and
what the rules give is held against what was recorded, event by event and field
by field. Where they part, the check goes on from what was recorded, so that one
wrong event is reported once, with whatever it made wrong after it.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from operator import lt
from typing import Final

from domain.cards import HIDDEN
from domain.claims import differences
from domain.custody import verify_moves
from domain.discrepancies import Discrepancy, Recorded, event_word, unequal
from domain.errors import RefusalError
from domain.events import (
    ENDINGS,
    AllFolded,
    AllInTaken,
    AntePosted,
    BetCalled,
    BetRaised,
    BonusGranted,
    CardsDealt,
    CardsSeen,
    DeckDisclosed,
    Event,
    HandFolded,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandsOpened,
    HandVoided,
    LastStandTaken,
    Settlement,
    SettlementClaimed,
    ToppedUp,
)
from domain.money import POT, seat_account
from domain.rulebook import check_table
from domain.sight import is_over
from domain.stream import BROKEN
from domain.zhajinhua.bonus import check_draws
from domain.zhajinhua.disclosing import deal_of, disclose, other_cards
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.game import open_hand, take
from domain.zhajinhua.play import Play, action_behind
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.settlement import void
from domain.zhajinhua.state import HandState, opened

RULES: Final[dict[str, str]] = {
    HandOpened.TOPIC: "§2",
    AntePosted.TOPIC: "§2.4",
    CardsDealt.TOPIC: "§2.2",
    CardsSeen.TOPIC: "§3.2",
    BetCalled.TOPIC: "§3.3",
    BetRaised.TOPIC: "§3.4",
    HandFolded.TOPIC: "§3.8",
    HandsCompared.TOPIC: "§5.1",
    LastStandTaken.TOPIC: "§5.3",
    AllInTaken.TOPIC: "§4.1",
    AllFolded.TOPIC: "§4.6",
    ToppedUp.TOPIC: "§4.5",
    HandsOpened.TOPIC: "§3.7",
    BonusGranted.TOPIC: "§6.5",
    HandSettled.TOPIC: "§6.1",
    SettlementClaimed.TOPIC: "§6.1",
    HandVoided.TOPIC: "§6.6",
    DeckDisclosed.TOPIC: "§2.6",
}
"""The section of domain/zhajinhua/RULES.md that a recorded event rests on."""

# By type, since to ask pydantic whether an event is of a class takes longer than to follow it.
_CONSEQUENCES: Final = frozenset({HandsOpened, BonusGranted, HandSettled})


def verify_hand(
    hand: str,
    rows: Sequence[Recorded],
    wallet_rows: Sequence[tuple[str, Recorded]] | None = None,
) -> list[Discrepancy]:
    """Check every event of one hand: turn, price, legality, duels, refunds, bonus, settlement.

    Args:
        hand: Its id.
        rows: Its whole stream in order; a hand still running may end anywhere
            between two commands.
        wallet_rows: The player and event of each ``CarryReserved`` and
            ``CarryReleased`` of this hand, in order: what wallets gave it, and got
            back, has to be what the hand says. None where it was played without
            wallets; then nothing is said of them.

    Returns:
        All discrepancies, in the order of the events, those with wallets last; none
        where the hand agrees.
    """
    check = _HandCheck(hand, rows)
    found = check.run()
    if wallet_rows is None or check.state is None:
        return found
    return found + verify_moves(hand, rows[0].position, check.state, wallet_rows)


class _HandCheck:
    """A hand's stream decided again: in one go, and where that finds anything, step by step.

    In one go is much the faster, and says of a hand only whether all is well. The steps, each a
    command's own event and what followed from it, say what is not.
    """

    def __init__(self, hand: str, rows: Sequence[Recorded]) -> None:
        self.hand = hand
        self.rows = rows
        positions, versions, events = zip(*rows, strict=True) if rows else ((), (), ())
        self.events: Sequence[Event | None] = events
        self.found = [] if _are_in_order(positions, versions) else _disorder(hand, rows)
        self.state: HandState | None = None
        self.accounts: dict[str, int] = {}
        self.below_zero = False  # whether some account may be
        self.settlement: Settlement | None = None  # as derived
        self.shown = is_over(self.events)  # its cards

    def run(self) -> list[Discrepancy]:
        """Check the whole stream."""
        known = len(self.found)
        if not self._agrees() or len(self.found) > known:
            del self.found[known:]  # and whatever else that has left behind
            self.state, self.settlement = None, None
            self.accounts, self.below_zero = {}, False
            self._walk()
        return self.found

    def _agrees(self) -> bool:
        """Decide all commands again, one after another; True where they come to what is recorded.

        Nothing is made of what else is found: the steps find it again, and in its place.
        """
        try:
            play = self._derive_opening(len(self.rows))
            while play is not None and (done := len(play.events)) < len(self.rows):
                play = self._derive_next(play, self.rows[done])
        except (RefusalError, *BROKEN):
            return False
        if play is None or tuple(play.events) != self.events:
            return False
        self.state = play.state
        self._conserve(0, len(self.rows))
        return True

    def _walk(self) -> None:
        """Check command by command, going on from what was recorded where the two part."""
        at = 0
        while at < len(self.rows):
            end = self._end(at)
            derived = self._derive(at, end)
            agrees = derived is not None and self._compare(at, end, derived.events)
            self._conserve(at, end)
            if derived is not None and agrees:
                self.state = derived.state
            elif not self._follow(at, end):
                last = self.rows[end - 1]
                self._find(last, "replay", "cannot be followed from here", None, "§7.3")
                break
            at = end

    def _end(self, at: int) -> int:
        """Return where the events from a command's own on end: at the next command's."""
        events, end = self.events, at + 1
        if at == 0:
            end += next((n for n, event in enumerate(events) if type(event) is CardsDealt), 0)
        while end < len(events) and _is_consequence(events[end]):
            end += 1
        return end

    def _derive(self, at: int, end: int) -> Play | None:
        """Decide a command again; None, with a discrepancy, where nothing can be decided."""
        first = self.rows[at]
        try:
            if self.state is None:
                play = self._derive_opening(end)
            else:
                play = self._derive_next(Play(self.state), first)
            return play and play.freeze()
        except RefusalError as refusal:
            self._find(first, event_word(first), "recorded", refusal.code, refusal.rule)
        except BROKEN as error:
            self._find(
                first, event_word(first), "recorded", f"undecidable: {self._words(error)}", "§7.3"
            )
        return None

    def _derive_opening(self, end: int) -> Play | None:
        """Open the hand again from what its first event and its deal recorded."""
        first, head = self.rows[0], self.events[0]
        dealt = next((event for event in self.events[:end] if type(event) is CardsDealt), None)
        if not isinstance(head, HandOpened) or dealt is None:
            missing = HandOpened.TOPIC if dealt is not None else CardsDealt.TOPIC
            self._find(first, "opening", event_word(first), missing, "§2")
            return None
        rulebook = find(head.rulebook, head.version)
        given = {name: value for name, value in head.table.items() if value is not None}
        play = open_hand(
            rulebook,
            table=check_table(rulebook, given),
            dealer=head.dealer,
            opener=head.opener if rulebook.opener == "recorded" else None,
            seats=head.seats,
            deal=dealt.cards,
            draws=head.draws,
            commitment=head.commitment,
        )
        check_draws(play.state)
        return play

    def _derive_next(self, play: Play, row: Recorded) -> Play | None:
        """Let a play go on with the command behind an event; None where there is none."""
        event, state = row.event, play.state
        action = action_behind(event)
        if action is not None:
            take(play, action)
        elif type(event) is SettlementClaimed and state.settled:
            self._compare_claim(row, event, play.events)
            play.record(event)
        elif type(event) is HandVoided and not state.over:
            play.record(void(state, event.reason))
        elif type(event) is DeckDisclosed:
            play.record(disclose(self.hand, state, salt=event.salt, deck=event.deck))
            self._compare_deal(state, event.deck)
        else:
            self._find(row, event_word(row), "recorded", "nothing leads to it", "§7.3")
            return None
        return play

    def _compare_claim(self, row: Recorded, event: SettlementClaimed, since: list[Event]) -> None:
        """Hold a foreign system's figures against those derived, in the play or before it."""
        self._keep_settlement(since)
        for path, claimed, due in differences(event.settlement, self.settlement or {}):
            self._find(row, f"claim.{path}", claimed, due, "§6.1")

    def _keep_settlement(self, derived: Iterable[Event]) -> None:
        for event in derived:
            if type(event) is HandSettled:
                self.settlement = event.settlement

    def _compare_deal(self, state: HandState, deck: str) -> None:
        """Hold the cards that were dealt against those that the committed deck gives."""
        dealt = next(row for row in self.rows if isinstance(row.event, CardsDealt))
        due = deal_of(state, deck)
        for seat in other_cards(state, deck):
            name = f"cards_dealt.cards.{seat}"
            self._find(dealt, name, state.seats[seat].cards, due[seat], "§2.6")

    def _compare(self, at: int, end: int, derived: list[Event]) -> bool:
        """Hold what was recorded against what was derived, event by event; True where equal."""
        self._keep_settlement(derived)
        if self.events[at:end] == tuple(derived):
            return True
        group = self.rows[at:end]
        for row, event in zip_longest(group, derived):
            recorded = row.event if row else None
            if row and recorded is None:
                self._find(row, "event", event_word(row), event.TOPIC if event else None, "§7.3")
            elif recorded is None or recorded != event:
                self._part(row or group[-1], recorded, event)
        return False

    def _part(self, row: Recorded, recorded: Event | None, derived: Event | None) -> None:
        """Tell how a recorded and a derived event differ."""
        if recorded is None or derived is None or type(recorded) is not type(derived):
            was = recorded.TOPIC if recorded else None
            due = derived.TOPIC if derived else None
            self._find(row, "event", was, due, RULES.get(due or was or "", "§7.3"))
            return
        old, new = recorded.model_dump(mode="json"), derived.model_dump(mode="json")
        withheld = recorded.SECRET and not self.shown
        for path, old_leaf, new_leaf in unequal(old, new):
            name = f"{event_word(row)}.{path}"
            hidden = withheld and not path.startswith("transfers")
            told = (HIDDEN, HIDDEN) if hidden else (old_leaf, new_leaf)
            self._find(row, name, *told, RULES[recorded.TOPIC])

    def _words(self, error: Exception) -> str:
        """Return an error in words; of a running hand its name alone: the words may be cards."""
        return repr(error) if self.shown else type(error).__name__

    def _conserve(self, at: int, end: int) -> None:
        """Post what was recorded: no seat or pot goes below zero; a settled pot is empty."""
        accounts = self.accounts
        for place in range(at, end):
            event = self.events[place]
            if event is None:
                continue
            if type(event) is HandOpened:
                accounts.clear()
                accounts.update((seat_account(s.seat), s.carry) for s in event.seats)
                self.below_zero = False
            elif type(event) is ToppedUp:
                name = seat_account(event.seat)
                accounts[name] = accounts.get(name, 0) + event.amount
            for source, target, amount, _ in event.transfers:
                accounts[source] = left = accounts.get(source, 0) - amount
                accounts[target] = accounts.get(target, 0) + amount
                self.below_zero |= left < 0 or amount < 0
            if self.below_zero:
                self._find_negative(self.rows[place], event)
            if type(event) in ENDINGS and accounts.get(POT):
                self._find(self.rows[place], f"balance.{POT}", accounts[POT], 0, "§6.1")

    def _find_negative(self, row: Recorded, event: Event) -> None:
        """Tell which accounts that an event touched are below zero; the house's may be."""
        touched = {name for move in event.transfers for name in (move.source, move.target)}
        for name in sorted(touched):
            balance = self.accounts[name]
            if balance < 0 and not name.startswith("house:"):
                self._find(row, f"balance.{name}", balance, ">= 0", "§1.2")

    def _follow(self, at: int, end: int) -> bool:
        """Take in what was recorded; False where it cannot even be taken in."""
        try:
            for event in self.events[at:end]:
                if event is None:
                    return False
                if type(event) is HandOpened:
                    self.state = opened(event)
                elif self.state is not None:
                    self.state = evolve(self.state, event)
        except (RefusalError, *BROKEN):
            return False
        return self.state is not None

    def _find(self, row: Recorded, what: str, recorded: object, derived: object, rule: str) -> None:
        self.found.append(Discrepancy(self.hand, row.position, what, recorded, derived, rule))


def _are_in_order(positions: Sequence[int], versions: Sequence[int]) -> bool:
    """Tell whether a stream's versions are 1, 2, 3 …, and its positions ascend."""
    ascend = all(map(lt, (0, *positions), positions))
    return ascend and list(versions) == list(range(1, len(versions) + 1))


def _disorder(name: str, rows: Sequence[Recorded]) -> list[Discrepancy]:
    """Return where a stream's versions are not 1, 2, 3 …, or its positions do not ascend."""
    found, before = [], 0
    for due, row in enumerate(rows, start=1):
        if row.version != due:
            found.append(Discrepancy(name, row.position, "version", row.version, due, "§7.3"))
            break
        if row.position <= before:
            found.append(
                Discrepancy(name, row.position, "position", row.position, f"> {before}", "§7.3")
            )
        before = row.position
    return found


def _is_consequence(event: Event | None) -> bool:
    """Tell whether an event follows from a command that has an event of its own before it."""
    if type(event) is HandsCompared:
        return event.why in {"last_stand", "forced"}
    return event is None or type(event) in _CONSEQUENCES
