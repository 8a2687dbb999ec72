# SPDX-License-Identifier: Apache-2.0
"""The frameworks of the suite, by name."""

from .avro import Avro
from .bam import Bam
from .crunch import Crunch
from .distcp import DistCp
from .giraph import Giraph
from .hive import Hive
from .libraries import Libraries
from .library import Library
from .mahout import Mahout
from .natives import Natives
from .orc import Orc
from .parquet import Parquet
from .pig import Pig
from .tools import Tools

_SUITE = (
    Avro(), Parquet(), Pig(), Hive(), DistCp(), Mahout(), Crunch(), Tools(), Natives(), Library(), Orc(), Libraries(), Giraph(), Bam(),
)
ALL = {one.name: one for one in _SUITE}
