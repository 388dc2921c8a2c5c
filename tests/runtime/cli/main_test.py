"""The command as a person uses it: what is printed, and the exit code."""

import json
import os

import pytest


def rows(page):
    """The cells of the features table: name → (state, rest of the line)."""
    found = {}
    for line in page.split("FEATURE", 1)[1].splitlines()[1:]:
        if not line.strip():
            break
        if not line.startswith(" "):
            name, state, rest = line.split(None, 2)
            found[name] = state, rest
    return found


@pytest.fixture
def features(hyperacc):
    return json.loads(hyperacc("features", "--json").stdout)["features"]


# ---- features ------------------------------------------------------------------------------------


def test_features_names_every_feature_with_its_variable(hyperacc, features):
    answer = hyperacc("features")
    assert answer.returncode == 0
    lines = {line.split()[0]: line for line in answer.stdout.splitlines() if line.strip()}
    for feature in features:
        cells = lines[feature["word"]].split()
        assert cells[1:3] == [feature["variable"], feature["kind"]]
    assert "nvidia, dcu" in lines["syncbn"] and "any" in lines["gc"]
    assert len(features) == 13


# ---- explain -------------------------------------------------------------------------------------


def test_explain_reads_the_environment_as_a_task_does(hyperacc):
    environment = {"HA_USE_ALL": "1", "HA_USE_ROPE": "0", "HA_PLATFORM": "none"}
    answer = hyperacc("explain", environment=environment)
    assert answer.returncode == 0
    table = rows(answer.stdout)
    assert table["rope"] == ("off", "environment  HA_USE_ROPE=0")
    assert table["syncbn"] == ("skipped", "environment  HA_USE_ALL=1: no accelerator found")
    assert "Platform   none (HA_PLATFORM says so)" in answer.stdout
    assert "Option" not in answer.stdout  # nothing was planned


def test_explain_of_nothing_says_so(hyperacc):
    answer = hyperacc("explain")
    assert "Asked      nothing: HyperAcc leaves this process alone" in answer.stdout
    assert {state for state, _ in rows(answer.stdout).values()} == {"off"}


def test_explain_plans_an_option(hyperacc):
    answer = hyperacc(
        "explain", "--hyperacc=hooks,no_rope,verify=7", "--policy=deny=syncbn", "--platform=dcu"
    )
    assert answer.returncode == 0
    table = rows(answer.stdout)
    own = "this command's --hyperacc"
    assert table["rope"] == ("off", f"{own}  HA_USE_ROPE=0")
    assert table["dropout"][1].startswith(f"{own}  HA_USE_ALL_HOOKS=1")
    assert table["syncbn"][0] == "skipped"
    assert "denied by the cluster's policy" in answer.stdout
    assert table["thp"][0] == "off"
    assert "Option     hooks,no-rope,verify=7\n" in answer.stdout
    assert "Policy     deny=syncbn\n" in answer.stdout
    assert f"Modifiers  verify=7 ({own})\n" in answer.stdout
    changed = answer.stdout.split("changes these variables")[1]
    assert "\n  HA_USE_ALL_HOOKS=1\n" in changed and "\n  HA_VERIFY=7\n" in changed


def test_explain_shows_warnings_and_messages(hyperacc):
    answer = hyperacc(
        "explain", "--hyperacc=rope", "--policy=deny=rope", environment={"HA_USE_ROPEE": "1"}
    )
    assert answer.returncode == 0
    assert "unknown variable HA_USE_ROPEE" in answer.stdout
    assert "rope" in answer.stdout.split("\nwarning:", 1)[1]


def test_json_is_the_document_of_the_library(hyperacc):
    arguments = ["explain", "--hyperacc=all", "--policy=", "--platform=nvidia"]
    document = json.loads(hyperacc(*arguments, "--json").stdout)
    assert document["platform"] == {
        "name": "nvidia",
        "from": "request",
        "evidence": [],
        "accelerators": [],
        "notes": [],
    }
    assert document["variables"]["HA_USE_ALL"] == "1"
    page = rows(hyperacc(*arguments).stdout)
    assert {row["name"]: row["state"] for row in document["features"]} == {
        name: state for name, (state, _) in page.items()
    }


@pytest.mark.parametrize("columns", [100])
def test_no_line_is_wider_than_the_page(hyperacc, columns):
    for arguments in (
        ["features"],
        ["explain", "--hyperacc=all,numabind=core-complex+bind,verify", "--policy=default=hooks"],
        ["explain", "--hyperacc=all", "--platform=mixed"],
        ["status"],
        ["--help"],
    ):
        for line in hyperacc(*arguments).stdout.splitlines():
            assert len(line) <= columns, (arguments, line)


# ---- usage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["explian"], "unknown word 'explian' (did you mean 'explain'?); see `hyperacc --help`"),
        (["--jsn"], "unknown flag '--jsn'"),
        (["features", "--jsno"], "'--jsno' (did you mean '--json'?); see `hyperacc features"),
        (["explain", "--hyperac=all"], "unknown flag '--hyperac=all' (did you mean '--hyperacc'?)"),
        (["explain", "all"], "unknown word 'all'"),
        (["explain", "--hyperacc=ropee"], "'ropee'"),
        (["explain", "--hyperacc=rope,no-rope"], "rope"),
        (["explain", "--hyperacc=all,"], "empty"),
        (["explain", "--hyperacc="], "--hyperacc: the value is empty"),
        (["explain", "--hyperacc=help"], "srun --hyperacc=help"),
        (["explain", "--hyperacc=all", "--policy=dney=rope"], "deny"),
        (["explain", "--platform=nvida"], "unknown platform 'nvida' (did you mean 'nvidia'?)"),
        (["explain", "--hyperacc"], "--hyperacc"),
        (["completion"], "shell"),
        (["completion", "fish"], "fish"),
        ([], "subcommand"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(hyperacc, arguments, expected):
    answer = hyperacc(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith("hyperacc: ")
    assert expected in answer.stderr


def test_an_error_is_a_document_too(hyperacc):
    answer = hyperacc("explain", "--hyperacc=ropee", "--json")
    assert answer.returncode == 2
    document = json.loads(answer.stdout)
    assert document["kind"] == "usage" and "'ropee'" in document["error"]
    assert answer.stderr == ""


@pytest.mark.parametrize("subcommand", ["explain", "status"])
def test_a_machine_that_is_not_there_is_exit_code_1(hyperacc, subcommand):
    answer = hyperacc(subcommand, "--machine=/no/such/machine")
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert "/no/such/machine" in answer.stderr


def test_an_answer_that_cannot_be_written_is_exit_code_1(hyperacc):
    with open("/dev/full", "w") as full:
        answer = hyperacc("features", stdout=full)
    assert answer.returncode == 1
    assert "cannot write" in answer.stderr


def test_version_and_help(hyperacc):
    version = hyperacc("--version")
    assert version.returncode == 0
    assert version.stdout.split()[0] == "hyperacc"
    assert version.stdout.split()[1] == json.loads(hyperacc("features", "--json").stdout)["version"]
    usage = hyperacc("--help")
    assert usage.returncode == 0
    for word in ("features", "explain", "status", "completion", "Exit codes: 0 "):
        assert word in usage.stdout


def test_bytes_that_are_no_text_are_survived(command, hyperacc):
    environment = {**os.environ, "HA_USE_ROPE": b"\xff\xfe", b"\xff": b"\xff"}
    answer = hyperacc("explain", "--json", environment=environment)
    assert answer.returncode == 0
    assert any("HA_USE_ROPE" in warning for warning in json.loads(answer.stdout)["warnings"])
    assert hyperacc("explain", b"--hyperacc=\xff").returncode == 2
