"""Sentences and sums in one language."""

from domain.money import in_chips
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import Seat
from domain.zhajinhua.wording import HIDDEN, VOCABULARIES, Language, faces


class Phrases:
    """Fills the templates of :mod:`domain.zhajinhua.wording`; shows cards only if it may."""

    def __init__(self, lang: Language, *, shown: bool) -> None:
        """Choose a language, and whether the cards may be shown: after the end alone."""
        self.shown = shown
        self._words, self._categories = VOCABULARIES[lang]

    def __call__(self, text: str, **fields: object) -> str:
        """Return a sentence or a word with its fields filled in."""
        return self._words[text].format_map(fields)

    def seat(self, seat: Seat) -> str:
        """Name a seat and who sits there."""
        return self("seat", number=seat.number, player=seat.player)

    def category(self, name: str) -> str:
        """Name a category of three cards."""
        return self._categories[name]

    def faces(self, cards: str) -> str:
        """Print three cards, if they may be shown."""
        return faces(cards) if self.shown else HIDDEN

    def sum(self, name: str, result: str, formula: str = "") -> str:
        """Return a line of arithmetic: ``call 100.00 x 2 = 200.00``."""
        return " ".join(
            filter(None, (self(f"name_{name}"), f"{formula} =" if formula else "", result))
        )

    def priced(self, name: str, formula: str, due: int, recorded: int) -> str:
        """Return the line of a price, and what was recorded where that is something else.

        Args:
            name: Of the amount.
            formula: How the rules come to it.
            due: What the rules come to, minor units.
            recorded: What the event says, minor units.
        """
        line = self.sum(name, in_chips(due), formula)
        return line if due == recorded else f"{line}{self.recorded(recorded)}"

    def recorded(self, amount: int) -> str:
        """Return the remark that something else was recorded."""
        return self("join") + self("recorded", amount=in_chips(amount))

    def duel_fields(self, winner: Seat, loser: Seat, rules: ZhajinhuaRulebook) -> dict[str, str]:
        """Return what the sentences on a decided duel have in them."""
        fields = {"winner": self.seat(winner), "out": self.seat(loser)}
        if self.shown:
            for role, seat in (("winner", winner), ("loser", loser)):
                fields[f"{role}_faces"] = self.faces(seat.cards)
                fields[f"{role}_category"] = self.category(category_name(seat.cards, rules))
        return fields
