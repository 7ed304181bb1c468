"""How fast is it, where does the time go, and how does it grow? Beside other software and the machine's own limits.

Every number is measured in one run on one machine; compare within a run. Parts: machine, read, fit, peers, kernels, growth, infer,
times (a generated corpus of the size of the New York Times).
"""

import argparse
import csv
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import numpy as np
import scipy.sparse as sp

import corpora
import peers
from quality import HERE, Failed, run

COLUMNS = ["part", "corpus", "method", "threads", "stage", "seconds", "cpu_seconds", "peak_mb", "note"]

# Topics that are asked for.
TOPICS = {"nips": 40, "nips-2500": 40, "rfc-pages": 100}
# The directions of the bar for projections.
PROJECTIONS = 5000

FITS = {
    "default": [],
    "default, unrefined": ["--refine", "0"],
    "rp, all words": ["--method", "rp", "--candidates", "all", "--projections", PROJECTIONS],
    "rp --paper": ["--paper", "--method", "rp"],
    "ddp": ["--method", "ddp"],
    "binning": ["--method", "binning"],
}

# The generated corpus whose sizes grow: the flag of a size, and where it starts.
GROWTH = {"M": ("--documents", 16000), "N": ("--tokens", 60), "W": ("--words", 3000), "K": ("--topics", 10)}
GROWN = {"default": [], "rp": ["--method", "rp"], "binning": ["--method", "binning"],
         "ddp": ["--method", "ddp", "--candidates", "all"]}
# With more topics there are more projections; all words take part in them.
ALL_WORDS = {"rp, all words": ["--method", "rp", "--candidates", "all"]}

# The size of the New York Times corpus of UCI, and how it is fitted: flags, and whether from the text or within a gigabyte.
TIMES = ["--documents", 300000, "--words", 102660, "--tokens", 300, "--topics", 100, "--zipf", 1]
RP = ["--paper", "--method", "rp", "--max-df", "100%"]
TIMES_FITS = {"default": ([], False), "default, --memory 1GB": (["--memory", "1GB"], True), "rp --paper, all words": (RP, False),
              "rp --paper, all words, --memory 1GB": ([*RP, "--memory", "1GB"], True)}


class Bench:
    """The table, written row by row, and what all parts need."""

    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.threads = given.threads or [1, os.cpu_count()]
        self.rows, self.path = [], pathlib.Path(given.out) / "speed.csv"
        with open(self.path, "w", newline="", encoding="utf-8") as out:
            csv.DictWriter(out, COLUMNS).writeheader()

    def row(self, **values):
        row = {**dict.fromkeys(COLUMNS, ""), **values}
        self.rows.append(row)
        with open(self.path, "a", newline="", encoding="utf-8") as out:
            csv.DictWriter(out, COLUMNS).writerow(row)
        shown = [f"{v:.3f}" if isinstance(v, float) else str(v) for v in row.values()]
        print("  ".join(cell for cell in shown if cell), flush=True)

    def fit(self, path, topics, flags, threads, repeats=None):
        """What a fit tells of itself, and its use: the middle one of several by time."""
        model = self.folder / "model.safetensors"
        command = [self.given.vertopic, "fit", path, "-k", topics, "-o", model, "--min-df", "1", "--threads", threads,
                   "--quiet", "--json", *flags]
        found = []
        for _ in range(repeats or self.given.repeats):
            printed, used = run(command, threads, self.folder)
            found.append((used["seconds"], json.loads(printed), used))
        _, report, used = sorted(found, key=lambda one: one[0])[len(found) // 2]
        return report, used


def machine(bench):
    """Peak of multiply-adds and memory bandwidth, by threads."""
    for threads in bench.threads:
        printed, _ = run([sys.executable, HERE / "machine.py", threads], threads, bench.folder)
        limits = json.loads(printed)
        bench.row(part="machine", threads=threads, stage="f32 multiply-adds, 1e9/s", seconds=limits["multiply_adds"] / 1e9)
        bench.row(part="machine", threads=threads, stage="the same as numpy does them by itself",
                  seconds=limits["multiply_adds_chosen"] / 1e9)
        bench.row(part="machine", threads=threads, stage="memory, GB/s", seconds=limits["bandwidth"] / 1e9)


def counts_of(bench, name):
    """The counts of a corpus, and its words."""
    if name == "nips-2500":
        corpus = corpora.load(bench.given.data, "nips")  # of the table of quality
        return corpus.counts, corpus.words
    return corpora.uci(pathlib.Path(bench.given.data) / name)


def unpacked(bench, name):
    """A corpus of the data as a plain UCI file, and its words beside it."""
    folder = pathlib.Path(bench.given.data) / name
    target = bench.folder / f"docword.{name}.txt"
    if name == "nips-2500":
        own = bench.folder / name
        own.mkdir(exist_ok=True)
        return corpora.write_uci(own, *counts_of(bench, name))
    if not target.exists():
        with corpora.opened(folder / f"docword.{name}.txt") as lines, open(target, "w") as out:
            out.writelines(lines)
        (bench.folder / f"vocab.{name}.txt").write_bytes((folder / f"vocab.{name}.txt").read_bytes())
    return target


def read(bench):
    """UCI text, from the page cache, beside a program that does nothing but look for line ends."""
    path = unpacked(bench, "rfc-pages")
    for _ in range(15):
        _, used = run(["wc", "-l", path], 1, bench.folder)
        bench.row(part="read", corpus="rfc-pages", method="wc -l", threads=1, seconds=used["seconds"])
        for threads in bench.threads:
            _, used = run([bench.given.vertopic, "info", path, "--quiet", "--threads", threads], threads, bench.folder)
            bench.row(part="read", corpus="rfc-pages", method="vertopic info", threads=threads,
                      seconds=used["seconds"], cpu_seconds=used["cpu_seconds"], peak_mb=used["peak_mb"])


def fit(bench):
    """End to end and stage by stage."""
    for corpus in bench.given.corpora.split(","):
        path = unpacked(bench, corpus)
        with open(path) as lines:
            pairs = [int(next(lines)) for _ in range(3)][2]
        bench.row(part="corpus", corpus=corpus, stage="pairs of word and document", seconds=pairs)
        for method, flags in FITS.items():
            if method == "ddp" and corpus == "rfc-pages":
                continue  # W² entries
            for threads in bench.threads:
                report, used = bench.fit(path, TOPICS[corpus], flags, threads)
                stages_of(bench, report, used, part="fit", corpus=corpus, method=method, threads=threads)


USE = ("seconds", "cpu_seconds", "peak_mb")


def stages_of(bench, report, used, **common):
    """Rows of a fit: the whole, and each stage."""
    bench.row(**common, stage="end to end", note=report["fingerprint"], **{key: used[key] for key in USE})
    for stage in report["stages"]:
        bench.row(**common, stage=stage["stage"], seconds=stage["seconds"])


def others(bench):
    """Other software on the same counts: what it takes to fit, without reading."""
    sweeps, cores = bench.given.sweeps, max(bench.threads)
    gibbs = {"sweeps": sweeps, "alpha": 0.1, "eta": 0.1, "learn": 10, "threads": cores}
    factors = {"iterations": 200, "loss": "frobenius", "start": "nndsvd", "weights": "idf"}
    plan = {
        "tomotopy": ("tomotopy", "tomotopy", gibbs, 1000 / sweeps, f"1,000 sweeps, extrapolated from {sweeps}"),
        "anchortopics": ("anchortopics", "anchortopics", {"rectify": 15}, 1, "defaults"),
        "NMF, tf-idf": ("scikit-learn", "nmf", factors, 1, "200 iterations at most"),
        "LDA": ("scikit-learn", "lda", {"passes": 1, "threads": cores}, 10, "10 passes, extrapolated from 1"),
        "LdaMulticore": ("gensim", "gensim_lda", {"passes": 1, "threads": cores}, 10, "10 passes, extrapolated from 1"),
    }
    for corpus in bench.given.corpora.split(","):
        counts, _ = counts_of(bench, corpus)
        sp.save_npz(bench.folder / "counts.npz", counts)
        for name, (package, function, arguments, times, note) in plan.items():
            if bench.given.peer and name not in bench.given.peer:
                continue
            arguments = {**arguments, "topics": TOPICS[corpus], "seed": 0}
            command = [sys.executable, HERE / "peers.py", function, json.dumps(arguments)]
            command += [bench.folder / "counts.npz", bench.folder / "topics.npy"]
            try:
                printed, used = run(command, cores, bench.folder)
            except Failed as problem:
                bench.row(part="peers", corpus=corpus, method=name, threads=cores, note=f"failed: {problem}")
                continue
            found = json.loads(printed.splitlines()[-1])
            bench.row(part="peers", corpus=corpus, method=f"{name} ({peers.version(package)})", threads=cores,
                      stage="fit", seconds=found["seconds"] * times, cpu_seconds=found["cpu_seconds"] * times,
                      peak_mb=used["peak_mb"], note=note)


def kernels(bench):
    """Multiply-adds a second of one core in the kernels (`cargo bench`), as a share of what the machine can do."""
    command = ["cargo", "bench", "--locked", "-p", "vertopic-lab", "--bench", "kernels"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE.parent).stdout
    units = {"": 1e-9, "K": 1e-6, "M": 1e-3, "G": 1.0, "T": 1e3}
    name = None
    for line in printed.splitlines():
        # A line with the name and times of a kernel, then one with what it does in a second: fastest, slowest, median, mean.
        if found := re.match(r"[├╰]─ (\w+)", line):
            name = found[1]
        rates = re.findall(r"([\d.]+) ([KMGT]?)item/s", line)
        if name and len(rates) == 4:
            rate, unit = rates[2]
            bench.row(part="kernels", method=name, threads=1, stage="1e9 items/s, median", seconds=float(rate) * units[unit])


def growth(bench):
    """Time against each size of a generated corpus, twice as large from point to point; slopes of the logarithms."""
    base = {name: size for name, (_, size) in GROWTH.items()}
    for name in GROWTH:
        sizes = [base[name] * 2**i for i in range(bench.given.points)]
        times = {}
        for size in sizes:
            made = bench.folder / f"grown-{name}-{size}"
            flags = [part for other, (flag, at) in GROWTH.items() for part in (flag, size if other == name else at)]
            run([bench.given.vertopic, "synth", "lda", *flags, "--zipf", "1", "-o", made, "--quiet"], 1, bench.folder)
            path = next(made.glob("docword*"))
            topics = size if name == "K" else base["K"]
            for method, flags in {**GROWN, **(ALL_WORDS if name == "K" else {})}.items():
                try:
                    report, used = bench.fit(path, topics, flags, 1)
                except Failed as problem:
                    bench.row(part="growth", corpus=f"{name} = {size}", method=method, threads=1, note=f"failed: {problem}")
                    continue
                stages = [(s["stage"], s["seconds"]) for s in report["stages"]]
                for stage, seconds in [("end to end", used["seconds"]), *stages]:
                    times.setdefault((method, stage), []).append(seconds)
                    bench.row(part="growth", corpus=f"{name} = {size}", method=method, threads=1, stage=stage,
                              seconds=seconds)
        for (method, stage), seconds in times.items():
            # Where start-up is most of the time there is no slope to see.
            if len(seconds) == len(sizes) and seconds[-1] > 0.2:
                last = slice(-3, None)
                slope = np.polyfit(np.log(sizes[last]), np.log(seconds[last]), 1)[0]
                bench.row(part="slope", corpus=name, method=method, threads=1, stage=stage, seconds=float(slope),
                          note="of the last three points")


def infer(bench):
    """Documents a second that are given their mixtures, and how well half of each document foretells the other."""
    counts, words = corpora.uci(pathlib.Path(bench.given.data) / "nips")
    train, test = corpora.split(counts, 0)
    half = np.random.default_rng(1).binomial(test.data.astype(np.int64), 0.5)
    given, rest = (sp.csr_matrix((part, test.indices, test.indptr), test.shape) for part in (half, test.data - half))
    for part in (given, rest):
        part.eliminate_zeros()
    many = sp.vstack([given] * 20).tocsr()  # enough to take a time of
    for name, matrix in (("train", train), ("given", given), ("rest", rest), ("many", many)):
        sp.save_npz(bench.folder / f"{name}.npz", matrix)
    for threads in bench.threads:
        for method in ("vertopic", "lda", "tomotopy"):
            command = [sys.executable, HERE / "inference.py", method, bench.given.vertopic, threads, bench.folder]
            printed, used = run(command, threads, bench.folder)
            found = json.loads(printed.splitlines()[-1])
            bench.row(part="infer", corpus="nips", method=method, threads=threads, stage="documents a second",
                      seconds=found["documents"] / found["seconds"], peak_mb=used["peak_mb"],
                      note=f"perplexity {found['perplexity']:.0f}")


def times(bench):
    """A corpus of the size of the New York Times: from its UCI text, and from the disk in little memory."""
    made, threads = bench.folder / "times", max(bench.threads)
    run([bench.given.vertopic, "synth", "lda", *TIMES, "-o", made, "--quiet"], threads, bench.folder)
    text, disk = next(made.glob("docword*")), bench.folder / "times.arrow"
    run([bench.given.vertopic, "import", text, "-o", disk, "--quiet"], threads, bench.folder)
    for method, (flags, small) in TIMES_FITS.items():
        report, used = bench.fit(disk if small else text, 100, flags, threads, repeats=1)
        stages_of(bench, report, used, part="times", corpus="New York Times shape", method=method, threads=threads)


PARTS = {"machine": machine, "read": read, "fit": fit, "peers": others, "kernels": kernels, "growth": growth,
         "infer": infer, "times": times}


def cpu():
    """What the processor calls itself."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
        return next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder with nips/ and rfc-pages/")
    parser.add_argument("--vertopic", default="target/release/vertopic")
    parser.add_argument("--out", default="speed")
    parser.add_argument("--parts", default=",".join(PARTS), help="names with commas")
    parser.add_argument("--corpora", default="nips,nips-2500,rfc-pages")
    parser.add_argument("--peer", action="append", help="other software; may be repeated (default: all)")
    parser.add_argument("--threads", type=int, action="append", help="may be repeated (default: 1 and all cores)")
    parser.add_argument("--sweeps", type=int, default=20, help="of tomotopy; its 1,000 are extrapolated")
    parser.add_argument("--repeats", type=int, default=3, help="fits of a kind, of which the middle one counts")
    parser.add_argument("--points", type=int, default=4, help="sizes of a growing corpus")
    given = parser.parse_args()
    given.vertopic = str(pathlib.Path(given.vertopic).resolve())
    pathlib.Path(given.out).mkdir(parents=True, exist_ok=True)
    version = subprocess.run([given.vertopic, "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{version}; {cpu()}, {os.cpu_count()} cores; {platform.system()} {platform.machine()}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given, pathlib.Path(folder))
        for part in given.parts.split(","):
            PARTS[part](bench)


if __name__ == "__main__":
    main()
