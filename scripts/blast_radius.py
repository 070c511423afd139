"""Which hands a rulebook version or a build reached, what they come to now, and what corrects it.

    .venv/bin/python scripts/blast_radius.py --rulebook jiuyou --version 1
    .venv/bin/python scripts/blast_radius.py --rulebook jiuyou --set rake_bp=300 --out fix.jsonl
    .venv/bin/python scripts/blast_radius.py --builds

Exit status: 0 no hand would differ, 2 bad input, 3 some would, or cannot be settled so.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

from cyclopts import App, Parameter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from adapters.cli import main
from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.hands import catch_up
from adapters.console.moments import time_of
from adapters.console.names import Called, called
from adapters.console.options import HERE, Opened, Where, opened
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.console.rulebooks import named, pinned
from adapters.investigation.builds import UNRECORDED, builds, settled_by
from adapters.investigation.headings import heading, headings
from adapters.investigation.radius import (
    Meant,
    Resettled,
    as_line,
    corrections,
    resettled,
    shortfalls,
)
from adapters.investigation.reading import stored_hands
from adapters.investigation.words import in_words
from adapters.plain_json import json_line, plain
from adapters.whole_files import replacing_text
from domain.money import in_chips, player_account
from domain.zhajinhua.changing import Changes, read_changes
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.wording import Language

app = App(
    name="blast_radius.py", help_format="markdown", result_action="return_value", version_flags=()
)

_TOLD_MAX: Final = 1_000  # hands in JSON, and in memory; the file of corrections has them all
_SHOWN_MAX: Final = 20  # … in a table


class _Found:
    """What was found so far: counts, totals, and the first hands of it."""

    def __init__(self) -> None:
        self.hands = self.differ = self.stuck = self.corrections = self.house = 0
        self.pinned: Counter[tuple[str, str]] = Counter()
        self.codes: Counter[str] = Counter()
        self.totals: dict[str, int] = {}
        self.first: int | None = None
        self.last: int | None = None
        self.told: list[Resettled] = []

    def add(self, hand: Resettled) -> None:
        """Count a hand."""
        self.hands += 1
        self.pinned[hand.rulebook, hand.digest] += 1
        self.first = min(self.first or hand.position, hand.position)
        self.last = max(self.last or 0, hand.settled_at or hand.position)
        if hand.stuck is not None:
            self.stuck += 1
            self.codes[hand.stuck] += 1
        elif hand.differences:
            self.differ += 1
            self.house += hand.house
            for player, amount in hand.differences.items():
                self.totals[player] = self.totals.get(player, 0) + amount
        if (hand.stuck is not None or hand.differences) and len(self.told) < _TOLD_MAX:
            self.told.append(hand)


@app.default
def blast_radius(  # noqa: PLR0913 - what a person may ask for
    *,
    rulebook: str | None = None,
    version: int | None = None,
    digest: str | None = None,
    build: str | None = None,
    builds_: Annotated[bool, Parameter(name="--builds", negative=())] = False,
    first: Annotated[int | None, Parameter(name=["--first", "--from"])] = None,
    last: Annotated[int | None, Parameter(name=["--last", "--to"])] = None,
    since: str | None = None,
    until: str | None = None,
    under: Annotated[str | None, Parameter(name=["--as", "--under"])] = None,
    set_: Annotated[Sequence[str], Parameter(name="--set", negative=())] = (),
    out: Path | None = None,
    lang: Language = "en",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Find the hands that were settled so, settle them anew, and propose what would correct them.

    Without --as and --set each hand is settled under its own rulebook by the program as it is now:
    what an earlier program got wrong shows. Nothing is recorded, and none is posted: a person
    reads the file and decides. Its lines are commands, `deposit` or `withdraw`, each with a command
    id of its own, so that a correction posted twice counts once.

    The receipt of the command that settled a hand says which build of the program did: --builds
    lists them. Whatever was settled before builds were recorded is called `unrecorded`; say when
    its program ran, by --since and --until, which are the server's own times, or by the positions
    of openings, --from and --to.

    For example:

        .venv/bin/python scripts/blast_radius.py --rulebook jiuyou --version 1
        .venv/bin/python scripts/blast_radius.py --build 0.1.0+3f9c2ab --rulebook jiuyou
        .venv/bin/python scripts/blast_radius.py --since 2026-03-01T08:00Z --until 2026-03-01T09:30Z
        .venv/bin/python scripts/blast_radius.py --rulebook jiuyou --set rake_bp=300 --out fix.jsonl
        .venv/bin/python scripts/blast_radius.py --rulebook platform --as jiuyou.v1 --json

    Parameters:
        rulebook: Only hands that pin this one.
        version: Only hands that pin it in this version.
        digest: Only hands whose rulebook's digest begins so.
        build: Only hands that this build settled, as --builds tells it: the program's version, and
            what JINHUA_BUILD added to it.
        builds_: List the builds that settled hands, and stop.
        first: Only hands opened at this position or later.
        last: Only hands opened at this position or before.
        since: Only hands opened then or later, as the server recorded it.
        until: Only hands opened before.
        under: The rulebook to settle under, id or id.v1; each hand's own if none is given.
        set_: field=value, a field of the rulebook or a parameter of the table; amounts in minor
            units. May be given several times.
        out: Where the proposed corrections go, a line of JSON each.
        lang: Of the words.
    """
    if builds_:
        return _list_builds(where, lang, json=json)
    if rulebook is not None:
        find(rulebook, version)
    meant = Meant(
        rulebook,
        version,
        digest,
        first,
        last,
        None if since is None else time_of(since),
        None if until is None else time_of(until),
    )
    other, changes = None if under is None else named(under), read_changes(set_)
    found = _Found()
    with opened(where) as store:
        with ExitStack() as closing:
            lines = None if out is None else closing.enter_context(_beside(out))
            for hand in closing.enter_context(_hands(store, build, meant, other, changes)):
                found.add(hand)
                made = corrections(hand, _why(other, set_))
                found.corrections += len(made)
                if lines is not None:
                    for correction in made:
                        lines.write(json_line(as_line(correction)).decode())
        known = called(store, found.totals)
        short = _short(store, found.totals) if found.totals else []
    if json:
        print_json(_as_json(found, short, known, out))
    else:
        _print(found, short, known, out, lang)
    return DISAGREEMENT if found.differ or found.stuck else 0


@contextmanager
def _hands(
    store: Opened,
    build: str | None,
    meant: Meant,
    other: ZhajinhuaRulebook | None,
    changes: Changes,
) -> Iterator[Iterator[Resettled]]:
    """Lend the hands that are meant, settled anew, with progress where somebody watches."""
    hands = None if build is None else settled_by(store.ledger.store, build)
    with progress("hands read") as tell:
        read = stored_hands(store.ledger, tell, hands=hands, wanted=meant.holds)
        yield resettled(read, other, changes)


def _list_builds(where: Where, lang: Language, *, json: bool) -> int:
    """Print which builds settled hands, how many, and from which position to which."""
    with opened(where) as store:
        found = builds(store.ledger.store)
    if json:
        print_json({"builds": [plain(row) for row in found]})
    else:
        rows = [(row.build or UNRECORDED, *row[1:]) for row in found]
        table(headings(lang, "build", "hands#", "first#", "last#"), rows)
    return 0


@contextmanager
def _beside(out: Path) -> Iterator[TextIO]:
    """Lend a file beside the one that is meant, which takes its place once it is whole.

    Raises:
        BadInputError: It cannot be written.
    """
    try:
        with replacing_text(out) as lines:
            yield lines
    except OSError as error:
        raise BadInputError(f"{out} cannot be written: {error.strerror}") from None


def _why(other: ZhajinhuaRulebook | None, set_: Sequence[str]) -> str:
    """Say under what a hand was settled anew."""
    under = "its own rulebook" if other is None else pinned(other)
    return f"settled anew under {', '.join((under, *set_))}"


def _short(store: Opened, totals: dict[str, int]) -> list[tuple[str, int, int]]:
    """Return who holds less than would be taken back."""
    catch_up(store)
    prefix = player_account("")
    balances = [
        (row.account.removeprefix(prefix), row.balance)
        for row in store.views.balances()
        if row.account.startswith(prefix)
    ]
    return shortfalls(totals, balances)


def _as_json(
    found: _Found, short: list[tuple[str, int, int]], known: Called, out: Path | None
) -> dict[str, Any]:
    players = ({"player": name, "due": due} for name, due in sorted(found.totals.items()))
    return {
        "hands": found.hands,
        "differ": found.differ,
        "stuck": found.stuck,
        "stuck_codes": dict(found.codes),
        "rulebooks": [
            {"rulebook": name, "digest": digest, "hands": count}
            for (name, digest), count in sorted(found.pinned.items())
        ],
        "positions": [found.first, found.last],
        "players": [known.beside(row) for row in players],
        "house": found.house,
        "short": [{"player": p, "balance": b, "due": d} for p, b, d in short],
        "told": [plain(hand) for hand in found.told],
        "told_all": len(found.told) == found.differ + found.stuck,
        "corrections": found.corrections,
        "file": None if out is None else str(out),
        "posted": 0,
    }


def _print(
    found: _Found,
    short: list[tuple[str, int, int]],
    known: Called,
    out: Path | None,
    lang: Language,
) -> None:
    """Print it for a person."""
    counts = {"hands": found.hands, "differ": found.differ, "stuck": found.stuck}
    say(in_words(lang, "hit", **counts))
    pins = ((name, digest, count) for (name, digest), count in sorted(found.pinned.items()))
    table(headings(lang, "rulebook", "digest", "hands#"), pins)
    rows: list[Sequence[object]] = []
    for hand in found.told:
        blank: list[tuple[str, int | None]] = [("", None)]
        for player, amount in sorted(hand.differences.items()) or blank:
            rows.append((hand.hand, hand.position, hand.stuck, known.label(player), amount))
    if rows:
        columns = ("hand", "position#", "stuck", "player", "difference$")
        table(headings(lang, *columns), rows[:_SHOWN_MAX])
    if len(rows) > _SHOWN_MAX:
        say(in_words(lang, "and_more", count=len(rows) - _SHOWN_MAX))
    if found.totals:
        say("")
        totals = [(known.label(name), due) for name, due in sorted(found.totals.items())]
        totals.append((heading(lang, "house"), found.house))
        table(headings(lang, "player", "due$"), totals)
    for player, balance, due in short:
        amounts = {"balance": in_chips(balance), "due": in_chips(due)}
        say(in_words(lang, "short", player=known.label(player), **amounts))
    if out is None:
        say(in_words(lang, "none_posted"))
    else:
        say(in_words(lang, "proposed", count=found.corrections, file=out))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], app))
