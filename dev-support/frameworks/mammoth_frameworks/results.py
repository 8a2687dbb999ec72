# SPDX-License-Identifier: Apache-2.0
"""Comparing what both sides wrote, and the table at the end."""

import hashlib
import json
import os

from .counters import Job

HEADINGS = ("framework", "jobs", "tasks", "in ordinary containers", "stock s", "Mammoth s", "stock / Mammoth", "output and counters")


def digest(lines):
    """(number of lines, digest of them in their order)."""
    sha = hashlib.sha256()
    for line in lines:
        sha.update(line)
    return len(lines), sha.hexdigest()[:16]


def store(path, seconds, found, jobs):
    """Keeps what a side wrote and counted, for a later run of the other side alone."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        text = {name: [line.decode("latin-1") for line in lines] for name, lines in found.items()}
        json.dump({"seconds": seconds, "results": text, "jobs": [vars(job) for job in jobs]}, out)


def load(path):
    """(seconds, results, jobs) of a side's last run that went well, or None."""
    try:
        with open(path, encoding="utf-8") as source:
            kept = json.load(source)
    except FileNotFoundError:
        return None
    found = {name: [line.encode("latin-1") for line in lines] for name, lines in kept["results"].items()}
    return kept["seconds"], found, [Job(**job) for job in kept["jobs"]]


def compare(stock, mammoth):
    """Sentences about results that differ or are empty; none if all is well."""
    found = [f"{name}: only Mammoth has it" for name in mammoth if name not in stock]
    for name in stock:
        if name not in mammoth:
            found.append(f"{name}: only stock has it")
        elif not stock[name]:
            found.append(f"{name}: stock's is empty, so nothing is shown")
        elif digest(stock[name]) != digest(mammoth[name]):
            found.append(f"{name}: {_difference(stock[name], mammoth[name])}")
    return found


def _difference(stock, mammoth):
    for number, (one, other) in enumerate(zip(stock, mammoth), 1):
        if one != other:
            return f"line {number} is {one!r} on stock and {other!r} on Mammoth"
    return f"stock has {len(stock)} lines, Mammoth {len(mammoth)}"


def row(name, result):
    """One line of the table."""
    if "error" in result:
        return (name, "", "", "", _seconds(result.get("stock_s")), "", "", "FAILED")
    stock, mammoth = result.get("stock_s"), result.get("mammoth_s")
    output = "DIFFERS" if result["differences"] else "equal" if stock and mammoth else "not compared"
    return (
        name, *(str(result.get(key, "")) for key in ("jobs", "tasks", "ordinary")), _seconds(stock), _seconds(mammoth),
        f"{stock / mammoth:.2f}" if stock and mammoth else "", output,
    )


def _seconds(value):
    return "" if value is None else f"{value:.1f}"


def table(results):
    """All frameworks as a Markdown table."""
    rows = [HEADINGS, *(row(name, result) for name, result in results.items())]
    widths = [max(len(one[i]) for one in rows) for i in range(len(HEADINGS))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(one, widths)) + " |" for one in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def reasons(results):
    """Why tasks ran in ordinary containers, framework by framework."""
    lines = []
    for name, result in results.items():
        for reason, count in sorted(result.get("reasons", {}).items(), key=lambda pair: -pair[1]):
            lines.append(f"{name}: {count} x {reason}")
    return "\n".join(lines)
