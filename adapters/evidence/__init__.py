"""What an auditor can check without trusting whoever keeps the store.

Read downwards; a file imports only files above it.

- ``tree``        the log: a Merkle tree over the positions
- ``subtrees``    parts of it that are kept, so that a proof is made of few events
- ``players``     the index: the last event of every player at one size of the log
- ``notes``       a checkpoint: both roots as a signed note
- ``keys``        key files
- ``checkpoints`` making them, and whether they still hold
- ``proofs``      what an outsider needs to check one hand, or one player
"""
