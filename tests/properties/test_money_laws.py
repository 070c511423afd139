"""Laws of money: nothing is created, nothing is lost, and what is dropped is less than a unit."""

from hypothesis import given
from hypothesis import strategies as st

from domain.money import MAX_AMOUNT, Transfer, part, post, share

amounts = st.integers(0, MAX_AMOUNT)
names = st.sampled_from(("cashier", "pot", "seat:1", "seat:2", "house:rake", "player:张三"))
transfers = st.lists(st.builds(Transfer, names, names, amounts, st.just("x")), max_size=12)


@given(amount=amounts, sharers=st.lists(st.integers(), min_size=1, max_size=17, unique=True))
def test_shares_are_the_whole_and_differ_by_one_at_most(amount, sharers):
    """Whoever comes earlier never gets less than who comes later."""
    shares = list(share(amount, sharers).values())

    assert sum(shares) == amount
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1


@given(amount=amounts, numerator=amounts, denominator=st.integers(1, MAX_AMOUNT))
def test_a_part_drops_less_than_a_unit(amount, numerator, denominator):
    """Truncated, and by no more than the fraction."""
    got = part(amount, numerator, denominator)

    assert got * denominator <= amount * numerator < (got + 1) * denominator


@given(amount=amounts, denominator=st.integers(1, MAX_AMOUNT), data=st.data())
def test_the_parts_of_a_whole_are_never_more_than_the_whole(amount, denominator, data):
    """What one takes and what the rest take: at most one unit is dropped between them."""
    numerator = data.draw(st.integers(0, denominator))

    taken = part(amount, numerator, denominator)
    rest = part(amount, denominator - numerator, denominator)

    assert 0 <= amount - taken - rest <= 1


@given(moves=transfers)
def test_posting_creates_and_loses_nothing(moves):
    """Over all accounts the sum stays what it was."""
    assert sum(post({"cashier": 7}, moves).values()) == 7


@given(moves=transfers, data=st.data())
def test_the_order_of_postings_does_not_matter(moves, data):
    """At the end each account holds the same, whatever came first."""
    shuffled = data.draw(st.permutations(moves))

    assert post({}, shuffled) == post({}, moves)


@given(first=transfers, second=transfers)
def test_posting_in_parts_is_posting_at_once(first, second):
    """A reader may stop anywhere and go on from there."""
    assert post(post({}, first), second) == post({}, first + second)


@given(moves=transfers)
def test_what_is_moved_back_was_never_moved(moves):
    """A transfer is undone by another one, and by nothing else."""
    back = [Transfer(move.target, move.source, move.amount, "back") for move in moves]

    assert not any(post(post({}, moves), back).values())
