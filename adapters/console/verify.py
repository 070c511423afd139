"""``jinhua verify``: everything decided again, over a store or an export of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import Parameter

from adapters.console.deck_proofs import proofs_of, told_proof
from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.key_files import read_note, verifier_text
from adapters.console.options import HERE, Jobs, Opened, Where, opened, processes
from adapters.console.output import AsJson, altogether, print_json, progress, say, table
from adapters.logs import configure
from adapters.plain_json import plain
from adapters.store.sealing import CardKeys
from adapters.verifying.bookmark import Bookmark
from adapters.views.catalogue import READ_MODELS
from domain.discrepancies import Discrepancy

_NO_HANDS: Final = ("wallet:", "dispute:", "projection:")
"""What else than a hand a discrepancy may be about."""

_SHOWN_MAX: Final = 50  # rows of a table of findings; JSON has them all


@Parameter(name="*", group="Much work")
@dataclass(frozen=True, kw_only=True)
class Sharing:
    """Who shares the work, and where to go on."""

    jobs: Jobs = None
    dask: Annotated[
        str | None,
        Parameter(help="The address of the scheduler of a Dask cluster that shares it instead."),
    ] = None
    resume: Annotated[
        Path | None,
        Parameter(
            help="A file that says how far it has come. Where it is there already, an interrupted"
            " verification goes on from it; it is removed when all is done."
        ),
    ] = None

    @property
    def processes(self) -> int:
        """Return how many processes there may be."""
        return processes(self.jobs)

    @cached_property
    def bookmark(self) -> Bookmark | None:
        """Return how far it has come, if that is to be kept.

        Raises:
            BookmarkUnusableError: The file says something else.
        """
        return None if self.resume is None else Bookmark(self.resume)


ALONE: Final = Sharing()
"""This machine, from the beginning to the end."""


def verify(
    *hands: str,
    key: Path | None = None,
    checkpoint: Annotated[Sequence[Path], Parameter(negative=())] = (),
    parquet: Path | None = None,
    scratch: Path | None = None,
    sharing: Sharing = ALONE,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Decide every hand again from its events alone, and name whatever parts.

    Every event is checked: turn, price, legality, duels, refunds, bonuses, settlement, any claim,
    and a disclosed deck. Without a HAND the whole ledger is: all hands, all wallets, the order of
    the history, every stored checkpoint, and each projection against a fresh fold of the events.
    `agree` counts the hands in which nothing parts. The exit status is 3 if anything does. Of each
    HAND that is named it is said too whether its deal is proven, not proven or absent; that alone
    is no disagreement.

    With `--dask` the workers of a Dask cluster share the work. Each connects to the store by
    itself: the DSN with its password and the keys of cards travel to the scheduler and to them,
    readable on the way unless the cluster uses TLS (`tls://`). The projections are folded on this
    machine, by as many processes as it has processors.

    For example:

        jinhua verify
        jinhua verify 000-last-stand --json
        jinhua verify --key jinhua.key.pub --checkpoint kept-on-monday.note
        jinhua verify --dask tcp://10.0.0.5:8786 --resume verify.json
        jinhua verify --parquet export

    Parameters:
        hands: Ids of hands; all of them if none is given.
        key: The file of the verifier's key that every checkpoint should be signed with.
        checkpoint: A file with a checkpoint that was kept elsewhere; may be given again.
        parquet: The directory of an export that is verified in place of a store. Names,
            checkpoints and projections, which it does not have, are left out.
        scratch: Where an export is laid out meanwhile, which takes as much room as it; the
            temporary directory, unless it is said. With --dask one that every worker reaches.
    """
    if hands and (key or checkpoint):
        raise BadInputError("checkpoints are of the whole ledger; name no hands with them")
    if hands and (sharing.dask or sharing.resume or parquet):
        raise BadInputError("--dask, --resume and --parquet are for everything; name no hands")
    if sharing.dask and sharing.jobs:
        raise BadInputError("--jobs are of this machine, and --dask of a cluster; give one of them")
    if parquet and (key or checkpoint):
        raise BadInputError("checkpoints are held against a store, not against an export")
    if scratch and not parquet:
        raise BadInputError("--scratch is where an export is laid out; give --parquet with it")
    if parquet is not None:
        result = verification_of_export(parquet, where, sharing, scratch)
    else:
        notes = [read_note(file) for file in checkpoint]
        verifier = None if key is None else verifier_text(key)
        with opened(where) as store:
            result = verification(store, hands or None, notes, verifier, sharing)
    if json:
        print_json(result)
    else:
        print_verdict(result)
        for hand, proof in result.get("deck_proofs", {}).items():
            say(f"hand {hand}: {told_proof(proof)}")
    if sharing.bookmark is not None:
        sharing.bookmark.remove()
    return DISAGREEMENT if result["discrepancies"] else 0


def verification(
    store: Opened,
    hands: Sequence[str] | None,
    notes: Sequence[str] = (),
    key: str | None = None,
    sharing: Sharing = ALONE,
) -> dict[str, Any]:
    """Return what a verification of hands, or of everything and of checkpoints, comes to."""
    chosen = None if hands is None else list(dict.fromkeys(hands))
    found, counted = _counted(
        lambda count: store.ledger.verify(
            chosen,
            count,
            notes=notes,
            key=key,
            jobs=sharing.processes,
            dask=sharing.dask,
            bookmark=sharing.bookmark,
        )
    )
    if chosen is None:
        found += _projections(store, sharing.processes)
    result = _result(found, counted, sharing)
    if chosen is not None:
        result["deck_proofs"] = proofs_of(store, chosen)
    return result


def verification_of_export(
    directory: Path, where: Where, sharing: Sharing, scratch: Path | None
) -> dict[str, Any]:
    """Return what a verification of an export comes to."""
    # A tenth of a second to load, for those who have one.
    from adapters.verifying.export import LEFT_OUT, verify_export  # noqa: PLC0415

    configure()
    cards = CardKeys(where.settings.card_keys)
    with progress("events read") as reading:
        found, counted = _counted(
            lambda count: verify_export(
                directory,
                cards,
                count,
                lambda events: reading(events, None),
                scratch=scratch,
                jobs=sharing.processes,
                dask=sharing.dask,
                bookmark=sharing.bookmark,
            )
        )
    return {**_result(found, counted, sharing), "left_out": LEFT_OUT}


def print_verdict(result: Mapping[str, Any]) -> None:
    """Print what a verification found."""
    found = result["discrepancies"]
    if found:
        columns = ("hand", "position#", "what", "recorded", "derived", "rule")
        names = [name.rstrip("#") for name in columns]
        table(columns, ([row[name] for name in names] for row in found[:_SHOWN_MAX]))
    if len(found) > _SHOWN_MAX:
        say(f"… and {len(found) - _SHOWN_MAX} more; --json has them all")
    taken = result.get("resumed")
    if taken:
        say(
            f"taken over: hands {taken['hands']}, events {taken['events']}, as of position"
            f" {taken['position']}; {taken['again']} streams verified again, which have grown since"
        )
    if "left_out" in result:
        say(f"not in an export, and left out: {', '.join(result['left_out'])}")
    checked = f"hands {result['hands']}, events {result['events']}, agree {result['agree']}"
    say(f"{checked}: {len(found) or 'no'} discrepanc{'y' if len(found) == 1 else 'ies'}")


def _counted(
    verifying: Callable[[Callable[[int, int], None]], Iterator[Discrepancy]],
) -> tuple[list[Discrepancy], tuple[int, int]]:
    """Return all that is found, and in how many hands and events, with progress meanwhile."""
    counted = (0, 0)
    with progress("events verified") as told:

        def count(hands_done: int, events_done: int) -> None:
            nonlocal counted
            counted = (hands_done, events_done)
            told(events_done, None)

        return list(verifying(count)), counted


def _result(
    found: Sequence[Discrepancy], counted: tuple[int, int], sharing: Sharing
) -> dict[str, Any]:
    """Return as JSON has it what was found, in how much, and what of that was taken over."""
    wrong = {d.hand for d in found if d.hand != "ledger" and not d.hand.startswith(_NO_HANDS)}
    result: dict[str, Any] = {
        "hands": counted[0],
        "events": counted[1],
        "agree": counted[0] - len(wrong),
        "discrepancies": [plain(discrepancy) for discrepancy in found],
    }
    if sharing.bookmark is not None:
        result["resumed"] = sharing.bookmark.told
    return result


def _projections(store: Opened, jobs: int) -> list[Discrepancy]:
    """Return where a projection, as far as it has come, is not what the events give."""
    with progress("events folded") as told:
        return [
            Discrepancy(f"projection:{name}", None, key, *_parted(recorded, derived), "fold")
            for name, key, recorded, derived in store.projectors(jobs).compare_with_fresh_fold(
                progress=altogether(told, READ_MODELS)
            )
        ]


def _parted(recorded: object, derived: object) -> tuple[Any, Any]:
    """Return two rows of a projection, or no more than the columns in which they differ."""
    kept, due = plain(recorded), plain(derived)
    if not isinstance(kept, dict) or not isinstance(due, dict):
        return kept, due
    names = [name for name in due if kept.get(name) != due[name]]
    return {name: kept.get(name) for name in names}, {name: due[name] for name in names}
