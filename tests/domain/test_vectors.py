"""Every vector is a test: the settlement to the last number, or the refusal, place and code."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.hand import Hand
from domain.record import Reject
from domain.zhajinhua.rulebooks import published
from tests.domain.hands import outcome, settled

VECTORS = Path(__file__).parents[1] / "vectors"
DOCUMENTED = frozenset({"jiuyou", "platform", "yingsanzhang", "tongcheng", "feifan2017", "jisu"})
WAITING = DOCUMENTED - {rulebook.id for rulebook in published()}
ANSWERS = ("settlement", "reject")


def _lines() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every vector with the name of its file."""
    for path in sorted(VECTORS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)


VECTORS_READ = tuple(_lines())
READY = {
    f"{file}:{vector['hand']}": vector
    for file, vector in VECTORS_READ
    if vector["rulebook"] not in WAITING
}


def _asked(vector: dict[str, Any]) -> dict[str, Any]:
    """Return the record without its answer."""
    return {name: value for name, value in vector.items() if name not in ANSWERS}


@pytest.mark.parametrize("vector", READY.values(), ids=READY)
def test_a_vector_comes_to_what_it_says(vector):
    """What the independent program computed is what the ledger computes."""
    got = outcome(_asked(vector))

    if "reject" in vector:
        assert isinstance(got, Reject), got
        assert vector["reject"] == {"at": got.at, "code": got.code}
    else:
        assert isinstance(got, Hand), got
        assert vector["settlement"] == settled(_asked(vector))


def test_no_vector_is_left_out_unseen():
    """Every line is run, or waits for a rulebook that is documented and not yet published."""
    waiting = Counter(v["rulebook"] for _, v in VECTORS_READ if v["rulebook"] in WAITING)

    assert len(VECTORS_READ) == len(READY) + waiting.total()
    if waiting:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(waiting.items()))
        pytest.skip(f"{waiting.total()} vectors wait for their rulebooks: {counts}")
