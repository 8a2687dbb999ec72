# SPDX-License-Identifier: Apache-2.0
"""The frameworks of the suite, by name."""

from .avro import Avro
from .bam import Bam
from .crunch import Crunch
from .distcp import DistCp
from .giraph import Giraph
from .hive import Hive
from .languages import Languages
from .libraries import Libraries
from .library import Library
from .mahout import Mahout
from .natives import Natives
from .orc import Orc
from .parquet import Parquet
from .pig import Pig
from .systemml import SystemMl
from .tools import Tools

_ALL = (
    Avro(), Parquet(), Pig(), Hive(), DistCp(), Mahout(), Crunch(), Tools(), Natives(), Library(), Orc(), Libraries(), SystemMl(), Giraph(), Bam(),
    Languages(),
)

ALL = {one.name: one for one in _ALL}
