# SPDX-License-Identifier: Apache-2.0
"""Sizes and times as people write and read them."""

import re

from . import BenchError

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_size(text):
    """Bytes of '200m', '2g', '1024' (binary units)."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kmgt]?)b?", text.strip().lower())
    if not found or float(found.group(1)) <= 0:
        raise BenchError(f"'{text}' is no size; write for example 200m or 2g")
    return int(float(found.group(1)) * _UNITS[found.group(2)])


def format_bytes(count):
    """Bytes for a table, three digits: '1.95 GiB'."""
    if count is None:
        return "-"
    value, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(value) < 1000 or unit == "TiB":
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.3g} {unit}"


def format_number(value, digits=1):
    """A number for a table; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"
