"""What an auditor can check without trusting whoever keeps the store.

Read `tree.py` (the log: a Merkle tree over the positions), `subtrees.py` (parts of it that are
kept, so that a proof is made of few events), `players.py` (the index: the last event of every
player at one size of the log), `notes.py` (a checkpoint: both roots as a signed note), `keys.py`
(key files), `checkpoints.py` (making them, and whether they still hold) and `proofs.py` (what an
outsider needs to check one hand, or one player).
"""
