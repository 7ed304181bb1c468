"""The rows of the quality benchmark as tables for reading and as a figure."""

import numpy as np

# column: heading, digits, whether more is better
SHOWN = {
    "npmi_shown": ("NPMI, shown", 3, True),
    "diversity_shown": ("diversity", 2, True),
    "npmi_probable": ("NPMI, probable", 3, True),
    "diversity_probable": ("diversity", 2, True),
    "npmi_discriminative": ("NPMI, discriminative", 3, True),
    "diversity_discriminative": ("diversity", 2, True),
    "perplexity": ("perplexity", 0, False),
    "seconds": ("seconds", 2, False),
    "cpu_seconds": ("CPU s", 2, False),
    "peak_mb": ("peak MB", 0, False),
}


def groups(rows):
    """Rows by corpus and method, in their order."""
    found = {}
    for row in rows:
        found.setdefault(row["corpus"], {}).setdefault(row["method"], []).append(row)
    return found


def summary(rows, column):
    """Mean and spread (standard deviation) over splits."""
    values = np.array([float(row[column]) for row in rows])
    return values.mean(), values.std(ddof=1) if len(values) > 1 else 0.0


def tables(rows):
    """Markdown: a table a corpus, mean ± standard deviation over splits, the best of each column bold."""
    lines = []
    for corpus, methods in groups(rows).items():
        good = {name: runs for name, runs in methods.items() if not any(run["error"] for run in runs)}
        splits = max(len(runs) for runs in methods.values())
        lines += [f"### {corpus}, {splits} split{'s' * (splits > 1)}", ""]
        if good:
            without, _ = summary(next(iter(good.values())), "unigram")
            lines += [f"Perplexity without topics (frequency of words alone): {without:.0f}.", ""]
        lines += ["| method | " + " | ".join(heading for heading, _, _ in SHOWN.values()) + " |"]
        lines += ["|---" * (len(SHOWN) + 1) + "|"]
        cells = {name: [] for name in good}
        for column, (_, digits, more) in SHOWN.items():
            means = {name: summary(runs, column) for name, runs in good.items()}
            best = f"{(max if more else min)([mean for mean, _ in means.values()], default=0):.{digits}f}"
            for name, (mean, spread) in means.items():
                text = f"{mean:.{digits}f}"
                text = f"**{text}**" if text == best else text
                cells[name].append(f"{text} ± {spread:.{digits}f}" if splits > 1 else text)
        for name, runs in methods.items():
            failed = [run["error"] for run in runs if run["error"]]
            row = cells.get(name) or [f"failed in {len(failed)} of {len(runs)}: {failed[0].replace('|', '/')}"]
            lines.append(f"| {name} | " + " | ".join(row + [""] * (len(SHOWN) - len(row))) + " |")
        lines.append("")
    made = {row["method"]: f"- {row['method']}: {row['software']}, `{row['settings']}`" for row in rows}
    return "\n".join([*lines, *made.values(), ""])


def plot(rows, stem):
    """NPMI against perplexity, a column a corpus; methods differ in the shape of their mark, ours are filled.

    The dashed line is the perplexity without topics.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "quality"  # the same rows give the same file
    data = groups([row for row in rows if not row["error"]])
    if not data:
        return
    names = list(dict.fromkeys(row["method"] for row in rows if not row["error"]))
    ours = {row["method"] for row in rows if row["software"].startswith("vertopic")}
    marks = dict(zip(names, "os^Dv*PX<>hpd8" * 9))
    axes = {"npmi_probable": "NPMI, probable words", "npmi_discriminative": "NPMI, discriminative words"}
    figure, panels = plt.subplots(len(axes), len(data), figsize=(3.2 * len(data) + 0.6, 6.8), squeeze=False,
                                  sharex="col", layout="constrained")
    for row, (column, label) in zip(panels, axes.items()):
        row[0].set_ylabel(label)
        for panel, (corpus, methods) in zip(row, data.items()):
            for name, runs in methods.items():
                (x, dx), (y, dy) = summary(runs, "perplexity"), summary(runs, column)
                panel.errorbar(x, y, dy, dx, fmt=marks[name], label=name, color="black", markersize=8, linewidth=0.8,
                               markerfacecolor="black" if name in ours else "white")
            panel.axvline(summary(next(iter(methods.values())), "unigram")[0], color="0.4", linestyle="--", linewidth=1)
            panel.grid(color="0.9")
            panel.set_axisbelow(True)
    for corpus, above, below in zip(data, panels[0], panels[-1]):
        above.set_title(corpus)
        below.set_xlabel("perplexity (dashed: no topics)")
    keys = {}
    for panel in panels[0]:
        keys.update(zip(*reversed(panel.get_legend_handles_labels())))
    figure.legend([keys[name] for name in names], names, loc="outside lower center", ncols=max(2, len(data) * 2),
                  frameon=False, numpoints=1)
    for ending in ("png", "svg"):
        figure.savefig(f"{stem}.{ending}", dpi=150, metadata={"Date": None} if ending == "svg" else None)
    plt.close(figure)
