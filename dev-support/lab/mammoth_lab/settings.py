# SPDX-License-Identifier: Apache-2.0
"""The configuration of a host: what the release ships, and above it this lab's addresses, folders and sizes.

HDFS lies on a host's first disk. Local folders lie on its other disks, on the first too where there is only one, so that with
two disks what a job writes for itself is told apart from its input and output.
"""

import os

from mammoth_bench import confdirs

MASTER = "node1"
NAMENODE_WEB, RESOURCEMANAGER_WEB, HISTORY_WEB = 9870, 8088, 19888


class Sizes:
    """Memory in MiB: of each daemon's heap, of what a NodeManager offers, and of a container."""

    def __init__(self, daemon=256, node=2048, container=512):
        self.daemon, self.node, self.container = daemon, node, container


def _overlay(folder, master_folder, disk_folders, host, home, sizes, replication):
    """Properties by site file that both stock and Mammoth have on a host."""
    local = disk_folders[1:] or disk_folders
    opts = f"-Xmx{sizes.container * 4 // 5}m"
    mapred_home = f"HADOOP_MAPRED_HOME={home}"
    core = {"fs.defaultFS": f"hdfs://{MASTER}:8020", "hadoop.tmp.dir": os.path.join(folder, "tmp", "hadoop")}
    hdfs = {
        "dfs.replication": replication,
        "dfs.blocksize": 32 << 20,
        "dfs.namenode.name.dir": "file://" + os.path.join(master_folder, "name"),
        "dfs.namenode.http-address": f"{MASTER}:{NAMENODE_WEB}",
        "dfs.datanode.data.dir": "file://" + os.path.join(disk_folders[0], "hdfs"),
        "dfs.datanode.address": f"{host}:9866",
        "dfs.datanode.ipc.address": f"{host}:9867",
        "dfs.datanode.http.address": f"{host}:9864",
        "dfs.namenode.secondary.http-address": f"{MASTER}:9868",
        "dfs.namenode.safemode.extension": 0,
        "dfs.datanode.hostname": host,
        "dfs.namenode.datanode.registration.ip-hostname-check": "false",
    }
    yarn = {
        "yarn.resourcemanager.hostname": MASTER,
        "yarn.resourcemanager.webapp.address": f"{MASTER}:{RESOURCEMANAGER_WEB}",
        "yarn.nodemanager.hostname": host,
        "yarn.nodemanager.address": f"{host}:8041",
        "yarn.nodemanager.local-dirs": ",".join(os.path.join(disk, "local") for disk in local),
        "yarn.nodemanager.log-dirs": os.path.join(folder, "logs", "containers"),
        "yarn.nodemanager.recovery.dir": os.path.join(folder, "recovery"),
        "yarn.node-attribute.fs-store.root-dir": "file://" + os.path.join(folder, "tmp", "attributes"),
        "yarn.log.server.url": f"http://{MASTER}:{HISTORY_WEB}/jobhistory/logs",
        "yarn.log-aggregation-enable": "false",
        "yarn.nodemanager.vmem-check-enabled": "false",
        "yarn.nodemanager.resource.detect-hardware-capabilities": "false",
        "yarn.nodemanager.resource.cpu-vcores": 8,
        "yarn.nodemanager.resource.memory-mb": sizes.node,
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": 99.5,
        "yarn.scheduler.minimum-allocation-mb": sizes.container,
    }
    mapred = {
        "mapreduce.framework.name": "yarn",
        "mapreduce.jobhistory.address": f"{MASTER}:10020",
        "mapreduce.jobhistory.webapp.address": f"{MASTER}:{HISTORY_WEB}",
        "mapreduce.jobhistory.admin.address": f"{MASTER}:10033",
        "mapreduce.map.memory.mb": sizes.container,
        "mapreduce.reduce.memory.mb": sizes.container,
        "mapreduce.map.java.opts": opts,
        "mapreduce.reduce.java.opts": opts,
        "yarn.app.mapreduce.am.resource.mb": sizes.container,
        "yarn.app.mapreduce.am.command-opts": opts,
        "yarn.app.mapreduce.am.env": mapred_home,
        "mapreduce.map.env": mapred_home,
        "mapreduce.reduce.env": mapred_home,
        "mapreduce.task.io.sort.mb": sizes.container // 4,
        "mapreduce.task.io.sort.factor": 100,
    }
    return dict(zip(confdirs.SITES, (core, hdfs, yarn, mapred)))


def write(lab, host, conf, home, mammoth, values=None, sizes=None, replication=1):
    """Writes the configuration directory conf of a host and returns its path. values: keys that win over everything, whatever their file."""
    directory = os.path.join(lab.folder(host), "conf", conf)
    overlay = _overlay(lab.folder(host), lab.folder(MASTER), lab.disk_folders(host), host, home, sizes or Sizes(), replication)
    last = {name: values or {} for name in confdirs.SITES}
    confdirs.lay_down(directory, home, mammoth, overlay, last)
    return directory
