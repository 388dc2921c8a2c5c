"""Lines on standard error, prefixed ``hyperacc:``; HA_LOG_LEVEL says which ones."""

import os
import sys

DEBUG, INFO, WARNING, ERROR = 10, 20, 30, 40
_LEVELS = {"DEBUG": DEBUG, "INFO": INFO, "WARNING": WARNING, "ERROR": ERROR}


def level():
    """The lowest level that is printed. An unknown name is as good as none; the library warns."""
    return _LEVELS.get(os.environ.get("HA_LOG_LEVEL", "").strip().upper(), INFO)


def write(severity, lines):
    """Prints `lines` in one piece, so that several ranks on one terminal do not mix within them."""
    if severity < level() or not lines:
        return
    prefix = "hyperacc: warning: " if severity == WARNING else "hyperacc: "
    try:
        sys.stderr.write("".join(prefix + line + "\n" for line in lines))
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass  # standard error is full, closed or absent: no reason to end a training run
