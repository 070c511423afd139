"""Files and directories that take their place complete, whoever is killed or writes beside."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters.exporting.destination import new_directory
from adapters.whole_files import replacing_text

WRITES = {
    "a file": """
with replacing_text(place) as file:
    file.write("theirs")
    file.flush()
""",
    "a directory": """
with new_directory(place) as directory:
    (directory / "part").write_text("theirs")
""",
}
WRITER = """
import sys
from pathlib import Path
from adapters.exporting.destination import new_directory
from adapters.whole_files import replacing_text
place = Path(sys.argv[1])
{write}    print("written", flush=True)
    sys.stdin.readline()
"""

Begin = Callable[[str, Path], subprocess.Popen[str]]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """What starts a process that has written and waits before it is complete."""
    begun: list[subprocess.Popen[str]] = []

    def run(kind: str, place: Path) -> subprocess.Popen[str]:
        program = [sys.executable, "-c", WRITER.format(write=WRITES[kind]), str(place)]
        writer = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        begun.append(writer)
        assert writer.stdout
        assert writer.stdout.readline() == "written\n"
        return writer

    yield run
    for writer in begun:
        writer.kill()
        writer.communicate()


def write(kind: str, place: Path) -> None:
    """Do the same here, to the end."""
    if kind == "a file":
        with replacing_text(place) as file:
            file.write("ours")
    else:
        with new_directory(place) as directory:
            (directory / "part").write_text("ours")


def held(place: Path) -> str:
    """Return what is written at a place."""
    return (place / "part" if place.is_dir() else place).read_text()


@pytest.mark.parametrize("kind", WRITES)
def test_what_a_killed_process_left_is_removed_by_the_next_one(kind, begin, tmp_path):
    """What only looks like it stays."""
    place = tmp_path / "out[1]*"
    others = {tmp_path / f".out[1]*.{name}" for name in ("notes", "mine.unfinished")}
    for other in others:
        other.write_text("somebody's")
    killed = begin(kind, place)
    killed.kill()
    killed.wait()
    assert (place.exists(), len([*tmp_path.iterdir()])) == (False, 3)

    write(kind, place)

    assert {place, *others} == {*tmp_path.iterdir()}
    assert "ours" == held(place)


@pytest.mark.parametrize(
    ("kind", "ends"), [("a file", (0, "theirs")), ("a directory", (1, "ours"))]
)
def test_two_that_write_to_one_place_leave_each_other_alone(kind, ends, begin, tmp_path):
    """A file is that of the last to end; a directory that is there already is not replaced."""
    place = tmp_path / "out"
    writer = begin(kind, place)

    write(kind, place)
    assert "ours" == held(place)
    writer.communicate("go on\n")

    assert [place] == [*tmp_path.iterdir()]
    assert ends == (writer.returncode, held(place))


@pytest.mark.parametrize("kind", WRITES)
def test_what_fails_leaves_nothing(kind, tmp_path):
    """The place is as it was."""
    place = tmp_path / "out"

    def fail() -> None:
        with replacing_text(place) if kind == "a file" else new_directory(place):
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert [] == [*tmp_path.iterdir()]
