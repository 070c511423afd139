"""What the store holds beside the history.

Read downwards; a file imports only files above it.

- ``player_keys`` each player's own key, made and destroyed
- ``names``       what players are called, sealed and read
- ``api_keys``    the keys that callers of the HTTP API hold
- ``refusals``    refused commands
"""
