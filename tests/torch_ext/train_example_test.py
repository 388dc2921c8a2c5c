"""examples/train.py learns what it says it learns."""

import os
import re

import pytest

pytest.importorskip("numpy", reason="the example needs NumPy: apt-get install python3-numpy")


@pytest.mark.parametrize("rank", [0, 3])
def test_it_trains(python, source, rank):
    answer = python(
        arguments=[str(source / "examples" / "train.py")],
        environment={
            "HA_USE_ALL": "1",
            "HA_PLATFORM": "none",
            "SLURM_PROCID": str(rank),
            "OMP_NUM_THREADS": "1",
            # NumPy's BLAS picks its kernels by this, where it is set.
            **{name: os.environ[name] for name in ("OPENBLAS_CORETYPE",) if name in os.environ},
        },
    )
    assert answer.returncode == 0, answer.stderr
    losses = [float(text) for text in re.findall(r"epoch +\d+ loss ([\d.]+)", answer.stdout)]
    (accuracy,) = re.findall(rf"task {rank}: accuracy ([\d.]+)", answer.stdout)
    assert float(accuracy) > 0.97
    if rank == 0:
        assert losses[-1] < losses[0] / 20
        assert "platform none" in answer.stderr
    else:
        assert losses == [] and answer.stderr == ""


def test_hyperacc_comes_first(source):
    first = (source / "examples" / "train.py").read_text().splitlines()[0]
    assert first.startswith("import hyperacc.auto")
