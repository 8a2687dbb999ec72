# SPDX-License-Identifier: Apache-2.0
"""The two configuration directories.

Stock is written from nothing: upstream's defaults, with memory, sort and reduces tuned. Mammoth is
what the release ships in etc/hadoop, with the same tuning and this cluster's addresses laid over it.
Neither side gets an advantage in what both share.
"""

import os
import shutil

from . import sitefile
from .ports import free_ports

SITES = ("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")

#: Sides whose YARN is Mammoth's.
MAMMOTHS = ("mammoth", "localized")

_STORAGE_PORTS = (
    "namenode", "namenode-web", "datanode", "datanode-ipc", "datanode-web",
    "history", "history-web", "history-admin",
)
_YARN_PORTS = (
    "resourcemanager", "scheduler", "tracker", "admin", "resourcemanager-web",
    "nodemanager", "localizer", "nodemanager-web", "collector",
)

#: Containers of 1 GiB, as in the tuned baseline: the heap leaves room for what is not heap.
CONTAINER_MB = 1024
CONTAINER_OPTS = "-Xmx820m"

# One queue; the release's own file is taken where there is one.
_QUEUES = {
    "yarn.scheduler.capacity.root.queues": "default",
    "yarn.scheduler.capacity.root.default.capacity": 100,
}


class Layout:
    """Where everything lies below the data directory."""

    def __init__(self, data_dir):
        self.root = os.path.realpath(data_dir)

    def path(self, *names):
        return os.path.join(self.root, *names)

    def make(self, *names):
        path = self.path(*names)
        os.makedirs(path, exist_ok=True)
        return path


def ports_by_side(sides):
    """Free ports for each side's configuration: one HDFS, but a YARN each, which may run at once."""
    wanted = list(_STORAGE_PORTS)
    wanted += [(side, name) for side in sides for name in _YARN_PORTS]
    found = free_ports(wanted)
    return {
        side: {
            **{name: found[name] for name in _STORAGE_PORTS},
            **{name: found[side, name] for name in _YARN_PORTS},
        }
        for side in sides
    }


def shared(side, layout, ports, release_home):
    """Addresses, folders and tuning, but for YARN's ports and folders the same on both sides, by site file."""
    at = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    home = f"HADOOP_MAPRED_HOME={release_home}"
    core = {
        "fs.defaultFS": f"hdfs://{at['namenode']}",
        "hadoop.tmp.dir": layout.make("tmp"),
    }
    hdfs = {
        "dfs.replication": 1,
        "dfs.blocksize": 128 << 20,
        "dfs.namenode.name.dir": "file://" + layout.path("hdfs", "name"),
        "dfs.datanode.data.dir": "file://" + layout.path("hdfs", "data"),
        "dfs.namenode.rpc-address": at["namenode"],
        "dfs.namenode.http-address": at["namenode-web"],
        "dfs.namenode.safemode.extension": 0,
        "dfs.datanode.address": at["datanode"],
        "dfs.datanode.ipc.address": at["datanode-ipc"],
        "dfs.datanode.http.address": at["datanode-web"],
        "dfs.datanode.hostname": "127.0.0.1",
    }
    yarn = {
        "yarn.resourcemanager.hostname": "127.0.0.1",
        "yarn.resourcemanager.address": at["resourcemanager"],
        "yarn.resourcemanager.scheduler.address": at["scheduler"],
        "yarn.resourcemanager.resource-tracker.address": at["tracker"],
        "yarn.resourcemanager.admin.address": at["admin"],
        "yarn.resourcemanager.webapp.address": at["resourcemanager-web"],
        "yarn.nodemanager.hostname": "127.0.0.1",
        "yarn.nodemanager.address": at["nodemanager"],
        "yarn.nodemanager.localizer.address": at["localizer"],
        "yarn.nodemanager.webapp.address": at["nodemanager-web"],
        "yarn.nodemanager.collector-service.address": at["collector"],
        "yarn.nodemanager.local-dirs": layout.path("yarn", side, "local"),
        "yarn.nodemanager.log-dirs": layout.path("yarn", side, "containers"),
        "yarn.nodemanager.recovery.dir": layout.path("yarn", side, "recovery"),
        "yarn.nodemanager.vmem-check-enabled": "false",
        # Upstream's numbers, so that the release's own choice for them is no advantage of a side.
        "yarn.nodemanager.resource.detect-hardware-capabilities": "false",
        "yarn.nodemanager.resource.cpu-vcores": 8,
        "yarn.log-aggregation-enable": "false",
        # A developer's disk is often nearly full; a bench is not the place to refuse it.
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": 99.5,
        "yarn.scheduler.minimum-allocation-mb": CONTAINER_MB,
    }
    mapred = {
        "mapreduce.framework.name": "yarn",
        "mapreduce.jobhistory.address": at["history"],
        "mapreduce.jobhistory.webapp.address": at["history-web"],
        "mapreduce.jobhistory.admin.address": at["history-admin"],
        "mapreduce.shuffle.port": 0,
        "mapreduce.map.memory.mb": CONTAINER_MB,
        "mapreduce.reduce.memory.mb": CONTAINER_MB,
        "mapreduce.map.java.opts": CONTAINER_OPTS,
        "mapreduce.reduce.java.opts": CONTAINER_OPTS,
        "yarn.app.mapreduce.am.resource.mb": CONTAINER_MB,
        "yarn.app.mapreduce.am.command-opts": CONTAINER_OPTS,
        "yarn.app.mapreduce.am.env": home,
        "mapreduce.map.env": home,
        "mapreduce.reduce.env": home,
        "mapreduce.task.io.sort.mb": 256,
        "mapreduce.task.io.sort.factor": 100,
    }
    return dict(zip(SITES, (core, hdfs, yarn, mapred)))


def stock_only():
    """What upstream's documentation tells to set, and Mammoth off."""
    yarn = {
        "yarn.nodemanager.aux-services": "mapreduce_shuffle",
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class":
            "org.apache.hadoop.mapred.ShuffleHandler",
        "yarn.nodemanager.container-executor.class":
            "org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor",
        "yarn.nodemanager.env-whitelist":
            "JAVA_HOME,HADOOP_COMMON_HOME,HADOOP_HDFS_HOME,HADOOP_CONF_DIR,"
            "CLASSPATH_PREPEND_DISTCACHE,HADOOP_YARN_HOME,HADOOP_HOME,PATH,LANG,TZ,"
            "HADOOP_MAPRED_HOME",
        "mammoth.engine.enabled": "false",
    }
    return {"yarn-site.xml": yarn, "mapred-site.xml": {"mammoth.engine.enabled": "false"}}


def write(side, layout, ports, release_home, nm_memory_mb, reduces, settings=(), extra=None):
    """Writes the side's configuration directory and returns its path.

    settings are for Mammoth only; extra is for this side, properties by site file.
    """
    directory = layout.path("conf", side)
    common = shared(side, layout, ports, release_home)
    common["yarn-site.xml"]["yarn.nodemanager.resource.memory-mb"] = nm_memory_mb
    common["mapred-site.xml"]["mapreduce.job.reduces"] = reduces
    mammoth = side in MAMMOTHS
    ours = {name: settings for name in ("yarn-site.xml", "mapred-site.xml")} if mammoth else {}
    lay_down(directory, release_home, mammoth, common, ours, extra or {})
    return directory


def lay_down(directory, release_home, mammoth, *layers):
    """Makes a configuration directory anew.

    Below are what the release ships, or for stock the least that upstream's documentation tells to set; above it the
    layers, properties by site file, of which a later one wins.
    """
    shipped = os.path.join(release_home, "etc", "hadoop")
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    if os.path.isdir(shipped):
        shutil.copytree(shipped, directory, dirs_exist_ok=True)
    for name in SITES:
        path = os.path.join(directory, name)
        properties = sitefile.read(path) if mammoth else stock_only().get(name, {})
        for layer in layers:
            properties.update(layer.get(name, {}))
        sitefile.write(path, properties)
    queues = os.path.join(directory, "capacity-scheduler.xml")
    if not mammoth or not os.path.exists(queues):
        sitefile.write(queues, _QUEUES)
