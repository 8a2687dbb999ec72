# SPDX-License-Identifier: Apache-2.0
"""The command line."""

import argparse
import fcntl
import os
import shutil
import signal
import sys

from . import BenchError, confdirs, machine, release, results, ssdcache
from .cluster import Cluster
from .inputs import Inputs
from .procs import Processes
from .runner import Runner, alternate
from .units import parse_size
from .workloads import ALL

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))

_METHOD = """\
Both sides come from one tarball, share one HDFS (one NameNode, one DataNode) and the same input, and
run in turn, A B A B. Only one side's ResourceManager and NodeManager run at a time; each turn starts
them afresh and runs one uncounted 'small' job first, so that daemons are equally warm, then the
counted run. Mammoth's clients start from the release's class archive, stock's as Apache's do.

'small' measures latency on a cluster that is up already, as clusters are for weeks: both sides'
daemons start once and stay up, each side runs five uncounted jobs, then the counted ones in turn.
The side whose turn it is not has no job (but its idle daemons count in the CPU time of both).

wall: submission to exit of the client process. CPU: all processes of the cluster and the client,
until the client exits. disk: counters of the data directory's device (whole machine), up to a sync
after the run. GC: the job counter GC_TIME_MILLIS, on both sides. ratio: stock wall / Mammoth wall.

--hosts: stock and each variant of Mammoth in turn on the same hosts, over one HDFS of theirs. CPU is that of all hosts. Each disk's
and each link's bytes are counted for the map phase (until the last map ends) and the reduce phase (the rest, up to a sync after the
run); at the border they are taken from samples every half a second. What the page cache holds back counts when it is written.
"""


def parser():
    """All options with their defaults."""
    top = argparse.ArgumentParser(
        prog="bench",
        description="Runs workloads on stock Hadoop and on Mammoth and compares them.",
        epilog=_METHOD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = top.add_argument
    add("workloads", nargs="*", metavar="WORKLOAD", help="see --list; 'all' means every one")
    add("--list", action="store_true", help="name the workloads and leave")
    add("--size", default="2g", help="size of the input, as in 200m (default: %(default)s)")
    add("--runs", type=int, help="runs per side and workload (default: 3; small: 5)")
    add("--data-dir", default=os.path.join(ROOT, "target", "bench"),
        help="where the release, HDFS, local folders and logs go; its device is the one counted "
        "(default: target/bench)")
    add("--memory-limit", metavar="SIZE",
        help="put the whole cluster, client included, into a memory control group of that size")
    add("--json", metavar="FILE", help="write every run and the medians")
    add("--markdown", metavar="FILE", help="write the table for a README")
    add("--tarball", metavar="FILE", help="default: the newest hadoop-dist/target/mammoth-*.tar.gz")
    add("--keep", action="store_true", help="keep the jobs' output in HDFS, until the next bench, and all logs")
    add("--nm-memory", metavar="SIZE", help="memory a NodeManager offers (default: 4g; with --hosts 2g)")
    add("--reduces", type=int, help="reduces per job (default: 2; with --hosts one for each)")
    add("--set", metavar="KEY=VALUE", action="append", default=[], dest="settings",
        help="a property of Mammoth's side, as in mammoth.memory.buffer.type=array; may be given repeatedly")
    add("--only", choices=results.SIDES, help="run one side only, for profiling")
    add("--ssd-cache", metavar="DIR",
        help="instead of stock and Mammoth, compare Mammoth without and with the SSD cache of HDFS in that "
        "folder: grep and TeraSort, map phases, the project's targets; name no workload")
    add("--ssd-size", default="16g", help="what the SSD cache may take (default: %(default)s)")
    hosts = top.add_argument_group(
        "several hosts", "Hosts of a lab (dev-support/bin/lab) on this machine; needs root. They are made for the bench and removed after it.")
    hosts.add_argument("--hosts", type=int, metavar="N", help="run on N hosts")
    hosts.add_argument("--rate", default="1gbit", help="speed of each host's link, in both directions (default: %(default)s)")
    hosts.add_argument("--hdd", action="store_true", help="emulated hard disks instead of file systems on this machine's disk")
    hosts.add_argument("--disks", type=int, default=2, help="disks per host: HDFS on the first, local folders on the others (default: %(default)s)")
    hosts.add_argument("--disk-size", default="16g", metavar="SIZE", help="size of each disk (default: %(default)s)")
    hosts.add_argument("--disk-speed", default="143m", metavar="SIZE", help="with --hdd, bytes a second in a row of each disk (default: %(default)s, 150 MB)")
    hosts.add_argument("--host-memory", metavar="SIZE", help="memory of each host, page cache included (default: no limit)")
    hosts.add_argument("--lab", default="bench", metavar="NAME", help="name of their lab; one of that name that is there is removed (default: %(default)s)")
    hosts.add_argument("--variant", metavar="NAME:KEY=VALUE[,KEY=VALUE]", action="append", default=[], dest="variants",
                       help="a side of Mammoth with these keys, beside those of --set; may be given repeatedly: all have their turns")
    hosts.add_argument("--set-stock", metavar="KEY=VALUE", action="append", default=[], dest="stock_settings", help="a property of stock's side")
    hosts.add_argument("--set-both", metavar="KEY=VALUE", action="append", default=[], dest="both_settings", help="a property of all sides")
    add("--no-drop-caches", action="store_true",
        help="leave the page cache as it is; otherwise root empties it before each counted run but 'small', "
        "which measures the latency of a node whose jars are in memory")
    return top


def _chosen(args):
    if args.ssd_cache:
        if args.workloads or args.only:
            raise BenchError("--ssd-cache has its own workloads and sides")
        parse_size(args.ssd_size)
    names = [ssdcache.Grep.name, ssdcache.TeraSort.name] if args.ssd_cache else list(ALL) if args.workloads == ["all"] else args.workloads
    unknown = [name for name in names if name not in ALL]
    if unknown:
        raise BenchError(f"no workload {', '.join(unknown)}; there are: {', '.join(ALL)}")
    if not names:
        raise BenchError(f"name at least one workload of: {', '.join(ALL)}, or 'all'")
    if args.runs is not None and args.runs < 1:
        raise BenchError("--runs must be at least 1")
    if args.reduces is not None and args.reduces < 1:
        raise BenchError("--reduces must be at least 1")
    parse_size(args.size)
    if not args.hosts and (args.variants or args.stock_settings or args.both_settings):
        raise BenchError("--variant, --set-stock and --set-both go with --hosts")
    if args.hosts and args.ssd_cache:
        raise BenchError("--ssd-cache runs on one host")
    for setting in args.settings:
        if not setting.partition("=")[0] or "=" not in setting:
            raise BenchError(f"--set {setting}: KEY=VALUE is wanted")
    return names


def _lock(layout):
    """One bench per data directory: two would share ports, folders and the disk's counters."""
    lock = open(os.path.join(layout.make(), "lock"), "w", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BenchError(f"another bench is running in {layout.root}") from error
    return lock


def _java():
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not java or not os.path.exists(java):
        raise BenchError("no java: set JAVA_HOME to a JDK 17, or put java on the PATH")
    os.environ["JAVA_HOME"] = home or os.path.dirname(os.path.dirname(os.path.realpath(java)))
    return java


def _bench(args):
    names = _chosen(args)
    java = _java()
    layout = confdirs.Layout(args.data_dir)
    with _lock(layout):
        unpacked = release.unpack(
            args.tarball or release.find_tarball(ROOT), layout.path("release")
        )
        rel = release.Release(unpacked, ROOT)
        if args.hosts:
            from . import hosts  # the lab's modules are needed only here
            return hosts.measure(args, names, layout, rel, java)
        args.reduces = args.reduces or 2
        shutil.rmtree(layout.path("logs"), ignore_errors=True)
        extras = ssdcache.settings(args.ssd_cache, args.ssd_size, layout) if args.ssd_cache else {}
        configurations = ("storage", *results.SIDES, *extras)
        ports = confdirs.ports_by_side(configurations)
        nm_memory_mb = parse_size(args.nm_memory or "4g") >> 20
        confs = {
            side: confdirs.write(
                side, layout, ports[side], rel.home, nm_memory_mb, args.reduces,
                dict(setting.split("=", 1) for setting in args.settings), extras.get(side))
            for side in configurations
        }
        limit = parse_size(args.memory_limit) if args.memory_limit else None
        processes = Processes(f"mammoth-bench-{os.getpid()}", limit)
        cluster = Cluster(layout, rel, processes, confs, ports)
        try:
            if args.ssd_cache:
                entries = _measure_ssd_cache(args, layout, rel, processes, cluster, java, ports["storage"])
            else:
                entries = _measure(args, names, layout, rel, processes, cluster, java, limit)
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave daemons
            cluster.stop()
            processes.close()
        if not args.keep:
            for folder in ("logs", "yarn", "tmp", "pids", "conf"):
                shutil.rmtree(layout.path(folder), ignore_errors=True)
    return entries


def _measure(args, names, layout, rel, processes, cluster, java, limit):
    device = machine.block_device(layout.root)
    drop = not args.no_drop_caches and machine.may_drop_caches()
    description = machine.describe(java, device, limit)
    print(description)
    print(f"CPU time from {processes.cpu_method()}; disk bytes from "
          + (f"/proc/diskstats of {device}, all of the machine" if device else "nowhere: no device")
          + "; GC time from the job counter GC_TIME_MILLIS on both sides")
    print("page cache dropped before each counted run but 'small'" if drop else "page cache NOT dropped before runs")
    if limit:
        print(f"whole cluster in a {processes.memory_method()} of {args.memory_limit}")
    print("each turn: this side's YARN started, one uncounted 'small' job, then the counted run; 'small' itself: "
          f"both YARNs up throughout, {ALL['small'].standing_warm_ups} uncounted jobs a side", flush=True)
    cluster.start_storage()
    cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", "/bench/output")
    inputs = Inputs(cluster, layout, rel)
    runner = Runner(cluster, processes, inputs, layout, device, drop, args.keep)
    small = ALL["small"](cluster, rel, 1)
    sides = [args.only] if args.only else list(results.SIDES)
    if args.only != "stock":
        runner.prepare_archive(small)
    entries = []
    for name in names:
        workload = ALL[name](cluster, rel, args.reduces)
        runs = args.runs or workload.default_runs
        by_side = alternate(runner, workload, small, workload.size(args.size), runs, sides)
        entries.append(results.entry(name, workload.size(args.size), by_side, description))
        if args.json:
            results.write_json(args.json, entries)
    return entries


def _measure_ssd_cache(args, layout, rel, processes, cluster, java, ports):
    device = machine.block_device(layout.root)
    drop = not args.no_drop_caches and machine.may_drop_caches()
    os.makedirs(args.ssd_cache, exist_ok=True)
    description = f"{machine.describe(java, device, None)}, SSD cache on {machine.block_device(args.ssd_cache)}"
    print(description)
    print("page cache dropped before each counted run" if drop else "page cache NOT dropped before runs", flush=True)
    inputs = Inputs(cluster, layout, rel)
    runner = Runner(cluster, processes, inputs, layout, device, drop, args.keep)
    workloads = ALL["small"](cluster, rel, 1), ALL["grep"](cluster, rel, 1), ALL["terasort"](cluster, rel, args.reduces)
    cluster.start_storage()
    cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", "/bench/output")
    for workload in workloads:
        inputs.get(workload.kind, workload.size(args.size))
    runner.prepare_archive(workloads[0])
    cluster.stop()
    bench = ssdcache.SsdCacheBench(
        cluster, runner, inputs, layout, workloads, ports, args.ssd_cache, args.size)
    for number in range(1, (args.runs or 3) + 1):
        bench.round(number)
        print(ssdcache.table(bench.runs), flush=True)
        if args.json:
            results.write_json(args.json, {"machine": description, "size": args.size, "runs": bench.runs})
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as out:
            out.write(ssdcache.table(bench.runs) + "\n" + description + "\n")
    return []


def _stop_on_term(_number, _frame):
    raise KeyboardInterrupt


def main(arguments=None):
    """Runs the bench; returns the exit status."""
    args = parser().parse_args(arguments)
    if args.list:
        for name, workload in ALL.items():
            print(f"{name:22} {workload.text}")
        return 0
    signal.signal(signal.SIGTERM, _stop_on_term)
    signal.signal(signal.SIGHUP, _stop_on_term)
    try:
        entries = _bench(args)
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("bench: stopped", file=sys.stderr)
        return 130
    if args.ssd_cache or args.hosts:
        return 0
    print()
    print("medians:")
    print(results.text_table(entries))
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as out:
            out.write(results.markdown_table(entries))
    return 0
