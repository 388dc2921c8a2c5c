"""HyperAcc, training acceleration for Slurm clusters.

A training script starts with ``import hyperacc.auto``, before torch and everything built on it.
"""

from .version import __version__

__all__ = ["__version__", "decisions"]


def decisions():
    """What HyperAcc decided for this process, as a fresh dict.

    The members are those of ``hyperacc explain --json`` (the C header hyperacc.h lists them). A
    process that imported ``hyperacc.auto`` gets what was decided then. Where the library cannot
    answer, the dict is ``{"error": text}``; nothing is raised.
    """
    from . import startup

    return startup.decisions()
