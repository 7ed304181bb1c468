"""Other software and controls that find topics, each of which runs in a process of its own:

    python peers.py NAME ARGUMENTS(JSON) COUNTS.npz TOPICS.npy

Prints a JSON line with the seconds and CPU seconds of the fit alone, and the memory in use before it.
"""

import json
import resource
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp

from measures import normal, ratios


def tomotopy(counts, topics, seed, sweeps, alpha, eta, learn, threads):
    """Collapsed Gibbs sampling of LDA; the priors of topics are learnt every `learn` sweeps (0: never)."""
    import tomotopy

    model = tomotopy.LDAModel(k=topics, alpha=alpha, eta=eta, seed=seed + 1)
    model.optim_interval = learn
    for d in range(counts.shape[0]):
        row = slice(counts.indptr[d], counts.indptr[d + 1])
        model.add_doc([str(w) for w in np.repeat(counts.indices[row], counts.data[row])])

    def fit():
        model.train(sweeps, workers=threads)
        found = np.zeros((topics, counts.shape[1]))
        found[:, [int(name) for name in model.used_vocabs]] = [model.get_topic_word_dist(k) for k in range(topics)]
        return found

    return fit


def nmf(counts, topics, seed, iterations, loss, start, weights):
    """scikit-learn's NMF: of counts by multiplicative updates, or of tf-idf by coordinate descent.

    The factors of tf-idf are no word probabilities; weights "idf, undone" divides them by idf.
    """
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import TfidfTransformer

    solver = "cd" if loss == "frobenius" else "mu"
    model = NMF(topics, init=start, solver=solver, beta_loss=loss, max_iter=iterations, random_state=seed)
    matrix, weigh = counts.astype(np.float64), TfidfTransformer()

    def fit():
        if weights == "none":
            return model.fit(matrix).components_
        found = model.fit(weigh.fit_transform(matrix)).components_
        return found if weights == "idf" else found / weigh.idf_

    return fit


def anchortopics(counts, topics, seed, rectify):
    """Anchor words of the rectified co-occurrence; the package knows no floor for candidates."""
    from anchortopics import OTFR

    model = OTFR(topics, max_iter=rectify, random_state=seed)
    return lambda: model.fit(counts).components_


def lda(counts, topics, seed, passes, threads):
    """scikit-learn's variational Bayes, batch by batch."""
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(topics, learning_method="online", batch_size=2048, max_iter=passes,
                                      random_state=seed, n_jobs=threads)
    return lambda: model.fit(counts).components_


def gensim_lda(counts, topics, seed, passes, threads):
    """gensim's online variational Bayes on several processes."""
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaMulticore

    corpus = Sparse2Corpus(counts, documents_columns=False)
    words = {w: str(w) for w in range(counts.shape[1])}
    return lambda: LdaMulticore(corpus, topics, id2word=words, passes=passes, workers=max(1, threads - 1),
                                random_state=seed).get_topics()


def em(counts, topics, seed, sweeps, alpha, eta, leave_one_out=False):
    """The control of the geometry: as many sweeps of MAP-EM, from random topics.

    If `leave_one_out`, each token is assigned to topics by the other tokens of its document, as in our refinement (CVB0).
    """
    rows = np.random.default_rng(seed).dirichlet(np.ones(counts.shape[1]), topics)
    like = lambda data: sp.csr_matrix((data, counts.indices, counts.indptr), counts.shape)
    total = np.repeat(np.asarray(counts.sum(1)).ravel() + alpha * topics, np.diff(counts.indptr))

    def fit():
        found, mixtures = rows, np.full((counts.shape[0], topics), 1 / topics)
        for _ in range(sweeps):
            likely, quotient = ratios(counts, mixtures, found)
            own = 0 * quotient
            if leave_one_out:  # 1 − β / (T θ·β) of a token's share is not its own
                squares, _ = ratios(counts, mixtures, found**2)
                rest = np.maximum(likely - squares / (total * likely), 1e-3 * likely)
                quotient, own = like(counts.data / rest), like(counts.data / (rest * total * likely))
            after = found * (quotient.T @ mixtures).T - found**2 * (own.T @ mixtures).T
            mixtures = mixtures * np.maximum(quotient @ found.T - own @ (found**2).T, 0) + alpha
            mixtures /= mixtures.sum(1, keepdims=True)
            found = normal(np.maximum(after, 0) + eta)
        return found

    return fit


def version(package):
    """Name and version of an installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} (not installed)"


def main():
    name, arguments, counts, found = sys.argv[1:]
    warnings.simplefilter("ignore")  # an NMF that stops at its last iteration is no news
    fit = globals()[name](sp.load_npz(counts).tocsr(), **json.loads(arguments))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    start, spent = time.perf_counter(), time.process_time()
    topics = fit()
    times = {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - spent}
    np.save(found, normal(np.asarray(topics)))
    print(json.dumps({**times, "before_mb": before}))


if __name__ == "__main__":
    main()
