"""What an argument for a settled hand must have in it."""

from collections.abc import Iterator, Sequence

from domain.events import AntePosted, Event, HandSettled
from domain.money import in_chips
from domain.zhajinhua.explanation import Step, explain
from domain.zhajinhua.wording import VOCABULARIES, Language


def unargued(events: Sequence[Event], lang: Language) -> Iterator[str]:
    """Yield what an argument leaves out or gets wrong; nothing where it is complete."""
    steps = explain(events, lang)
    said: dict[int, str] = {}
    for step in steps:
        lines = (said.get(step.version, ""), step.text, *step.arithmetic)
        said[step.version] = "\n".join(lines)
    yield from _amounts_left_out(events, said)
    yield from _doubts(said, lang)
    last = events[-1]
    assert isinstance(last, HandSettled)
    yield from _not_the_settlement(steps, last)


def _amounts_left_out(events: Sequence[Event], said: dict[int, str]) -> Iterator[str]:
    """Yield each amount that moved and is not in the steps of its event; antes are told at once."""
    antes = [n for n, event in enumerate(events, start=1) if isinstance(event, AntePosted)]
    for version, event in enumerate(events, start=1):
        told = said.get(antes[-1] if version in antes else version, "")
        for move in event.transfers:
            if in_chips(move.amount) not in told:
                yield f"{version}: {move.reason} {in_chips(move.amount)} is not in {told!r}"


def _doubts(said: dict[int, str], lang: Language) -> Iterator[str]:
    """Yield where an argument sets something else beside what was recorded."""
    words = VOCABULARIES[lang].words
    doubts = (words["recorded"], words["side_recorded"], words["wrongly"])
    marks = [doubt.split("{")[0].strip() for doubt in doubts]
    for version, told in said.items():
        for mark in marks:
            if mark in told:
                yield f"{version}: doubts {told!r}"


def _not_the_settlement(steps: Sequence[Step], event: HandSettled) -> Iterator[str]:
    """Yield where the last lines are not the settlement: each net, then their sum."""
    *nets, balance = steps[-len(event.settlement["seats"]) - 1 :]
    for (number, result), step in zip(event.settlement["seats"].items(), nets, strict=True):
        net = in_chips(result["net"])
        if net not in step.text or not step.arithmetic[-1].endswith(f"= {net}"):
            yield f"seat {number} nets {net}, not {step}"
    total = in_chips(sum(result["net"] for result in event.settlement["seats"].values()))
    if not all(line.endswith(f"= {total}") for line in balance.arithmetic):
        yield f"the nets sum to {total}, not {balance}"
