"""Mixtures of documents by a model fitted to others, in a process of its own:

    python inference.py METHOD VERTOPIC THREADS FOLDER

Fits to `train.npz`, takes the time for the documents of `many.npz`, and scores the mixtures of `given.npz` by the other
half of the tokens, `rest.npz`. Each method with its own topics. Prints a JSON line.
"""

import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp

import corpora
from measures import normal, ratios, smooth

TOPICS = 40


def vertopic(program, threads, folder, train):
    """Our program, by way of files; the time is that of the whole process, reading and writing included."""
    from safetensors import safe_open

    words = [f"w{w:06}" for w in range(train.shape[1])]
    corpora.write_uci(folder, train, words)
    model = folder / "model.safetensors"
    common = ["--quiet", "--threads", str(threads)]
    fit = [program, "fit", folder / "docword.train.txt", "-k", str(TOPICS), "-o", model, "--min-df", "1", *common]
    subprocess.run(fit, check=True, capture_output=True)
    with safe_open(model, "np") as tensors:
        names = json.loads(tensors.metadata()["vertopic"])["vocabulary"]
        found = tensors.get_tensor("topics").astype(np.float64)
    topics = np.zeros((TOPICS, train.shape[1]))
    topics[:, [int(name[1:]) for name in names]] = found

    def infer(counts):
        place = folder / "new"
        place.mkdir(exist_ok=True)
        path, out = corpora.write_uci(place, counts, words), folder / "mixtures.csv"
        start = time.perf_counter()
        subprocess.run([program, "infer", model, path, "-o", out, *common], check=True, capture_output=True)
        seconds = time.perf_counter() - start
        rows = np.loadtxt(out, delimiter=",", skiprows=1, usecols=range(-TOPICS, 0))
        return rows, seconds

    return topics, infer


def lda(program, threads, folder, train):
    """scikit-learn's variational Bayes."""
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(TOPICS, learning_method="batch", max_iter=20, random_state=0, n_jobs=threads)
    model.fit(train)

    def infer(counts):
        start = time.perf_counter()
        found = model.transform(counts)
        return found, time.perf_counter() - start

    return normal(model.components_), infer


def tomotopy(program, threads, folder, train):
    """Gibbs sampling; 100 sweeps for new documents, its default."""
    import tomotopy

    model = tomotopy.LDAModel(k=TOPICS, alpha=0.1, eta=0.1, seed=1)
    tokens = lambda counts, d: [str(w) for w in np.repeat(counts[d].indices, counts[d].data)]
    for d in range(train.shape[0]):
        model.add_doc(tokens(train, d))
    model.train(200, workers=threads)
    topics = np.zeros((TOPICS, train.shape[1]))
    topics[:, [int(name) for name in model.used_vocabs]] = [model.get_topic_word_dist(k) for k in range(TOPICS)]

    def infer(counts):
        made = [model.make_doc(tokens(counts, d)) for d in range(counts.shape[0])]
        start = time.perf_counter()
        found, _ = model.infer(made, workers=threads)
        return np.array(found), time.perf_counter() - start

    return topics, infer


def main():
    method, program, threads, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), pathlib.Path(sys.argv[4])
    train, given, rest, many = (sp.load_npz(folder / f"{name}.npz").tocsr() for name in ("train", "given", "rest", "many"))
    topics, infer = globals()[method](program, threads, folder, train)
    mixtures, _ = infer(given)
    likely, _ = ratios(rest, mixtures, smooth(topics))
    perplexity = float(np.exp(-(rest.data * np.log(likely)).sum() / rest.data.sum()))
    _, seconds = infer(many)
    print(json.dumps({"documents": many.shape[0], "seconds": seconds, "perplexity": perplexity}))


if __name__ == "__main__":
    main()
