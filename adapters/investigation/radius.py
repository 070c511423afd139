"""How far a wrong rule or program reached: hands settled anew, dry, and what would make up for it.

Which hands are meant is said by what their openings pin (rulebook, version, digest) and by where
and when they were opened. Which build of the program settled them is in the receipts: ``builds``.

Each hand is settled anew under its own rulebook by the program as it is now, or under another, or
under changed rules. What a player should have had beside what was paid becomes a correction:
a deposit from the cashier, or a withdrawal to it. They are proposed, and nothing here posts them.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from adapters.investigation.reading import Read, Unreadable
from adapters.store.chain import Linked
from domain.errors import HandNotOverError, RefusalError
from domain.events import HandOpened, HandSettled
from domain.facts import of_events
from domain.framing import length_prefixed
from domain.stream import BROKEN
from domain.whatif import WhatIf, what_if
from domain.zhajinhua.changing import Changes
from domain.zhajinhua.rules import ZhajinhuaRulebook

_CORRECTION_V1: Final = b"jinhua.correction.v1"
_DIGITS: Final = 32


class Meant(NamedTuple):
    """Which hands. ``None`` leaves a condition out."""

    rulebook: str | None = None
    version: int | None = None
    digest: str | None = None  # begins with this
    first: int | None = None  # position of the opening
    last: int | None = None
    since: datetime | None = None  # when it was opened, as the server recorded it
    until: datetime | None = None

    def holds(self, opening: HandOpened, row: Linked) -> bool:
        """Tell whether a hand is meant, by its opening."""
        return (
            self.rulebook in {None, opening.rulebook}
            and self.version in {None, opening.version}
            and (self.digest is None or opening.digest.startswith(self.digest))
            and (self.first is None or row.position >= self.first)
            and (self.last is None or row.position <= self.last)
            and (self.since is None or row.recorded_at >= self.since)
            and (self.until is None or row.recorded_at < self.until)
        )


class Resettled(NamedTuple):
    """A hand settled anew. Minor units, by player."""

    hand: str
    position: int  # of its opening
    settled_at: int | None  # position of its settlement
    rulebook: str  # "jiuyou.v1"
    digest: str
    differences: dict[str, int]  # how much more each would have, where it is not the same
    house: int  # how much more the house would have
    stuck: str | None  # the code of why it cannot be settled so


class Correction(NamedTuple):
    """A correction, proposed. Nobody posts it."""

    status: str
    command: str  # deposit or withdraw
    player: str
    amount: int  # minor units
    hand: str
    command_id: str  # the same for the same correction, so that it is posted once at most
    why: str


def resettled(
    hands: Iterable[tuple[str, Read]], other: ZhajinhuaRulebook | None, changes: Changes
) -> Iterator[Resettled]:
    """Yield each settled hand as it would be.

    Args:
        hands: With all of their events.
        other: The rulebook to settle under; None is each hand's own.
        changes: Of its fields and the table's parameters.
    """
    for hand, read in hands:
        if isinstance(read, Unreadable):
            yield Resettled(hand, read.position, None, "", "", {}, 0, "unreadable")
            continue
        events = [entry.event for _, entry in read]
        opening = next((event for event in events if isinstance(event, HandOpened)), None)
        settled = next((p for p, entry in read if isinstance(entry.event, HandSettled)), None)
        pinned = "" if opening is None else f"{opening.rulebook}.v{opening.version}"
        digest = "" if opening is None else opening.digest
        blank = Resettled(hand, read[0].position, settled, pinned, digest, {}, 0, None)
        try:
            facts = of_events(hand, events)
            got = what_if(facts, other or facts.rulebook, changes)
        except HandNotOverError:
            continue  # nothing was settled, so nothing was settled wrongly
        except RefusalError as refusal:
            yield blank._replace(stuck=refusal.code)
        except BROKEN:
            yield blank._replace(stuck="unreadable")
        else:
            yield _compared(blank, got)


def corrections(hand: Resettled, why: str) -> list[Correction]:
    """Return what would give every player of a hand what is due.

    Args:
        hand: As settled anew.
        why: Told with each; a correction for another reason is another one.
    """
    return [
        Correction(
            status="proposed",
            command="deposit" if amount > 0 else "withdraw",
            player=player,
            amount=abs(amount),
            hand=hand.hand,
            command_id=_command_id(hand.hand, player, amount, why),
            why=why,
        )
        for player, amount in sorted(hand.differences.items())
    ]


def as_line(correction: Correction) -> dict[str, Any]:
    """Return a correction as a line of the file has it."""
    return correction._asdict()


def _command_id(*parts: object) -> str:
    digest = sha256(length_prefixed(_CORRECTION_V1, *(str(part).encode() for part in parts)))
    return f"correction:{digest.hexdigest()[:_DIGITS]}"


def _compared(blank: Resettled, got: WhatIf) -> Resettled:
    """Hold what was paid against what would be."""
    stop = got.would.stop
    ended = stop is None or (stop.code == "hand_over" and got.would.settlement is not None)
    if not ended or got.would.settlement is None:
        return blank._replace(stuck=stop.code if stop else "hand_not_over")
    differences: dict[str, int] = {}
    for seat in got.seats:
        if seat.difference:
            differences[seat.player] = differences.get(seat.player, 0) + seat.difference
    moved = {player: amount for player, amount in differences.items() if amount}
    return blank._replace(differences=moved, house=-sum(moved.values()))


def shortfalls(
    totals: dict[str, int], balances: Sequence[tuple[str, int]]
) -> list[tuple[str, int, int]]:
    """Return who has less than is to be taken back: the player, the balance, what is due."""
    held = dict(balances)
    return [
        (player, held.get(player, 0), -total)
        for player, total in sorted(totals.items())
        if -total > held.get(player, 0)
    ]
