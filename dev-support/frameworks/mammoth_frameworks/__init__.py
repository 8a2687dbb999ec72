"""Frameworks on top of MapReduce, on stock Hadoop and on Mammoth."""
