import pytest
from hyperacc import process


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["python3", "train.py", "-m", "torch.distributed.run"], ("script", "train.py")),
        (["python3", "-u", "-B", "train.py"], ("script", "train.py")),
        (["python3", "-W", "ignore", "-X", "dev", "train.py"], ("script", "train.py")),
        (["python3", "-Wignore", "-Xdev", "train.py"], ("script", "train.py")),
        (["python3", "-uWignore", "train.py"], ("script", "train.py")),
        (["python3", "--check-hash-based-pycs", "always", "t.py"], ("script", "t.py")),
        (["python3", "-m", "torch.distributed.run", "t.py"], ("module", "torch.distributed.run")),
        (["python3", "-um", "package"], ("module", "package")),
        (["python3", "-mpackage"], ("module", "package")),
        (["python3", "-c", "import torch", "torchrun"], ("command", "import torch")),
        (["python3", "-"], ("script", "-")),
        (["python3"], ("interactive", "")),
        ([], ("interactive", "")),
    ],
)
def test_entry_point(arguments, expected):
    assert process.entry_point(arguments) == expected


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["/usr/bin/python3", "/opt/venv/bin/torchrun", "--nproc-per-node=8", "t.py"], "torchrun"),
        (["python3", "-m", "torch.distributed.run", "t.py"], "torch.distributed.run"),
        (
            ["python3", "-u", "/site-packages/torch/distributed/run.py", "t.py"],
            "torch.distributed.run",
        ),
        (["python3", "/opt/bin/accelerate", "launch", "t.py"], "accelerate"),
        (["python3", "/opt/bin/deepspeed", "t.py"], "deepspeed"),
        (["python3", "-m", "deepspeed.launcher.launch", "t.py"], "deepspeed.launcher.launch"),
        # A training script is none, whatever its arguments and its name.
        (["python3", "train.py", "torchrun"], None),
        (["python3", "torchrun.py"], None),
        (["python3", "my_torch/distributed/run.py"], None),
        (["python3", "-c", "torchrun"], None),
        (["python3", "-m", "pytest", "torchrun"], None),
        (["python3"], None),
    ],
)
def test_job_launcher(arguments, expected):
    assert process.job_launcher(arguments) == expected


@pytest.mark.parametrize(
    "arguments, expected",
    [
        # Spawned children read the main module before multiprocessing says what they are.
        (
            ["python3", "-c", "from multiprocessing.spawn import spawn_main; spawn_main(…)", "x"],
            True,
        ),
        (["python3", "-c", "from multiprocessing.forkserver import main; main(…)"], True),
        (["python3", "/x/torch/_inductor/compile_worker/__main__.py", "--kind=fork"], True),
        (["python3", "-m", "torch._inductor.compile_worker"], True),
        (["python3", "-c", "import hyperacc.auto"], False),
        (["python3", "train.py"], False),
    ],
)
def test_is_helper(arguments, expected):
    assert process.is_helper(arguments) is expected


@pytest.mark.parametrize(
    "environment, expected",
    [
        ({}, (0, 0)),
        ({"SLURM_PROCID": "5", "SLURM_LOCALID": "1"}, (5, 1)),
        # torchrun under srun: Slurm's numbers are those of the launcher.
        (
            {"RANK": "3", "LOCAL_RANK": "1", "SLURM_PROCID": "0", "SLURM_LOCALID": "0"},
            (3, 1),
        ),
        # mpirun in a batch script: every rank inherits SLURM_PROCID=0.
        (
            {
                "OMPI_COMM_WORLD_RANK": "7",
                "OMPI_COMM_WORLD_LOCAL_RANK": "3",
                "SLURM_PROCID": "0",
            },
            (7, 3),
        ),
        ({"RANK": "4"}, (4, 4)),
        # Some scripts set -1 for "not distributed", others leave the variable empty.
        ({"RANK": "-1", "SLURM_PROCID": "2", "SLURM_LOCALID": "2"}, (2, 2)),
        ({"RANK": "", "SLURM_PROCID": "2", "SLURM_LOCALID": "0"}, (2, 0)),
    ],
)
def test_ranks(monkeypatch, environment, expected):
    for names in process.RANK_VARIABLES:
        for name in names:
            monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert process.ranks() == expected


def test_command_line_is_that_of_this_interpreter(python):
    code = "from hyperacc import process; print(process.command_line()[1:])"
    answer = python(arguments=["-W", "ignore", "-c", code])
    assert answer.stdout == repr(["-W", "ignore", "-c", code]) + "\n"
