"""How a hand begins: the table, the antes, the cards. RULES.md §2."""

from collections.abc import Iterator

from domain.events import HandOpened
from domain.money import in_chips
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.meanings import MEANINGS
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.rulebook_pages import said
from domain.zhajinhua.rulebooks import find

_SAID_ALREADY = {"ante", "max_stake", "round_limit"}


def opened(tell: Telling, event: HandOpened) -> Iterator[Remark]:
    """Argue the opening: which rules, which amounts, who sits where."""
    say, state = tell.say, tell.after
    carries = (
        say("seat_carry", who=say.seat(seat), carry=in_chips(seat.carry))
        for seat in state.seats.values()
    )
    bound = state.max_stake
    yield tell.remark(
        "opening",
        "opened_showdown" if state.rules.play == "showdown" else "opened",
        rulebook=event.rulebook,
        version=event.version,
        name=state.rules.name,
        ante=in_chips(state.ante),
        max_stake=say("no_bound") if bound is None else in_chips(bound),
        limit=state.rules.round_limit,
        dealer=tell.seat(event.dealer),
        opener=tell.seat(event.opener),
        seats=say("join").join(carries),
    )
    own = list(_own_rules(tell, event))
    if own:
        yield tell.remark("table", "own_rules", rules=say("all").join(own))
    if event.commitment is not None:
        yield tell.remark("deck", "committed", commitment=event.commitment)


def _own_rules(tell: Telling, event: HandOpened) -> Iterator[str]:
    """Yield each rule that the table set otherwise than its rulebook."""
    rulebook, lang = find(event.rulebook, event.version), tell.say.lang
    for name, value in event.table.items():
        if name not in _SAID_ALREADY and value != getattr(rulebook, name):
            means = MEANINGS[name].means.of(lang)
            yield tell.say("own_rule", means=means, value=said(name, value, lang))


def antes(tell: Telling) -> Iterator[Remark]:
    """Argue all antes in one step, with the last of them."""
    seats = tell.after.seats.values()
    paid = [seat.contributed for seat in seats]
    if 0 in paid:
        return
    formula = f"{len(paid)} x {in_chips(tell.after.ante)}"
    line = tell.say.priced("ante", formula, len(paid) * tell.after.ante, sum(paid))
    yield tell.remark("ante", "antes", [line], count=len(paid))
    for seat in seats:
        if seat.all_in:
            yield tell.remark("emptied", "emptied", [tell.level_sum(seat)], who=tell.say.seat(seat))


def dealt(tell: Telling) -> Iterator[Remark]:
    """Argue the deal; while the hand is running it shows nothing."""
    say, state = tell.say, tell.after
    if not say.shown:
        yield tell.remark("deal", "dealt_hidden")
        return
    cards = (
        say(
            "seat_cards",
            who=say.seat(seat),
            faces=say.faces(seat.cards),
            category=say.category(category_name(seat.cards, state.rules)),
        )
        for seat in state.seats.values()
    )
    yield tell.remark("deal", "dealt", cards=say("all").join(cards))
