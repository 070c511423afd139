"""A verification from its beginning to its end: of some hands, or of everything there is.

Everything is read in one snapshot, and cut into portions that processes or the workers of a Dask
cluster share. With a bookmark an interrupted one is gone on with. What it then proves:

- A stream that had been verified is not read again, if it has not grown since. It agreed, or did
  not, as it was in the earlier snapshot. Whoever edits a stream in the meantime, below the last
  position of that snapshot and already verified, is found by the next verification, as is whoever
  edits one while an uninterrupted one runs.
- A stream that has grown since, and a hand that a wallet has named since, is verified again from
  its first event, and whatever had been found in it is found anew or is gone.
- All other streams, and then what no stream shows, names, order and checkpoints, are verified as
  they are now.

So where nobody edits anything meanwhile, all that is said is what an uninterrupted verification
says that begins when the last run does.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Final, TypeVar

from pydantic_core import from_json

from adapters.garbage import few_collections
from adapters.jobs import Source, shared_among_processes
from adapters.registers.names import KEPT_NAMES, verify_names
from adapters.store.postgres import Conn, Held, Store, snapshot
from adapters.verifying.bookmark import Bookmark, Verified
from adapters.verifying.portions import Checked, Checking, P, Portion, Progress, tallied
from adapters.verifying.streams import (
    BULK_HANDS,
    Check,
    bulks,
    check_portion,
    each,
    existing,
    verify_order,
)
from domain.discrepancies import Discrepancy
from domain.errors import UnknownHandError
from domain.hand import hand_stream

S = TypeVar("S")

PORTIONS: Final = (("dispute", 500), ("hand", BULK_HANDS), ("wallet", 50))
"""The kinds of stream, as bytes order them, and how many are checked in one go. A wallet goes on
for ever where a hand ends, so these are fewer: else one process would still be at them when the
others have nothing left."""

PORTIONS_WORTH_A_PROCESS: Final = 8
"""With fewer of them, processes of their own take longer to start than they save."""

WORKERS_IDLE_S: Final = 60
"""A worker of a cluster that is given nothing for so long loses its snapshot, and takes it up anew
if it is given more. So where nobody is left who wants it, the server can tidy up."""

# The first of so many streams, again and again.
_FIRSTS: Final = """
    SELECT originator_id
      FROM (SELECT originator_id, row_number() OVER (ORDER BY originator_id) AS place
              FROM events
             WHERE originator_id >= %s AND originator_id < %s AND originator_version = 1) AS firsts
     WHERE (place - 1) %% %s = 0
     ORDER BY originator_id
"""

# What came after a position, of the streams before one; and the hands that wallets name in it.
_SINCE: Final = """
    position > %s AND originator_id < %s
       AND (originator_id >= 'dispute:' AND originator_id < 'dispute;'
            OR originator_id >= 'hand:' AND originator_id < 'hand;'
            OR originator_id >= 'wallet:' AND originator_id < 'wallet;')
"""
_GROWN: Final = f"SELECT DISTINCT originator_id FROM events WHERE {_SINCE}"  # noqa: S608 - constants
_GROWTH: Final = f"""
    SELECT count(*) FILTER (WHERE originator_version = 1
                              AND originator_id >= 'hand:' AND originator_id < 'hand;'),
           count(*)
      FROM events WHERE {_SINCE}
"""  # noqa: S608 - constants
_NAMED: Final = r"""
    SELECT DISTINCT substring(body FROM '"hand":("(?:[^"\\]|\\.)*")') FROM events
     WHERE topic IN ('wallet.carry_reserved.v1', 'wallet.carry_released.v1') AND position > %s
"""

_LAST: Final = "SELECT position, link FROM events ORDER BY position DESC LIMIT 1"
_LINK: Final = "SELECT link FROM events WHERE position = %s"


def verify(
    store: Store,
    hands: Sequence[str] | None,
    progress: Progress | None,
    *,
    notes: Sequence[str] = (),
    key: str | None = None,
    jobs: int = 1,
    dask: str | None = None,
    bookmark: Bookmark | None = None,
) -> Iterator[Discrepancy]:
    """Check hands and what their wallets gave them; without a choice, the whole history."""
    told = progress or (lambda _hands, _events: None)
    if hands is None:
        checkpoints = _checkpoints(notes, key)
        return _verify_all(store, told, checkpoints, jobs=jobs, dask=dask, bookmark=bookmark)
    streams = {hand_stream(hand): hand for hand in hands}
    with store.connection() as conn:
        there = existing(conn, list(streams))
    for stream, hand in streams.items():
        if stream not in there:
            raise UnknownHandError(f"no hand {hand} was ever opened", hand=hand)
    return _verify_chosen(store, sorted(streams), told)


def _checkpoints(notes: Sequence[str], key: str | None) -> Check:
    """Return what checks the stored checkpoints and these, having read these and the key."""
    # Most commands verify nothing, and should not wait for the tree's package: 30 ms of processor.
    from adapters.evidence.checkpoints import discrepancies  # noqa: PLC0415
    from adapters.evidence.notes import Verifier, parse  # noqa: PLC0415

    verifier = None if key is None else Verifier.parse(key)
    for note in notes:
        parse(note)
    return lambda conn: discrepancies(Held(conn), notes, verifier)


def _verify_chosen(
    store: Store, streams: Sequence[str], progress: Progress
) -> Iterator[Discrepancy]:
    with few_collections(), store.connection() as conn, snapshot(conn):
        portions = list(_of("hand", streams, BULK_HANDS))
        yield from tallied(portions, partial(map, partial(check_portion, conn)), progress)


def _verify_all(
    store: Store,
    progress: Progress,
    checkpoints: Check,
    *,
    jobs: int,
    dask: str | None,
    bookmark: Bookmark | None,
) -> Iterator[Discrepancy]:
    with few_collections(), store.connection() as conn, snapshot(conn):
        taken = bookmark.taken if bookmark else None
        again = [] if taken is None else list(_again(conn, taken))
        portions = list(_portions(conn, "" if taken is None else taken.upto))
        counted = (0, 0)
        alone = partial(map, partial(check_portion, conn))
        if len(portions) + len(again) < PORTIONS_WORTH_A_PROCESS:
            jobs = 1
        source = partial(store.exported, conn)
        with shared(source, check_portion, alone, jobs=jobs, dask=dask) as checking:
            if bookmark is not None:
                verified = _verified(conn, bookmark, again, checking)
                counted = verified.hands, verified.events
                bookmark.begin(verified)
                yield from [found.discrepancy for found in verified.found]
            yield from tallied(portions, checking, progress, counted, bookmark)
        yield from verify_names(each(conn, KEPT_NAMES))
        yield from verify_order(conn)
        yield from checkpoints(conn)


@contextmanager
def shared(
    source: Callable[[int], Source[S]],
    check: Callable[[S, P], Checked],
    alone: Checking[P],
    *,
    jobs: int,
    dask: str | None,
) -> Iterator[Checking[P]]:
    """Lend what checks portions: this process, several, or the workers of a cluster.

    Args:
        source: Returns what others open, and may leave idle for so many seconds; 0 is for ever.
        check: Checks a portion of that.
        alone: Checks portions here.
        jobs: Processes that share the work.
        dask: The address of a scheduler, whose workers share it.
    """
    if dask is not None:
        from adapters.verifying.workers import shared_among_workers  # noqa: PLC0415 - 2 s to load

        with shared_among_workers(dask, source(WORKERS_IDLE_S), check) as checking:
            yield checking
    elif jobs > 1:
        with shared_among_processes(source(0), check, jobs) as checking:
            yield checking
    else:
        yield alone


def _portions(conn: Conn, begin: str) -> Iterator[Portion]:
    """Cut all streams from one on into portions; nothing falls between two of them."""
    for kind, size in PORTIONS:
        first, end = max(begin, f"{kind}:"), f"{kind};"
        if first < end:
            firsts = [stream for (stream,) in each(conn, _FIRSTS, values=[first, end, size])]
            for start, before in pairwise((first, *firsts[1:], end)):
                yield Portion(kind, start, before)


def _of(kind: str, streams: Sequence[str], size: int) -> Iterator[Portion]:
    """Cut chosen streams of a kind, in order, into portions."""
    for some in bulks(streams, size):
        yield Portion(kind, some[0], f"{some[-1]}\0", some)


def _again(conn: Conn, taken: Verified) -> Iterator[Portion]:
    """Yield what had been verified at an earlier position and is not what it was then."""
    streams = {stream for (stream,) in conn.execute(_GROWN, [taken.position, taken.upto])}
    for (spelled,) in conn.execute(_NAMED, [taken.position]):
        try:
            streams.add(hand_stream(from_json(spelled or "")))
        except (ValueError, TypeError):
            continue  # no hand has that id; the wallet has grown, and says what is wrong with it
    grown = sorted(stream for stream in streams if stream < taken.upto and "\0" not in stream)
    for kind, size in PORTIONS:
        yield from _of(kind, [one for one in grown if one.startswith(f"{kind}:")], size)


def _verified(
    conn: Conn, bookmark: Bookmark, again: Sequence[Portion], checking: Checking[Portion]
) -> Verified:
    """Return what is verified as of this moment: what was taken over, brought up to it.

    Raises:
        BookmarkUnusableError: It is of another history.
    """
    position, link = next(iter(conn.execute(_LAST)), (0, b""))
    now = Verified("store", position, link.hex())
    taken = bookmark.taken
    if taken is None:
        return now
    links = [link.hex() for (link,) in conn.execute(_LINK, [taken.position])]
    bookmark.refuse_other("store", "".join(links))
    streams = {stream for portion in again for stream in portion.streams}
    bookmark.again = len(streams)
    found = [one for one in taken.found if one.stream not in streams]
    for portion, checked in zip(again, checking(again), strict=True):
        found += portion.placed(checked.found)
    now.found = sorted(found, key=lambda one: one.stream)
    ((hands, events),) = conn.execute(_GROWTH, [taken.position, taken.upto]).fetchall()
    now.upto, now.hands, now.events = taken.upto, taken.hands + hands, taken.events + events
    return now
