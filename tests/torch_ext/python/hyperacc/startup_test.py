"""The start as a user's script makes it: `import hyperacc.auto` in fresh interpreters."""

import json
import os

import pytest

ASKED = {"HA_USE_ALL": "1", "HA_PLATFORM": "none"}
IMPORT = "import hyperacc.auto\n"
HEAD = f"on {os.uname().nodename}, platform none"


FEATURE = {"origin": "HA_USE_X=1", "source": "environment", "source_text": "environment",
           "mode": None, "memory": None}
DOCUMENT = {
    "version": "1", "asked": True, "warnings": ["a warning"], "modifiers": {},
    "platform": {"name": "none", "from": "detected", "evidence": []},
    "features": [
        {**FEATURE, "name": "x", "state": "on", "reason": None, "text": ""},
        {**FEATURE, "name": "y", "state": "skipped", "reason": "platform", "text": "no"},
        {**FEATURE, "name": "z", "state": "off", "reason": None, "text": ""},
    ],
}  # fmt: skip
ANSWERING = """
char text[] = %s;
int hyperacc_abi(void) { return 1; }
char* hyperacc_explain(const char* request) { return text; }
char* hyperacc_features(void) { return text; }
char* hyperacc_status(const char* request) { return text; }
void hyperacc_free(char* document) {}
"""


def lines(answer):
    assert answer.returncode == 0, answer.stderr
    return answer.stderr.splitlines()


# ---- nothing asked -------------------------------------------------------------------------------


NOTHING = """
import sys, os, gc
before = dict(sys.modules), dict(os.environ), gc.get_threshold(), list(sys.meta_path), sys.path[:]
import hyperacc.auto
after = dict(sys.modules), dict(os.environ), gc.get_threshold(), list(sys.meta_path), sys.path[:]
assert before[1:] == after[1:]
assert all(after[0][name] is module for name, module in before[0].items())
print(sorted(set(after[0]) - set(before[0])))
print("libhyperacc" in open("/proc/self/maps").read())
"""


def is_nothing(answer):
    modules, mapped = answer.stdout.splitlines()
    of_others = [name for name in eval(modules) if name.split(".")[0] != "hyperacc"]
    return lines(answer) == [] and of_others == [] and mapped == "False"


def test_nothing_asked_is_nothing_done(python, interpreter):
    assert is_nothing(python(NOTHING, executable=interpreter))


@pytest.mark.parametrize(
    "environment",
    [
        {"HA_PLATFORM": "nvidia"},
        {"HA_LOG_LEVEL": "DEBUG", "HA_VERIFY": "3", "HA_AUTO": "1", "HA_GC_MODE": "disable"},
        {"HA_CPUS": "0-3", "HA_DENY": "rope"},
    ],
)
def test_variables_that_ask_nothing(python, environment):
    assert is_nothing(python(NOTHING, environment=environment))


# ---- the block -----------------------------------------------------------------------------------


def test_the_block(python, interpreter):
    answer = python(IMPORT + "print('trained')", environment=ASKED, executable=interpreter)
    block = lines(answer)
    assert answer.stdout == "trained\n"
    assert block[0].startswith("hyperacc: ") and block[0].endswith(HEAD)
    assert block[1] == "hyperacc:   evidence     said by HA_PLATFORM"
    assert "hyperacc:   rope         skipped: no accelerator found" in block
    assert block[-1] == "hyperacc:   set by       environment: HA_USE_ALL=1"


def test_off_features_share_a_line(python):
    answer = python(IMPORT, environment={**ASKED, "HA_USE_ROPE": "0", "HA_USE_THP": "0"})
    assert lines(answer)[-2:] == [
        "hyperacc:   off          rope, thp",
        "hyperacc:   set by       environment: HA_USE_ALL=1",
    ]


def test_everything_off_is_said_in_one_line(python):
    (line,) = lines(python(IMPORT, environment={"HA_USE_ALL": "0"}))
    assert line.endswith(": every feature is off")


def test_a_hook_of_the_platform_is_not_built_yet_or_on(python):
    answer = python(
        IMPORT + "import json\nprint(json.dumps(hyperacc.decisions()))",
        environment={"HA_USE_ROPE": "1", "HA_PLATFORM": "dcu"},
    )
    rope = {row["name"]: row for row in json.loads(answer.stdout)["features"]}["rope"]
    assert rope["on"] is True
    assert (rope["state"], rope["reason"]) in [("skipped", "not_built"), ("on", None)]


def test_warnings_are_printed_once_and_first(python):
    answer = python(IMPORT, environment={**ASKED, "HA_USE_ROPEE": "1", "HA_USE_THP": "maybe"})
    printed = lines(answer)
    assert printed[0].startswith("hyperacc: warning: unknown variable HA_USE_ROPEE")
    assert "HA_USE_ROPE" in printed[0].replace("HA_USE_ROPEE", "")
    assert printed[1].startswith("hyperacc: warning: HA_USE_THP=maybe counts as unset")
    assert printed[2].endswith(HEAD)
    assert sum("warning" in line for line in printed) == 2


def test_a_mistyped_variable_alone_gives_its_warning_and_no_block(python):
    (line,) = lines(python(IMPORT, environment={"HA_USE_ROPEE": "1"}))
    assert line.startswith("hyperacc: warning: unknown variable HA_USE_ROPEE")


@pytest.mark.parametrize("level, expected", [("WARNING", 1), ("ERROR", 0)])
def test_the_log_level_silences_the_block(python, level, expected):
    environment = {**ASKED, "HA_USE_ROPEE": "1", "HA_LOG_LEVEL": level}
    assert len(lines(python(IMPORT, environment=environment))) == expected


@pytest.mark.parametrize(
    "ranks, printed",
    [
        ({"SLURM_PROCID": "0"}, True),
        ({"SLURM_PROCID": "1", "SLURM_LOCALID": "0"}, False),
        ({"RANK": "1", "LOCAL_RANK": "1", "SLURM_PROCID": "0"}, False),
        ({"RANK": "1", "HA_LOG_LEVEL": "DEBUG"}, True),
    ],
)
def test_global_rank_0_prints(python, ranks, printed):
    environment = {**ASKED, "HA_USE_ROPEE": "1", **ranks}
    assert bool(lines(python(IMPORT, environment=environment))) is printed


# ---- once ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "again",
    [
        "import hyperacc.auto",
        "import importlib; importlib.reload(hyperacc.auto)",
        "import importlib, sys; del sys.modules['hyperacc.auto']; import hyperacc.auto",
        "import _hyperacc_autoload; _hyperacc_autoload.activate()",
        "import os\nif os.fork() == 0:\n    import hyperacc.auto\n    os._exit(0)\nos.wait()",
    ],
)
def test_asking_twice_is_asking_once(python, again):
    environment = {**ASKED, "HA_AUTO": "1"}
    once = lines(python(IMPORT, environment=environment))
    assert lines(python(IMPORT + again, environment=environment)) == once


WORKERS = """
import hyperacc.auto
import multiprocessing
import sys

def work(number):
    import hyperacc.auto
    return number, len(hyperacc.decisions()["features"])

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(2) as pool:
        print(pool.map(work, range(3)))
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_are_silent(python, tmp_path, interpreter, method):
    script = tmp_path / "train.py"
    script.write_text(WORKERS)
    environment = {**ASKED, "HA_LOG_LEVEL": "DEBUG"}
    answer = python(
        arguments=[str(script), method], environment=environment, executable=interpreter
    )
    assert answer.stdout == "[(0, 13), (1, 13), (2, 13)]\n"
    assert sum(HEAD in line for line in lines(answer)) == 1


def test_a_worker_that_is_the_first_to_import_it_is_silent(python):
    # The parent has nothing that a forked worker could inherit.
    code = """
import multiprocessing

def work(number):
    import hyperacc.auto
    return len(hyperacc.decisions()["features"])

if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.map(work, range(1)))
"""
    answer = python(code, environment={**ASKED, "HA_LOG_LEVEL": "DEBUG"})
    assert answer.stdout == "[13]\n"
    assert lines(answer) == []


def test_decisions_are_a_copy(python):
    code = IMPORT + """
hyperacc.decisions()["features"].clear()
assert len(hyperacc.decisions()["features"]) == 13
"""
    lines(python(code, environment=ASKED))


def test_decisions_without_anything_asked(python):
    code = "import hyperacc\nprint({row['state'] for row in hyperacc.decisions()['features']})"
    answer = python(code)
    assert answer.stdout == "{'off'}\n"
    assert lines(answer) == []


def test_objects_of_the_script_are_pickled_as_before(python):
    code = IMPORT + """
import pickle
class Model: pass
def step(): return hyperacc
assert pickle.loads(pickle.dumps(step)) is step
assert pickle.loads(pickle.dumps(hyperacc.decisions)) is hyperacc.decisions
assert pickle.loads(pickle.dumps(hyperacc.decisions())) == hyperacc.decisions()
"""
    lines(python(code, environment=ASKED))


# ---- job launchers -------------------------------------------------------------------------------


def test_a_job_launcher_gets_nothing_and_says_nothing(python, tmp_path, installation):
    # With a library that has something on, whatever this machine is.
    folder = installation(library_source=ANSWERING % json.dumps(json.dumps(DOCUMENT)))
    code = IMPORT + "import json\nprint(json.dumps(hyperacc.decisions()))"
    launcher = tmp_path / "torchrun"
    launcher.write_text(code)
    answer = python(arguments=[str(launcher)], environment=ASKED, folder=folder)
    assert lines(answer) == []
    document = json.loads(answer.stdout)
    assert document["job_launcher"] == "torchrun"
    states = [(row["name"], row["state"], row["reason"]) for row in document["features"]]
    assert states == [
        ("x", "skipped", "job_launcher"),
        ("y", "skipped", "platform"),
        ("z", "off", None),
    ]
    debug = {**ASKED, "HA_LOG_LEVEL": "DEBUG"}
    said = lines(python(arguments=[str(launcher)], environment=debug, folder=folder))
    assert "hyperacc:   x            skipped: torchrun starts the job, it is not the job" in said

    answer = python(code, environment=ASKED, folder=folder)
    assert "hyperacc:   x            on" in lines(answer)
    assert json.loads(answer.stdout) == {**DOCUMENT, "job_launcher": None}


# ---- nothing breaks the user's script ------------------------------------------------------------


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"library_bytes": b"\\x7fELF rubbish"},
        {"library_source": "int hyperacc_abi(void) { return 99; }"},
        {"library_source": ANSWERING % json.dumps("[1]")},
    ],
    ids=["missing", "rubbish", "other ABI", "unexpected document"],
)
def test_a_broken_library_is_one_warning(python, installation, interpreter, what):
    folder = installation(**what)
    code = IMPORT + "print('trained', sorted(hyperacc.decisions()))"
    answer = python(code, environment=ASKED, folder=folder, executable=interpreter)
    (line,) = lines(answer)
    assert line.startswith(f"hyperacc: warning: {os.uname().nodename}: ")
    assert line.endswith("; the job runs without HyperAcc")
    assert answer.stdout == "trained ['error']\n"


def test_a_broken_library_is_reported_once_a_node(python, installation):
    folder = installation()
    for ranks, expected in [
        ({"SLURM_PROCID": "8", "SLURM_LOCALID": "0"}, 1),
        ({"SLURM_PROCID": "9", "SLURM_LOCALID": "1"}, 0),
    ]:
        answer = python(IMPORT, environment={**ASKED, **ranks}, folder=folder)
        assert len(lines(answer)) == expected


@pytest.mark.parametrize(
    "hostile",
    [
        ["-W", "error"],
        ["-X", "dev", "-W", "error"],
        ["-bb"],
        ["-I"],  # no PYTHONPATH: the package is reached through sys.path alone
        ["-OO"],
    ],
)
def test_interpreter_flags(python, package_folder, interpreter, hostile):
    code = f"import sys; sys.path.append({str(package_folder)!r})\n" + IMPORT + "print('trained')"
    answer = python(arguments=[*hostile, "-c", code], environment=ASKED, executable=interpreter)
    assert answer.stdout == "trained\n"
    assert "warning" not in answer.stderr.lower()
    assert any(HEAD in line for line in lines(answer))


@pytest.mark.parametrize("stream", ["None", "open('/dev/full', 'w')", "open('/dev/null')"])
def test_an_unusable_standard_error(python, stream):
    code = f"import sys\nsys.stderr = {stream}\n{IMPORT}print('trained')\nsys.stderr = None"
    assert python(code, environment=ASKED).stdout == "trained\n"


def test_it_does_not_import_torch_and_is_quick(python, tmp_path):
    (tmp_path / "torch.py").write_text("raise SystemExit('torch was imported')")
    code = """
import copy, ctypes, json, re, textwrap  # as NumPy and torch import them anyway
import time
start = time.process_time()
import hyperacc.auto
print(time.process_time() - start)
"""
    # Processor time, and the best of several runs: the machine has other things to do.
    answers = [python(code, environment=ASKED) for _ in range(7)]
    assert all(HEAD in answer.stderr for answer in answers)
    if "HYPERACC_TEST_PRELOAD" not in os.environ:
        assert min(float(answer.stdout) for answer in answers) < 0.010
