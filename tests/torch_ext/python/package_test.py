"""The package as a whole: old syntax, nothing but the standard library, everything installed."""

import ast
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve()
SOURCES = HERE.parents[3] / "torch_ext" / "python"
FILES = sorted(SOURCES.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_python_3_9_reads_it(file):
    ast.parse(file.read_text(), feature_version=(3, 9))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_imports_the_standard_library_only(file):
    for node in ast.walk(ast.parse(file.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
        for name in names:
            assert name.split(".")[0] in {*sys.stdlib_module_names, "hyperacc"}, (file, name)


def test_every_module_is_installed(package_folder):
    installed = {file.relative_to(package_folder) for file in package_folder.rglob("*.py")}
    assert installed - {pathlib.Path("hyperacc/version.py")} == {
        file.relative_to(SOURCES) for file in FILES
    }


def test_every_module_has_its_test():
    tests = {test.name for test in HERE.parent.rglob("*_test.py")}
    # __init__, auto and startup are one thing seen from three places.
    for file in FILES:
        if file.stem not in ("__init__", "auto"):
            assert f"{file.stem}_test.py" in tests
