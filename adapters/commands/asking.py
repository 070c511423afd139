"""What each command asks for, and what will decide it: the same for every way into the ledger.

Here a command gets its id, its actor, its time and its fingerprint; whether it is carried out is
decided later, on what is stored then (`deciding.py`, `execution.py`).
"""

from adapters.commands.asking_disputes import AskingDisputes
from adapters.commands.asking_hands import AskingHands
from adapters.commands.asking_wallets import AskingWallets


class Asking(AskingWallets, AskingHands, AskingDisputes):
    """The commands that there are."""
