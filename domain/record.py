"""``hand-record/1``: a whole hand as one JSON object, read strictly.

One object a line makes a file (JSON Lines, UTF-8). What the reader does not know
it refuses; a field twice, a float where an amount belongs, a null, a lone
surrogate too. The order of refusals is that of RULES.md §7.
"""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from itertools import compress
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from domain.errors import BadRecordError
from domain.events import SeatTaken
from domain.limits import check_count, check_size
from domain.making import decided
from domain.money import MAX_AMOUNT
from domain.zhajinhua.play import Action

_taken = decided(SeatTaken)

NAME_LENGTH_MAX: Final = 200  # characters of a hand's or a player's id

_NUMBERS_OF_VERB: Final[Mapping[str, tuple[bool, bool, bool, bool]]] = {
    **dict.fromkeys(("look", "call", "fold", "timeout", "all_in"), (True, False, False, False)),
    "raise": (True, True, False, False),
    "compare": (True, False, True, False),
    "top_up": (True, False, False, True),
    "fold_all": (False, False, False, False),
}
"""Whether an action has a seat, a stake, a target and an amount."""

_FIELDS_OF_VERB: Final[Mapping[str, frozenset[str]]] = {
    verb: frozenset(compress(("seat", "stake", "with", "amount"), has))
    for verb, has in _NUMBERS_OF_VERB.items()
}
_FIELDS_OF_OTHERS: Final = frozenset({"seat"})
_SEAT_NUMBER: Final = re.compile(r"0|-?[1-9][0-9]{0,17}")
_UTC_TIME: Final = re.compile(  # RFC 3339; ``fromisoformat`` alone takes much that is not
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-]00:00)"
)

Integer = Annotated[int, Field(ge=-MAX_AMOUNT, le=MAX_AMOUNT)]
Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH_MAX)]


class _Part(BaseModel):
    """A closed part of a record."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RecordedTable(_Part):
    """The table parameters by type; which of them a rulebook knows, and their ranges, it says."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    ante: Integer
    max_stake: Integer = 0
    round_limit: Integer = 0
    top_ups: Integer = 0
    chain: Integer = 0
    blind_limit: Integer = 0
    push_antes: Integer = 0
    suits: bool = False
    a23: bool = False
    blind_all_in_duel: bool = False
    sweep: bool = False
    wangzha: bool = False
    multiples_pct: list[Integer] = []


class RecordedSeat(_Part):
    """A seat as a record gives it."""

    seat: Integer
    player: Name
    carry: Integer
    protect: bool = True


class RecordedAction(_Part):
    """An action as a record gives it; which fields belong to it, its verb says."""

    do: str
    seat: Integer = 0
    stake: Integer = 0
    target: Annotated[Integer, Field(alias="with")] = 0
    amount: Integer = 0
    at: str = ""  # RFC 3339, UTC
    id: Name = "-"  # idempotency key

    @property
    def time(self) -> datetime | None:
        """Return when it happened, where the record says."""
        return datetime.fromisoformat(self.at.upper()) if self.at else None

    @property
    def command_id(self) -> str | None:
        """Return its idempotency key, where the record gives one."""
        return self.id if "id" in self.model_fields_set else None

    @property
    def action(self) -> Action:
        """Return what the game is asked to do."""
        given = self.model_fields_set
        return Action(
            do=self.do,
            seat=self.seat if "seat" in given else None,
            stake=self.stake if "stake" in given else None,
            target=self.target if "target" in given else None,
            amount=self.amount if "amount" in given else None,
        )


class ClaimedSeat(_Part):
    """A seat's figures as the record's own system came to them; whichever it gives."""

    contributed: Integer = 0
    won: Integer = 0
    refund: Integer = 0
    side: Integer = 0
    bonus: Integer = 0
    rake: Integer = 0
    net: Integer = 0


class ClaimedSettlement(_Part):
    """The figures of a hand as the record's own system came to them; whichever it gives."""

    pot: Integer = 0
    rounds: Integer = 0
    winners: list[Integer] = []
    rake: Integer = 0
    house_bonus: Integer = 0
    house_banked: Integer = 0
    seats: dict[str, ClaimedSeat] = {}


class HandRecord(_Part):
    """A whole hand. Amounts in minor units."""

    hand: Name
    rulebook: str
    table: RecordedTable
    dealer: Integer
    opener: Integer = 0
    seats: list[RecordedSeat]
    deal: dict[str, str]
    bonus_draws: dict[str, Integer] = {}
    actions: list[RecordedAction]
    settlement: ClaimedSettlement | None = None

    @property
    def taken(self) -> list[SeatTaken]:
        """Return who sits where. Nothing is checked: the game refuses what it cannot take."""
        return [_taken(**dict(seat)) for seat in self.seats]

    @property
    def cards(self) -> dict[int, str]:
        """Return what each seat was dealt."""
        return {int(number): cards for number, cards in self.deal.items()}

    @property
    def draws(self) -> dict[int, int]:
        """Return the bonuses drawn outside, minor units by seat."""
        return {int(number): amount for number, amount in self.bonus_draws.items()}

    @property
    def claim(self) -> dict[str, object] | None:
        """Return the record's own settlement, exactly as given, where it gives one."""
        if self.settlement is None:
            return None
        return self.settlement.model_dump(exclude_unset=True)


def read(line: str | bytes) -> HandRecord:
    """Read one record.

    Raises:
        BadRecordError: It is not JSON, or not a record; ``hand`` is its hand as
            far as it could be read.
        TooLargeError: It is too long, or has too many actions.
    """
    check_size(line)
    try:
        record = HandRecord.model_validate(_parse(line))
        _check_structure(record)
    except BadRecordError as error:
        error.hand = _hand_of(line)
        raise
    except ValidationError as error:
        raise _bad_field(error, hand=_hand_of(line)) from None
    return record


def check_name(name: object, field: str) -> None:
    """Refuse what cannot name a hand, a player, a command or an actor.

    Raises:
        BadRecordError: It is not text of 1 to 200 characters that can be stored.
    """
    if not isinstance(name, str) or not 1 <= len(name) <= NAME_LENGTH_MAX:
        raise BadRecordError(f"is no text of 1 to {NAME_LENGTH_MAX} characters", field=field)
    _check_text(name, field)


def check_claim(given: Mapping[str, object]) -> dict[str, object]:
    """Return the figures that a foreign system came to, as they are kept; as in a record.

    Raises:
        BadRecordError: There are none, or the first field to blame is named.
    """
    if not given:
        raise BadRecordError("claims no figure", field="settlement")
    try:
        claimed = ClaimedSettlement.model_validate(_parse(json.dumps(given, default=repr)))
    except ValidationError as error:
        raise _bad_field(error, hand=None) from None
    return claimed.model_dump(exclude_unset=True)


def check_action(action: Action) -> None:
    """Refuse an action whose fields are not its verb's or not of their type, as in a record.

    Raises:
        BadRecordError: The first field to blame is named.
    """
    if _is_plain(action):  # as nearly all are, which a model would take ten times as long to say
        return
    named = zip(Action._fields, action, strict=True)
    given = {"with" if name == "target" else name: v for name, v in named if v is not None}
    try:
        recorded = RecordedAction.model_validate(given)
    except ValidationError as error:
        raise _bad_field(error, hand=None) from None
    _check_text(recorded.do, "do")
    _check_action(recorded, "action")


def _is_plain(action: Action) -> bool:
    """Tell whether an action is of a verb that there is, with just its fields, all in range."""
    do, seat, stake, target, amount = action
    given = (seat is not None, stake is not None, target is not None, amount is not None)
    if type(do) is not str or given != _NUMBERS_OF_VERB.get(do):
        return False
    for number in (seat, stake, target, amount):
        if number is not None and not (type(number) is int and -MAX_AMOUNT <= number <= MAX_AMOUNT):
            return False
    return True


def _bad_field(error: ValidationError, *, hand: str | None) -> BadRecordError:
    """Return the refusal of the first field that is of the wrong type."""
    first = error.errors(include_url=False, include_input=False)[0]
    return BadRecordError(first["msg"], field=".".join(map(str, first["loc"])), hand=hand)


def _parse(line: str | bytes) -> Any:  # noqa: ANN401 - whatever the line holds
    """Return a line as JSON, without the liberties that JSON parsers take."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        # Bytes and ASCII hold no lone surrogate, and JSON has U+0000 only escaped: without an
        # escape no text has to be looked at.
        is_plain = "\\u" not in text and (isinstance(line, bytes) or text.isascii())
        hook = _plain_object if is_plain else _object
        return json.loads(text, object_pairs_hook=hook, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"not JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose fields are all different, not null and storable text."""
    found = _different(pairs)
    for name, value in pairs:
        if value is None:
            raise BadRecordError("is null", field=name)
        for text in (name, value):
            if isinstance(text, str):
                _check_text(text, name)
    return found


def _plain_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object as :func:`_object` does, where every text can be stored."""
    found = _different(pairs)
    if None in found.values():
        raise BadRecordError("is null", field=next(n for n, value in pairs if value is None))
    return found


def _different(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose fields are all different."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRecordError("given twice", field=twice)
    return found


def _check_text(text: str, field: str) -> None:
    """Refuse what is not Unicode text that can be stored: U+0000 and lone surrogates."""
    if "\0" in text or (not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)):
        raise BadRecordError("holds U+0000 or a lone surrogate", field=ascii(field)[1:-1])


def _no_constant(name: str) -> None:
    raise BadRecordError(f"{name} is no number")


def _check_structure(record: HandRecord) -> None:
    """Refuse what types alone do not tell. RULES.md §7.1."""
    check_count(len(record.actions))
    numbers = [seat.seat for seat in record.seats]
    if len(set(numbers)) < len(numbers):
        raise BadRecordError("a seat number twice", field="seats")
    for field, by_seat in (("deal", record.deal), ("bonus_draws", record.bonus_draws)):
        for key in by_seat:
            if not _SEAT_NUMBER.fullmatch(key):
                raise BadRecordError(f"{key!r} is no seat number", field=field)
    if {int(number) for number in record.deal} != set(numbers):
        raise BadRecordError("not for exactly the seats", field="deal")
    for index, action in enumerate(record.actions):
        _check_action(action, f"actions.{index}")


def _check_action(action: RecordedAction, field: str) -> None:
    """Refuse an action that lacks a field of its verb's, or has another's."""
    given = {"with" if name == "target" else name for name in action.model_fields_set}
    wanted = _FIELDS_OF_VERB.get(action.do, _FIELDS_OF_OTHERS)
    if given - {"do", "at", "id"} != wanted:
        fields = ", ".join(sorted(wanted)) or "no field"
        raise BadRecordError(f"{action.do!r} takes {fields}", field=field)
    if "at" in given and not _is_utc_time(action.at):
        raise BadRecordError(f"{action.at!r} is no RFC 3339 time in UTC", field=f"{field}.at")


def _is_utc_time(text: str) -> bool:
    """Tell whether a text is a time of the calendar, as RFC 3339 writes it, in UTC."""
    try:
        return bool(_UTC_TIME.fullmatch(text) and datetime.fromisoformat(text.upper()))
    except ValueError:
        return False


def _hand_of(line: str | bytes) -> str | None:
    """Return the hand of a line that could not be read, where at least that could."""
    try:
        found = json.loads(line)
        hand = found.get("hand") if isinstance(found, dict) else None
        return hand if isinstance(hand, str) and hand.encode() and "\0" not in hand else None
    except (ValueError, RecursionError):
        return None
