# SPDX-License-Identifier: Apache-2.0
"""Frameworks on top of MapReduce, on stock Hadoop and on Mammoth."""
