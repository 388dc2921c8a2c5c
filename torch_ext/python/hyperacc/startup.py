"""The start of HyperAcc in a process: once, however often and by whichever way it is asked for."""

import os

from . import log, process

_document = None  # what was decided in this process (and, after a fork, in its parent)
_activated = False


def asked(environment):
    """Some switch is set. Modes and modifiers alone ask for nothing."""
    return any(name.startswith("HA_USE_") for name in environment)


def _decide():
    """The library's document; what a job launcher would get on is skipped."""
    from . import library

    document = library.explain()
    launcher = process.job_launcher(process.command_line())
    if launcher is not None:
        for feature in document["features"]:
            if feature["state"] == "on":
                feature["state"] = "skipped"
                feature["reason"] = "job_launcher"
                feature["text"] = f"{launcher} starts the job, it is not the job"
    document["job_launcher"] = launcher
    return document


def _announce(document):
    from . import block

    if process.is_helper(process.command_line()):
        return
    rank, _ = process.ranks()
    quiet = rank != 0 or document["job_launcher"] is not None
    log.write(log.DEBUG if quiet else log.WARNING, document["warnings"])
    if document["asked"]:
        log.write(log.DEBUG if quiet else log.INFO, block.lines(document))


def _warn(error):
    """One line a node: a library may be damaged on one node only."""
    if process.is_helper(process.command_line()):
        return
    _, local_rank = process.ranks()
    text = f"{os.uname().nodename}: {error}; the job runs without HyperAcc"
    log.write(log.WARNING if local_rank == 0 else log.DEBUG, [" ".join(text.split())])


def activate(only_if_auto=False):
    """Decides and says so. Never raises. With `only_if_auto`, only where HA_AUTO is on."""
    global _document, _activated
    try:
        if _activated or not asked(os.environ):
            return
        document = _decide()
        if only_if_auto and not document["modifiers"]["auto"]["value"]:
            return
        _activated = True
        _document = document
        _announce(document)
    except Exception as error:  # whatever it is, the user's training matters more
        _activated = True
        _warn(error)


def decisions():
    """See hyperacc.decisions."""
    try:
        if _document is None:
            return _decide()
        import copy  # not above: it is slow to load, and most scripts never ask

        return copy.deepcopy(_document)
    except Exception as error:
        return {"error": str(error)}
