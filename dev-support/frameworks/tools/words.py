# SPDX-License-Identifier: Apache-2.0
"""Words of lines with 1 each, with the name of the job's variable before those that a list of -files has."""

import os
import sys

with open("common.txt", encoding="utf-8") as source:
    common = set(source.read().split())
mark = os.environ["MARK"]
for line in sys.stdin:
    for word in line.split():
        print(f"{mark if word in common else ''}{word}\t1")
