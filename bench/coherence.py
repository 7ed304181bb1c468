"""Our coherence beside gensim's, topic by topic, on the same texts.

Fits a model to every second document and evaluates it on the others, so that some words of topics are rare or never
occur. Both programs get the same tokens: runs of lower-case letters, with an empty document among them.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import tempfile
import time

MEASURES = ("c_npmi", "c_v", "c_uci", "u_mass")
FURTHEST = 1e-6


def read(path, documents):
    """The tokens of each line, up to the first tab."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()[:documents]
    return [re.findall("[a-z]+", line.split("\t")[0].lower()) for line in lines]


def run(command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def ours(binary, train, test, topics, words):
    """What the program says of a model of its own, and the seconds that saying took."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, texts in (("train.txt", train), ("test.txt", test)):
            (folder / name).write_text("".join(" ".join(text) + "\n" for text in texts))
        model = folder / "model.safetensors"
        run([binary, "fit", folder / "train.txt", "-k", topics, "-o", model, "--quiet",
             "--stopwords", "none", "--min-length", 1])
        start = time.perf_counter()
        found = json.loads(run([binary, "eval", model, folder / "test.txt", "-n", words, "--json", "--quiet"]))
        return found, time.perf_counter() - start


def theirs(topics, texts, measure, words):
    from gensim.corpora import Dictionary
    from gensim.models import CoherenceModel

    model = CoherenceModel(topics=topics, texts=texts, dictionary=Dictionary(texts), coherence=measure,
                           topn=words, processes=1)
    return model.get_coherence_per_topic()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", help="a document a line; what follows a tab is left out")
    parser.add_argument("--vertopic", default="target/release/vertopic", help="our program")
    parser.add_argument("--documents", type=int, default=1000, help="lines to read")
    parser.add_argument("-k", "--topics", type=int, default=20)
    parser.add_argument("-n", "--words", type=int, default=10)
    given = parser.parse_args()
    texts = read(given.texts, given.documents)
    train, test = texts[::2], texts[1::2] + [[]]
    found, seconds = ours(given.vertopic, train, test, given.topics, given.words)
    assert found["reference"]["windows"] == "sliding"
    print(f"{len(test)} documents, {sum(map(len, test))} tokens, {len(found['topics'])} topics, "
          f"{found['reference']['unseen_words']} words never seen; vertopic eval {seconds:.2f} s")
    topics = [topic["words"] for topic in found["topics"]]
    furthest = 0.0
    for measure in MEASURES:
        start = time.perf_counter()
        golden = theirs(topics, test, measure, given.words)
        seconds = time.perf_counter() - start
        pairs = [(topic[measure], float(g)) for topic, g in zip(found["topics"], golden)]
        defined = [(a, b) for a, b in pairs if a is not None and math.isfinite(b)]
        # Only a topic with fewer than two words that occur has no value.
        for topic, (a, _) in zip(found["topics"], pairs):
            assert (a is None) == (len(topic["words"]) - len(topic["unseen_words"]) < 2), topic
        off = max(abs(a - b) for a, b in defined)
        mean = sum(a for a, _ in defined) / len(defined)
        print(f"{measure:8} mean {mean:9.5f}  {len(defined)} topics, largest difference {off:.1e}  "
              f"gensim {seconds:6.1f} s", flush=True)
        furthest = max(furthest, off)
    assert furthest < FURTHEST, f"differs by {furthest}"
    print(f"agrees: largest difference {furthest:.1e}")


if __name__ == "__main__":
    main()
