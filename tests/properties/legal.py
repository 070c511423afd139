"""Legal hands of every rulebook, drawn: who sits down with what, and what may be done next."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from domain.cards import DECK, split
from domain.errors import RefusalError
from domain.hand import Hand
from domain.playing import begin
from domain.record import read
from domain.rulebook import Parameter
from domain.zhajinhua.game import decide
from domain.zhajinhua.play import Action
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import HandState
from tests.domain.hands import CAUSE

# Hands that part one rule from another; among random ones they would hardly ever meet.
RARE = (
    *("AsAhAd", "KsKhKd", "2c2d2h", "9s9h9d"),
    *("2s3h5d", "2h3d5c", "2s3s5s"),
    *("As2s3s", "QsKsAs", "TcJcQc", "8d9dTd"),
    *("Ah2c3d", "Ad2h3c", "QdKhAc", "JdQhKc"),
    *("2h8hKh", "4c7cJc", "AcKc2c"),
    *("6c6d8s", "6h6s8d", "AcAdKh", "2d2s3h"),
    *("AhKd2s", "AdKc2h", "3c5d7h", "3d5h7s"),
)
MOST_ACTIONS = 60  # afterwards a hand is folded to its end


@st.composite
def openings(draw: st.DrawFn, rulebook: ZhajinhuaRulebook) -> dict[str, Any]:
    """Draw a record without actions: seats with gaps, few chips or many, and rare cards."""
    numbers = draw(
        st.lists(
            st.integers(1, 9), min_size=rulebook.seats_min, max_size=rulebook.seats_max, unique=True
        )
    )
    ante = draw(st.sampled_from((1, 7, 100, 333, 501, 10_001)))
    seats = [
        {"seat": number, "player": f"p{number}", "carry": draw(_carries(ante))}
        for number in numbers
    ]
    deal = dict(zip(map(str, numbers), draw(_deals(len(numbers))), strict=True))
    record = {
        "hand": "h-1",
        "rulebook": rulebook.id,
        "table": {"ante": ante, **draw(_tables(rulebook, ante))},
        "dealer": draw(st.sampled_from(numbers)),
        "seats": seats,
        "deal": deal,
        "actions": [],
    }
    if rulebook.opener == "recorded":
        record["opener"] = draw(st.sampled_from(numbers))
    if rulebook.timeout == "protected":
        for seat in seats:
            seat["protect"] = draw(st.booleans())
    if rulebook.bonus.startswith("drawn"):
        due = [n for n, cards in deal.items() if rulebook.bonus == "drawn" or _is_trips(cards)]
        most = (rulebook.draw_antes_max or 100) * ante
        record["bonus_draws"] = {
            number: draw(st.integers(0, most)) for number in due if draw(st.booleans())
        }
    return record


def _carries(ante: int) -> st.SearchStrategy[int]:
    """Draw a carry: often short, sometimes of nothing but the ante, sometimes of plenty."""
    return st.one_of(st.integers(ante, 9 * ante), st.just(ante), st.integers(20 * ante, 90 * ante))


@st.composite
def _deals(draw: st.DrawFn, count: int) -> list[str]:
    """Draw so many hands from one deck, every other one a rare one."""
    left = list(DECK)
    hands = []
    for _ in range(count):
        rare = [cards for cards in RARE if set(split(cards)) <= set(left)]
        at = draw(st.integers(0, len(left) - 3))
        cards = draw(st.sampled_from(rare)) if draw(st.booleans()) and rare else None
        hands.append(cards or "".join(left[at : at + 3] if at % 2 else left[at::-1][:3]))
        if len(hands[-1]) < 6:
            hands[-1] = "".join(left[:3])
        left = [card for card in left if card not in split(hands[-1])]
    return hands


def _is_trips(cards: str) -> bool:
    return len({card[0] for card in split(cards)}) == 1


@st.composite
def _tables(draw: st.DrawFn, rulebook: ZhajinhuaRulebook, ante: int) -> dict[str, Any]:
    """Draw what a table sets of its own accord, in half of the cases each."""
    given: dict[str, Any] = {}
    for parameter in rulebook.parameters:
        if parameter.name != "ante" and draw(st.booleans()):
            given[parameter.name] = draw(_values(parameter, ante))
    return given


def _values(parameter: Parameter, ante: int) -> st.SearchStrategy[Any]:
    """Draw what a parameter may be, near where it matters."""
    match parameter.name, parameter.kind:
        case "max_stake", _:
            return st.integers(ante, 9 * ante)
        case "round_limit", _:
            return st.integers(1, 5)
        case "wangzha", _:
            return st.just(value=False)
        case _, "flag":
            return st.booleans()
        case _, "list":
            length = parameter.length
            return st.lists(st.integers(0, 2_000), min_size=length, max_size=length)
    return st.integers(parameter.minimum, parameter.maximum or 9)


def opened(record: Mapping[str, Any]) -> Hand:
    """Return the hand that a drawn record opens."""
    return begin(read(as_line(record)), CAUSE)


def as_line(record: Mapping[str, Any]) -> str:
    """Return a record as a line of a file."""
    return json.dumps(record)


def legal(state: HandState) -> list[Action]:
    """Return what may be done now, going on more often than giving up."""
    return [action for action in _thinkable(state) if _is_legal(state, action)]


def _thinkable(state: HandState) -> Iterator[Action]:
    """Yield what somebody might try; amounts at and around what matters."""
    remaining = state.remaining
    movers = [state.turn, state.chain.seat if state.chain else None]
    for seat in dict.fromkeys(mover for mover in movers if mover is not None):
        yield from [Action("call", seat)] * 3
        for stake in (state.stake + 1, 2 * state.stake, state.max_stake or 5 * state.stake):
            yield Action("raise", seat, stake=stake)
        yield from (Action("compare", seat, target=other) for other in remaining)
        yield from (Action(do, seat) for do in ("all_in", "timeout", "fold"))
    for seat in remaining:
        yield Action("look", seat)
        price = state.stake * state.rules.seen_factor
        yield from (Action("top_up", seat, amount=more) for more in (1, price, 3 * price))
    yield Action("fold_all")


def _is_legal(state: HandState, action: Action) -> bool:
    try:
        decide(state, action)
    except RefusalError:
        return False
    return True


@st.composite
def hands(draw: st.DrawFn, rulebooks: Sequence[ZhajinhuaRulebook]) -> dict[str, Any]:
    """Draw a whole legal hand as a record, from its opening to its settlement."""
    rulebook = draw(st.sampled_from(rulebooks))
    record = draw(openings(rulebook))
    hand = opened(record)
    while not hand.state.over:
        choices = legal(hand.state)
        if len(record["actions"]) < MOST_ACTIONS:
            action = choices[draw(st.integers(0, len(choices) - 1))]
        else:
            action = next(a for do in ("fold", "call") for a in choices if a.do == do)
        record["actions"].append(as_recorded(action))
        hand.act(action, CAUSE)
    return record


def as_recorded(action: Action) -> dict[str, Any]:
    """Return an action as a record writes it."""
    written = {("with" if n == "target" else n): v for n, v in action._asdict().items()}
    return {name: value for name, value in written.items() if value is not None}


def find_all(*names: str) -> tuple[ZhajinhuaRulebook, ...]:
    """Return these rulebooks in their newest versions."""
    return tuple(find(name) for name in names)
