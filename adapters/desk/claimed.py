"""What foreign systems claim that a hand came to, figure by figure beside what the rules give."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, cast

from adapters.desk.calling import Labels
from adapters.desk.wording import Say, chips
from domain.claims import NO_AMOUNTS, OF_A_SEAT, Difference, differences
from domain.events import Event, HandOpened, HandSettled, Settlement, SettlementClaimed

_WHOLE: Final = ("pot", "rake", "house_bonus", "house_banked", "rounds", "winners")


class Pair(NamedTuple):
    """One figure as it is claimed and as it is derived, as texts."""

    name: str
    claimed: str
    derived: str
    differs: bool


class ClaimedSeat(NamedTuple):
    """The figures of one seat."""

    name: str
    pairs: tuple[Pair, ...]


class Claim(NamedTuple):
    """All that one system claims of a hand."""

    claimant: str
    about: str
    figures: tuple[str, ...]  # those of a seat that there are in this hand
    rows: tuple[ClaimedSeat, ...]
    whole: tuple[Pair, ...]  # of the hand
    others: tuple[str, ...]  # what differs and is no such figure


def claims_of(events: Sequence[Event], say: Say, label: Labels) -> list[Claim]:
    """Return every claim on a hand that is settled.

    Args:
        events: Its stream.
        say: The texts of a language.
        label: What a player is called.
    """
    settled = next((e.settlement for e in events if isinstance(e, HandSettled)), None)
    opening = events[0]
    if settled is None or not isinstance(opening, HandOpened):
        return []
    players = {taken.seat: label(taken.player) for taken in opening.seats}
    return [
        _claim(event, settled, players, say)
        for event in events
        if isinstance(event, SettlementClaimed)
    ]


def _claim(
    event: SettlementClaimed, settled: Settlement, players: Mapping[int, str], say: Say
) -> Claim:
    """Return one claim beside the settlement."""
    apart = {found.path: found for found in differences(event.settlement, settled)}
    given = event.settlement.get("seats")
    seats = given if isinstance(given, Mapping) else {}

    def claimed_of(number: str) -> Mapping[str, object]:
        figures = seats.get(number)
        return figures if isinstance(figures, Mapping) else {}

    derived = cast(Mapping[str, Mapping[str, int]], settled["seats"])
    numbers = sorted(derived, key=int)
    figures = tuple(
        name
        for name in OF_A_SEAT
        if any(derived[n][name] or claimed_of(n).get(name) for n in numbers)
    )
    rows = tuple(
        ClaimedSeat(
            f"{number} {players.get(int(number), '')}",
            tuple(
                _pair(
                    name, claimed_of(number), derived[number], f"seats.{number}.{name}", apart, say
                )
                for name in figures
            ),
        )
        for number in numbers
    )
    of_hand = cast(Mapping[str, object], settled)
    whole = tuple(
        _pair(name, event.settlement, of_hand, name, apart, say)
        for name in _WHOLE
        if of_hand.get(name) or event.settlement.get(name)
    )
    text = "hand.claim_differs" if apart else "hand.claim_agrees"
    about = say(text, claimant=event.claimant, count=len(apart))
    shown = {f"seats.{n}.{name}" for n in numbers for name in figures} | {*_WHOLE}
    others = tuple(_told(found) for path, found in apart.items() if path not in shown)
    return Claim(event.claimant, about, figures, rows, whole, others)


def _pair(
    name: str,
    claimed: Mapping[str, object],
    derived: Mapping[str, object],
    path: str,
    apart: Mapping[str, Difference],
    say: Say,
) -> Pair:
    """Return one figure of both sides."""
    write: Callable[[object], str] = _plainly if name in NO_AMOUNTS else _amount
    ours = write(derived.get(name))
    theirs = write(claimed[name]) if name in claimed else say("hand.not_claimed")
    return Pair(name, theirs, ours, path in apart)


def _amount(value: object) -> str:
    """Print an amount as chips; what is no integer, as it was given."""
    return chips(value) if type(value) is int else _plainly(value)


def _plainly(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def _told(found: Difference) -> str:
    return f"{found.path}: {found.claimed} ≠ {found.derived}"
