"""The last steps of a hand's argument: pot, refunds, share, rake, and what each seat got."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from domain.claims import differences
from domain.events import HandSettled, SeatResult
from domain.money import in_chips, part
from domain.zhajinhua.phrases import Phrases
from domain.zhajinhua.pots import last_stand_refunds
from domain.zhajinhua.settlement import BASIS_POINTS
from domain.zhajinhua.state import HandState

_TERMS = (("won", 1), ("refund", 1), ("side", 1), ("bonus", 1), ("contributed", -1))


class SettlementStep(NamedTuple):
    """One step: what it is about, which sentence says it, of which seat, with which sums."""

    matter: str
    text: str
    seat: int | None
    sums: list[str]
    net: int = 0  # minor units


class Settled:
    """A settlement, taken apart."""

    def __init__(self, before: HandState, event: HandSettled, phrases: Phrases) -> None:
        """Take the hand as it stood before it was settled, bonuses granted."""
        self._state = before
        self._settlement = event.settlement
        self._say = phrases

    def steps(self) -> Iterator[SettlementStep]:
        """Yield the steps in the order of RULES.md §6."""
        results = {int(number): result for number, result in self._settlement["seats"].items()}
        yield self._pot()
        yield from self._refunds(results)
        for number in self._settlement["winners"]:
            yield self._won(number, results)
        for number, result in results.items():
            if result["rake"] or number in self._settlement["winners"]:
                yield self._rake(number, result)
        for number, result in results.items():
            sums = list(self._net(result))
            yield SettlementStep("net", "net", number, sums, result["net"])
        yield self._balance(results)

    def differences(self, claim: Mapping[str, object]) -> list[str]:
        """Return each figure of a claim that is not this settlement's, in words."""
        return [
            self._say(
                "claim_figure",
                path=path,
                claimed=_figure(path, claimed),
                derived=_figure(path, derived),
            )
            for path, claimed, derived in differences(claim, self._settlement)
        ]

    def _pot(self) -> SettlementStep:
        paid = [seat.contributed for seat in self._state.seats.values()]
        formula = " + ".join(map(in_chips, paid))
        line = self._say.priced("pot", formula, sum(paid), self._settlement["pot"])
        return SettlementStep("pot", "pot", None, [line])

    def _refunds(self, results: Mapping[int, SeatResult]) -> Iterator[SettlementStep]:
        due = last_stand_refunds(self._state)
        for number, result in results.items():
            if number in due:
                line = self._stand_refund(number, due[number], result["refund"])
                yield SettlementStep("refund", "refund", number, [line])

    def _stand_refund(self, number: int, refund: int, recorded: int) -> str:
        """Return the refund of one beaten opponent, worked out."""
        stand, state = self._state.stand, self._state
        assert stand is not None
        bets = state.seats[number].put_in_round(state.acted_round)
        full, paid = in_chips(stand.due), in_chips(stand.paid)
        formula = f"{in_chips(bets)} x ({full} - {paid}) / {full}"
        line = self._say.sum("refund", in_chips(refund), formula)
        if bets * (stand.due - stand.paid) % stand.due:
            line = self._say("truncated", sum=line)
        return line if refund == recorded else line + self._say.recorded(recorded)

    def _won(self, number: int, results: Mapping[int, SeatResult]) -> SettlementStep:
        won, pot = results[number]["won"], self._settlement["pot"]
        back = [result["refund"] for result in results.values() if result["refund"]]
        formula = " - ".join(map(in_chips, [pot, *back])) if back else ""
        line = self._say.sum("won", in_chips(won))
        if len(self._settlement["winners"]) == 1:
            line = self._say.priced("won", formula, pot - sum(back), won)
        return SettlementStep("won", "won", number, [line])

    def _rake(self, number: int, result: SeatResult) -> SettlementStep:
        gain = result["won"] + result["refund"] - result["contributed"]
        rate = self._state.rules.rake_bp
        due = part(gain, rate, BASIS_POINTS) if gain > 0 else 0
        terms = f"{in_chips(result['won'])} + {in_chips(result['refund'])}"
        formula = f"({terms} - {in_chips(result['contributed'])}) x {in_chips(rate)} %"
        line = self._say.priced("rake", formula, due, result["rake"])
        if gain > 0 and gain * rate % BASIS_POINTS:
            line = self._say("truncated", sum=line)
        return SettlementStep("rake", "rake", number, [line])

    def _net(self, result: SeatResult) -> Iterator[str]:
        """Yield the sum that gives a seat's net, before and after rake."""
        figures = cast(Mapping[str, int], result)  # every figure of a seat is an integer
        terms = [
            f"{'-' if sign < 0 else '+'} {self._say(f'name_{name}')} {in_chips(figures[name])}"
            for name, sign in _TERMS
            if figures[name]
        ]
        before = sum(sign * figures[name] for name, sign in _TERMS)
        line = f"{' '.join(terms).removeprefix('+ ')} = {in_chips(before)}"
        rake, net = result["rake"], result["net"]
        if rake:
            yield self._say("before_rake", sum=line)
            terms = [in_chips(before), "-", self._say("name_rake"), in_chips(rake)]
            line = f"{' '.join(terms)} = {in_chips(before - rake)}"
        yield line if before - rake == net else line + self._say.recorded(net)

    def _balance(self, results: Mapping[int, SeatResult]) -> SettlementStep:
        nets = [result["net"] for result in results.values()]
        bonus, rake = self._settlement["house_bonus"], self._settlement["rake"]
        terms = " + ".join(in_chips(net) if net >= 0 else f"({in_chips(net)})" for net in nets)
        house = f"{in_chips(bonus)} - {self._say('name_rake')} {in_chips(rake)}"
        lines = [
            self._say.sum("sum", in_chips(sum(nets)), terms),
            self._say.sum("bonus", in_chips(bonus - rake), house),
        ]
        return SettlementStep("net", "balance", None, lines)


def _figure(path: str, value: object) -> str:
    """Print a figure of a claim: an amount as chips, a round or the winners as they are."""
    return in_chips(value) if isinstance(value, int) and path != "rounds" else str(value)
