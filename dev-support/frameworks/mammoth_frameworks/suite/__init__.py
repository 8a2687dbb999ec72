# SPDX-License-Identifier: Apache-2.0
"""The frameworks of the suite, by name."""

from .avro import Avro
from .bam import Bam
from .bson import Bson
from .cloud9 import Cloud9
from .common import Common
from .crunch import Crunch
from .datafu import DataFu
from .distcp import DistCp
from .giraph import Giraph
from .hbase import HBase
from .hive import Hive
from .languages import Languages
from .libraries import Libraries
from .library import Library
from .mahout import Mahout
from .modules import Modules
from .mrjob import MrJob
from .natives import Natives
from .nutch import Nutch
from .orc import Orc
from .pangool import Pangool
from .parquet import Parquet
from .pig import Pig
from .published import Published
from .settings import Settings
from .sqoop import Sqoop
from .suites import Suites
from .systemml import SystemMl
from .tools import Tools
from .views import Views

_ALL = (
    Avro(), Parquet(), Pig(), Hive(), DistCp(), Mahout(), Crunch(), Tools(), Natives(), Library(), Orc(), Libraries(), SystemMl(), Giraph(), Bam(),
    Languages(), Nutch(), Sqoop(), HBase(), DataFu(), Suites(), Cloud9(), Pangool(), Bson(), Published(), MrJob(), Settings(), Views(), Common(), Modules(),
)

ALL = {one.name: one for one in _ALL}
