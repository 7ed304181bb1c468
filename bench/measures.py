"""What a topic matrix (topics by words, rows sum to 1) is worth: one rule for every method.

`python -m doctest bench/measures.py` checks the closed cases.
"""

import numpy as np
import scipy.sparse as sp

SHOWN = 10
ENTRIES = 1 << 18  # entries of a matrix that are worked on at a time


def normal(matrix):
    """Rows that sum to 1; a row of zeros, a topic a method gave up, becomes uniform.

    >>> normal(np.array([[3.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    total = matrix.sum(1, keepdims=True)
    return np.where(total > 0, matrix / np.where(total > 0, total, 1), 1 / matrix.shape[1])


def top(ranks):
    """The words of highest rank of every topic; the first of equals goes first."""
    return np.argsort(-ranks, axis=1, kind="stable")[:, :SHOWN]


def discriminative(topics, shares):
    """√p(w|k)·p(k|w): words that are frequent in their topic and rare in others.

    >>> discriminative(np.array([[0.25, 0.75], [0.75, 0.25]]), np.array([0.5, 0.5])).tolist()[0][0]
    0.125
    """
    joint = topics * shares[:, None]
    return np.sqrt(topics) * joint / np.maximum(joint.sum(0), 1e-300)


def diversity(shown):
    """The part of the shown words that are different.

    >>> diversity([[1, 2], [2, 3]])
    0.75
    """
    return len({word for words in shown for word in words}) / sum(len(words) for words in shown)


def npmi(shown, counts):
    """Mean over topics and pairs of words of ln(p(a,b) / p(a)p(b)) / −ln p(a,b), by documents that hold the words.

    A pair that is never together has −1, one that is in every document 1 (Bouma 2009). Here words 0 and 1 are always
    together, in half of the documents; 2 is never with them.

    >>> counts = sp.csr_matrix([[1, 2, 0], [0, 0, 1]])
    >>> npmi([[0, 1]], counts), npmi([[0, 2]], counts)
    (1.0, -1.0)
    """
    words, places = np.unique([list(words) for words in shown], return_inverse=True)
    places = places.reshape(len(shown), -1)
    held = (counts[:, words] > 0).astype(np.float64)
    together = (held.T @ held).toarray() / counts.shape[0]
    alone = np.diag(together)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.log(together / np.outer(alone, alone)) / -np.log(together)
    scores[together == 0] = -1
    scores[together == 1] = 1
    first, second = np.triu_indices(places.shape[1], 1)
    return float(scores[places[:, first], places[:, second]].mean())


def ratios(counts, mixtures, topics):
    """count / Σ_k θ_k β_k at the entries of `counts` alone, some at a time to bound memory."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    across = np.ascontiguousarray(topics.T)
    likely = np.empty(counts.nnz)
    for at in range(0, counts.nnz, ENTRIES):
        part = slice(at, at + ENTRIES)
        likely[part] = np.einsum("ij,ij->i", mixtures[rows[part]], across[counts.indices[part]])
    return likely, sp.csr_matrix((counts.data / likely, counts.indices, counts.indptr), counts.shape)


def mix(counts, topics, rounds=50, alpha=0.01):
    """Mixtures of documents by EM with the topics held: θ ← θ·(Qβ) + α, then to the simplex."""
    mixtures = np.full((counts.shape[0], len(topics)), 1 / len(topics))
    for _ in range(rounds):
        _, quotient = ratios(counts, mixtures, topics)
        mixtures = mixtures * (quotient @ topics.T) + alpha
        mixtures /= mixtures.sum(1, keepdims=True)
    return mixtures


def smooth(topics):
    """No word is impossible: 1e-3 of every topic is spread over all words."""
    return normal(topics + 1e-3 / topics.shape[1])


def shares(topics, counts, seed, most=5000):
    """The part of the tokens that each topic has, from mixtures of (at most) so many documents."""
    if counts.shape[0] > most:
        counts = counts[np.random.default_rng([seed, 2]).permutation(counts.shape[0])[:most]]
    found = np.asarray(counts.sum(1)).ravel() @ mix(counts, smooth(topics))
    return found / found.sum()


def unigram(train, test, seed):
    """Perplexity of a model that has no topics, only the frequency of words: what a topic model must beat."""
    return perplexity(normal(np.asarray(train.sum(0), dtype=np.float64).reshape(1, -1)), test, seed)


def perplexity(topics, test, seed):
    """Document completion: a random half of the tokens gives a document's mixture, the other half is scored.

    Topics that know nothing are as surprised as a die with so many faces as there are words.

    >>> round(perplexity(np.full((2, 4), 0.25), sp.csr_matrix([[5, 5, 5, 5]]), 0), 6)
    4.0
    """
    test = test.tocsr()
    half = np.random.default_rng([seed, 1]).binomial(test.data.astype(np.int64), 0.5)
    given, rest = (sp.csr_matrix((part, test.indices, test.indptr), test.shape) for part in (half, test.data - half))
    topics = smooth(topics)
    likely, _ = ratios(rest, mix(given, topics), topics)
    return float(np.exp(-(rest.data * np.log(likely)).sum() / rest.data.sum()))
