"""The completion script in a bash of its own, driven as readline drives it."""

import json
import subprocess

import pytest

# COMP_WORDBREAKS as bash has it, and as some users set it to keep '=' inside words.
BREAKS = {"default": " \t\n\"'><=;|&(:", "without =": " \t\n\"'><;|&(:"}
SCRIPT = """
source "$1"
COMP_LINE=$2
COMP_POINT=${#2}
COMP_WORDBREAKS=$3
_hyperacc
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(hyperacc, tmp_path):
    script = tmp_path / "hyperacc"
    script.write_text(hyperacc("completion", "bash").stdout)

    def run(line, breaks=BREAKS["default"]):
        answer = subprocess.run(
            ["bash", "--norc", "-c", SCRIPT, "bash", script, line, breaks],
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert answer.stderr == ""
        return answer.stdout.split()

    return run


def test_subcommands_and_flags(complete):
    assert complete("hyperacc exp") == ["explain"]
    assert {"features", "explain", "status", "completion", "--help", "--version"} == set(
        complete("hyperacc ")
    )
    assert complete("hyperacc features --j") == ["--json"]
    assert set(complete("hyperacc explain --")) == {
        "--help",
        "--json",
        "--hyperacc",
        "--policy",
        "--platform",
        "--machine",
    }
    assert complete("hyperacc completion b") == ["bash"]
    assert complete("hyperacc nonsense --") == []


def test_every_word_of_the_option(complete, hyperacc):
    document = json.loads(hyperacc("features", "--json").stdout)
    assert complete("hyperacc explain --hyperacc=") == document["option_words"]
    assert {row["word"] for row in document["features"]} < set(document["option_words"])


@pytest.mark.parametrize(
    "line, default, without",
    [
        ("--hyperacc=ras", ["rasterizer"], ["--hyperacc=rasterizer"]),
        ("--hyperacc=all,no-vo", ["all,no-voxel"], ["--hyperacc=all,no-voxel"]),
        ("--hyperacc ras", ["rasterizer"], ["rasterizer"]),
        ("--json --hyperacc=ras", ["rasterizer"], ["--hyperacc=rasterizer"]),
        ("--platform=nv", ["nvidia"], ["--platform=nvidia"]),
        ("--platform nv", ["nvidia"], ["nvidia"]),
        ("--policy=de", [], []),
    ],
)
def test_values(complete, line, default, without):
    assert complete("hyperacc explain " + line) == default
    assert complete("hyperacc explain " + line, BREAKS["without ="]) == without


def test_machine_folders(complete, tmp_path):
    (tmp_path / "recorded").mkdir()
    assert complete("hyperacc status --machine=rec") == ["recorded"]
    assert complete("hyperacc status --machine rec") == ["recorded"]


def test_the_script_changes_nothing_but_what_it_defines(hyperacc):
    script = hyperacc("completion", "bash").stdout
    code = """
state() { declare -F; shopt; set +o; }
before=$(state)
eval "$1"
diff <(echo "$before") <(state)
"""
    answer = subprocess.run(["bash", "-c", code, "bash", script], capture_output=True, text=True)
    added = [line[2:] for line in answer.stdout.splitlines() if line[0] in "<>"]
    assert added == ["declare -f _hyperacc", "declare -f _hyperacc_list"]
