"""Who won from whom: to the minor unit, on both sides."""

import pytest

from adapters.investigation.flows import between_seats, flows
from adapters.simulation.hands import simulate
from domain.zhajinhua.rulebooks import published


def settlement(nets, **more):
    """Return a settlement of these nets and nothing else."""
    none = dict.fromkeys(("contributed", "won", "refund", "side", "bonus", "rake", "net"), 0)
    seats = {str(seat): {**none, "net": net} for seat, net in nets.items()}
    return {"seats": seats, "house_bonus": 0, "rake": 0, **more}


@pytest.mark.parametrize(
    ("nets", "flowed"),
    [
        ({1: -100, 2: 100}, {(1, 2): 100}),
        ({1: -100, 2: -50, 3: 150}, {(1, 3): 100, (2, 3): 50}),
        ({1: -100, 2: 60, 3: 40}, {(1, 2): 60, (1, 3): 40}),
        # 5 x 3/10 = 1.5 and 5 x 7/10 = 3.5, twice: the two odd units go to seat 3, then to seat 4.
        ({1: -5, 2: -5, 3: 3, 4: 7}, {(1, 3): 2, (1, 4): 3, (2, 3): 1, (2, 4): 4}),
        ({2: -1, 10: -1, 3: 1, 4: 1}, {(2, 3): 1, (10, 4): 1}),
        ({1: 0, 2: 0}, {}),
    ],
)
def test_losses_go_to_winners_in_proportion_and_odd_units_by_seat(nets, flowed):
    """What is truncated is given out in the order of the seats."""
    assert flowed == flows(settlement(nets))


def test_rake_and_a_bonus_of_the_house_are_nobodys_win():
    """The winner's 95 and 5 of rake are the loser's 100; the 10 of bonus come from the house."""
    given = settlement({1: -100, 2: 105}, house_bonus=10, rake=5)
    given["seats"]["2"] |= {"rake": 5, "bonus": 10}

    assert {1: -100, 2: 100} == between_seats(given)
    assert {(1, 2): 100} == flows(given)


def test_a_bonus_from_the_other_seats_is_won_from_them():
    """It comes to nothing over all seats."""
    given = settlement({1: -20, 2: 20})
    given["seats"]["1"]["bonus"], given["seats"]["2"]["bonus"] = -20, 20

    assert {(1, 2): 20} == flows(given)


@pytest.mark.parametrize("rulebook", sorted({rulebook.id for rulebook in published()}))
def test_every_loss_and_every_win_is_made_up_of_flows(rulebook):
    """Of whatever hand under whatever rulebook."""
    flowed = 0
    for record in simulate(rulebook, hands=40, seed=3):
        between, found = between_seats(record["settlement"]), flows(record["settlement"])
        flowed += len(found)
        for seat, result in between.items():
            won = sum(amount for (_, winner), amount in found.items() if winner == seat)
            lost = sum(amount for (loser, _), amount in found.items() if loser == seat)
            assert result == won - lost
            assert min(won, lost) == 0
        assert all(amount > 0 for amount in found.values())

    assert (flowed == 0) == (rulebook == "jisu")  # where the house keeps the bank
