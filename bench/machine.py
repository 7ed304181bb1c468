"""What the machine can do at best: multiply-adds of f32 and bytes to and from memory, on so many threads.

    OPENBLAS_NUM_THREADS=N python machine.py N

Prints a JSON line. The products of large matrices by the library behind numpy stand for the multiply-adds. It leaves little
of the peak unused with the widest instructions there are, but it does not choose these on every processor: so the product is
also measured with them, and the best of both is the limit. `multiply_adds_chosen` is what numpy does by itself.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np


def best(work, times=5):
    """The shortest time of several."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def multiply_adds(n=3072):
    """f32 multiply-adds a second."""
    a = np.random.default_rng(0).random((n, n), dtype=np.float32)
    return n**3 / best(lambda: a @ a)


def bandwidth(threads, entries=1 << 24):
    """Bytes a second of c = a + b, over arrays that no cache holds."""
    a, b, c = (np.ones((threads, entries)) for _ in range(3))
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        work = lambda: list(pool.map(lambda t: np.add(a[t], b[t], out=c[t]), range(threads)))
        return 3 * a.nbytes / best(work)


def widest():
    """f32 multiply-adds a second with 512-bit instructions, in a process of its own; 0 where there are none."""
    try:
        known = "avx512f" in pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        known = False
    if not known:
        return 0.0
    command = [sys.executable, "-c", "import machine; print(machine.multiply_adds())"]
    environment = {**os.environ, "OPENBLAS_CORETYPE": "SkylakeX"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment,
                          cwd=pathlib.Path(__file__).resolve().parent)
    return float(done.stdout)


if __name__ == "__main__":
    count = int(sys.argv[1])
    chosen = multiply_adds()
    print(json.dumps({"multiply_adds": max(chosen, widest()), "multiply_adds_chosen": chosen, "bandwidth": bandwidth(count)}))
