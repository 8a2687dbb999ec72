# SPDX-License-Identifier: Apache-2.0
"""Runs workloads on stock Hadoop and on Mammoth in turn, from one tarball and over one HDFS."""


class BenchError(Exception):
    """Something the person at the terminal can read and act upon; no stack trace is needed."""
