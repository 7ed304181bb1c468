"""What the machine can do at best: multiply-adds of f32 and bytes to and from memory, on so many threads.

    OPENBLAS_NUM_THREADS=N python machine.py N

Prints a JSON line. The products of large matrices by the library behind numpy stand for the multiply-adds: it uses the
widest instructions there are, and leaves little of the peak unused.
"""

import concurrent.futures
import json
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


if __name__ == "__main__":
    count = int(sys.argv[1])
    print(json.dumps({"multiply_adds": multiply_adds(), "bandwidth": bandwidth(count)}))
