"""Runs a command and writes its exit code, seconds, CPU seconds and peak memory to a file.

A process of its own, because Linux counts the memory of the process that starts a program to the program's peak:
so it must be small (this one has about 10 MB).
"""

import json
import resource
import subprocess
import sys
import time

report, *command = sys.argv[1:]
start = time.perf_counter()
code = subprocess.call(command)
seconds = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 1 if sys.platform == "darwin" else 1024
with open(report, "w") as out:
    json.dump({"code": code, "seconds": seconds, "cpu_seconds": used.ru_utime + used.ru_stime,
               "peak_mb": used.ru_maxrss * unit / 1e6}, out)
