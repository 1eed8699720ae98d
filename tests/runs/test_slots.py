"""The number of parallel runs that fit on a machine, and the GPUs of each."""

import threading
import time

import pytest

from mlebench.errors import EnvironmentUnfitError, UsageError
from mlebench.runs.slots import Slots, fitting
from mlebench.sandbox.limits import Limits


def test_runs_that_fit_by_cores_memory_and_gpus():
    assert fitting(Limits(cpus=1, memory=None), gpus_each=0, gpus=0) >= 1
    assert fitting(Limits(cpus=0.001, memory=None), gpus_each=2, gpus=5) <= 2
    for limits, gpus_each, word in (
        (Limits(cpus=1e6), 0, "cores"),
        (Limits(cpus=1, memory=2**60), 0, "memory"),
        (Limits(cpus=1, memory=1), 1, "GPU"),
    ):
        with pytest.raises(EnvironmentUnfitError, match=word):
            fitting(limits, gpus_each=gpus_each, gpus=0)


def test_no_two_runs_have_the_same_gpu_at_a_time():
    slots = Slots(3, 2, range(7))
    lock, held, most = threading.Lock(), [], []

    def work():
        with slots.take() as gpus:
            with lock:
                held.extend(gpus)
                assert len(held) == len(set(held))
                most.append(len(held))
            time.sleep(0.005)
            with lock:
                for gpu in gpus:
                    held.remove(gpu)

    threads = [threading.Thread(target=work) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (held, len(most)) == ([], 30)
    with pytest.raises(UsageError, match="--parallel"):
        Slots(4, 2, range(7))
