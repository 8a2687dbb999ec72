# SPDX-License-Identifier: Apache-2.0
"""The configuration on the tests' class path: all that makes a mini cluster Mammoth's."""

import json
import os
import shutil

from mammoth_bench import sitefile

_NODES = "org.mammoth.mapreduce.nodemanager"

_HDFS = {
    "ahead": {},
    "task": {"mammoth.data-cache.enabled": "true"},
    # Each DataNode has an SSD cache, which is filled and asked without delay.
    "cache": {
        "dfs.datanode.fsdataset.factory": "org.mammoth.upstream.CachedDatasetFactory",
        "dfs.namenode.plugins": "org.mammoth.upstream.MasterOfEachNameNode",
        "dfs.namenode.audit.loggers": "default,org.mammoth.hdfs.master.JobInputs",
        "mammoth.mpcache.enabled": "true",
        "mammoth.mpcache.heartbeat-ms": "20",
        "mammoth.mpcache.data-sets.refresh-s": "0",
        "mammoth.mpcache.fill.bandwidth-mb": "0",
        "mammoth.mpcache.pool.block-mb": "1",
    },
}

# What HDFS promises, for upstream's tests of file systems; their jar lacks the file.
_CONTRACT = {
    "root-tests-enabled": "true", "random-seek-count": "500", "is-case-sensitive": "true", "supports-append": "true",
    "supports-atomic-directory-delete": "true", "supports-atomic-rename": "true", "supports-block-locality": "true",
    "supports-concat": "true", "supports-seek": "true", "rejects-seek-past-eof": "true", "supports-strict-exceptions": "true",
    "supports-unix-permissions": "true", "rename-returns-false-if-dest-exists": "true",
    "rename-returns-false-if-source-missing": "true", "supports-settimes": "true", "supports-getfilestatus": "true",
    "supports-file-reference": "true", "supports-content-check": "true", "supports-unbuffer": "true", "supports-hflush": "true",
    "supports-hsync": "true", "metadata_updated_on_hsync": "false",
}


def write(folder, release_home, mammoth, scratch, hdfs=None):
    """Writes a configuration folder, of HDFS with "cache" or for a "task" if wanted; returns a warning, or None.

    MiniMRYarnCluster sets the container executor and the shuffle service in its code. It leaves alone who launches
    containers, and whether a manifest names the services.
    """
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in ("capacity-scheduler.xml", "log4j.properties"):
        shutil.copy(os.path.join(release_home, "etc", "hadoop", name), folder)
    sitefile.write(os.path.join(folder, "core-site.xml"), {"hadoop.tmp.dir": os.path.join(scratch, "tmp")})
    yarn = {
        # A developer's disk is often nearly full.
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99.5",
    }
    warning = None
    if mammoth:
        yarn.update({
            "yarn.nodemanager.containers-launcher.class": f"{_NODES}.MammothContainersLauncher",
            # Small engines, since some classes start several nodes.
            "mammoth.engine.java.opts": "-Xmx1200m",
            "mammoth.memory.pool-fraction": "0.02",
            "mammoth.memory.element-queue-mb": "6",
            "mammoth.shuffle.port": "0",
        })
        if _is_safe(folder):
            yarn.update({
                "yarn.nodemanager.aux-services.manifest.enabled": "true",
                "yarn.nodemanager.aux-services.manifest": "file://" + _manifest(folder),
            })
        else:
            warning = (
                f"a folder above {folder} can be written by others, so YARN takes no manifest of services from there: "
                "engines of different NodeManagers fetch from each other in the stock way"
            )
    sitefile.write(os.path.join(folder, "yarn-site.xml"), yarn)
    sitefile.write(os.path.join(folder, "mapred-site.xml"), {})
    # As upstream has it for its own tests, which write small blocks.
    settings = {"dfs.namenode.fs-limits.min-block-size": "0"}
    if mammoth and hdfs:
        settings.update(_HDFS[hdfs])
    sitefile.write(os.path.join(folder, "hdfs-site.xml"), settings)
    os.makedirs(os.path.join(folder, "contract"))
    promises = {f"fs.contract.{name}": value for name, value in _CONTRACT.items()}
    sitefile.write(os.path.join(folder, "contract", "hdfs.xml"), promises)
    return warning



def _manifest(folder):
    path = os.path.join(folder, "aux-services.json")
    service = {
        "name": "mapreduce_shuffle",
        "configuration": {"properties": {"class.name": f"{_NODES}.MammothShuffleHandler"}},
    }
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"services": [service]}, out)
    os.chmod(path, 0o644)
    return path


def _is_safe(folder):
    """YARN takes a manifest only where nobody but its owner can write, up to the root."""
    while True:
        if os.stat(folder).st_mode & 0o022:
            return False
        if folder == os.path.dirname(folder):
            return True
        folder = os.path.dirname(folder)
