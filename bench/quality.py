"""Coherence, diversity, perplexity, time and memory of our topics, beside other software and controls.

Every method learns from the same documents and is measured by the same rules (measures.py) on its topic matrix. Every
fit has a process of its own. Rows already in the table are not run again; failed ones are.
"""

import argparse
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

import corpora
import figures
import measures
import peers

HERE = pathlib.Path(__file__).parent
REFINE_SWEEPS = 20  # sweeps of the control, should the program not say how many its default has

# Our program: a name, and flags of `vertopic fit`.
OURS = {
    "vertopic": [],
    "vertopic-unrefined": ["--refine", "0"],
    "paper-rp": ["--paper", "--method", "rp"],
    "paper-ddp": ["--paper", "--method", "ddp"],
}

# What each part of the default is worth: the default with one thing changed. Run by --ablation.
ABLATION = {
    "refine-0": ["--refine", "0"],
    "refine-10": ["--refine", "10"],
    "refine-100": ["--refine", "100"],
    "weigh-tokens": ["--weigh", "tokens"],
    "weigh-tokens+refine-0": ["--weigh", "tokens", "--refine", "0"],
    "completions-0": ["--completions", "0"],
    "completions-0+refine-0": ["--completions", "0", "--refine", "0"],
    "noise-any": ["--candidate-noise", "16"],
    "noise-any+refine-0": ["--candidate-noise", "16", "--refine", "0"],
    "random-words": ["--candidates", "random:200"],
    "random-words+refine-0": ["--candidates", "random:200", "--refine", "0"],
    "representative-word": ["--representative", "word"],
    "representative-word+refine-0": ["--representative", "word", "--refine", "0"],
}


def others(given):
    """Other software and the control: a name, the package, the function of peers.py and its arguments."""
    gibbs = {"sweeps": given.sweeps, "alpha": 0.1, "learn": 10, "threads": given.threads}
    factors = {"iterations": given.iterations, "loss": "frobenius", "start": "nndsvd"}
    return {
        # tomotopy's defaults: α starts at .1 and is learnt every 10 sweeps, one for each topic.
        "tomotopy": ("tomotopy", "tomotopy", {**gibbs, "eta": 0.01}),
        "tomotopy-eta.1": ("tomotopy", "tomotopy", {**gibbs, "eta": 0.1}),
        # Multiplicative updates never leave a zero, hence nndsvda.
        "nmf-kl": ("scikit-learn", "nmf",
                   {**factors, "loss": "kullback-leibler", "start": "nndsvda", "weights": "none"}),
        "nmf-tfidf": ("scikit-learn", "nmf", {**factors, "weights": "idf"}),
        "nmf-tfidf-undone": ("scikit-learn", "nmf", {**factors, "weights": "idf, undone"}),
        "anchortopics": ("anchortopics", "anchortopics", {"rectify": 20}),
        "random-em": ("numpy", "em", {"sweeps": given.refine, "alpha": 0.1, "eta": 0.1}),
        "random-em-loo": ("numpy", "em", {"sweeps": given.refine, "alpha": 0.1, "eta": 0.1, "leave_one_out": True}),
    }


class Task(NamedTuple):
    """A split of a corpus, in memory and in a folder."""

    train: sp.csr_matrix
    test: sp.csr_matrix
    words: list
    topics: int
    seed: int
    folder: pathlib.Path


class Failed(Exception):
    """A method gave no topics, and said why."""


def run(command, threads, folder):
    """Standard output of a command, and what it used."""
    report = folder / "usage.json"
    one = {name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    launch = [sys.executable, "-S", HERE / "usage.py", report, *command]
    done = subprocess.run([str(part) for part in launch], capture_output=True, text=True, env={**os.environ, **one})
    if done.returncode != 0:
        raise Failed(said(done.stderr, done.returncode))
    used = json.loads(report.read_text())
    if used.pop("code") != 0:
        raise Failed(said(done.stderr, used))
    return done.stdout, used


def said(talk, otherwise):
    """What an unhappy program said, on one line: its `error:`, or the last line of a traceback."""
    lines = [line.strip() for line in talk.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error:")]
    return (errors or lines[-1:] or [str(otherwise)])[0]


def program(given, task, flags):
    """Topics of our program by way of files, the words it shows itself, and what the process used."""
    from safetensors import safe_open

    model = task.folder / "model.safetensors"
    model.unlink(missing_ok=True)
    # Counts have no limit from above unless one is asked for.
    command = [given.vertopic, "fit", task.folder / "docword.train.txt", "-k", task.topics, "-o", model,
               "--min-df", "1", "--seed", task.seed, "--threads", given.threads, "--quiet", *flags]
    _, used = run(command, given.threads, task.folder)
    place = {word: w for w, word in enumerate(task.words)}
    with safe_open(model, "np") as tensors:
        columns = [place[word] for word in json.loads(tensors.metadata()["vertopic"])["vocabulary"]]
        found = tensors.get_tensor("topics").astype(np.float64)
    topics = np.zeros((len(found), len(task.words)))
    topics[:, columns] = found
    listed, _ = run([given.vertopic, "topics", model, "-n", measures.SHOWN, "--json"], given.threads, task.folder)
    shown = [[place[entry["word"] if isinstance(entry, dict) else entry] for entry in topic["words"]]
             for topic in json.loads(listed)]
    return topics, shown, used


def library(given, task, function, arguments):
    """Topics of a library. The time is that of its fit, the memory that of the process."""
    arguments = {**arguments, "topics": task.topics, "seed": task.seed}
    command = [sys.executable, HERE / "peers.py", function, json.dumps(arguments)]
    command += [task.folder / "train.npz", task.folder / "topics.npy"]
    printed, used = run(command, given.threads, task.folder)
    topics = np.load(task.folder / "topics.npy")
    return topics, measures.top(topics), {**used, **json.loads(printed.splitlines()[-1])}


def evaluate(topics, shown, task):
    """All measures of a topic matrix, and of the words that the method itself shows."""
    if len(topics) != task.topics:
        raise Failed(f"{len(topics)} topics, asked for {task.topics}")
    if not np.isfinite(topics).all() or (topics < 0).any():
        raise Failed("topics are not finite and positive")
    topics = measures.normal(topics)
    probable = measures.top(topics)
    discriminative = measures.top(measures.discriminative(topics, measures.shares(topics, task.train, task.seed)))
    scores = {}
    for name, words in (("shown", shown), ("probable", probable), ("discriminative", discriminative)):
        scores[f"npmi_{name}"] = measures.npmi(words, task.train)
        scores[f"diversity_{name}"] = measures.diversity(words)
    return {**scores, "perplexity": measures.perplexity(topics, task.test, task.seed)}


COLUMNS = ["corpus", "method", "seed", "software", "settings", "npmi_shown", "diversity_shown", "npmi_probable",
           "diversity_probable", "npmi_discriminative", "diversity_discriminative", "perplexity", "unigram", "seconds", "cpu_seconds",
           "peak_mb", "before_mb", "error"]


def read(path):
    """The rows of a table by corpus, method and seed; of rows with the same key the last counts."""
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as table:
        rows = csv.DictReader(table)
        if rows.fieldnames != COLUMNS:
            raise SystemExit(f"{path}: its columns are not those of this version; move it away")
        return {(row["corpus"], row["method"], int(row["seed"])): row for row in rows}


def plan(given):
    """Methods to run: by name, what they are made of and how to run them."""
    digest = hashlib.sha256(pathlib.Path(given.vertopic).read_bytes()).hexdigest()[:8]
    ours = f"{subprocess.run([given.vertopic, '--version'], capture_output=True, text=True).stdout.strip()} {digest}"
    methods = {}
    for name, flags in {**OURS, **ABLATION}.items():
        settings = " ".join([*flags, f"--threads {given.threads}"])
        methods[name] = (ours, settings, lambda task, flags=flags: program(given, task, flags))
    for name, (package, function, arguments) in others(given).items():
        settings = json.dumps({**arguments, "threads": given.threads}, sort_keys=True)
        methods[name] = (peers.version(package), settings,
                         lambda task, f=function, a=arguments: library(given, task, f, a))
    usual = ["vertopic", *ABLATION] if given.ablation else [*OURS, *others(given)]
    return {name: methods[name] for name in chosen(given.methods, methods, usual, "method")}


def chosen(names, known, usual, kind):
    """The names of a list with commas, or the usual ones."""
    wanted = [name.strip() for name in names.split(",")] if names else list(usual)
    for name in wanted:
        if name not in known:
            raise SystemExit(f"no {kind} {name!r}; there are: {', '.join(known)}")
    return wanted


def measure(given, names, methods, seeds, path):
    """Runs what is not yet in the table, and writes it there row by row."""
    rows = read(path)

    def missing(corpus, name, seed):
        row, (software, settings, _) = rows.get((corpus, name, seed)), methods[name]
        return row is None or row["error"] or (row["software"], row["settings"]) != (software, settings)

    todo = [(c, s, [m for m in methods if missing(c, m, s)]) for c in names for s in seeds]
    new = not path.exists()
    with open(path, "a", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, COLUMNS, restval="")
        if new:
            table.writeheader()
        corpus = None
        for name, seed, wanted in todo:
            if not wanted:
                continue
            if corpus is None or corpus[0] != name:
                corpus = name, corpora.load(given.data, name)
                counts = corpus[1].counts
                documents, words = counts.shape
                print(f"{name}: {documents} documents, {words} words, {counts.sum()} tokens", flush=True)
            train, test = corpora.split(counts, seed)
            with tempfile.TemporaryDirectory() as folder:
                task = Task(train, test, corpus[1].words, corpus[1].topics, seed, pathlib.Path(folder))
                corpora.write_uci(task.folder, train, task.words)
                sp.save_npz(task.folder / "train.npz", train)
                unigram = measures.unigram(train, test, seed)
                for method in wanted:
                    software, settings, fit = methods[method]
                    row = {"corpus": name, "method": method, "seed": seed, "software": software, "settings": settings}
                    try:
                        topics, shown, used = fit(task)
                        scores = {**evaluate(topics, shown, task), "unigram": unigram, **used}
                        row.update((column, f"{score:.6g}") for column, score in scores.items())
                        print("  {0:24} seed {1}  npmi {npmi_shown:.3f} {npmi_probable:.3f} {npmi_discriminative:.3f}  "
                              "perplexity {perplexity:7.1f}  {seconds:7.2f} s  {peak_mb:6.0f} MB"
                              .format(method, seed, **scores), flush=True)
                    except Failed as why:
                        row["error"] = str(why)
                        print(f"  {method:24} seed {seed}  failed: {why}", flush=True)
                    table.writerow(row)
                    out.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder with a folder for each corpus")
    parser.add_argument("--vertopic", default="vertopic", help="our program")
    parser.add_argument("--out", default="quality", help="folder for the table and the figure")
    parser.add_argument("--corpora", default="", help=f"of {','.join(corpora.CORPORA)} (default: all)")
    parser.add_argument("--methods", default="", help="names with commas (default: all but the ablation)")
    parser.add_argument("--ablation", action="store_true", help="the default of our program with one thing changed")
    parser.add_argument("--seeds", default="0,1,2", help="each a split of the documents and a seed of the methods")
    parser.add_argument("--threads", type=int, default=1, help="of every method")
    parser.add_argument("--sweeps", type=int, default=1000, help="of tomotopy")
    parser.add_argument("--iterations", type=int, default=200, help="of NMF")
    parser.add_argument("--refine", type=int, help="sweeps of the control (default: as many as our default has)")
    given = parser.parse_args()
    found = shutil.which(given.vertopic)
    if found is None:
        raise SystemExit(f"{given.vertopic}: no such program; give its path by --vertopic")
    given.vertopic = found
    if given.refine is None:
        text = subprocess.run([found, "fit", "--help"], capture_output=True, text=True).stdout
        default = re.search(r"--refine <\w+>(?:(?!\n *-).)*?\[default: (\d+)", text, re.S)
        given.refine = int(default[1]) if default else REFINE_SWEEPS
    methods = plan(given)
    names = chosen(given.corpora, corpora.CORPORA, corpora.CORPORA, "corpus")
    seeds = [int(seed) for seed in given.seeds.split(",")]
    folder = pathlib.Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    measure(given, names, methods, seeds, folder / "quality.csv")
    rows = read(folder / "quality.csv")
    rows = [rows[c, m, s] for c in names for m in methods for s in seeds]
    stem = "ablation" if given.ablation else "quality"
    (folder / f"{stem}.md").write_text(figures.tables(rows), encoding="utf-8")
    figures.plot(rows, folder / stem)
    print(f"wrote {folder}/quality.csv, {stem}.md, {stem}.png and {stem}.svg")


if __name__ == "__main__":
    main()
