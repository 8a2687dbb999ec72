# SPDX-License-Identifier: Apache-2.0
"""The command line of dev-support/bin/frameworks."""

import argparse
import fcntl
import glob
import json
import os
import shutil
import signal
import subprocess
import sys

from mammoth_bench import BenchError, confdirs, release
from mammoth_bench.cluster import Cluster
from mammoth_bench.procs import Processes

from . import counters, data, results
from .side import INPUT, Side
from .suite import ALL
from .suite.framework import HERE

ROOT = os.path.realpath(os.path.join(HERE, "..", ".."))
SIDES = ("stock", "mammoth")
#: How the names of jars begin that the suite adds to the release's class path.
_SHARED = "frameworks-"

_METHOD = """\
Each framework runs a chain of jobs on a cluster of the release (one node, loopback): first with stock's YARN,
where nothing of Mammoth is configured, then with Mammoth's; both are up all the time and share one HDFS. What both
wrote must be equal, line by line, and where the framework promises no order after sorting; and so must the counters of
its jobs, but for those that docs/compatibility.md names. Its jars come from Maven Central, by Maven.

Exit status 0 when every framework ran on both sides with equal output and counters. Tasks in ordinary containers do not fail the
suite, unless --no-fallbacks is given; their reasons, from the NodeManager's log, follow the table.
"""


def parser():
    top = argparse.ArgumentParser(
        prog="frameworks", description="Runs frameworks on stock Hadoop and on Mammoth and compares their output and counters.",
        epilog=_METHOD, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = top.add_argument
    add("names", nargs="*", metavar="NAME", help="see --list (default: all)")
    add("--list", action="store_true", help="name the frameworks and leave")
    add("--runs", type=int, default=1, help="runs per side; the times are those of the last one, on warm nodes (default: %(default)s)")
    add("--only", choices=SIDES, help="run one side only, and compare with the other side's last run in this data folder, if there was one")
    add("--data-dir", default=os.path.join(ROOT, "target", "frameworks"), help="where everything goes (default: target/frameworks)")
    add("--tarball", metavar="FILE", help="default: the newest hadoop-dist/target/mammoth-*.tar.gz")
    add("--no-build", action="store_true", help="take the frameworks' jars as the last run left them")
    add("--no-fallbacks", action="store_true", help="fail if a task ran in an ordinary container")
    add("--nm-memory", type=int, default=4096, metavar="MIB", help="memory the NodeManagers offer (default: %(default)s)")
    add("--set", metavar="KEY=VALUE", action="append", default=[], dest="settings", help="a property of Mammoth's side")
    add("--json", metavar="FILE", help="write the results")
    return top


def _chosen(args):
    unknown = [name for name in args.names if name not in ALL]
    if unknown:
        raise BenchError(f"no framework {', '.join(unknown)}; there are: {', '.join(ALL)}")
    if args.runs < 1:
        raise BenchError("--runs must be at least 1")
    for setting in args.settings:
        if not setting.partition("=")[0] or "=" not in setting:
            raise BenchError(f"--set {setting}: KEY=VALUE is wanted")
    return [ALL[name] for name in args.names or ALL]


def _maven(*arguments):
    """Runs Maven, without a network if it can."""
    command = ["mvn", "-q", "-B", "-ntp", *arguments]
    done = None
    for offline in (["-o"], []):
        done = subprocess.run(command + offline, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode == 0:
            return
    raise BenchError(f"'{' '.join(command)}' failed:\n{done.stdout[-3000:]}")


def _build(frameworks):
    """Has each framework's jars fetched and our jobs compiled."""
    for one in frameworks:
        if one.module is not None:
            print(f"fetching the jars of {one.name} ...", flush=True)
            _maven("-f", os.path.join(HERE, one.module, "pom.xml"), "package")
        one.fetch(_maven)


def _load(cluster, layout):
    """Puts the input into HDFS, once per data folder."""
    if "_SUCCESS" in cluster.run("storage", "hdfs", "dfs", "-ls", INPUT, check=False):
        return
    folder = layout.path("input")
    shutil.rmtree(folder, ignore_errors=True)
    data.generate(folder)
    cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", "/frameworks")
    cluster.run("storage", "hdfs", "dfs", "-mkdir", "-p", "/frameworks")
    cluster.run("storage", "hdfs", "dfs", "-put", folder, INPUT)
    cluster.run("storage", "hdfs", "dfs", "-touchz", f"{INPUT}/_SUCCESS")


def _share(frameworks, home):
    """Puts the jars that frameworks want there into the release's class path, in place of those of the last run."""
    lib = os.path.join(home, "share", "hadoop", "common", "lib")
    for old in glob.glob(os.path.join(lib, f"{_SHARED}*")):
        os.remove(old)
    for jar in {jar for one in frameworks for jar in one.shared()}:
        shutil.copy(jar, os.path.join(lib, _SHARED + os.path.basename(jar)))


def _run(framework, name, cluster, layout, ports, home):
    """One run on one side: its seconds, its account, its results, its jobs."""
    side = Side(name, framework.name, cluster, layout, ports[name], home)
    side.clear()
    try:
        framework.run(side)
    except BenchError:
        side.seconds = None
        raise
    found = framework.results(side)
    side.keep()
    account = side.account()
    if not account["jobs"]:
        raise BenchError(f"no job ran on {name}; what its programs said is in {side.logs}")
    if side.failures and not framework.may_fail:
        raise BenchError(f"jobs failed on {name}: " + ", ".join(side.failures))
    print(
        f"  {framework.name:8} {name:8} {side.seconds:7.1f} s, {account['jobs']} jobs, {account['tasks']} tasks, "
        f"{account['ordinary']} in ordinary containers, {sum(map(len, found.values()))} lines in {len(found)} results",
        flush=True,
    )
    return side.seconds, account, found, side.jobs


def _kept(layout, framework, side):
    return layout.path("results", data.version(), f"{framework.name}-{side}.json")


def _add_other(framework, only, layout, result, found, jobs):
    """With --only: what the other side wrote last."""
    for side in SIDES if only else ():
        kept = None if side in found else results.load(_kept(layout, framework, side))
        if kept:
            result[f"{side}_s"], found[side], jobs[side] = kept


def _measure(framework, args, cluster, layout, ports, home):
    result, found, jobs = {}, {}, {}
    try:
        for _ in range(args.runs):
            for name in (args.only,) if args.only else SIDES:
                seconds, account, found[name], jobs[name] = _run(framework, name, cluster, layout, ports, home)
                results.store(_kept(layout, framework, name), seconds, found[name], jobs[name])
                result[f"{name}_s"] = seconds
                if name == "mammoth":
                    result.update(account)
        _add_other(framework, args.only, layout, result, found, jobs)
        result["differences"] = []
        if len(found) == len(SIDES):
            result["differences"] += results.compare(found["stock"], found["mammoth"])
            result["differences"] += counters.compare(jobs["stock"], jobs["mammoth"])
    except BenchError as error:
        result["error"] = str(error)
        print(f"  {framework.name:8} FAILED: {error}", flush=True)
    for difference in result.get("differences", ()):
        print(f"  {framework.name:8} DIFFERS in {difference}", flush=True)
    return result


def _all(args, frameworks):
    layout = confdirs.Layout(args.data_dir)
    with open(os.path.join(layout.make(), "lock"), "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BenchError(f"another run of the suite is going on in {layout.root}") from error
        if not args.no_build:
            _build(frameworks)
        rel = release.Release(release.unpack(args.tarball or release.find_tarball(ROOT), layout.path("release")), ROOT)
        _share(frameworks, rel.home)
        shutil.rmtree(layout.path("logs"), ignore_errors=True)
        configurations = ("storage", *SIDES)
        ports = confdirs.ports_by_side(configurations)
        settings = {key: value for one in frameworks for key, value in one.settings.items()}
        settings.update(setting.split("=", 1) for setting in args.settings)
        confs = {
            side: confdirs.write(side, layout, ports[side], rel.home, args.nm_memory, 2, settings)
            for side in configurations
        }
        processes = Processes(f"mammoth-frameworks-{os.getpid()}")
        cluster = Cluster(layout, rel, processes, confs, ports)
        try:
            cluster.start_storage()
            _load(cluster, layout)
            for side in (args.only,) if args.only else SIDES:
                cluster.start_yarn(side)
            return {one.name: _measure(one, args, cluster, layout, ports, rel.home) for one in frameworks}
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)  # a second Ctrl-C must not leave daemons
            cluster.stop()
            processes.close()


def _passed(found, args):
    for result in found.values():
        if "error" in result or result["differences"]:
            return False
        if args.no_fallbacks and result.get("ordinary"):
            return False
    return True


def _interrupted(_number, _frame):
    raise KeyboardInterrupt


def main(argv=None):
    args = parser().parse_args(argv)
    signal.signal(signal.SIGTERM, _interrupted)  # ends the cluster as Ctrl-C does
    if args.list:
        for one in ALL.values():
            print(f"{one.name:8} {one.text}")
        return 0
    try:
        found = _all(args, _chosen(args))
    except BenchError as error:
        print(f"frameworks: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            json.dump(found, out, indent=2)
    print("\n" + results.table(found))
    why = results.reasons(found)
    if why:
        print("\nTasks in ordinary containers, by reason:\n" + why)
    return 0 if _passed(found, args) else 1
