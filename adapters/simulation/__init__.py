"""Hands that are made up.

Read downwards; a file imports only files above it.

- ``deals``   deals, rare cards more often
- ``tables``  tables, and who sits down
- ``playing`` how seats act
- ``hands``   random legal hands, the same for the same seed
"""
