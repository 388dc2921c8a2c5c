"""The entry point that torch (2.5 or later) calls at the end of its own import.

It lives outside the package, under a name of its own, because whatever goes wrong while torch loads
or calls it ends `import torch`: a folder named hyperacc in the user's working directory would.
"""


def activate():
    """Switches HyperAcc on where HA_AUTO is on; returns at once elsewhere. Never raises."""
    import os
    import sys

    if "HA_AUTO" not in os.environ:
        return
    try:
        from hyperacc.startup import activate as start

        start(only_if_auto=True)
    except Exception as error:
        try:
            sys.stderr.write(f"hyperacc: warning: {error}; the job runs without HyperAcc\n")
        except (OSError, ValueError, AttributeError):
            pass
