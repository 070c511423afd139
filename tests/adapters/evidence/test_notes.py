"""Notes and keys are those of C2SP and of Go's sumdb/note; what is wrong with one is named."""

import hashlib
from base64 import b64encode

import pytest

from adapters.evidence.notes import (
    BadSignatureError,
    Checkpoint,
    MalformedKeyError,
    MalformedNoteError,
    Signer,
    UnknownKeyError,
    Verifier,
    WrongOriginError,
    parse,
    sign,
    sign_text,
    text,
    verify,
    verify_text,
)

# From the tests and the documentation of golang.org/x/mod/sumdb/note.
VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
OTHER = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
SIGNED = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
    "KE6RyyBwJnAM=\n"
)
SIGNED_BY_OTHER = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WW"
    "d1RvMc+QQ=\n"
)

PETER, ENOCH = Verifier.parse(VERIFIER), Verifier.parse(OTHER)
ROOT, PLAYERS = hashlib.sha256(b"log").digest(), hashlib.sha256(b"players").digest()
SAMPLE = Checkpoint("PeterNeumann", 21, ROOT, 3, PLAYERS)


def test_the_published_note_comes_out_byte_for_byte():
    """The example key of Go's package signs its example text as it does there."""
    assert sign_text(TEXT, Signer.parse(SIGNER)) == f"{TEXT}\n{SIGNED}"


def test_the_published_keys_are_read_and_written():
    """A signer knows its verifier; both write themselves as they were."""
    assert Signer.parse(SIGNER).text == SIGNER
    assert Signer.parse(SIGNER).verifier == PETER
    assert [PETER.text, ENOCH.text] == [VERIFIER, OTHER]
    assert "PRIVATE" not in repr(Signer.parse(SIGNER))


def test_the_published_notes_verify():
    """Each by the key that is asked for; what others signed is not looked at."""
    note = f"{TEXT}\n{SIGNED}{SIGNED_BY_OTHER}"

    assert verify_text(note, PETER) == verify_text(note, ENOCH) == TEXT
    spoiled = SIGNED_BY_OTHER.replace("rwz+eBzm", "rwz+eBzn")
    assert verify_text(f"{TEXT}\n{SIGNED}{spoiled}", PETER) == TEXT


@pytest.mark.parametrize("read", [(Verifier, VERIFIER), (Signer, SIGNER)], ids=["all", "signer"])
def test_a_mangled_key_is_refused_and_not_repeated(read):
    """Cut anywhere, or with any one byte another, as Go's own test has it."""
    kind, key = read
    cut = {key[i:j] for i in range(len(key) + 1) for j in range(i, len(key) + 1)} - {key}
    edited = {key[:i] + chr(ord(key[i]) + 1) + key[i + 1 :] for i in range(len(key))}
    foreign = {
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",  # too long
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",  # no Ed25519
    }
    for mangled in cut | edited | foreign:
        with pytest.raises(MalformedKeyError) as refused:
            kind.parse(mangled)
        assert "AYEKFAL" not in str(refused.value)


def test_a_new_key_signs():
    """Every one is another, and reads back."""
    one, another = Signer.generate("jinhua"), Signer.generate("jinhua")

    assert one.text != another.text
    assert verify_text(sign_text("a\n", one), Verifier.parse(one.verifier.text)) == "a\n"
    for name in ("", "a b", "a+b", "a\tb", "a\u3000b"):
        with pytest.raises(MalformedKeyError):
            Signer.generate(name)


def test_a_checkpoint_is_four_lines():
    """The three of C2SP's tlog-checkpoint, and one for the players."""
    written = text(SAMPLE)

    root, players = (b64encode(root).decode() for root in (ROOT, PLAYERS))
    assert written == f"PeterNeumann\n21\n{root}\nplayers 3 {players}\n"
    assert parse(written) == SAMPLE
    assert parse(sign(SAMPLE, Signer.parse(SIGNER))) == SAMPLE
    assert verify(sign(SAMPLE, Signer.parse(SIGNER)), PETER) == SAMPLE


def test_another_s_signature_is_named():
    """Who signed, and who was to."""
    note = sign(SAMPLE._replace(origin="jinhua"), signer := Signer.generate("jinhua"))
    impostor = Signer.generate("jinhua").verifier

    with pytest.raises(UnknownKeyError) as refused:
        verify(note, impostor)
    assert (refused.value.found, refused.value.wanted) == ([signer.verifier.id], impostor.id)
    with pytest.raises(UnknownKeyError, match="by nobody"):
        verify(text(SAMPLE), PETER)


def test_a_text_that_was_not_signed_is_refused():
    """One digit more, under the signature of what was there before."""
    note = sign(SAMPLE, Signer.parse(SIGNER)).replace("\n21\n", "\n210\n")

    assert parse(note).size == 210
    with pytest.raises(BadSignatureError) as refused:
        verify(note, PETER)
    assert refused.value.key == "PeterNeumann+c74f20a3"


def test_a_key_signs_for_its_own_log_alone():
    """Whatever a note says that it is of."""
    foreign = SAMPLE._replace(origin="jinhua")
    with pytest.raises(WrongOriginError):
        sign(foreign, Signer.parse(SIGNER))
    with pytest.raises(WrongOriginError):
        verify(sign_text(text(foreign), Signer.parse(SIGNER)), PETER)


GOOD = text(SAMPLE)
MALFORMED = {
    # why                         the note                                          in line
    "nothing":                    ("",                                                    1),
    "no end":                     (GOOD[:-1],                                             4),
    "an empty line more":         (f"{GOOD}\n",                                           6),
    "no end of a signature":      (f"{GOOD}\n{SIGNED[:-1]}",                              6),
    "a line after it":            (f"{GOOD}\n{SIGNED}more\n",                             7),
    "a name of two words":        (f"{GOOD}\n{SIGNED.replace('rN', 'r N')}",              6),
    "a signature that is none":   (f"{GOOD}\n— PeterNeumann AAAA\n",                      6),
    "too many signatures":        (f"{GOOD}\n{SIGNED * 101}",                             6),
    "a control character":        (GOOD.replace("\n21", "\n\t21"),                        2),
    "a line too few":             (GOOD[: GOOD.index("players")],                         3),
    "a line too many":            (f"{GOOD}more\n",                                       5),
    "no name":                    (GOOD.removeprefix("PeterNeumann"),                     1),
    "a leading zero":             (GOOD.replace("\n21\n", "\n021\n"),                     2),
    "a sign":                     (GOOD.replace("\n21\n", "\n+21\n"),                     2),
    "a size past all positions":  (GOOD.replace("\n21\n", f"\n{2**63}\n"),                2),
    "half a root":                (GOOD.replace("=\nplayers", "\nplayers"),               3),
    "a root in another spelling": (GOOD.replace("=\nplayers", "==\nplayers"),             3),
    "another extension":          (GOOD.replace("players", "player"),                     4),
    "no count":                   (GOOD.replace("players 3", "players"),                  4),
}  # fmt: skip


@pytest.mark.parametrize(("note", "line"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_note_is_refused_by_its_line(note, line):
    """There is one way to write a checkpoint."""
    with pytest.raises(MalformedNoteError) as refused:
        parse(note)
    assert refused.value.line == line
