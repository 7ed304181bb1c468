"""Our Gibbs sampler, NMF and RecoverL2 beside other implementations, measured by one rule.

The words of UCI NIPS in most documents, nine documents in ten to train on. Every topic matrix is scored by the
same document completion: half of the tokens of a test document give its mixture, the other half is scored.
"""

import argparse
import csv
import gzip
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse as sp

WORDS, TOPICS, ETA = 2500, 40, 0.01


def read(folder):
    """The counts, documents by words, of the words in most documents; a tenth of the documents apart."""
    paths = [p for p in pathlib.Path(folder).rglob("docword.nips.txt*")]
    if not paths:
        raise SystemExit(f"{folder}: no docword.nips.txt or docword.nips.txt.gz")
    opened = gzip.open if paths[0].suffix == ".gz" else open
    with opened(paths[0], "rt") as lines:
        documents, words, _ = (int(lines.readline()) for _ in range(3))
        rows = np.loadtxt(lines, dtype=np.int64)
    counts = sp.csr_matrix((rows[:, 2], (rows[:, 0] - 1, rows[:, 1] - 1)), (documents, words))
    frequency = np.asarray((counts > 0).sum(0)).ravel()
    kept = np.sort(np.argsort(-frequency, kind="stable")[:WORDS])
    order = np.random.default_rng(0).permutation(documents)
    test, train = order[: documents // 10], np.sort(order[documents // 10 :])
    return counts[train][:, kept].tocsr(), counts[test][:, kept].tocsr()


def perplexity(topics, test, rounds=200, alpha=0.01):
    """Document completion, the same for all."""
    topics = (topics + 1e-3 / WORDS) / (1 + 1e-3)
    dense = test.toarray().astype(int)
    given = np.random.default_rng(1).binomial(dense, 0.5)
    rest = dense - given
    theta = np.full((len(dense), len(topics)), 1 / len(topics))
    for _ in range(rounds):
        theta = theta * ((given / (theta @ topics)) @ topics.T) + alpha
        theta /= theta.sum(1, keepdims=True)
    return float(np.exp(-(rest * np.log(theta @ topics)).sum() / rest.sum()))


def ours(binary, train, flags):
    """A model of the program, by way of files."""
    from safetensors import safe_open

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        entries = train.tocoo()
        with open(folder / "docword.train.txt", "w") as out:
            out.write(f"{train.shape[0]}\n{WORDS}\n{train.nnz}\n")
            np.savetxt(out, np.c_[entries.row + 1, entries.col + 1, entries.data], fmt="%d")
        (folder / "vocab.train.txt").write_text("".join(f"w{w:06}\n" for w in range(WORDS)))
        model = folder / "model.safetensors"
        command = [binary, "fit", folder / "docword.train.txt", "-k", TOPICS, "-o", model]
        command += ["--min-df", "1", "--quiet", *flags]
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        with safe_open(model, "np") as tensors:
            names = json.loads(tensors.metadata()["vertopic"])["vocabulary"]
            found = tensors.get_tensor("topics").astype(float)
        topics = np.zeros((len(found), WORDS))
        topics[:, [int(name[1:]) for name in names]] = found
        return topics


def tomotopy_topics(train, sweeps, seed):
    """tomotopy with fixed priors, one worker."""
    import tomotopy

    model = tomotopy.LDAModel(k=TOPICS, alpha=50 / TOPICS, eta=ETA, seed=seed + 1)
    model.optim_interval, model.burn_in = 0, 0
    for d in range(train.shape[0]):
        row = train[d]
        model.add_doc([f"w{w:06}" for w, c in zip(row.indices, row.data) for _ in range(c)])
    model.train(sweeps, workers=1)
    topics = np.zeros((TOPICS, WORDS))
    columns = [int(name[1:]) for name in model.used_vocabs]
    for k in range(TOPICS):
        topics[k, columns] = model.get_topic_word_dist(k)
    return topics


def sklearn_nmf(train, iterations, seed):
    """scikit-learn's multiplicative updates of the Kullback-Leibler divergence."""
    from sklearn.decomposition import NMF

    model = NMF(TOPICS, init="random", solver="mu", beta_loss="kullback-leibler", tol=0,
                max_iter=iterations, random_state=seed)
    components = model.fit(train.astype(float)).components_
    return components / components.sum(1, keepdims=True)


def recover_l2(train, least, seed):
    """FastAnchorWords and RecoverL2 as printed, with a dense matrix: independent of ours, and slow."""
    counts = train.toarray().astype(float)
    length = counts.sum(1)
    scaled = counts / np.sqrt(length * (length - 1))[:, None]
    own = (counts / (length * (length - 1))[:, None]).sum(0)
    joint = (scaled.T @ scaled - np.diag(own)) / len(counts)
    share = joint.sum(1)
    rows = joint / share[:, None]
    candidates = np.flatnonzero((counts > 0).sum(0) >= least)
    signs = np.random.default_rng(seed).choice([-1, 0, 1], (WORDS, 1000), p=[1 / 6, 2 / 3, 1 / 6])
    points = (rows @ (signs * np.sqrt(3 / 1000)))[candidates]

    def distance(members):
        if not members:
            return np.linalg.norm(points, axis=1)
        moved = points - points[members[0]]
        if len(members) > 1:
            basis, _ = np.linalg.qr(moved[members[1:]].T)
            moved = moved - (moved @ basis) @ basis.T
        moved = np.linalg.norm(moved, axis=1)
        moved[members] = -1
        return moved

    chosen = []
    for _ in range(TOPICS):
        chosen.append(int(distance(chosen).argmax()))
    for i in range(TOPICS):
        chosen[i] = int(distance(chosen[:i] + chosen[i + 1 :]).argmax())
    anchors = rows[candidates[chosen]]
    mixtures = on_simplex(anchors @ anchors.T, rows @ anchors.T)
    topics = (mixtures * share[:, None]).T
    return topics / topics.sum(1, keepdims=True)


def on_simplex(gram, linear, rounds=3000):
    """Accelerated projected gradient for all words at once."""
    step = 1 / np.linalg.eigvalsh(gram)[-1]
    now = np.full_like(linear, 1 / gram.shape[0])
    ahead, pace = now, 1.0
    count = np.arange(1, gram.shape[0] + 1)
    for _ in range(rounds):
        moved = ahead - step * (ahead @ gram - linear)
        down = -np.sort(-moved, axis=1)
        excess = (np.cumsum(down, 1) - 1) / count
        last = (down > excess).sum(1) - 1
        after = np.maximum(moved - excess[np.arange(len(moved)), last][:, None], 0)
        faster = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        ahead, now, pace = after + (pace - 1) / faster * (after - now), after, faster
    return now


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", help="folder with docword.nips.txt")
    parser.add_argument("--vertopic", default="target/release/vertopic", help="our program")
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=200, help="of NMF")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", default="", help="pairs to run: gibbs,nmf,recover (default: all)")
    parser.add_argument("--out", default="methods.csv")
    given = parser.parse_args()
    train, test = read(given.data)
    print(f"train {train.shape}, {train.sum()} tokens; test {test.shape}, {test.sum()} tokens", flush=True)
    least = int(np.ceil(0.05 * train.shape[0]))
    program = lambda *flags: lambda seed: ours(given.vertopic, train, [*flags, "--seed", str(seed)])
    pairs = {
        "gibbs": [
            ("vertopic gibbs, last state", program("--method", "gibbs", "--sweeps", given.sweeps, "--samples", "1")),
            ("tomotopy", lambda seed: tomotopy_topics(train, given.sweeps, seed)),
        ],
        "nmf": [
            ("vertopic nmf", program("--method", "nmf", "--iterations", given.iterations, "--tolerance", "1e-12")),
            ("scikit-learn NMF", lambda seed: sklearn_nmf(train, given.iterations, seed)),
        ],
        "recover": [
            ("vertopic recover-l2", program("--method", "recover-l2", "--candidate-min-df", str(least))),
            ("numpy RecoverL2", lambda seed: recover_l2(train, least, seed)),
        ],
    }
    wanted = given.only.split(",") if given.only else list(pairs)
    with open(given.out, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["pair", "implementation", "seed", "perplexity", "seconds"])
        for pair in wanted:
            means = []
            for name, fit in pairs[pair]:
                scores = []
                for seed in range(given.seeds):
                    start = time.perf_counter()
                    topics = fit(seed)
                    seconds = time.perf_counter() - start
                    scores.append(perplexity(topics, test))
                    table.writerow([pair, name, seed, f"{scores[-1]:.3f}", f"{seconds:.2f}"])
                    out.flush()
                    print(f"{name:28} seed {seed}  perplexity {scores[-1]:8.2f}  {seconds:7.1f} s", flush=True)
                means.append(np.mean(scores))
            print(f"{pair}: ours / other = {means[0] / means[1]:.4f}\n", flush=True)


if __name__ == "__main__":
    main()
