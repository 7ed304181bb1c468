"""What speed.py measured, as tables and figures for people.

    python report.py speed/speed.csv [more.csv ...] --out BENCHMARKS-tables.md

The rows of several files are put together; ratios are only taken within one part, which is one run.
"""

import argparse
import csv
import pathlib
import statistics
from collections import defaultdict


PROJECTIONS = 5000  # of speed.py


def table(head, rows):
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def short(number):
    """Three digits."""
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:,.0f}"


def load(paths):
    """Rows by part."""
    parts = defaultdict(list)
    for path in paths:
        with open(path, newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                row["seconds"] = float(row["seconds"]) if row["seconds"] else None
                parts[row["part"]].append(row)
    return parts


def limits(rows):
    """The machine's limits: (stage, threads) and what was measured."""
    return {(row["stage"], row["threads"]): row["seconds"] for row in rows}


def machine(parts):
    rows = [[row["stage"], row["threads"], short(row["seconds"])] for row in parts["machine"]]
    return "## The machine's limits\n\n" + table(["limit", "threads", "measured"], rows)


def read(parts):
    times = defaultdict(list)
    for row in parts["read"]:
        times[row["method"], row["threads"]].append(row["seconds"])
    least = min(statistics.median(times[key]) for key in times if key[0].startswith("wc"))
    rows = [[method, threads, f"{statistics.median(found):.3f}", f"{statistics.median(found) / least:.1f}"]
            for (method, threads), found in times.items()]
    head = ["program", "threads", "s (median of 15)", "times `wc -l`"]
    return "## Reading UCI text from the page cache (rfc-pages)\n\n" + table(head, rows)


def whole(parts):
    """End to end, ours and others."""
    out = ["## End to end\n"]
    for corpus in dict.fromkeys(row["corpus"] for row in parts["fit"]):
        ours = [row for row in parts["fit"] if row["corpus"] == corpus and row["stage"] == "end to end"]
        most = max(row["threads"] for row in ours)
        best = next(row["seconds"] for row in ours if row["method"] == "default" and row["threads"] == most)
        rows = [[f"vertopic, {row['method']}", row["threads"], short(row["seconds"]), row["peak_mb"].split(".")[0],
                 f"{row['seconds'] / best:.1f}", ""] for row in ours]
        for row in parts["peers"]:
            if row["corpus"] == corpus and row["seconds"]:
                rows.append([row["method"], row["threads"], short(row["seconds"]), row["peak_mb"].split(".")[0],
                             f"{row['seconds'] / best:.1f}", row["note"]])
            elif row["corpus"] == corpus:
                rows.append([row["method"], row["threads"], "–", "–", "–", row["note"]])
        out.append(f"### {corpus}\n\n" + table(["", "threads", "s", "peak MB", "times the default", ""], rows))
    return "\n".join(out)


def stages(parts):
    """Where the time goes, and what a second thread brings."""
    out = ["## Stages\n"]
    for corpus in dict.fromkeys(row["corpus"] for row in parts["fit"]):
        times = defaultdict(lambda: defaultdict(dict))
        for row in parts["fit"]:
            if row["corpus"] == corpus:
                times[row["method"]][row["stage"]][row["threads"]] = row["seconds"]
        rows = []
        for method, found in times.items():
            threads = sorted(found["end to end"])
            total = found["end to end"][threads[0]]
            name = method
            for stage, seconds in found.items():
                if seconds[threads[0]] >= 0.05 * total:
                    cells = [f"{seconds[t]:.3f}" if seconds[t] < 1 else short(seconds[t]) for t in threads]
                    rows.append([name, stage, *cells, f"{seconds[threads[0]] / seconds[threads[-1]]:.2f}"])
                    name = ""
        heads = [f"s, {t} thread{'s' if t != '1' else ''}" for t in threads]
        out.append(f"### {corpus}, stages over 5 %\n\n" + table(["", "stage", *heads, "ratio"], rows))
    return "\n".join(out)


def fits(parts):
    return whole(parts) + "\n" + stages(parts)


# Kernels whose items are multiply-adds (crates/vertopic-lab/benches/kernels.rs).
MULTIPLYING = {"projections": "RP projections", "cooccurrence_times": "products with the co-occurrence matrix",
               "pair_sums": "co-occurrence counts (DDP)", "refine_sweeps": "sweeps of the refinement"}


def kernels(parts):
    """Multiply-adds of one core beside the machine's."""
    measured = limits(parts["machine"])
    peaks = [measured["f32 multiply-adds, 1e9/s", "1"], measured["the same as numpy does them by itself", "1"]]
    line = lambda name, rate: [name, short(rate), *(f"{100 * rate / peak:.0f} %" for peak in peaks)]
    rows = [line(MULTIPLYING[row["method"]], row["seconds"]) for row in parts["kernels"] if row["method"] in MULTIPLYING]
    for size in parts["corpus"]:
        seconds = next(row["seconds"] for row in parts["fit"] if row["corpus"] == size["corpus"] and row["threads"] == "1"
                       and row["method"] == "rp, all words" and row["stage"] == "projecting words")
        name = f"RP projections of {size['corpus']}, P = {PROJECTIONS:,}"
        rows.append(line(name, size["seconds"] * PROJECTIONS / seconds / 1e9))
    head = ["kernel, one core", "1e9 multiply-adds/s", "of the machine's", "of what numpy does by itself"]
    return "## Kernels against the limits\n\n" + table(head, rows)


def slopes(parts):
    sizes = list(dict.fromkeys(row["corpus"] for row in parts["slope"]))
    found = defaultdict(dict)
    for row in parts["slope"]:
        found[row["method"], row["stage"]][row["corpus"]] = f"{row['seconds']:.2f}"
    rows = [[f"{method}: {stage}", *(cells.get(size, "") for size in sizes)] for (method, stage), cells in found.items()]
    return "## Growth: slope of log time against log size\n\n" + table(["", *sizes], rows)


def times(parts):
    rows = [[row["method"], short(row["seconds"]), row["peak_mb"].split(".")[0]] for row in parts["times"]
            if row["stage"] == "end to end"]
    return "## New York Times shape\n\n" + table(["", "s", "peak MB"], rows)


def infer(parts):
    rows = [[row["method"], row["threads"], short(row["seconds"]), row["note"].removeprefix("perplexity ")]
            for row in parts["infer"]]
    return "## Mixtures of new documents (NIPS, K = 40)\n\n" + table(["", "threads", "documents a second", "perplexity"], rows)


def figures(parts, folder):
    """Bars of whole fits, and curves of growth."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    corpora = list(dict.fromkeys(row["corpus"] for row in parts["fit"]))
    figure, axes = plt.subplots(1, len(corpora), figsize=(6 * len(corpora), 4.2), layout="constrained")
    for axis, corpus in zip([axes] if len(corpora) == 1 else axes, corpora):
        ours = [row for row in parts["fit"] if row["corpus"] == corpus and row["stage"] == "end to end"]
        most = max(row["threads"] for row in ours)
        bars = [(f"vertopic, {row['method']}", row["seconds"], "tab:blue") for row in ours if row["threads"] == most]
        bars += [(row["method"].split(" (")[0], row["seconds"], "tab:gray") for row in parts["peers"]
                 if row["corpus"] == corpus and row["seconds"]]
        bars.sort(key=lambda bar: -bar[1])
        axis.barh([bar[0] for bar in bars], [bar[1] for bar in bars], color=[bar[2] for bar in bars])
        for at, bar in enumerate(bars):
            axis.text(bar[1], at, f" {short(bar[1])} s", va="center", fontsize=8)
        axis.set(xscale="log", title=corpus, xlabel=f"seconds, {most} threads")
        axis.margins(x=0.25)
    figure.savefig(folder / "speed.png", dpi=110)

    grown = defaultdict(lambda: defaultdict(list))
    for row in parts["growth"]:
        if row["stage"] == "end to end":
            name, size = row["corpus"].split(" = ")
            grown[name][row["method"]].append((int(size), row["seconds"]))
    if grown:
        figure, axes = plt.subplots(1, len(grown), figsize=(3.4 * len(grown), 3.4), layout="constrained", sharey=True)
        for axis, (name, methods) in zip(axes, grown.items()):
            for method, points in methods.items():
                axis.plot(*zip(*points), marker="o", label=method)
            axis.set(xscale="log", yscale="log", xlabel=name)
            sizes = sorted({size for points in methods.values() for size, _ in points})
            axis.set_xticks(sizes, labels=[f"{size:,}" for size in sizes])
            axis.xaxis.minorticks_off()
        axes[0].set_ylabel("seconds, 1 thread")
        axes[-1].legend(fontsize=8)  # it has them all
        figure.savefig(folder / "growth.png", dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv", nargs="+", help="what speed.py wrote")
    parser.add_argument("--out", default="speed", help="folder for speed.md and the figures")
    given = parser.parse_args()
    parts, folder = load(given.csv), pathlib.Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    makers = {"machine": machine, "read": read, "fit": fits, "kernels": kernels, "slope": slopes, "infer": infer,
              "times": times}
    sections = [make(parts) for part, make in makers.items() if parts[part]]
    if parts["fit"]:
        figures(parts, folder)
    (folder / "speed.md").write_text("\n".join(sections), encoding="utf-8")
    print(f"wrote {folder / 'speed.md'}")


if __name__ == "__main__":
    main()
