"""Replay, decide afresh, compare. Every discrepancy, as a value.

Each command of a stream is decided again on the recorded facts before it, and
what the rules give is held against what was recorded, event by event and field
by field. Where they part, the check goes on from what was recorded, so that one
wrong event is reported once, with whatever it made wrong after it.
"""

from collections.abc import Sequence
from itertools import zip_longest
from operator import lt
from typing import Final

from domain.cards import HIDDEN
from domain.claims import differences
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
    CarryReleased,
    CarryReserved,
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
from domain.money import POT, post_onto, seat_account
from domain.rulebook import check_table
from domain.sight import is_over
from domain.stream import BROKEN
from domain.zhajinhua.bonus import check_draws
from domain.zhajinhua.disclosing import deal_of, disclose, other_cards
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.game import decide, open_hand
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


def verify_hand(hand: str, rows: Sequence[Recorded]) -> list[Discrepancy]:
    """Check every event of one hand: turn, price, legality, duels, refunds, bonus, settlement.

    Args:
        hand: Its id.
        rows: Its whole stream in order; a hand still running may end anywhere
            between two commands.

    Returns:
        All discrepancies, in the order of the events; none where the hand agrees.
    """
    return _HandCheck(hand, rows).run()


def verify_custody(
    hand: str, rows: Sequence[Recorded], wallet_rows: Sequence[tuple[str, Recorded]]
) -> list[Discrepancy]:
    """Check that what wallets gave a hand, and got back, is what the hand says.

    Args:
        hand: Its id.
        rows: The hand's stream.
        wallet_rows: The player and event of each ``CarryReserved`` and
            ``CarryReleased`` of this hand, in order.

    Returns:
        A discrepancy for each player, seat and direction whose minor units differ.
    """
    return _custody(hand, rows, _fold(rows), wallet_rows)


def verify_hand_and_custody(
    hand: str, rows: Sequence[Recorded], wallet_rows: Sequence[tuple[str, Recorded]]
) -> list[Discrepancy]:
    """Check all of :func:`verify_hand`, then of :func:`verify_custody`; fold the hand but once."""
    check = _HandCheck(hand, rows)
    found = check.run()
    return found + _custody(hand, rows, check.state, wallet_rows)


def _custody(
    hand: str,
    rows: Sequence[Recorded],
    state: HandState | None,
    wallet_rows: Sequence[tuple[str, Recorded]],
) -> list[Discrepancy]:
    """Hold what wallets say that they gave a hand, and got back, against the hand as recorded."""
    if state is None:
        return []
    moved: dict[tuple[str, str, int], int] = {}
    for player, row in wallet_rows:
        event = row.event
        if type(event) is CarryReserved or type(event) is CarryReleased:
            key = (event_word(row), player, event.seat)
            moved[key] = moved.get(key, 0) + event.paid
    due = {
        ("carry_reserved", seat.player, seat.number): seat.carry + sum(seat.top_ups)
        for seat in state.seats.values()
    }
    if state.over:
        due |= {("carry_released", s.player, s.number): s.stack for s in state.seats.values()}
    if {key: paid for key, paid in moved.items() if paid} == {k: d for k, d in due.items() if d}:
        return []
    return [
        Discrepancy(
            hand,
            rows[0].position,
            f"{what}.{player}.seat:{seat}",
            moved.get((what, player, seat), 0),
            due.get((what, player, seat), 0),
            "§2.4",
        )
        for what, player, seat in sorted({*moved, *due})
        if moved.get((what, player, seat), 0) != due.get((what, player, seat), 0)
    ]


class _HandCheck:
    """One pass over a hand's stream, command by command: its event and what followed from it.

    As long as the two agree, one draft of the hand goes on from command to command. Where they
    part it went wrong, and is made anew of what was recorded; from there on the hand is a state,
    which a command decided again leaves as it was.
    """

    def __init__(self, hand: str, rows: Sequence[Recorded]) -> None:
        self.hand = hand
        self.rows = rows
        positions, versions, events = zip(*rows, strict=True) if rows else ((), (), ())
        self.events: Sequence[Event | None] = events
        self.found = [] if _are_in_order(positions, versions) else _disorder(hand, rows)
        self.state: HandState | None = None
        self.agreed = True  # so far
        self.accounts: dict[str, int] = {}
        self.settlement: Settlement | None = None  # as derived
        self.shown = is_over(self.events)  # its cards

    def run(self) -> list[Discrepancy]:
        """Check the whole stream."""
        at = 0
        while at < len(self.rows):
            end = self._end(at)
            derived = self._derive(at, end)
            agrees = derived is not None and self._compare(at, end, derived.events)
            self._conserve(at, end)
            if derived is not None and agrees:
                opened_now = self.agreed and self.state is None
                self.state = derived.state.draft() if opened_now else derived.state
            elif not self._follow(at, end):
                last = self.rows[end - 1]
                self._find(last, "replay", "cannot be followed from here", None, "§7.3")
                break
            at = end
        return self.found

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
                return self._derive_opening(at, end)
            action = action_behind(first.event)
            if action is None:
                return self._derive_command(first, self.state)
            return decide(self.state, action)
        except RefusalError as refusal:
            self._find(first, event_word(first), "recorded", refusal.code, refusal.rule)
        except BROKEN as error:
            self._find(
                first, event_word(first), "recorded", f"undecidable: {self._words(error)}", "§7.3"
            )
        return None

    def _derive_opening(self, at: int, end: int) -> Play | None:
        """Open the hand again from what its first event and its deal recorded."""
        first, head = self.rows[at], self.events[at]
        dealt = next((event for event in self.events[at:end] if type(event) is CardsDealt), None)
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

    def _derive_command(self, row: Recorded, state: HandState) -> Play | None:
        """Decide again what an event came from that no seat's action led to."""
        event = row.event
        if type(event) is SettlementClaimed and state.settled:
            if event.settlement != self.settlement:
                for path, claimed, due in differences(event.settlement, self.settlement or {}):
                    self._find(row, f"claim.{path}", claimed, due, "§6.1")
            play = Play(state)
            play.record(event)
            return play
        if type(event) is HandVoided and not state.over:
            play = Play(state)
            play.record(void(state, event.reason))
            return play
        if type(event) is DeckDisclosed:
            play = Play(state)
            play.record(disclose(self.hand, state, salt=event.salt, deck=event.deck))
            self._compare_deal(state, event.deck)
            return play
        self._find(row, event_word(row), "recorded", "nothing leads to it", "§7.3")
        return None

    def _compare_deal(self, state: HandState, deck: str) -> None:
        """Hold the cards that were dealt against those that the committed deck gives."""
        dealt = next(row for row in self.rows if isinstance(row.event, CardsDealt))
        due = deal_of(state, deck)
        for seat in other_cards(state, deck):
            name = f"cards_dealt.cards.{seat}"
            self._find(dealt, name, state.seats[seat].cards, due[seat], "§2.6")

    def _compare(self, at: int, end: int, derived: list[Event]) -> bool:
        """Hold what was recorded against what was derived, event by event; True where equal."""
        for event in derived:
            if type(event) is HandSettled:
                self.settlement = event.settlement
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
            elif type(event) is ToppedUp:
                name = seat_account(event.seat)
                accounts[name] = accounts.get(name, 0) + event.amount
            transfers = event.transfers
            if transfers:
                post_onto(accounts, transfers)
                if min(accounts.values()) < 0:
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
        if self.agreed:
            self.agreed, self.state, at = False, None, 0
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


def _fold(rows: Sequence[Recorded]) -> HandState | None:
    """Return the hand as recorded, where it can be taken in."""
    check = _HandCheck("", rows)
    check._follow(0, len(rows))  # noqa: SLF001 - same module
    return check.state
