import fcntl
import importlib.util
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "setup.py"


@pytest.fixture
def setup(tmp_path, monkeypatch) -> ModuleType:
    """The script, turned to a checkout of its own whose commands are noted instead of run."""
    spec = importlib.util.spec_from_file_location("setup_under_test", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("ROOT", "VENV", "PYTHON", "LOCK", "STAMP"):
        path = tmp_path / getattr(module, name).relative_to(SCRIPT.parents[1])
        monkeypatch.setattr(module, name, path)
    for name in ("pyproject.toml", "requirements.lock"):
        (tmp_path / name).write_bytes((SCRIPT.parents[1] / name).read_bytes())
    return module


@pytest.fixture
def ran(setup, monkeypatch) -> list[str]:
    """What the script ran: one word for each command, `venv`, `lock` or `project`."""
    words: list[str] = []

    def note(command):
        if "venv" in command:
            words.append("venv")
            setup.PYTHON.parent.mkdir(parents=True, exist_ok=True)
            setup.PYTHON.touch()
        else:
            words.append("lock" if "--requirement" in command else "project")

    monkeypatch.setattr(setup, "run", note)
    return words


ALL = ["venv", "lock", "project"]


def test_a_second_setup_finds_nothing_to_do(setup, ran):
    """The stamp of the first says that all is there."""
    setup.set_up()
    setup.set_up()

    assert ran == ALL


def test_a_changed_lock_file_is_installed_into_what_is_there(setup, ran):
    """New pins do not cost a new environment."""
    setup.set_up()
    setup.LOCK.write_text(setup.LOCK.read_text() + "# changed\n")
    setup.set_up()

    assert ran == [*ALL, "lock", "project"]


@pytest.mark.parametrize(
    ("old", "new", "installed"),
    [
        ("line-length = 100", "line-length = 99", []),
        ('jinhua = "adapters.cli:main"', 'hua = "adapters.cli:main"', ["lock", "project"]),
    ],
    ids=["of a tool", "of the project"],
)
def test_only_a_setting_that_is_installed_calls_for_an_installation(
    setup, ran, old, new, installed
):
    """The tools read their own tables where they are."""
    setup.set_up()
    project = setup.ROOT / "pyproject.toml"
    assert old in project.read_text(encoding="utf-8")
    project.write_text(project.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    setup.set_up()

    assert ran == ALL + installed


def test_after_a_killed_run_everything_is_made_afresh(setup, ran, monkeypatch):
    """A package that was half written looks whole to pip."""
    note = setup.run

    def die(command):
        note(command)
        if "--requirement" in command:
            raise KeyboardInterrupt

    setup.set_up()
    setup.LOCK.write_text("# changed\n")
    monkeypatch.setattr(setup, "run", die)
    with pytest.raises(KeyboardInterrupt):
        setup.set_up()
    monkeypatch.setattr(setup, "run", note)
    setup.set_up()

    assert ran == [*ALL, "lock", *ALL]


def test_an_environment_of_another_place_or_interpreter_is_made_afresh(setup, ran, monkeypatch):
    """A moved checkout and an upgraded Python leave an environment that points nowhere."""
    setup.set_up()
    monkeypatch.setattr(setup, "place", lambda: "elsewhere")
    setup.set_up()

    assert ran == ALL + ALL


def test_an_environment_whose_python_is_gone_is_made_afresh(setup, ran):
    """The interpreter it was made with may have been removed."""
    setup.set_up()
    setup.PYTHON.unlink()
    setup.set_up()

    assert ran == ALL + ALL


def test_a_second_setup_waits_for_the_first(setup, capsys):
    """Two at once never write into the same environment."""
    handle = os.open(setup.ROOT, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    order = []

    def second():
        with setup.only_one_setup():
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    thread.join(0.2)
    order.append("first")
    os.close(handle)
    thread.join()

    assert order == ["first", "second"]
    assert "waiting for another setup" in capsys.readouterr().out


def test_an_old_python_is_refused_before_anything_is_made(setup):
    """The error names what is needed and what is there."""
    with pytest.raises(setup.SetupError, match=r"Python 3\.11 or newer is needed; .* is 3\.9"):
        setup.check_python((3, 9))


def test_a_python_without_venv_is_refused_with_the_package_to_install(setup, monkeypatch):
    """Debian and Ubuntu ship it apart."""
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "ensurepip" else 1
    )

    with pytest.raises(setup.SetupError, match=r"no module `ensurepip` .*python3-venv"):
        setup.check_python((3, 11))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("pip: NewConnectionError: no route", "no package index gave an answer"),
        ("hash mismatch", "exit status 1"),
    ],
    ids=["offline", "anything else"],
)
def test_a_command_that_fails_shows_what_it_said_and_why(setup, said, told):
    """Nothing is printed while things go well, everything when they do not."""
    with pytest.raises(setup.SetupError) as failed:
        setup.run([sys.executable, "-c", f"raise SystemExit({said!r})"])

    assert said in str(failed.value)
    assert told in str(failed.value)


@pytest.mark.parametrize(
    ("words", "program", "rest"),
    [
        (["demo", "--seed", "1"], "jinhua", ["demo", "--seed", "1"]),
        (["check", "--fix"], "python", ["check.py", "--fix"]),
    ],
    ids=["jinhua", "check"],
)
def test_the_words_are_run_once_all_is_set_up(setup, ran, monkeypatch, words, program, rest):
    """The script becomes the command, so that its signals and exit status are the command's."""
    became: list[str] = []
    monkeypatch.setattr(os, "execv", lambda path, command: became.extend([path, *command[1:]]))

    assert setup.main(words) == 0
    assert ran == ALL
    assert became[0] == str(setup.VENV / "bin" / program)
    assert [Path(word).name for word in became[1:]] == rest


def test_the_script_needs_nothing_but_the_standard_library():
    """It runs before anything is installed, from any directory."""
    command = [sys.executable, "-I", "-S", "-c", f"import runpy; runpy.run_path({str(SCRIPT)!r})"]

    assert subprocess.run(command, cwd="/", check=False).returncode == 0
