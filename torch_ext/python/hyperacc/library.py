"""libhyperacc.so through ctypes: its JSON documents as dicts."""

import ctypes
import json
import os

ABI = 1  # HYPERACC_ABI of the header this file was written for

_FUNCTIONS = ("hyperacc_features", "hyperacc_explain", "hyperacc_status")
_library = None


class LibraryError(Exception):
    """The library is missing, does not fit this package or could not answer; its text says so."""


def path():
    """PREFIX/lib/hyperacc/libhyperacc.so, seen from PREFIX/lib/hyperacc/python/hyperacc."""
    package = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(os.path.dirname(os.path.dirname(package)), "libhyperacc.so")


def _open():
    try:
        library = ctypes.CDLL(path())
        abi = library.hyperacc_abi()
    except (OSError, AttributeError) as error:
        raise LibraryError(f"cannot load {path()}: {error}") from None
    if abi != ABI:
        raise LibraryError(
            f"{path()} has ABI {abi}, this package needs {ABI}: install both from one build"
        )
    for name in _FUNCTIONS:
        # Not c_char_p: ctypes would copy the text and lose the pointer that must be freed.
        getattr(library, name).restype = ctypes.c_void_p
    library.hyperacc_free.argtypes = [ctypes.c_void_p]
    library.hyperacc_free.restype = None
    return library


def _call(name, *arguments):
    global _library
    if _library is None:
        _library = _open()
    document = getattr(_library, name)(*arguments)
    try:
        answer = json.loads(ctypes.string_at(document))
    except ValueError as error:
        raise LibraryError(f"{name} of {path()} answered no JSON document: {error}") from None
    finally:
        _library.hyperacc_free(document)
    if "error" in answer:
        raise LibraryError(answer["error"])
    return answer


def features():
    """The table of features."""
    return _call("hyperacc_features")


def explain(**request):
    """What is on in this process and why; the members of `request` are in hyperacc.h."""
    return _call("hyperacc_explain", json.dumps(request).encode())


def status(**request):
    """What is on this machine."""
    return _call("hyperacc_status", json.dumps(request).encode())
