"""What kind of process this is: its rank, a job launcher, or a helper that stays silent."""

import os
import sys

# (global rank, rank on this node) as launchers set them, the innermost launcher first: under
# `srun torchrun` or `mpirun` in a batch script SLURM_PROCID is that of the launcher.
RANK_VARIABLES = (
    ("RANK", "LOCAL_RANK"),  # torchrun, accelerate, deepspeed
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"),  # Open MPI
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK"),  # MVAPICH2
    ("PMI_RANK", "MPI_LOCALRANKID"),  # MPICH, Intel MPI
    ("SLURM_PROCID", "SLURM_LOCALID"),  # srun
)

# Programs that start the training script in other processes. They import torch themselves.
LAUNCHER_COMMANDS = (
    "accelerate",
    "accelerate-launch",
    "colossalai",
    "composer",
    "deepspeed",
    "ds",
    "fabric",
    "horovodrun",
    "ray",
    "torchrun",
)
LAUNCHER_MODULES = (
    "accelerate.commands.accelerate_cli",
    "accelerate.commands.launch",
    "composer.cli.launcher",
    "deepspeed.launcher.launch",
    "deepspeed.launcher.runner",
    "horovod.runner.launch",
    "torch.distributed.launch",
    "torch.distributed.run",
)
# Subprocesses in which torch compiles kernels.
HELPER_MODULES = (
    "torch._inductor.compile_worker",
    "torch._inductor.compile_worker.__main__",
)


def _number(name):
    text = os.environ.get(name, "")
    return int(text) if text.isdecimal() else None  # -1 stands for "not distributed"


def ranks():
    """(global rank, rank on this node); (0, 0) where no launcher set any."""
    for name, local_name in RANK_VARIABLES:
        rank = _number(name)
        if rank is not None:
            local = _number(local_name)
            return rank, rank if local is None else local
    return 0, 0


def command_line():
    """The arguments of this process, of the interpreter too; empty where /proc does not tell."""
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [os.fsdecode(argument) for argument in file.read().split(b"\0")[:-1]]
    except OSError:
        return []


def entry_point(arguments):
    """What Python was told to run: ("module" | "command" | "script" | "interactive", its text)."""
    rest = iter(arguments[1:])
    for argument in rest:
        if argument == "-" or not argument.startswith("-"):
            return "script", argument
        if argument == "--check-hash-based-pycs":
            next(rest, None)
        if argument.startswith("--"):
            continue
        for position, flag in enumerate(argument[1:], 2):
            if flag in "cmWX":  # these take the rest of the word, or else the next word
                value = argument[position:] or next(rest, "")
                if flag in "cm":
                    return ("command" if flag == "c" else "module"), value
                break
    return "interactive", ""


def _module_of(entry, modules):
    """The one of `modules` that is run, by name (-m) or by its file."""
    kind, text = entry
    if kind == "module":
        return text if text in modules else None
    if kind == "script" and text.endswith(".py"):
        dotted = text[: -len(".py")].replace(os.sep, ".")
        return next((module for module in modules if dotted.endswith("." + module)), None)
    return None


def job_launcher(arguments):
    """The name of the job launcher that this process is, or None."""
    entry = entry_point(arguments)
    kind, text = entry
    if kind == "script" and os.path.basename(text) in LAUNCHER_COMMANDS:
        return os.path.basename(text)
    return _module_of(entry, LAUNCHER_MODULES)


def is_helper(arguments):
    """True in data-loader and pool workers, spawned ranks and compile workers: they stay silent."""
    # A spawned child reads the main module, and so comes here, before parent_process() is set.
    entry = entry_point(arguments)
    kind, text = entry
    if kind == "command" and text.startswith("from multiprocessing."):
        return True
    if _module_of(entry, HELPER_MODULES) is not None:
        return True
    multiprocessing = sys.modules.get("multiprocessing")
    parent = getattr(multiprocessing, "parent_process", None)
    return parent is not None and parent() is not None
