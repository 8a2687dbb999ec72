# SPDX-License-Identifier: Apache-2.0
"""Sums the counts of equal words, which arrive sorted; counts lines and tells a status, as streaming's jobs may."""

import sys
from itertools import groupby

pairs = (line.rstrip("\n").split("\t") for line in sys.stdin)
print("reporter:status:summing", file=sys.stderr)
for word, group in groupby(pairs, key=lambda pair: pair[0]):
    print(f"{word}\t{sum(int(count) for _, count in group)}")
    print("reporter:counter:tools,words,1", file=sys.stderr)
