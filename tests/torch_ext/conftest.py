"""What the suite runs on: an installed tree, and scripts in fresh interpreters."""

import glob
import os
import pathlib
import shutil
import subprocess
import sys

import pytest


def pytest_addoption(parser):
    parser.addoption("--prefix", required=True, help="an installed tree")
    parser.addoption("--cc", default="cc", help="a C compiler")


def _package_folder(prefix):
    (package,) = pathlib.Path(prefix).glob("lib*/**/hyperacc/python/hyperacc")
    return package.parent


def pytest_configure(config):
    # Pure modules are tested in this process; sys.path last, as the plugin sets PYTHONPATH.
    sys.path.append(str(_package_folder(config.getoption("--prefix"))))


@pytest.fixture(scope="session")
def source():
    return pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def prefix(request):
    return pathlib.Path(request.config.getoption("--prefix")).resolve()


@pytest.fixture(scope="session")
def package_folder(prefix):
    """The folder that the plugin adds to PYTHONPATH."""
    return _package_folder(prefix)


@pytest.fixture(scope="session")
def compiler(request):
    return request.config.getoption("--cc")


def _interpreters():
    """One interpreter of every supported Python on this machine, by version."""
    found = {}
    places = [f"python3.{minor}" for minor in range(9, 20)] + ["/usr/bin/python3", sys.executable]
    places += sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python3")))
    for place in places:
        path = shutil.which(place)
        if path is None:
            continue
        question = "import sys; print('%d.%d' % sys.version_info[:2])"
        answer = subprocess.run([path, "-c", question], capture_output=True, text=True)
        version = answer.stdout.strip()
        if answer.returncode == 0 and tuple(map(int, version.split("."))) >= (3, 9):
            found.setdefault(version, path)
    return found


INTERPRETERS = _interpreters()


@pytest.fixture(params=sorted(INTERPRETERS), ids=lambda version: f"python{version}")
def interpreter(request):
    return INTERPRETERS[request.param]


@pytest.fixture
def python(package_folder, tmp_path):
    """Runs Python code, a script file or arguments in a clean environment; returns the process."""

    def run(code=None, *, arguments=None, environment=None, executable=sys.executable, folder=None):
        if code is not None:
            script = tmp_path / "script.py"
            script.write_text(code)
            arguments = [str(script)]
        clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder or package_folder)}
        if "HYPERACC_TEST_PRELOAD" in os.environ:
            clean["LD_PRELOAD"] = os.environ["HYPERACC_TEST_PRELOAD"]
            clean["ASAN_OPTIONS"] = "detect_leaks=0"
        clean.update(environment or {})
        return subprocess.run(
            [executable, *arguments],
            env=clean,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
        )

    return run


@pytest.fixture
def installation(package_folder, tmp_path, compiler):
    """Copies the package beside a library of the test's own; returns the folder for PYTHONPATH."""

    def make(library_source=None, library_bytes=None):
        place = tmp_path / "lib" / "hyperacc"
        shutil.copytree(package_folder, place / "python")
        library = place / "libhyperacc.so"
        if library_source is not None:
            text = tmp_path / "double.c"
            text.write_text(library_source)
            subprocess.run([compiler, "-shared", "-fPIC", "-o", library, text], check=True)
        elif library_bytes is not None:
            library.write_bytes(library_bytes)
        return place / "python"

    return make
