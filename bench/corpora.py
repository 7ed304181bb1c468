"""The corpora that methods are compared on: read, pruned by one rule, and cut into documents to learn and to test.

The words are those that are no English stop words (scikit-learn's list) and are in at least five documents and at most
half of them; of these, the ones in most documents. Words are chosen once a corpus, so that perplexities of all splits
are about the same words. Documents left without a word are dropped.
"""

import csv
import gzip
import pathlib
import re
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp


class Corpus(NamedTuple):
    """Counts, documents by words, the words, and how many topics to ask for."""

    counts: sp.csr_matrix
    words: list
    topics: int


def opened(path):
    """A text file, packed or not."""
    packed = path.with_name(path.name + ".gz")
    if packed.exists():
        return gzip.open(packed, "rt", encoding="utf-8")
    if path.exists():
        return open(path, encoding="utf-8")
    raise SystemExit(f"{path}: no such file, nor with .gz")


def uci(folder):
    """The counts of UCI's "Bag of Words": `docword.X.txt`, and `vocab.X.txt` beside it."""
    with opened(folder / f"docword.{folder.name}.txt") as lines:
        documents, words, _ = (int(lines.readline()) for _ in range(3))
        rows = np.loadtxt(lines, dtype=np.int64)
    with opened(folder / f"vocab.{folder.name}.txt") as lines:
        vocabulary = lines.read().split()
    return sp.csr_matrix((rows[:, 2], (rows[:, 0] - 1, rows[:, 1] - 1)), (documents, words)), vocabulary


def counted(texts, split):
    """The counts of texts."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(analyzer=split, dtype=np.int64)
    counts = vectorizer.fit_transform(texts)
    return counts, list(vectorizer.get_feature_names_out())


def prepared(folder):
    """`corpus.tsv`, whose first column has words that are ready to count."""
    with opened(folder / "corpus.tsv") as lines:
        return counted((row[0] for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)), str.split)


def raw(folder):
    """`docs.txt`, a document a line: its words are runs of two letters or more."""
    word = re.compile(r"[^\W\d_]{2,}")
    with opened(folder / "docs.txt") as lines:
        return counted(lines, lambda text: word.findall(text.lower()))


# name: reader, words to keep, topics
CORPORA = {
    "nips": (uci, 2500, 40),
    "kos": (uci, 3000, 20),
    "bbc": (prepared, 3000, 20),
    "dblp": (prepared, 3000, 20),
    "acl": (raw, 3000, 40),
}


def load(data, name):
    """A corpus of the folder `data`, by name."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    reader, most, topics = CORPORA[name]
    counts, words = reader(pathlib.Path(data) / name)
    frequency = np.asarray((counts > 0).sum(0)).ravel()
    fit = (frequency >= 5) & (frequency <= counts.shape[0] / 2) & [word not in ENGLISH_STOP_WORDS for word in words]
    kept = np.flatnonzero(fit)
    kept = np.sort(kept[np.argsort(-frequency[kept], kind="stable")[:most]])
    counts = counts[:, kept]
    counts = counts[np.asarray(counts.sum(1)).ravel() > 0].tocsr()
    return Corpus(counts, [words[w] for w in kept], topics)


def split(counts, seed):
    """Nine documents in ten to learn from, and the tenth."""
    order = np.random.default_rng(seed).permutation(counts.shape[0])
    test = counts.shape[0] // 10
    return counts[np.sort(order[test:])], counts[np.sort(order[:test])]


def write_uci(folder, counts, words):
    """The files `docword.train.txt` and `vocab.train.txt`; the path of the former."""
    entries = counts.tocoo()
    with open(folder / "docword.train.txt", "w") as out:
        out.write(f"{counts.shape[0]}\n{counts.shape[1]}\n{counts.nnz}\n")
        np.savetxt(out, np.c_[entries.row + 1, entries.col + 1, entries.data], fmt="%d")
    (folder / "vocab.train.txt").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    return folder / "docword.train.txt"
