"""Every vector is a test: the settlement to the last number, or the refusal, place and code."""

from collections import Counter

import pytest

from domain.hand import Hand
from domain.playing import Reject
from domain.zhajinhua.rulebooks import published
from tests.domain.hands import outcome, settled
from tests.domain.vectors import asked, vectors

DOCUMENTED = frozenset({"jiuyou", "platform", "yingsanzhang", "tongcheng", "feifan2017", "jisu"})
WAITING = DOCUMENTED - {rulebook.id for rulebook in published()}
READY = {
    f"{file}:{vector['hand']}": vector
    for file, vector in vectors()
    if vector["rulebook"] not in WAITING
}


@pytest.mark.parametrize("vector", READY.values(), ids=READY)
def test_a_vector_comes_to_what_it_says(vector):
    """What the independent program computed is what the ledger computes."""
    got = outcome(asked(vector))

    if "reject" in vector:
        assert isinstance(got, Reject), got
        assert vector["reject"] == {"at": got.at, "code": got.code}
    else:
        assert isinstance(got, Hand), got
        assert vector["settlement"] == settled(asked(vector))


def test_no_vector_is_left_out_unseen():
    """Every line is run, or waits for a rulebook that is documented and not yet published."""
    waiting = Counter(v["rulebook"] for _, v in vectors() if v["rulebook"] in WAITING)

    assert len(vectors()) == len(READY) + waiting.total()
    if waiting:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(waiting.items()))
        pytest.skip(f"{waiting.total()} vectors wait for their rulebooks: {counts}")
