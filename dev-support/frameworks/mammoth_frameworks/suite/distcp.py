# SPDX-License-Identifier: Apache-2.0
"""DistCp, which the release brings itself."""

from .framework import Framework


class DistCp(Framework):
    name = "distcp"
    text = "copies of folders of HDFS: afresh, and -update -delete over a copy that differs"

    def run(self, side):
        side.hadoop("copy", "distcp", "-m", "4", f"{side.input}/texts", f"{side.input}/visits", f"{side.out}/copy")
        side.hadoop(
            "dynamic", "distcp", "-strategy", "dynamic", "-m", "3", f"{side.input}/words", f"{side.out}/dynamic",
        )
        side.hadoop(
            "update", "distcp", "-update", "-delete", "-pb", f"{side.input}/users", f"{side.out}/dynamic",
        )

    def results(self, side):
        return {
            "texts": side.lines(f"{side.out}/copy/texts/*"),
            "visits": side.lines(f"{side.out}/copy/visits/*"),
            "updated": side.lines(f"{side.out}/dynamic/*"),
        }
