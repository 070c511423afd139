"""Sentences and sums in one language."""

from collections.abc import Iterable
from fractions import Fraction

from domain.cards import HIDDEN
from domain.money import in_chips
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import Seat
from domain.zhajinhua.wording import VOCABULARIES, Language, faces


class Phrases:
    """Fills the templates of :mod:`domain.zhajinhua.wording`; shows cards only if it may."""

    def __init__(self, lang: Language, *, shown: bool) -> None:
        """Choose a language, and whether the cards may be shown: after the end alone."""
        self.lang = lang
        self.shown = shown
        self._words, self._categories = VOCABULARIES[lang]

    def __call__(self, text: str, **fields: object) -> str:
        """Return a sentence or a word with its fields filled in."""
        return self._words[text].format_map(fields)

    def seat(self, seat: Seat) -> str:
        """Name a seat and who sits there."""
        return self("seat", number=seat.number, player=seat.player)

    def seats(self, seats: Iterable[Seat]) -> str:
        """Name several seats."""
        return self("listed").join(map(self.seat, seats))

    def together(self, *sentences: str) -> str:
        """Return sentences one after another; empty ones are left out."""
        return self("space").join(sentence_case(said) for said in sentences if said)

    def category(self, name: str) -> str:
        """Name a category of three cards."""
        return self._categories[name]

    def faces(self, cards: str) -> str:
        """Print three cards, if they may be shown."""
        return faces(cards) if self.shown else HIDDEN

    # --- arithmetic ----------------------------------------------------------------------

    def sum(self, name: str, result: str, formula: str = "") -> str:
        """Return a line of arithmetic: ``call 100.00 x 2 = 200.00``."""
        return " ".join(
            filter(None, (self(f"name_{name}"), f"{formula} =" if formula else "", result))
        )

    def priced(
        self, name: str, formula: str, due: int, recorded: int, *, truncated: bool = False
    ) -> str:
        """Return the line of a price, and what was recorded where that is something else.

        Args:
            name: Of the amount.
            formula: How the rules come to it.
            due: What the rules come to, minor units.
            recorded: What the event says, minor units.
            truncated: Whether a fraction of a unit was dropped.
        """
        line = self.sum(name, in_chips(due), formula)
        if truncated:
            line = self("truncated", sum=line)
        return line if due == recorded else f"{line}{self.recorded(recorded)}"

    def recorded(self, amount: int) -> str:
        """Return the remark that something else was recorded."""
        return self("join") + self("recorded", amount=in_chips(amount))

    def paid_between(self, line: str, due: int, held: int, source: Seat, target: Seat) -> str:
        """Return the line of a payment from seat to seat, as far as the stack reaches.

        Args:
            line: The sum that comes to ``due``.
            due: Minor units.
            held: What the payer has left, minor units.
            source: Who pays.
            target: Who is paid.
        """
        who, other = self.seat(source), self.seat(target)
        if not held < due:
            return self("pays", sum=line, who=who, other=other)
        text = "pays_cut" if held else "pays_none"
        return self(text, sum=line, who=who, other=other, held=in_chips(held))

    def duel_fields(self, winner: Seat, loser: Seat, rules: ZhajinhuaRulebook) -> dict[str, str]:
        """Return what the sentences on a decided duel have in them."""
        fields = {"winner": self.seat(winner), "out": self.seat(loser)}
        if self.shown:
            for role, seat in (("winner", winner), ("loser", loser)):
                fields[f"{role}_faces"] = self.faces(seat.cards)
                fields[f"{role}_category"] = self.category(category_name(seat.cards, rules))
        return fields


def level_of(level: Fraction) -> str:
    """Print a level exactly: ``"12.50"``, and ``"25.01/2"`` where it is no whole unit."""
    whole = in_chips(level.numerator)
    return whole if level.denominator == 1 else f"{whole}/{level.denominator}"


def sentence_case(text: str) -> str:
    """Return a sentence with its first letter as it stands at the beginning of one."""
    return text[0].upper() + text[1:]
