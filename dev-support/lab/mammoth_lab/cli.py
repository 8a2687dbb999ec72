# SPDX-License-Identifier: Apache-2.0
"""The command line of dev-support/bin/lab."""

import argparse
import json
import os
import sys

from mammoth_bench import BenchError, release
from mammoth_bench.units import format_bytes, parse_size

from . import LabError, disks, settings
from .cluster import DAEMONS, LabCluster, environment
from .lab import Lab
from .network import CLIENT

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))

_ABOUT = """\
Hosts node1 ... nodeN (10.77.0.1 ... N) are network namespaces on a switch of their own, each with its host name, /etc/hosts, link
speed, control group and disks; 'client' is one more without daemons or limits. Nothing outside can be reached from inside, nor
the other way round, so that several labs (--name) and other clusters may run beside each other. They share the machine's processors.

  lab up 3 --rate 1gbit --memory 3g --disk hdd --disks 2
  lab start                    NameNode, ResourceManager and history server on node1; DataNode and NodeManager on each
  lab exec client hadoop jar .../hadoop-mapreduce-examples-*.jar pi 10 10
  lab cut node2; sleep 10; lab mend node2
  lab kill node3               as a power cut does: nobody gets a goodbye; then: lab mend node3; lab start
  lab down                     ends and removes everything, also what a crash has left

Needs root (namespaces, mounts, control groups of version 1 or 2) and iproute2; tools that are missing are installed on Debian.
disk 'folder' shares the machine's disk; 'loop' is a file system in a file, whose bytes are counted; 'hdd' is that on an emulated
hard disk (150 MB/s in a row, about 100 random reads of 64 KiB a second, one request at a time), which needs /dev/fuse. With two
or more disks HDFS has the first, YARN's local folders the others. 'delay' needs netem in the kernel (CONFIG_NET_SCH_NETEM).
"""


def _parser():
    top = argparse.ArgumentParser(
        prog="lab", description="Several hosts on one machine, and a release on them.", epilog=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("--name", default="lab", help="which lab, where there are several (default: %(default)s)")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name, text, *arguments):
        sub = commands.add_parser(name, help=text, description=text, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
        for argument in arguments:
            sub.add_argument(argument)
        return sub

    up = command("up", "make hosts")
    up.add_argument("hosts", type=int, metavar="N")
    up.add_argument("--rate", default="1gbit", help="speed of each link, in both directions, as in 20mbit")
    up.add_argument("--memory", metavar="SIZE", help="memory of each host, as in 3g, page cache included; no limit without it")
    up.add_argument("--cpus", type=float, help="processors of each host, as in 0.5; no limit without it")
    up.add_argument("--disk", choices=disks.KINDS, default="folder", help="what the disks are")
    up.add_argument("--disks", type=int, default=1, help="disks of each host")
    up.add_argument("--disk-size", default="16g", metavar="SIZE", help="size of each; takes space only when filled")
    up.add_argument("--disk-speed", default="143m", metavar="SIZE", help="bytes a second in a row of a disk that is hdd (default: %(default)s, 150 MB)")
    up.add_argument("--data-dir", default=os.path.join(ROOT, "target", "lab"), help="where disks, logs and the release go")
    start = command("start", "start a release on all hosts, or what does not run of it")
    start.add_argument("only", nargs="*", metavar="HOST", help="start on these hosts only")
    start.add_argument("--tarball", metavar="FILE", help="the newest hadoop-dist/target/mammoth-*.tar.gz if not given")
    start.add_argument("--stock", metavar="HOST", action="append", default=[], help="a host on which Mammoth is off; 'all' for each")
    start.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], dest="values", help="a property, whatever its file")
    start.add_argument("--replication", type=int, default=1, help="of HDFS")
    start.add_argument("--heap", type=int, default=256, metavar="MIB", help="heap of each daemon")
    start.add_argument("--nm-memory", default="2g", metavar="SIZE", help="what each NodeManager offers")
    start.add_argument("--container", default="512m", metavar="SIZE", help="what a task asks for; four fifths are its heap")
    command("stop", "end everything that runs on the hosts; data stays")
    run = command("exec", "run a command on a host, with the release's configuration once it is started", "host")
    run.add_argument("words", nargs=argparse.REMAINDER, metavar="CMD")
    command("cut", "pull a host's cable out", "host")
    command("mend", "put a host's cable back in", "host")
    command("rate", "another speed for a host's link, in both directions; a delay of it ends", "host", "rate")
    command("delay", "let packets of a host's link take longer, in each direction", "host", "millis")
    command("cpus", "another limit of a host's processors; 'all' for none", "host", "cpus")
    kill = command("kill", "let a host die, cable first; or kill one kind of process on it", "host")
    kill.add_argument("process", nargs="?", help=f"{', '.join(DAEMONS)}, engine, appmaster or task")
    for name, text in (
        ("traffic", "bytes each host has received and sent since up"), ("disk-bytes", "bytes each disk has read and written since up"),
        ("status", "the hosts and what runs on them"),
    ):
        command(name, text).add_argument("--json", action="store_true", help="for programs")
    down = command("down", "end and remove everything")
    down.add_argument("--keep", action="store_true", help="keep the hosts' folders and logs")
    return top


def _parse_pairs(pairs):
    for pair in pairs:
        if not pair.partition("=")[0] or "=" not in pair:
            raise LabError(f"--set {pair}: KEY=VALUE is wanted")
    return dict(pair.split("=", 1) for pair in pairs)


def _up(lab, args):
    with lab.lock():
        lab.up(args.hosts, args.data_dir, args.rate, parse_size(args.memory) if args.memory else None, args.cpus, args.disk, args.disks,
               parse_size(args.disk_size), parse_size(args.disk_speed))
    print(f"{', '.join(lab.hosts)} and client are up, each with a link of {args.rate}")


def _start(lab, args):
    with lab.lock():
        home = release.unpack(args.tarball or release.find_tarball(ROOT), os.path.join(lab.document()["data"], "release"))
        sizes = settings.Sizes(args.heap, parse_size(args.nm_memory) >> 20, parse_size(args.container) >> 20)
        cluster = LabCluster(lab, release.Release(home, ROOT), sizes, args.replication)
        stock = lab.hosts if args.stock == ["all"] else [lab.need(host) for host in args.stock]
        conf = "stock" if args.stock == ["all"] else "mammoth"
        cluster.configure(conf, conf == "mammoth", _parse_pairs(args.values), stock)
        lab.note(home=home, conf=conf)
        cluster.start(conf, [lab.need(host) for host in args.only] or None)
    _status(lab, args)


def _exec(lab, args):
    if not args.words:
        raise LabError("exec needs a command")
    document, command = lab.document(), lab.command(args.host, args.words)
    env = dict(os.environ)
    if "home" in document:
        env = environment(lab, document["home"], args.host, document["conf"])
    lab.groups.enter(args.host)
    os.execvpe(command[0], command, env)


def _status(lab, args):
    traffic = lab.network.traffic()
    rows = {host: {"address": lab.network.address(host), "cut": traffic[host]["cut"], "runs": sorted(lab.running(host).values())}
            for host in [*lab.hosts, CLIENT]}
    if getattr(args, "json", False):
        print(json.dumps(rows, indent=2))
        return
    for host, row in rows.items():
        print(f"{host:8} {row['address']:12} {'CUT ' if row['cut'] else ''}{' '.join(row['runs']) or 'nothing runs'}")


def _traffic(lab, args):
    traffic = lab.network.traffic()
    if args.json:
        print(json.dumps(traffic, indent=2))
        return
    for host, row in traffic.items():
        print(f"{host:8} received {format_bytes(row['received'])}, sent {format_bytes(row['sent'])}{', cut' if row['cut'] else ''}")


def _disk_bytes(lab, args):
    counts = lab.disk_bytes()
    if args.json:
        print(json.dumps(counts, indent=2))
        return
    for host, each in counts.items():
        shown = [f"disk{i} read {format_bytes(read)}, written {format_bytes(written)}" for i, (read, written) in enumerate(each, 1)]
        print(f"{host:8} {'; '.join(shown)}")
    if any(pair[0] is None for each in counts.values() for pair in each):
        print("a folder's bytes are not told apart from the machine's; lab up --disk loop counts them")


def _cpus(lab, args):
    lab.groups.limit_cpus(lab.need(args.host), None if args.cpus == "all" else float(args.cpus))


def _down(lab, args):
    if os.geteuid() != 0:
        raise LabError("a lab needs root: network namespaces, mounts and control groups")
    with lab.lock():
        lab.down(args.keep)


_COMMANDS = {
    "up": _up, "start": _start, "exec": _exec, "status": _status, "traffic": _traffic, "disk-bytes": _disk_bytes, "cpus": _cpus, "down": _down,
    "stop": lambda lab, args: lab.end(),
    "cut": lambda lab, args: lab.network.cut(lab.need(args.host)),
    "mend": lambda lab, args: lab.network.mend(lab.need(args.host)),
    "rate": lambda lab, args: lab.network.rate(lab.need(args.host), args.rate),
    "delay": lambda lab, args: lab.network.delay(lab.need(args.host), float(args.millis)),
    "kill": lambda lab, args: lab.kill(args.host, args.process),
}


def main(arguments=None):
    """Runs one command; returns the exit status."""
    args = _parser().parse_args(arguments)
    try:
        _COMMANDS[args.command](Lab(args.name), args)
    except (BenchError, ValueError) as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1
    except PermissionError as error:
        print(f"lab: {error}; a lab needs root", file=sys.stderr)
        return 1
    return 0
