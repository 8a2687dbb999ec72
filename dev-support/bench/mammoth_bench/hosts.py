# SPDX-License-Identifier: Apache-2.0
"""Stock and one or more variants of Mammoth in turn on the same hosts of a lab."""

import json
import os
import time

from mammoth_lab import settings
from mammoth_lab.cluster import LabCluster
from mammoth_lab.lab import Lab

from . import BenchError, hosttable, joblog, machine, samples
from .cluster import excerpt
from .inputs import Inputs
from .units import format_bytes, format_number, parse_size
from .workloads import ALL

HISTORY_SECONDS = 60


def pairs(texts, option):
    """KEY=VALUE texts as a dict."""
    for text in texts:
        if not text.partition("=")[0] or "=" not in text:
            raise BenchError(f"{option} {text}: KEY=VALUE is wanted")
    return dict(text.split("=", 1) for text in texts)


def variants(texts, ours, stock, both, only=None):
    """name -> (whether Mammoth is on, keys): stock, and each NAME:KEY=VALUE[,KEY=VALUE], or one 'mammoth' without any."""
    found = {"stock": (False, {**both, **stock})}
    for text in texts or ["mammoth:"]:
        name, colon, keys = text.partition(":")
        if not colon or not name.replace("-", "").isalnum() or name in found or name == "storage":
            raise BenchError(f"--variant {text}: NAME:KEY=VALUE[,KEY=VALUE] is wanted, each name once")
        own = pairs([key for key in keys.split(",") if key], "--variant")
        found[name] = (True, {**both, **ours, **own})
    return {name: one for name, one in found.items() if only is None or one[0] == (only == "mammoth")}


class HostBench:
    """Runs turns on a cluster whose HDFS is up."""

    def __init__(self, lab, cluster, release, inputs, chosen, drop):
        self._lab = lab
        self._cluster = cluster
        self._release = release
        self._inputs = inputs
        self._chosen = chosen
        self._drop = drop

    def prepare_archive(self, small):
        """Lets the release make its class archive beside a running engine, once per unpacked tarball."""
        ours = next((name for name, (mammoth, _) in self._chosen.items() if mammoth), None)
        if ours and not os.path.exists(os.path.join(self._release.home, "var", "cds", "client.jsa")):
            self._cluster.start_yarn(ours)
            try:
                self._run(ours, small, None, "untrained")
                print("making the release's class archive (mammoth cds -create) ...", flush=True)
                self._cluster.run(ours, "mammoth", "cds", "-create", host=settings.MASTER)
            finally:
                self._cluster.stop_yarn()

    def turn(self, variant, workload, small, size, number):
        """One counted run on YARN daemons that start for it, after one uncounted small job."""
        self._cluster.start_yarn(variant)
        try:
            self._run(variant, small, None, "warm-up")
            run = self._run(variant, workload, size, f"run-{number}")
            if self._chosen[variant][0]:
                self._prove_engine(variant)
            return run
        finally:
            self._cluster.stop_yarn()

    def _prove_engine(self, variant):
        status = self._cluster.run(variant, "mammoth", "engine", "-status", "-json", check=False)
        if joblog.tasks_in_engines(status) < 1:
            raise BenchError(f"no task of {variant} ran in an engine, so this would compare stock with stock:\n{status[-2000:]}")

    def _run(self, variant, workload, size, label):
        source, facts = self._inputs.get(workload.kind, workload.size(size))
        target = f"/bench/output/{workload.name}-{variant}-{label}"
        self._remove(target)
        log_path = self._cluster.log_path(f"{workload.name}-{variant}-{label}.log")
        if self._drop and workload.cold:
            machine.drop_caches()
        self._sync()
        with samples.Samples(self._counters) as sampled:
            cpu, begin = sum(self._lab.cpu_seconds().values()), time.monotonic()
            status = self._cluster.client(variant, "hadoop", workload.command(source, target), log_path).wait()
            wall, cpu = time.monotonic() - begin, sum(self._lab.cpu_seconds().values()) - cpu
        self._sync()
        sampled.take()
        with open(log_path, encoding="utf-8", errors="replace") as text:
            output = text.read()
        if status:
            raise BenchError(f"{workload.name} failed on {variant}:\n{excerpt(log_path)}")
        maps_end = samples.last_map_end(self._history(joblog.jobs(output)[0]))
        run = {
            "wall_s": round(wall, 3), "cpu_s": round(cpu, 3), "map_s": round(maps_end - sampled.times[0], 3),
            "ordinary": joblog.counters(output).get("Tasks in ordinary containers", 0), "counters": joblog.counters(output),
            "phases": sampled.phases(maps_end),
        }
        workload.check(facts, target, output)
        self._remove(target)
        print(f"  {workload.name:21} {variant:12} {label:9} " + self._line(run) + ", output right", flush=True)
        return run

    @staticmethod
    def _line(run):
        shown = [f"wall {run['wall_s']:7.1f} s (maps {run['map_s']:.1f})", f"CPU {run['cpu_s']:7.1f} s"]
        for title, prefix, suffix in hosttable.columns(run):
            both = [format_bytes(hosttable.total(run, phase, prefix, suffix)) for phase in samples.PHASES]
            shown.append(f"{title} {' + '.join(both)}")
        return ", ".join(shown) + (f", {format_number(run['ordinary'], 0)} tasks in ordinary containers" if run["ordinary"] else "")

    def _counters(self):
        found = {}
        for host, each in self._lab.disk_bytes().items():
            for number, (read, written) in enumerate(each, 1):
                found[f"disk{number} {host} read"], found[f"disk{number} {host} written"] = read, written
        for host, row in self._lab.network.traffic().items():
            if host in self._lab.hosts:
                found[f"link {host} received"], found[f"link {host} sent"] = row["received"], row["sent"]
        return found

    def _history(self, job):
        deadline = time.monotonic() + HISTORY_SECONDS
        while True:
            try:
                return self._cluster.fetch(settings.HISTORY_WEB, f"/ws/v1/history/mapreduce/jobs/{job}/tasks?type=m")
            except (OSError, ValueError) as error:
                if time.monotonic() > deadline:
                    raise BenchError(f"waited {HISTORY_SECONDS} s for the history of {job}: {error}") from error
                time.sleep(0.5)

    def _sync(self):
        """Hosts' own disks only: what others of the machine have to write is no business of a run."""
        for host in self._lab.hosts:
            for path in self._lab.disk_folders(host):
                handle = os.open(path, os.O_RDONLY)
                try:
                    machine.sync_file_system(handle)
                finally:
                    os.close(handle)

    def _remove(self, path):
        self._cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", path)


def measure(args, names, layout, release, java):
    """Makes the hosts, runs everything, removes the hosts."""
    chosen = variants(args.variants, pairs(args.settings, "--set"), pairs(args.stock_settings, "--set-stock"),
                      pairs(args.both_settings, "--set-both"), args.only)
    lab = Lab(args.lab)
    nodes = parse_size(args.nm_memory or "2g") >> 20
    reduces = args.reduces or args.hosts
    with lab.lock():
        lab.down()  # what a bench that was killed has left
        ended_well = False
        try:
            lab.up(args.hosts, layout.make("lab"), args.rate, parse_size(args.host_memory) if args.host_memory else None,
                   disk="hdd" if args.hdd else "loop", disk_count=args.disks, disk_bytes=parse_size(args.disk_size),
                   disk_speed=parse_size(args.disk_speed))
            measured = _measure(args, names, layout, release, lab, chosen, nodes, reduces, java)
            ended_well = True
            return measured
        finally:
            # Whoever reads why it failed wants the logs.
            lab.down(keep=args.keep or not ended_well)


def _measure(args, names, layout, release, lab, chosen, nodes, reduces, java):
    drop = not args.no_drop_caches and machine.may_drop_caches()
    description = (
        machine.describe(java, machine.block_device(layout.root), None) + f"; {args.hosts} hosts on it, links of {args.rate}, "
        + f"{args.disks} {f'emulated hard disks of {args.disk_speed} a second' if args.hdd else 'disks'} each"
        + (f", {args.host_memory} of memory each" if args.host_memory else "")
        + f"; NodeManagers offer {nodes} MiB in containers of {settings.Sizes().container}, {reduces} reduces")
    print(description)
    for name, (_, keys) in chosen.items():
        print(f"{name}: " + (", ".join(f"{key}={value}" for key, value in keys.items()) or "as shipped"))
    cluster = LabCluster(lab, release, settings.Sizes(node=nodes))
    for name, (mammoth, keys) in chosen.items():
        cluster.configure(name, mammoth, keys)
    cluster.configure("storage", True, pairs(args.both_settings, "--set-both"))
    cluster.start_storage()
    # The lab's HDFS begins empty: what is known of inputs goes with it.
    known = layout.path("lab", "inputs.json")
    if os.path.exists(known):
        os.remove(known)
    inputs = Inputs(cluster, type(layout)(layout.path("lab")), release)
    bench = HostBench(lab, cluster, release, inputs, chosen, drop)
    small = ALL["small"](cluster, release, 1)
    bench.prepare_archive(small)
    entries = []
    for name in names:
        workload = ALL[name](cluster, release, reduces)
        runs = {variant: [] for variant in chosen}
        for number in range(1, (args.runs or workload.default_runs) + 1):
            for variant in chosen:
                runs[variant].append(bench.turn(variant, workload, small, args.size, number))
            done = {variant: hosttable.summary(each) if each else None for variant, each in runs.items()}
            latest = {"workload": name, "size": workload.size(args.size), "runs": number, "variants": done, "machine": description}
            _write(args, [*entries, latest], description)
        entries.append(latest)
    print("\n" + hosttable.markdown(entries, description))
    return []


def _write(args, entries, description):
    """After each round, so that an interrupted bench leaves what it has."""
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            json.dump(entries, out, indent=2)
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as out:
            out.write(hosttable.markdown(entries, description))
