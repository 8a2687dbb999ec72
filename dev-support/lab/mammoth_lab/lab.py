# SPDX-License-Identifier: Apache-2.0
"""Hosts on one machine, from the switch to the disks; without anything that runs on them."""

import os
import shutil
import subprocess

from . import LabError, disks, processes, shell
from .diskmodel import BYTES_PER_SECOND
from .groups import Groups
from .network import CLIENT, Network, check_rate
from .state import State

MOST_HOSTS = 200
_PREREQUISITES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib", "prerequisites.sh")
_TOOLS = ("iproute2=ip", "ethtool=ethtool", "util-linux=unshare", "mount=losetup", "e2fsprogs=mkfs.ext4")


def why_not():
    """Why there can be no lab here, or None. Makes a namespace and removes it, because containers often may not."""
    if os.geteuid() != 0:
        return "a lab needs root: network namespaces, mounts and control groups"
    probe = f"mammoth-probe-{os.getpid()}"
    if not shell.succeeds("ip", "netns", "add", probe):
        return "'ip netns add' does not work on this machine (is iproute2 there, and may this container make namespaces?)"
    shell.run("ip", "netns", "del", probe, check=False)
    return None


def install_tools():
    """On Debian, installs the tools that are missing."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    script = '. "$1"; shift; install_missing "$@"'
    if subprocess.run(["bash", "-c", script, "bash", _PREREQUISITES, *_TOOLS], env=dict(os.environ, PATH=path), check=False).returncode:
        raise LabError("tools are missing; see above")


class Lab:
    """One lab, by name. Several may be there at once: nothing of theirs meets but the machine's processors and memory."""

    def __init__(self, name="lab"):
        self.name = name
        self._state = State(name)
        self.lock = self._state.lock

    # --- What there is -------------------------------------------------------------------------------------------

    def document(self):
        """What was said at up. LabError when the lab is not up."""
        found = self._state.load()
        if not found or not found.get("up"):
            raise LabError(f"there is no lab {self.name}{' (an unfinished one is; lab down removes it)' if found else ''}; lab up N makes one")
        return found

    def note(self, **values):
        """Remembers values for later commands."""
        self._state.save({**self.document(), **values})

    @property
    def hosts(self):
        """node1 ... nodeN."""
        return [f"node{number}" for number in range(1, self.document()["hosts"] + 1)]

    @property
    def network(self):
        return Network(self.name, [*self.hosts, CLIENT])

    @property
    def groups(self):
        return Groups(self.name)

    def need(self, host):
        """The host itself, or a LabError."""
        if host not in (*self.hosts, CLIENT):
            raise LabError(f"there is no host {host}; there are {', '.join([*self.hosts, CLIENT])}")
        return host

    def folder(self, host):
        """What belongs to one host: its disks, logs, configuration."""
        return os.path.join(self._folder(self.document()["data"]), host)

    def disk_folders(self, host):
        return [os.path.join(self.folder(host), f"disk{number}") for number in range(1, self.document()["disks"] + 1)]

    def _folder(self, data):
        return os.path.join(data, f"hosts-of-{self.name}")

    # --- Up and down ---------------------------------------------------------------------------------------------

    def up(self, hosts, data, rate="1gbit", memory=None, cpus=None, disk="folder", disk_count=1, disk_bytes=16 << 30,
           disk_speed=BYTES_PER_SECOND):
        """Makes hosts; all or none. disk_speed in bytes a second is that of disks that are hdd. memory in bytes and cpus in processors are limits of each host, None is none."""
        if not 1 <= hosts <= MOST_HOSTS:
            raise LabError(f"a lab has 1 to {MOST_HOSTS} hosts, not {hosts}")
        if disk not in disks.KINDS or disk_count < 1:
            raise LabError(f"each host has one or more disks of a kind among {', '.join(disks.KINDS)}")
        check_rate(rate)
        install_tools()
        reason = why_not()
        if reason:
            raise LabError(reason)
        if self._state.load() or Network(self.name, []).existing():
            raise LabError(f"lab {self.name} is up already; lab down removes it")
        data = os.path.realpath(data)
        document = {"hosts": hosts, "data": data, "rate": rate, "memory": memory, "cpus": cpus, "disk": disk, "disks": disk_count, "up": False}
        self._state.save(document)
        try:
            shutil.rmtree(self._folder(data), ignore_errors=True)
            names = [f"node{number}" for number in range(1, hosts + 1)]
            Network(self.name, [*names, CLIENT]).make(rate)
            groups = Groups(self.name)
            groups.make([*names, CLIENT])
            for host in names:
                if memory:
                    groups.limit_memory(host, memory)
                if cpus:
                    groups.limit_cpus(host, cpus)
                for number in range(1, disk_count + 1):
                    disks.make(disk, os.path.join(self._folder(data), host, f"disk{number}"), disk_bytes, disk_speed)
            self._state.save({**document, "up": True})
            self.note(disk_bytes_at_up=self._disk_counters())
        except BaseException:
            self.down()
            raise

    def down(self, keep=False):
        """Ends what runs on the hosts, and the hosts; also what a crash has left of them. keep: logs and folders stay."""
        document = self._state.load()
        network = Network(self.name, [])
        processes.end(network.existing())
        if document:
            folder = self._folder(document["data"])
            disks.remove_below(folder)
            if not keep:
                shutil.rmtree(folder, ignore_errors=True)
        Groups(self.name).remove()
        network.remove()
        self._state.forget()

    # --- On a host -----------------------------------------------------------------------------------------------

    def command(self, host, arguments):
        """The command line that runs a command on a host; whoever starts it calls groups.enter(host) first."""
        inner = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', host]
        return ["ip", "netns", "exec", self.network.namespace(self.need(host)), *inner, *arguments]

    def start(self, host, arguments, env, log):
        """Starts a process on a host, in a session of its own, with its output in a file object; it outlives us."""
        command, groups = self.command(host, arguments), self.groups
        return subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=lambda: groups.enter(host), cwd="/",
        )

    def running(self, host):
        """pid -> name of what runs on a host."""
        return processes.named(self.network.namespace(self.need(host)))

    def end(self, chosen=lambda name: True, hosts=None):
        """Ends what runs on hosts, all by default, and is chosen by its name."""
        network = self.network
        processes.end([network.namespace(self.need(host)) for host in hosts or [*self.hosts, CLIENT]], chosen)

    def kill(self, host, name=None):
        """Lets a host die: its cable goes first, so that nobody hears of it; or only kills its processes of one name."""
        network = self.network
        namespace = network.namespace(self.need(host))
        if name is None:
            network.cut(host)
            processes.end([namespace], force=True)
        elif name not in processes.named(namespace).values():
            raise LabError(f"no {name} runs on {host}; there is {', '.join(sorted(set(self.running(host).values()))) or 'nothing'}")
        else:
            processes.end([namespace], lambda one: one == name, force=True)

    def cpu_seconds(self):
        """host -> CPU time of everything that ever ran on it."""
        groups = self.groups
        return {host: groups.cpu_seconds(host) for host in [*self.hosts, CLIENT]}

    def disk_bytes(self):
        """host -> [(read, written)] of its disks since up; (None, None) for a folder."""
        begin = self.document()["disk_bytes_at_up"]
        return {
            host: [(None, None) if now[0] is None else (now[0] - old[0], now[1] - old[1]) for now, old in zip(each, begin[host])]
            for host, each in self._disk_counters().items()
        }

    def _disk_counters(self):
        """The same since the machine has started: a loop device remembers what earlier disks did."""
        return {host: [disks.byte_counts(path) for path in self.disk_folders(host)] for host in self.hosts}
