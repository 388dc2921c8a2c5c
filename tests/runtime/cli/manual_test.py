"""hyperacc(1) names what the command has, and formats without a warning."""

import json
import re
import shutil
import subprocess

import pytest


@pytest.fixture
def page(source):
    return source / "doc" / "man" / "hyperacc.1"


@pytest.fixture
def text(page):
    """The page as read: no markup, one blank between words."""
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    answer = subprocess.run(
        ["groff", "-mandoc", "-Tascii", "-ww", "-P-cbou", page], capture_output=True, text=True
    )
    assert answer.returncode == 0
    assert answer.stderr == ""
    return " ".join(re.sub(r"-\n\s+", "", answer.stdout).split())


def test_mandoc_has_no_complaint(page):
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    answer = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True)
    assert answer.stdout == ""


def test_it_names_every_feature_mode_and_word(hyperacc, text):
    document = json.loads(hyperacc("features", "--json").stdout)
    for feature in document["features"]:
        platforms = ", ".join(feature["platforms"])
        assert re.search(rf" {feature['name']} {platforms} ", text), feature["name"]
        for mode in feature["modes"]:
            assert mode in text
        if feature["mode_variable"]:
            assert feature["mode_variable"] in text
    names = {feature["word"] for feature in document["features"]}
    for word in document["option_words"]:
        if word not in names and not word.startswith("no-"):
            assert re.search(rf" {word}[ \[,.]", text), word


def test_it_names_every_subcommand_flag_and_exit_code(hyperacc, text):
    usage = hyperacc("--help").stdout
    subcommands = re.findall(r"^  (\w+) ", usage.split("Subcommands:")[1], re.MULTILINE)
    assert {"features", "explain", "status", "completion"} <= set(subcommands)
    for subcommand in subcommands:
        assert f"hyperacc {subcommand} " in text.split("DESCRIPTION")[0]
        for flag in re.findall(r"--[a-z-]+", hyperacc(subcommand, "--help").stdout):
            assert flag in text, (subcommand, flag)
    status = text.split("EXIT STATUS")[1].split("EXAMPLES")[0]
    assert [code for code in re.findall(r" (\d) ", status)] == ["0", "1", "2"]
