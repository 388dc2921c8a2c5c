"""The entry point of torch: found through importlib.metadata, and harmless to `import torch`."""

import pathlib

import pytest

# What torch does at the end of its own import (torch/__init__.py, since 2.5): any exception here
# becomes a RuntimeError of `import torch`.
TORCH = """
from importlib.metadata import entry_points
found = entry_points()
is_new = hasattr(found, "select")
group = found.select(group="torch.backends") if is_new else found["torch.backends"]
for backend in group:
    backend.load()()
    print(backend.name)
"""
ASKED = {"HA_USE_ALL": "1", "HA_PLATFORM": "none"}


@pytest.mark.parametrize(
    "environment, activated",
    [
        ({}, False),
        (ASKED, False),
        ({**ASKED, "HA_AUTO": "0"}, False),
        ({**ASKED, "HA_AUTO": "perhaps"}, False),
        ({"HA_AUTO": "1"}, False),
        ({**ASKED, "HA_AUTO": "1"}, True),
        ({**ASKED, "HA_AUTO": "on"}, True),
    ],
)
def test_it_acts_only_where_auto_is_on(python, environment, activated):
    answer = python(TORCH, environment=environment)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == "hyperacc\n"
    assert ("platform none" in answer.stderr) is activated
    assert bool(answer.stderr) is activated


def test_every_python_finds_it(python, interpreter):
    answer = python(TORCH, environment={**ASKED, "HA_AUTO": "1"}, executable=interpreter)
    assert answer.stdout == "hyperacc\n"
    assert "platform none" in answer.stderr


def test_the_version_is_that_of_the_library(python):
    answer = python(
        "from importlib.metadata import version\n"
        "import hyperacc\nfrom hyperacc import library\n"
        "print(version('hyperacc'), hyperacc.__version__, library.features()['version'])"
    )
    assert len(set(answer.stdout.split())) == 1 and answer.stdout.split()


def test_a_folder_of_the_user_with_the_same_name_breaks_nothing(python, tmp_path):
    # Guards torch-spyre/torch-spyre#2925, #3659: an entry point that does not load ends `import
    # torch`, with its cause hidden.
    (tmp_path / "hyperacc").mkdir()
    answer = python(TORCH, environment={**ASKED, "HA_AUTO": "1"})
    assert "platform none" in answer.stderr  # a mere folder hides nothing, a package does:
    (tmp_path / "hyperacc" / "__init__.py").touch()
    answer = python(TORCH, environment={**ASKED, "HA_AUTO": "1"})
    assert answer.returncode == 0
    assert answer.stdout == "hyperacc\n"
    (line,) = answer.stderr.splitlines()
    assert line.endswith("; the job runs without HyperAcc")


def test_a_damaged_package_breaks_nothing(python, installation):
    folder = installation()
    for damage in ("raise ValueError('damaged')", "def ("):
        (folder / "hyperacc" / "startup.py").write_text(damage)
        answer = python(TORCH, environment={**ASKED, "HA_AUTO": "1"}, folder=folder)
        assert answer.returncode == 0
        assert answer.stdout == "hyperacc\n"
        assert len(answer.stderr.splitlines()) == 1


def test_torch_imported_by_a_script_that_imports_hyperacc_first(python, tmp_path):
    # Guards torch-spyre/torch-spyre#2925: the package is half initialised when torch calls back.
    pathlib.Path(tmp_path, "torch.py").write_text(TORCH)
    code = "import hyperacc.auto\nimport torch\nprint('trained')"
    answer = python(code, environment={**ASKED, "HA_AUTO": "1"})
    assert answer.stdout == "hyperacc\ntrained\n"
    assert answer.stderr.count("platform none") == 1
