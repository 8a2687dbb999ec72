# SPDX-License-Identifier: Apache-2.0
"""Tables of runs on several hosts."""

from .results import median
from .samples import PHASES
from .units import format_bytes, format_number


def total(run, phase, prefix, suffix):
    """Sum over hosts of the counters whose names begin and end so, in one phase; None where one is not counted."""
    values = [value for key, value in run["phases"][phase].items() if key.startswith(prefix) and key.endswith(suffix)]
    return None if not values or any(value is None for value in values) else sum(values)


def summary(runs):
    """Medians of one variant's runs, and the runs under 'each'."""
    numbers = {name: median(run[name] for run in runs) for name in ("wall_s", "cpu_s", "map_s", "ordinary")}
    for name, prefix, suffix in columns(runs[0]):
        for phase in PHASES:
            numbers[f"{name} {phase}"] = median(total(run, phase, prefix, suffix) for run in runs)
    return {**numbers, "each": runs}


def columns(run):
    """(title, prefix, suffix) of what is counted: each disk number's bytes, and those of all links."""
    disks = sorted({key.split()[0] for key in run["phases"]["map"] if key.startswith("disk")})
    for disk in disks:
        for way in ("read", "written"):
            yield f"{disk} {way}", f"{disk} ", f" {way}"
    yield "links", "link ", " received"


def markdown(entries, description):
    """One table per workload: a row per variant, phases of the bytes as map + reduce, ratio to stock."""
    lines = []
    for entry in entries:
        variants = {name: each for name, each in entry["variants"].items() if each}
        titles = [title for title, _, _ in columns(next(iter(variants.values()))["each"][0])]
        lines += [f"{entry['workload']}, {entry['size']}, {entry['runs']} runs, medians; bytes in the map phase + in the reduce phase:", ""]
        lines += ["| | wall s | single runs | maps end, s | CPU s | " + " | ".join(titles) + " | tasks in ordinary containers | stock / it |",
                  "|---|---:|---|---:|---:|" + "---:|" * (len(titles) + 2)]
        stock = variants.get("stock")
        for name, one in variants.items():
            singles = ", ".join(format_number(run["wall_s"]) for run in one["each"])
            cells = [" + ".join(format_bytes(one[f"{title} {phase}"]) for phase in PHASES) for title in titles]
            ratio = format_number(stock["wall_s"] / one["wall_s"], 2) if stock else "-"
            lines.append(f"| {name} | {format_number(one['wall_s'])} | {singles} | {format_number(one['map_s'])} | {format_number(one['cpu_s'])} | "
                         + " | ".join(cells) + f" | {format_number(one['ordinary'], 0)} | {ratio} |")
        lines.append("")
    return "\n".join([*lines, description, ""])
