"""The texts of the pages, in English."""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
    # around every page
    "ledger": "jinhua ledger",
    "skip": "Skip to the content",
    "pages": "Pages",
    "settings": "Language and appearance",
    "language": "Language",
    "language.zh": "中文",
    "language.en": "English",
    "theme": "Appearance",
    "theme.auto": "System",
    "theme.light": "Light",
    "theme.dark": "Dark",
    "sign_out": "Sign out",
    "signed_in_as": "Signed in as {name}",
    "role.service": "service",
    "role.auditor": "auditor",
    "role.investigator": "investigator",
    "role.player": "player",
    "at_tables": "tables {tables}",
    "footer": "Times are UTC. Amounts are chips of 100 minor units.",
    # the pages by name
    "overview": "Overview",
    "hands": "Hands",
    "trail": "Audit trail",
    "verification": "Verification",
    "checkpoints": "Checkpoints",
    "rulebooks": "Rulebooks",
    "my_page": "My page",
    # signing in
    "sign_in": "Sign in",
    "key": "API key",
    "key_hint": "It begins with jinhua_. Whoever runs the service makes one:",
    "key_failed": "This is no key of this service, or it was revoked.",
    "sign_in_about": "Every hand as facts that can be replayed and checked, to the minor unit.",
    "sign_in_cookie": "The key stays in a cookie of this browser until you sign out or close it. Use it over HTTPS, or on this machine.",
    # rulebooks
    "rulebooks_about": "Each hand pins one of these by its digest and is settled by it for ever; a changed rule is a new version.",
    "rulebook": "Rulebook",
    "rulebook_name": "Name",
    "version": "Version",
    "version_of": "version {version}",
    "document": "Document",
    "digest": "Digest",
    "rule_fields": "The rules, one by one",
    "rule_means": "Rule",
    "rule_value": "Value",
    "rule_section": "RULES.md",
    "rule_rests_on": "What it rests on",
    # what went wrong
    "problem": "This did not work",
    "problem.401": "Not signed in",
    "problem.403": "Not yours to see",
    "problem.404": "There is nothing here",
    "problem.429": "Too fast",
    "problem.503": "Not just now",
    "problem_code": "Code",
    "problem_rule": "Rule",
    "back_to_start": "To the first page",
}
