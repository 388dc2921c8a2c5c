import sys

import pytest
from hyperacc import log


@pytest.fixture(autouse=True)
def default_level(monkeypatch):
    monkeypatch.delenv("HA_LOG_LEVEL", raising=False)


def test_every_line_has_the_prefix(capsys):
    log.write(log.INFO, ["one", "  two"])
    log.write(log.WARNING, ["three"])
    assert capsys.readouterr().err == "hyperacc: one\nhyperacc:   two\nhyperacc: warning: three\n"


@pytest.mark.parametrize(
    "level, expected",
    [
        (None, ["info", "warning", "error"]),
        ("DEBUG", ["debug", "info", "warning", "error"]),
        ("info", ["info", "warning", "error"]),
        (" Warning ", ["warning", "error"]),
        ("ERROR", ["error"]),
        ("loud", ["info", "warning", "error"]),  # unknown counts as unset
    ],
)
def test_level(capsys, monkeypatch, level, expected):
    if level is not None:
        monkeypatch.setenv("HA_LOG_LEVEL", level)
    for name in ("debug", "info", "warning", "error"):
        log.write(getattr(log, name.upper()), [name])
    assert [line.split()[-1] for line in capsys.readouterr().err.splitlines()] == expected


def test_a_block_is_written_in_one_piece(monkeypatch):
    pieces = []

    class Stream:
        write = staticmethod(pieces.append)
        flush = staticmethod(lambda: None)

    monkeypatch.setattr(sys, "stderr", Stream)
    log.write(log.ERROR, ["one", "two"])
    assert pieces == ["hyperacc: one\nhyperacc: two\n"]


def test_nothing_is_written_for_no_lines(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)  # as under pythonw: would raise if it were used
    log.write(log.ERROR, [])


@pytest.mark.parametrize("error", [OSError, ValueError, BlockingIOError, UnicodeError])
def test_a_broken_standard_error_is_survived(monkeypatch, error):
    class Stream:
        def write(self, text):
            raise error("broken")

    monkeypatch.setattr(sys, "stderr", Stream())
    log.write(log.ERROR, ["one"])
    monkeypatch.setattr(sys, "stderr", None)
    log.write(log.ERROR, ["one"])
