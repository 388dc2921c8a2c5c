import os
import pathlib
import subprocess

import pytest


def pytest_addoption(parser):
    parser.addoption("--command", required=True, help="the hyperacc command")


@pytest.fixture(scope="session")
def command(request):
    return pathlib.Path(request.config.getoption("--command")).resolve()


@pytest.fixture(scope="session")
def source():
    return pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def hyperacc(command):
    """Runs the command in an environment of its own; returns the process."""

    def run(*arguments, environment=None, stdout=subprocess.PIPE):
        return subprocess.run(
            [command, *arguments],
            env={"PATH": os.environ["PATH"], **(environment or {})},
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )

    return run
