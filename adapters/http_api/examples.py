"""One story that calls everything: the examples of the OpenAPI document, which the tests play.

The order is that of the story: chips come in before anybody sits down with them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, kw_only=True)
class Example:
    """One request, and the status of its answer."""

    operation: str  # the name of the route's function
    summary: str
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None  # JSON; of an import: text
    status: int = 200


def _key(key: str, **more: str) -> dict[str, str]:
    return {"Idempotency-Key": f'"{key}"', **{k.replace("_", "-"): v for k, v in more.items()}}


_HAND: Final = {"hand": "t1/0001"}
_TABLE: Final = {"ante": 500, "max_stake": 10_000}
_SEATS: Final = [
    {"seat": 1, "player": "ann", "carry": 50_000},
    {"seat": 2, "player": "bo", "carry": 50_000},
]
_SALT: Final = "5f" * 32
_DECK: Final = "".join(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")

STORY: Final[Sequence[Example]] = (
    Example(
        operation="deposit",
        summary="Ann brings 2000.00 in",
        path={"player": "ann"},
        headers=_key("8e03978e-0001"),
        body={"amount": 200_000},
    ),
    Example(
        operation="deposit",
        summary="Bo brings 2000.00 in",
        path={"player": "bo"},
        headers=_key("8e03978e-0002"),
        body={"amount": 200_000},
    ),
    Example(
        operation="open_hand",
        summary="A hand of two",
        headers=_key("8e03978e-0003"),
        body={
            "hand": "t1/0001",
            "rulebook": "jiuyou",
            "table": _TABLE,
            "dealer": 2,
            "seats": _SEATS,
            "deal": {"1": "AsAdAh", "2": "2c4d7h"},
            "actor": "table-1",
        },
        status=201,
    ),
    Example(operation="hand_state", summary="As its auditor sees it", path=_HAND),
    Example(
        operation="hand_state",
        summary="As seat 1 sees it",
        path=_HAND,
        query={"view": "seat", "seat": 1},
    ),
    Example(
        operation="act",
        summary="Seat 1 calls, if nothing has happened since version 4",
        path=_HAND,
        headers=_key("8e03978e-0004", If_Match='"4"'),
        body={"do": "call", "seat": 1, "price": 500, "actor": "ann"},
    ),
    Example(
        operation="act",
        summary="The same once more: the first answer, and nothing changes",
        path=_HAND,
        headers=_key("8e03978e-0004", If_Match='"4"'),
        body={"do": "call", "seat": 1, "price": 500, "actor": "ann"},
    ),
    Example(
        operation="act",
        summary="Somebody was first: 412",
        path=_HAND,
        headers=_key("8e03978e-0005", If_Match='"4"'),
        body={"do": "call", "seat": 2},
        status=412,
    ),
    Example(
        operation="act_many",
        summary="Seat 2 looks and folds: the hand settles",
        path=_HAND,
        headers=_key("8e03978e-0006"),
        body={"actions": [{"do": "look", "seat": 2}, {"do": "fold", "seat": 2}]},
    ),
    Example(
        operation="claim_settlement",
        summary="What another system made of it",
        path=_HAND,
        headers=_key("8e03978e-0007"),
        body={"claimant": "old-backend", "settlement": {"pot": 1_500, "winners": [1]}},
    ),
    Example(
        operation="disclose_deck",
        summary="A hand that was committed to no deck: 422",
        path=_HAND,
        headers=_key("8e03978e-0008"),
        body={"salt": _SALT, "deck": _DECK},
        status=422,
    ),
    Example(
        operation="open_hand",
        summary="Another hand",
        headers=_key("8e03978e-0009"),
        body={
            "hand": "t1/0002",
            "rulebook": "jiuyou",
            "table": _TABLE,
            "dealer": 1,
            "seats": _SEATS,
            "deal": {"1": "2c4d7h", "2": "KsKdKh"},
        },
        status=201,
    ),
    Example(
        operation="void_hand",
        summary="It was misdealt",
        path={"hand": "t1/0002"},
        headers=_key("8e03978e-0010"),
        body={"reason": "a card was shown", "actor": "floor"},
    ),
    Example(
        operation="withdraw",
        summary="Bo takes 10.00 out",
        path={"player": "bo"},
        headers=_key("8e03978e-0011"),
        body={"amount": 1_000},
    ),
    Example(
        operation="import_hands",
        summary="A finished hand from elsewhere, a line each",
        query={"claimant": "old-backend", "deposit": "true"},
        body='{"hand":"t1/0000","rulebook":"jiuyou","table":{"ante":500,"max_stake":10000},'
        '"dealer":1,"seats":[{"seat":1,"player":"ann","carry":50000},'
        '{"seat":2,"player":"bo","carry":50000}],"deal":{"1":"7s6d2h","2":"KsKd4h"},'
        '"actions":[{"seat":2,"do":"fold"}]}\n',
    ),
    Example(
        operation="hand_list",
        summary="The hands that Ann won",
        query={"winner": "ann", "limit": 20, "min_position": 12},
    ),
    Example(
        operation="balance",
        summary="What Ann has",
        path={"player": "ann"},
        query={"min_position": 12},
    ),
    Example(
        operation="balance",
        summary="What Ann had after the first event",
        path={"player": "ann"},
        query={"as_of": "1"},
    ),
    Example(operation="hand_events", summary="What happened in a hand", path=_HAND),
    Example(
        operation="hand_timeline",
        summary="Who did what when, as anybody sees it",
        path=_HAND,
        query={"view": "public"},
    ),
    Example(
        operation="hand_explanation",
        summary="Argued in Chinese",
        path=_HAND,
        query={"lang": "zh"},
    ),
    Example(operation="hand_verification", summary="Decided again", path=_HAND),
    Example(
        operation="hand_proof_file",
        summary="No checkpoint was made yet: 404",
        path=_HAND,
        status=404,
    ),
    Example(
        operation="statement",
        summary="How Ann came to that",
        path={"player": "ann"},
        query={"limit": 20, "min_position": 12},
    ),
    Example(operation="bonuses", summary="Everybody's bonuses", query={"min_position": 12}),
    Example(operation="player_bonuses", summary="Ann's bonuses", path={"player": "ann"}),
    Example(
        operation="house",
        summary="What the house took at one kind of table",
        query={"rulebook": "jiuyou", "since": "2026-01-01", "min_position": 12},
    ),
    Example(
        operation="audit_trail",
        summary="What happened in a hand, line by line",
        query={"hand": "t1/0001", "min_position": 12},
    ),
    Example(operation="checkpoints", summary="What was signed"),
    Example(operation="checkpoint", summary="There is none: 404", path={"size": "21"}, status=404),
    Example(operation="rulebooks", summary="The house rules that there are"),
    Example(
        operation="rulebook_page",
        summary="One of them, field by field",
        path={"rulebook": "jiuyou"},
        query={"lang": "zh"},
    ),
    Example(operation="events", summary="The first events", query={"limit": 5}),
    Example(
        operation="events",
        summary="What comes next, as soon as it is there",
        query={"after": 5, "limit": 5, "wait": 20},
    ),
    Example(operation="healthz", summary="Alive"),
    Example(operation="readyz", summary="Ready"),
    Example(operation="meaning", summary="What a code means", path={"code": "price_changed"}),
)
