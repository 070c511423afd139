"""What the client of the HTTP API says, and what it is told.

Read downwards; a file imports only files above it.

- ``errors``   what a client is told, a class per kind of answer
- ``patience`` how long to wait before something is tried again
- ``commands`` the commands that a client can give
- ``queries``  the questions that it can ask
"""
