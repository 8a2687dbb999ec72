# SPDX-License-Identifier: Apache-2.0
"""From single runs to medians, the JSON document and the tables."""

import json
import os
import statistics

from .units import format_bytes, format_number

#: What is measured in each run, in the order of the JSON document.
MEASURES = ("wall_s", "cpu_s", "disk_read_bytes", "disk_write_bytes", "gc_ms")
SIDES = ("stock", "mammoth")

_TABLE = (
    ("wall s", "wall_s", format_number),
    ("CPU s", "cpu_s", format_number),
    ("disk read", "disk_read_bytes", format_bytes),
    ("disk written", "disk_write_bytes", format_bytes),
    ("GC s", "gc_ms", lambda millis: format_number(None if millis is None else millis / 1000)),
)


def median(values):
    """The median of what is there; None when a value is missing, rather than half an answer."""
    values = list(values)
    if not values or any(value is None for value in values):
        return None
    return statistics.median(values)


def summary(runs):
    """Medians of one side's runs, and the runs themselves under 'each'."""
    if not runs:
        return None
    side = {measure: median(run[measure] for run in runs) for measure in MEASURES}
    side["each"] = [dict(run) for run in runs]
    return side


def entry(workload, size, by_side, machine):
    """One element of the JSON list. by_side: lists of runs by side; a side not run is null."""
    sides = {side: summary(by_side.get(side)) for side in SIDES}
    walls = [side and side["wall_s"] for side in sides.values()]
    return {
        "workload": workload,
        "size": size,
        "runs": max(len(by_side.get(side) or ()) for side in SIDES),
        "stock": sides["stock"],
        "mammoth": sides["mammoth"],
        "ratio": walls[0] / walls[1] if all(walls) else None,
        "machine": machine,
    }


def write_json(path, entries):
    """Replaces the file in one step: an interrupted bench leaves the last whole document."""
    beside = f"{path}.part"
    with open(beside, "w", encoding="utf-8") as out:
        json.dump(entries, out, indent=2)
        out.write("\n")
    os.replace(beside, path)


def _rows(entries):
    yield ["workload", "size", "runs"] + [
        f"{title}, {side}" for title, _, _ in _TABLE for side in SIDES
    ] + ["ratio"]
    for one in entries:
        cells = [one["workload"], one["size"], str(one["runs"])]
        for _, measure, shape in _TABLE:
            cells += [shape(one[side][measure] if one[side] else None) for side in SIDES]
        yield cells + [format_number(one["ratio"], 2)]


def text_table(entries):
    """Aligned columns, two lines of heading, for a terminal."""
    rows = list(_rows(entries))
    upper = [cell.partition(", ")[0] for cell in rows[0]]
    lower = [cell.partition(", ")[2] for cell in rows[0]]
    rows = [upper, lower] + rows[1:]
    widths = [max(len(row[column]) for row in rows) for column in range(len(upper))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(entries):
    """The same table for a README, with the machine below it."""
    rows = list(_rows(entries))
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|---|---|" + "---:|" * (len(rows[0]) - 2))
    machines = list(dict.fromkeys(one["machine"] for one in entries))
    return "\n".join(lines + [""] + machines) + "\n"
