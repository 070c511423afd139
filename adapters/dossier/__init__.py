"""The dossier: all that is known of a hand in one file, for a reader who has nothing else.

Read downwards; a file imports only files above it.

- ``words``       what it says, in Chinese and in English
- ``rules_page``  the sections of RULES.md that it cites
- ``material``    what it is made of, as far as its viewer may see
- ``sections``    what stands in each section
- ``contents``    all sections together: what the template prints
- ``rendering``   the HTML: self-contained, the same bytes for the same contents
- ``printing``    the same HTML as PDF, by a browser that has no network
"""
