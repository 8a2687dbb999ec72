# SPDX-License-Identifier: Apache-2.0
"""The command line of dev-support/bin/upstream-tests."""

import argparse
import glob
import json
import os
import shutil
import signal
import subprocess
import sys

from mammoth_bench import BenchError, release

from . import classes, reach, run, siteconf

MODULE = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
ROOT = os.path.realpath(os.path.join(MODULE, "..", ".."))
PAGE = os.path.join(ROOT, "docs", "upstream-tests.md")
SECTIONS = ("cache", "task", "ahead")
JOBS_PAGE = os.path.join(ROOT, "docs", "upstream-jobs.md")
HDFS_PAGE = os.path.join(ROOT, "docs", "upstream-hdfs-tests.md")

_METHOD = """\
CLASS is the name, simple or full, of a class in hadoop-mapreduce-client-jobclient's test jar, which the release holds.
Each class runs in a JVM of its own with the release's jars and, before them, a folder of the test classes and of site files
that make each mini cluster the class starts Mammoth's: nothing else is different from upstream. While it runs its NodeManagers are asked how
many tasks their engines started, and why others ran in ordinary containers.

With --on-cluster jobs that the class would run in its own JVM, by LocalJobRunner, go to a mini cluster that is started beside it: any
library's tests of input formats, mappers and reducers become jobs of engines. Some fail on stock, too, as they look at what a local job left in their
JVM: compare with --stock.

With --hdfs CLASS is one of hadoop-hdfs's test jar, which the release holds, too. Cache: each DataNode that the class starts has an SSD
cache, and the first read of a block waits for the block's copy; how many opens of blocks copies served is counted. Task: the class runs
as a task of an engine, whose client keeps what it writes in the data cache and reads the rest ahead; bytes of both are counted. Ahead:
the same without the data cache.

Without CLASS: those that docs/upstream-tests.md, with --on-cluster docs/upstream-jobs.md, or with --hdfs docs/upstream-hdfs-tests.md, says pass. Exit status 0 when no test failed.
"""


def parser():
    top = argparse.ArgumentParser(
        prog="upstream-tests", description="Runs upstream's own test classes against the release.", epilog=_METHOD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = top.add_argument
    add("names", nargs="*", metavar="CLASS", help="see --list")
    add("--list", action="store_true", help="name the classes that are known, and what became of them")
    add("--survey", action="store_true", help="name the classes of the jar that can start a NodeManager, and what is known of them")
    add("--stock", action="store_true", help="the same without Mammoth: to tell our failures from upstream's")
    add("--hdfs", choices=SECTIONS, help="classes of hadoop-hdfs instead")
    add("--on-cluster", action="store_true", help="jobs that the class runs in its own JVM go to a cluster of one node")
    add("--need-engines", action="store_true", help="fail a class of which no task ran in an engine")
    add("--data-dir", default=os.path.join(ROOT, "target", "upstream-tests"), help="where everything goes (default: target/upstream-tests)")
    add("--jar", metavar="FILE", help="another test jar of upstream's that holds CLASS, from Maven Central (default: the job client's)")
    add("--library", metavar="FILE", action="append", default=[], help="a jar that CLASS needs beside the release's; may be given repeatedly")
    add("--tarball", metavar="FILE", help="default: the newest hadoop-dist/target/mammoth-*.tar.gz")
    add("--no-build", action="store_true", help="take the test libraries as the last run left them")
    add("--heap", default="1500m", help="of each class's JVM (default: %(default)s)")
    add("--timeout", type=int, default=900, metavar="SECONDS", help="for each class (default: %(default)s)")
    add("--json", metavar="FILE", help="write the results")
    return top


def _build(home):
    command = ["mvn", "-q", "-B", "-ntp", "-f", os.path.join(MODULE, "pom.xml"), f"-Drelease.home={home}", "package"]
    for offline in (["-o"], []):
        done = subprocess.run(command + offline, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode == 0:
            return
    raise BenchError(f"'{' '.join(command)}' failed:\n{done.stdout[-3000:]}")


def _java():
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not java or not os.path.exists(java):
        raise BenchError("no java: set JAVA_HOME to a JDK 17, or put java on the PATH")
    os.environ["JAVA_HOME"] = home or os.path.dirname(os.path.dirname(os.path.realpath(java)))
    return java


def _line(name, result, args):
    engines = result["engines"]
    ordinary = sum(engines["ordinary"].values())
    verdict = "FAILED" if _failed(result, args) else "passed"
    if args.stock:
        where = "stock"
    elif args.hdfs == "cache":
        where = f"{result['hdfs']['hits']} opens of blocks served by copies, {result['hdfs']['misses']} by replicas"
    elif args.hdfs:
        where = f"{result['hdfs']['kept']} bytes from the data cache, {result['hdfs']['ahead']} read ahead"
    elif not engines["nodes"]:
        where = "no NodeManager ran"
    else:
        where = f"{engines['tasks']} tasks in {engines['engines']} engines, {ordinary} in ordinary containers"
    return (
        f"{verdict} {name.rpartition('.')[2]:40} {result['tests']} tests, {len(result['bad'])} failed, "
        f"{result['skipped']} skipped, {result['seconds']} s, {where}"
    )


def _failed(result, args):
    return bool(result["bad"]) or (args.need_engines and not result["engines"]["tasks"])


def _write(path, found):
    """After each class: a run of all takes hours."""
    if path:
        with open(path, "w", encoding="utf-8") as out:
            json.dump(found, out, indent=2)


def _test_jar(home, hdfs):
    name = "hdfs/hadoop-hdfs-*-tests.jar" if hdfs else "mapreduce/hadoop-mapreduce-client-jobclient-*-tests.jar"
    jars = glob.glob(os.path.join(home, "share", "hadoop", name))
    if len(jars) != 1:
        raise BenchError(f"{home} should hold one {name}, but holds {jars}")
    return jars[0]


def _unpack(args):
    return release.unpack(args.tarball or release.find_tarball(ROOT), os.path.join(os.path.realpath(args.data_dir), "release"))


def _known(args):
    if args.hdfs:
        return classes.known(HDFS_PAGE, args.hdfs)
    return classes.known(JOBS_PAGE if args.on_cluster else PAGE)


def _survey(args):
    known = classes.known(PAGE)
    ways = reach.survey(args.jar or _test_jar(_unpack(args), False))
    for name, way in ways.items():
        if way:
            verdict, why = known.get(name) or known.get(name.rpartition(".")[2]) or ("unknown", " > ".join(way))
            print(f"{verdict:8} {name} {why}")
    print(f"{len(ways)} classes, {sum(way is None for way in ways.values())} of them cannot start a NodeManager")


def _main(args):
    if args.on_cluster:
        return run.ON_CLUSTER
    return run.AS_TASK if args.hdfs in ("task", "ahead") and not args.stock else run.PLAIN


def _all(args):
    data = os.path.realpath(args.data_dir)
    os.makedirs(data, exist_ok=True)
    home = _unpack(args)
    if not args.no_build:
        _build(home)
    jar = args.jar or _test_jar(home, args.hdfs)
    names = args.names or [name for name, (verdict, _) in _known(args).items() if verdict == "passes"]
    chosen = classes.resolve(jar, names)
    java = _java()
    conf = os.path.join(data, "conf")
    for file in args.library:
        if not os.path.isfile(file):
            raise BenchError(f"--library {file} is no file")
    path = run.class_path(conf, home, MODULE, [os.path.realpath(file) for file in args.library])
    found = {}
    for name in chosen:
        work = os.path.join(data, "work", name.rpartition(".")[2])
        warning = siteconf.write(conf, home, not args.stock, data, args.hdfs)
        if warning and not found:
            print(f"upstream-tests: {warning}", file=sys.stderr)
        classes.unpack(jar, conf)
        found[name] = result = run.run(name, java, path, work, args.heap, args.timeout, os.path.join(home, "lib", "native"), _main(args))
        _write(args.json, found)
        print(_line(name, result, args), flush=True)
        for test, message in result["bad"].items():
            print(f"       {test}: {message}", flush=True)
        for reason, count in result["engines"]["ordinary"].items():
            print(f"       {count} in ordinary containers because {reason}", flush=True)
    return found


def _interrupted(_number, _frame):
    raise KeyboardInterrupt


def main(argv=None):
    top = parser()
    args = top.parse_args(argv)
    if args.hdfs and args.on_cluster:
        top.error("--hdfs runs tests of HDFS, which have no jobs for --on-cluster")
    if args.hdfs and (args.survey or args.need_engines):
        top.error("--survey and --need-engines are about NodeManagers, which tests of --hdfs have none of")
    signal.signal(signal.SIGTERM, _interrupted)  # ends what the class started, as Ctrl-C does
    try:
        if args.list:
            for name, (verdict, why) in _known(args).items():
                print(f"{verdict:8} {name:40} {why}")
            return 0
        if args.survey:
            _survey(args)
            return 0
        found = _all(args)
    except BenchError as error:
        print(f"upstream-tests: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    bad = [name for name, result in found.items() if _failed(result, args)]
    print(f"{len(found)} classes, {sum(result['tests'] for result in found.values())} tests, {len(bad)} classes failed")
    return 1 if bad else 0
