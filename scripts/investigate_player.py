"""What a player's hands say: net, who won from whom, and what chance does not make likely.

    .venv/bin/python scripts/investigate_player.py p001
    .venv/bin/python scripts/investigate_player.py --screen --alpha 0.001 --json

Exit status: 0 no flag, 2 bad input, 3 something is flagged.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import App, Parameter, validators

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from adapters.cli import main
from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.moments import time_of
from adapters.console.names import Called, called
from adapters.console.options import HERE, Opened, Where, opened
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.investigation.headings import headings
from adapters.investigation.observed import Observed
from adapters.investigation.player import Inquiry, Span
from adapters.investigation.reading import stored_hands
from adapters.investigation.suspicion import HANDS_LEAST, Flag, Judgement, judge, with_hands
from adapters.investigation.words import FLAGS, in_words, told
from adapters.plain_json import plain
from domain.errors import UnknownPlayerError
from domain.money import in_chips
from domain.wallet import wallet_id
from domain.zhajinhua.wording import Language

app = App(
    name="investigate_player.py",
    help_format="markdown",
    result_action="return_value",
    version_flags=(),
)

_SHOWN_MAX: Final = 20  # rows of a table; JSON has them all


@app.default
def investigate_player(  # noqa: PLR0913 - what a person may ask for
    player: str | None = None,
    /,
    *,
    screen: Annotated[bool, Parameter(negative=())] = False,
    since: str | None = None,
    until: str | None = None,
    alpha: Annotated[float, Parameter(validator=validators.Number(gt=0, lt=1))] = 0.01,
    least: Annotated[int, Parameter(validator=validators.Number(gte=2))] = HANDS_LEAST,
    lang: Language = "en",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Look through all settled hands of a player, or of everybody, for what is not chance.

    It says what the hands came to, who won from whom, and raises flags: folds to one other player,
    folds of the better cards, raises that then fold, chips that flow one way, answers
    that come too quickly, sessions that begin and end together. Each flag says what was seen, what
    would be expected, how likely so much is by chance, by which model, and the hands behind it. All
    p-values of a run are corrected together (Holm): over honest play at most ALPHA of the runs
    raise any flag. A flag is a reason to look, and no verdict. Nothing is changed.

    Who gave the commands of two players and of nobody else is noted, without a p-value.

    For example:

        .venv/bin/python scripts/investigate_player.py p001
        .venv/bin/python scripts/investigate_player.py p001 --since 2026-01-01 --lang zh
        .venv/bin/python scripts/investigate_player.py --screen --alpha 0.001 --json

    Parameters:
        player: The id.
        screen: Test all pairs of players instead of one player's.
        since: Only hands that opened then or later, in UTC unless it names its zone.
        until: Only hands that opened before.
        alpha: In how many of all runs over honest play a flag may be raised.
        least: Hands that two players must have shared to be tested.
        lang: Of the words.
    """
    if (player is None) != screen:
        raise BadInputError("a PLAYER or --screen, one of them")
    bounds = (None if moment is None else time_of(moment) for moment in (since, until))
    inquiry = Inquiry(player, Span(*bounds))
    with opened(where) as store:
        for observed in _hands(store, inquiry, "hands read"):
            inquiry.add(observed)
        if player is not None and not inquiry.hands:
            _check_known(store, player)
        left_out = inquiry.left_out.copy()
        with progress("pairs tested") as tell:
            tally, visits = inquiry.tally, inquiry.visits
            judged = judge(tally, visits, alpha=alpha, least=least, progress=tell)
        if judged.flags:
            again = _hands(store, inquiry, "hands behind the flags")
            judged = judged._replace(flags=with_hands(judged.flags, inquiry.visits, again))
        inquiry.left_out = left_out
        known = called(store, _players(inquiry, judged))
    if json:
        print_json(_as_json(inquiry, judged, known))
    else:
        _print(inquiry, judged, known, lang)
    return DISAGREEMENT if judged.flags else 0


def _hands(store: Opened, inquiry: Inquiry, what: str) -> Iterator[Observed]:
    """Yield the hands that count, with progress where somebody watches."""
    with progress(what) as tell:
        yield from inquiry.observed(stored_hands(store.ledger, tell))


def _check_known(store: Opened, player: str) -> None:
    """Refuse a mistyped id, which would be told to have no hands.

    Raises:
        UnknownPlayerError: There is nothing of that player.
    """
    if not store.ledger.recorder.select_events(wallet_id(player), limit=1):
        raise UnknownPlayerError(f"{player} never had a wallet here", player=player)


def _players(inquiry: Inquiry, judged: Judgement) -> Iterator[str | None]:
    yield inquiry.player
    yield from (result.name for result in inquiry.opponents)
    for flag in (*judged.flags, *judged.smallest):
        yield from (flag.giver, flag.taker)
    for shared in inquiry.shared_actors:
        yield from shared.players


def _as_json(inquiry: Inquiry, judged: Judgement, known: Called) -> dict[str, Any]:
    results = [plain(result) for result in inquiry.opponents]
    opponents = [known.beside({"player": row.pop("name"), **row}) for row in results]
    by_rulebook = [plain(result) for result in inquiry.by_rulebook]
    return {
        **known.beside({"player": inquiry.player}),
        "hands": inquiry.hands,
        "net": sum(result.net for result in inquiry.by_rulebook),
        "by_rulebook": [{"rulebook": row.pop("name"), **row} for row in by_rulebook],
        "opponents": opponents,
        "left_out": dict(inquiry.left_out),
        "alpha": judged.alpha,
        "tests": judged.tests,
        "least": judged.least,
        "correction": "holm",
        "flags": [
            {**plain(flag), "model": told("en", FLAGS[flag.what].model, **_sides(flag, known))}
            for flag in judged.flags
        ],
        "closest": [plain(flag) for flag in judged.smallest],
        "shared_actors": [plain(shared) for shared in inquiry.shared_actors],
    }


def _print(inquiry: Inquiry, judged: Judgement, known: Called, lang: Language) -> None:
    """Print it for a person."""
    if inquiry.player is None:
        say(in_words(lang, "everybody", hands=inquiry.hands))
    else:
        net = in_chips(sum(result.net for result in inquiry.by_rulebook))
        who = known.label(inquiry.player)
        say(in_words(lang, "player", player=who, hands=inquiry.hands, net=net))
        results = ((r.name, r.hands, r.net) for r in inquiry.by_rulebook)
        table(headings(lang, "rulebook", "hands#", "net$"), results)
        columns = headings(lang, "opponent", "hands#", "won$", "lost$", "net$")
        rows = [(known.label(r.name), r.hands, r.won, r.lost, r.net) for r in inquiry.opponents]
        table(columns, rows[:_SHOWN_MAX])
        _print_rest(len(rows), lang)
    if inquiry.left_out:
        why = (in_words(lang, name, count=n) for name, n in sorted(inquiry.left_out.items()))
        say(in_words(lang, "left_out", reasons=", ".join(why)))
    for number, flag in enumerate(judged.flags, start=1):
        _print_flag(number, flag, judged, known, lang)
    for actor, (one, other), hands, together in inquiry.shared_actors:
        words = {"actor": actor, "one": known.label(one), "other": known.label(other)}
        counts = {"hands_one": hands[0], "hands_other": hands[1], "together": together}
        say(in_words(lang, "shared_actor", **words, **counts))
    if not judged.flags:
        say(in_words(lang, "no_flag" if judged.tests else "no_tests", least=judged.least))
        for flag in judged.smallest[:1]:
            sides = {"giver": known.label(flag.giver), "taker": known.label(flag.taker)}
            name = told(lang, FLAGS[flag.what].name)
            say(in_words(lang, "closest", name=name, p=_p(flag.p), **sides))
    numbers = {"tests": judged.tests, "least": judged.least, "alpha": judged.alpha}
    say(in_words(lang, "tests", **numbers))


def _print_flag(number: int, flag: Flag, judged: Judgement, known: Called, lang: Language) -> None:
    """Print one flag: what was seen, how likely, by which chance, and the hands behind it."""
    words, sides = FLAGS[flag.what], _sides(flag, known)
    expected = f"{max(flag.expected_of_giver, flag.expected_of_taker):.1f}"
    counts = {"observed": flag.observed, "encounters": flag.encounters, "expected": expected}
    say("", in_words(lang, "flag", number=number, name=told(lang, words.name)))
    say("  " + told(lang, words.says, **sides, **counts))
    p = _p(flag.p) if flag.is_exact else in_words(lang, "at_most", p=_p(flag.p))
    against = (
        in_words(lang, "everybodys") if name == "everybody" else known.label(name)
        for name in flag.against
    )
    giver, taker = against
    likely = {"p": p, "corrected": _p(flag.corrected), "tests": judged.tests}
    say("  " + in_words(lang, "likely", giver=giver, taker=taker, **likely))
    say("  " + told(lang, words.model, **sides))
    say("  " + in_words(lang, "behind", count=len(flag.behind)))
    table(headings(lang, "hand", "position#", "score#", "chips$"), flag.behind[:_SHOWN_MAX])
    _print_rest(len(flag.behind), lang)


def _print_rest(count: int, lang: Language) -> None:
    if count > _SHOWN_MAX:
        say(in_words(lang, "and_more", count=count - _SHOWN_MAX))


def _sides(flag: Flag, known: Called) -> dict[str, str]:
    return {"giver": known.label(flag.giver), "taker": known.label(flag.taker)}


def _p(p: float) -> str:
    return f"{p:.2g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], app))
