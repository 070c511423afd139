"""``record``: a settled hand as the ``hand-record/1`` that it could have been imported from.

Each record is read and played before it is given out, and what it gives is compared with what is
stored, event by event: a hand that would come back as another one is refused. So what was exported
and imported again has the same events, in the same order, with the same bodies.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from adapters.exporting.errors import (
    CommittedHandError,
    NotAsPlayedError,
    OldRulebookError,
    OtherClaimantError,
    RunningHandError,
    SeveralClaimsError,
    UnsayableHandError,
    VoidHandError,
)
from adapters.exporting.source import Export
from adapters.exporting.told import Told, ToldHand
from adapters.store.codec import encode
from domain.errors import RefusalError
from domain.events import CardsDealt, HandOpened, SettlementClaimed
from domain.parting import written
from domain.playing import Reject, play
from domain.record import check_name, read
from domain.stream import BROKEN, Cause
from domain.zhajinhua.play import action_behind
from domain.zhajinhua.rulebooks import find

_PLAYED_AGAIN: Final = Cause("export", "export", datetime.min.replace(tzinfo=UTC))


def lines(export: Export) -> Iterator[str]:
    """Yield the records of an export, a hand a line; each that cannot be one is refused."""
    for hand in export.hands():
        try:
            record = record_of(hand, export.choice.claimant)
        except UnsayableHandError as refusal:
            export.refuse(refusal)
            continue
        yield f"{json.dumps(record, ensure_ascii=False)}\n"
        export.wrote()


def record_of(hand: ToldHand, claimant: str) -> dict[str, Any]:
    """Return a hand's record, which gives just its events when it is played.

    Args:
        hand: As its viewer may see it.
        claimant: Whose claimed settlement a record holds; an import is told the name.

    Raises:
        UnsayableHandError: A record cannot say it.
    """
    _check_sayable(hand, claimant)
    try:
        record = _written(hand)
        _check_gives(record, hand, claimant)
    except BROKEN:
        raise NotAsPlayedError(hand=hand.hand, detail="its events make no hand") from None
    return record


def _check_sayable(hand: ToldHand, claimant: str) -> None:
    """Refuse what a record has no words for."""
    opening, row = hand.opening, hand.row
    if row.state == "running":
        raise RunningHandError(hand=hand.hand)
    if row.state == "void":
        raise VoidHandError(hand=hand.hand)
    if opening.commitment is not None:
        raise CommittedHandError(hand=hand.hand)
    if opening.version != _newest(opening, hand.hand):
        detail = f"it is under {opening.rulebook} v{opening.version}"
        raise OldRulebookError(hand=hand.hand, detail=detail)
    claims = [event for event in hand.events if isinstance(event, SettlementClaimed)]
    if len(claims) > 1:
        raise SeveralClaimsError(hand=hand.hand, detail=f"it has {len(claims)}")
    if claims and claims[0].claimant != claimant:
        detail = f"{claims[0].claimant}'s, not {claimant}'s"
        raise OtherClaimantError(hand=hand.hand, detail=detail)


def _newest(opening: HandOpened, hand: str) -> int:
    """Return the version of a rulebook that a record means."""
    try:
        return find(opening.rulebook).version
    except RefusalError as refusal:
        raise OldRulebookError(hand=hand, detail=refusal.message) from None


def _written(hand: ToldHand) -> dict[str, Any]:
    """Return the record that a hand's events say."""
    opening = hand.opening
    rulebook = find(opening.rulebook)
    record: dict[str, Any] = {
        "hand": hand.hand,
        "rulebook": opening.rulebook,
        "table": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in opening.table.items()
            if value is not None
        },
        "dealer": opening.dealer,
    }
    if rulebook.opener == "recorded":
        record["opener"] = opening.opener
    protects = rulebook.timeout == "protected"
    record["seats"] = [
        taken.model_dump(exclude=None if protects else {"protect"}) for taken in opening.seats
    ]
    dealt = next(event for event in hand.events if isinstance(event, CardsDealt))
    record["deal"] = {str(seat): cards for seat, cards in dealt.cards.items()}
    if opening.draws:
        record["bonus_draws"] = {str(seat): amount for seat, amount in opening.draws.items()}
    record["actions"] = list(_actions(hand))
    for event in hand.events:
        if isinstance(event, SettlementClaimed):
            record["settlement"] = event.settlement
    return record


def _actions(hand: ToldHand) -> Iterator[dict[str, object]]:
    """Yield what was done, each with its time, and its key where it has one of its own."""
    opened_by = hand.told[0].entry.cause.command_id
    for told in hand.told:
        action = written(action_behind(told.event))
        if action is not None:
            yield {**action, "at": _time(told), **_key(told, opened_by)}


def _time(told: Told) -> str:
    return told.happened_at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _key(told: Told, opened_by: str) -> dict[str, object]:
    """Return an action's own key, where the hand did not come whole with one command."""
    key = told.entry.cause.command_id
    return {} if key == opened_by else {"id": key}


def _check_gives(written_out: Mapping[str, Any], hand: ToldHand, claimant: str) -> None:
    """Refuse a record that does not give the very events it was made from."""
    try:
        record = read(json.dumps(written_out, ensure_ascii=False))
        check_name(claimant, "claimant")
        played = play(record, _PLAYED_AGAIN)
    except RefusalError as refusal:
        raise NotAsPlayedError(hand=hand.hand, detail=refusal.message) from None
    if isinstance(played, Reject):
        raise NotAsPlayedError(hand=hand.hand, detail=f"{played.code}: {played.message}")
    if record.claim is not None:
        played.claim(claimant, record.claim, _PLAYED_AGAIN)
    given = [entry.event for entry in played.collect_events()]
    for version, (stored, again) in enumerate(zip(hand.events, given, strict=False), start=1):
        if encode(stored) != encode(again):
            raise NotAsPlayedError(hand=hand.hand, detail=f"they part at its event {version}")
    if len(given) != len(hand.events):
        detail = f"{len(given)} events in place of {len(hand.events)}"
        raise NotAsPlayedError(hand=hand.hand, detail=detail)
