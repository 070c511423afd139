"""Verification of a Parquet export, with no database at all.

Hands, wallets, chains and the order of positions are checked as over the store, and by the same
functions; a wallet's event that names a hand which never was is told where that hand would be, not
with the wallet, and that the hands exist which disputes name is not looked at. What only a store
has is left out: names, checkpoints and read models.

The export is laid out by stream first (``export_streams``), and then checked a bucket at a time,
in this process, in several, or in the workers of a Dask cluster that reach the scratch directory.
"""

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final, Self

from adapters.garbage import few_collections
from adapters.store.sealing import CardKeys
from adapters.verifying.bookmark import Bookmark, Verified
from adapters.verifying.disputes import check_disputes
from adapters.verifying.export_streams import Bucket, LaidOut, lay_out, moves_of, rows_of
from adapters.verifying.portions import Checked, Progress, tallied
from adapters.verifying.runs import PORTIONS_WORTH_A_PROCESS, shared
from adapters.verifying.streams import (
    BULK_HANDS,
    Custody,
    bulks,
    check_hands,
    check_wallets,
    naming_hands,
    recorded,
    spelled,
    stray,
)
from domain.discrepancies import Discrepancy
from domain.hand import hand_of
from domain.wallet import player_of

LEFT_OUT: Final = ("names", "checkpoints", "projections")
"""What an export does not have, so that nothing is said of it."""

_HAND: Final = re.compile(r'"hand":"((?:[^"\\]|\\.)*)"')
"""As the store finds it."""


@dataclass(frozen=True)
class Scratch:
    """Where an export is laid out, and the keys to its cards. Whoever prints it prints no key."""

    directory: Path
    cards: CardKeys = field(repr=False)

    @contextmanager
    def opened(self) -> Iterator[Self]:
        """Lend it: there is nothing to open."""
        yield self


def verify_export(
    directory: Path,
    cards: CardKeys,
    progress: Progress = lambda _hands, _events: None,
    reading: Callable[[int], object] = lambda _events: None,
    *,
    scratch: Path | None = None,
    jobs: int = 1,
    dask: str | None = None,
    bookmark: Bookmark | None = None,
) -> Iterator[Discrepancy]:
    """Decide everything in an export again, and yield what parts.

    Args:
        directory: Of the export.
        cards: The keys to what is sealed in it.
        progress: Told, now and then, how many hands and events are done.
        reading: Told before that how many events are laid out.
        scratch: Where they are laid out meanwhile; None is the temporary directory.
        jobs: Processes that share the work, once it is much.
        dask: The address of a Dask scheduler whose workers share it instead.
        bookmark: Remembers how far it has come, and what an earlier run had done.

    Raises:
        ExportUnusableError: It is no export, or was not finished.
        ScratchError: Who shared the work does not reach the scratch directory.
        CardKeyMissingError: Cards are sealed under a key that is not held.
        ProcessLostError: Whoever shared the work is gone.
        ClusterError: There is no such cluster, or it cannot do this.
        BookmarkUnusableError: The bookmark is of another history.
    """
    with few_collections(), tempfile.TemporaryDirectory(prefix="jinhua-", dir=scratch) as name:
        kept = Scratch(Path(name).absolute(), cards)
        laid_out = lay_out(directory, kept.directory, reading)
        buckets, counted = laid_out.buckets, (0, 0)
        if bookmark is not None:
            verified = _verified(bookmark, laid_out)
            buckets = [bucket for bucket in buckets if bucket.first >= verified.upto]
            counted = verified.hands, verified.events
            bookmark.begin(verified)
            yield from [found.discrepancy for found in verified.found]
        alone = partial(map, partial(check_bucket, kept))
        if len(buckets) < PORTIONS_WORTH_A_PROCESS:
            jobs = 1
        with shared(lambda _: kept, check_bucket, alone, jobs=jobs, dask=dask) as checking:
            yield from tallied(buckets, checking, progress, counted, bookmark)
        yield from laid_out.found


def check_bucket(scratch: Scratch, bucket: Bucket) -> Checked:
    """Check every stream of a bucket."""
    rows = rows_of(scratch.directory, bucket)
    if bucket.kind == "wallet":
        return check_wallets(scratch.cards, rows)
    if bucket.kind == "dispute":
        return check_disputes(rows)
    custody: Custody = {}
    named = []
    for row in moves_of(scratch.directory, bucket):
        move = player_of(row.stream), recorded(scratch.cards, *row[:5])
        for player, event, hand in naming_hands([move]):
            named.append((player, event, hand))
            as_stored = _HAND.search(row.body)
            if as_stored and as_stored[1] == spelled(hand):
                custody.setdefault(hand, []).append(move)
    found: list[Discrepancy] = []
    known = set[str]()
    events = 0
    streams = groupby(rows, key=attrgetter("stream"))
    hands = ((hand_of(stream), list(its_rows)) for stream, its_rows in streams)
    for bulk in bulks(hands, BULK_HANDS):
        checked = check_hands(scratch.cards, bulk, custody)
        found += checked.found
        events += checked.events
        known.update(hand for hand, _ in bulk)
    found += [stray(*one) for one in named if one[2] not in known]
    return Checked(found, len(known), events)


def _verified(bookmark: Bookmark, laid_out: LaidOut) -> Verified:
    """Return what is verified: an export does not grow, so what was taken over stands.

    Raises:
        BookmarkUnusableError: It is of another history.
    """
    if bookmark.taken is None:
        return Verified("export", laid_out.position, laid_out.link.hex())
    same = bookmark.taken.position == laid_out.position
    bookmark.refuse_other("export", laid_out.link.hex() if same else None)
    return replace(bookmark.taken, found=list(bookmark.taken.found))
