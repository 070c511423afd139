"""Every command that there is, the same for every way into the ledger.

A command gets its id, its actor, its time and its fingerprint in `commanding.py`; whether it is
carried out is decided later, on what is stored then (`execution.py`).
"""

from adapters.commands.asking_disputes import AskingDisputes
from adapters.commands.asking_hands import AskingHands
from adapters.commands.asking_wallets import AskingWallets


class Asking(AskingWallets, AskingHands, AskingDisputes):
    """The commands that there are."""
