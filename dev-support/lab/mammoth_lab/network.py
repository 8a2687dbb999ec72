# SPDX-License-Identifier: Apache-2.0
"""Hosts and the switch between them: one network namespace each, joined by pairs of virtual interfaces.

Nothing outside can be reached from inside, nor the other way round; two labs may use the same addresses.
"""

import json
import os
import re

from . import LabError, shell

ADDRESSES = "10.77.0."
#: The host that has no daemons; jobs are submitted there, so that no worker is nearer to the client than another.
CLIENT = "client"
_CLIENT_NUMBER = 250
#: One link may send so much at once beyond its rate, in bytes. Smaller than the kernel's timer allows at 1 gbit would throttle it.
_BURST = 128 << 10
_RATE = re.compile(r"^\d+(\.\d+)?(k|m|g)?bit$")


def check_rate(rate):
    """The rate itself, if it is one that tc understands in bits: 20mbit, 1gbit."""
    if not _RATE.match(rate) or float(re.match(r"[\d.]+", rate).group()) <= 0:
        raise LabError(f"'{rate}' is no link speed; write for example 20mbit or 1gbit")
    return rate


class Network:
    """The namespaces of one lab. Needs root. Every change is one or two commands of iproute2; nothing is kept in memory."""

    def __init__(self, lab, hosts):
        self._lab = lab
        self._hosts = list(hosts)

    @property
    def switch(self):
        return f"mammoth-{self._lab}-switch"

    def namespace(self, host):
        return f"mammoth-{self._lab}-{host}"

    @staticmethod
    def number(host):
        return _CLIENT_NUMBER if host == CLIENT else int(host[4:])

    def address(self, host):
        return f"{ADDRESSES}{self.number(host)}"

    def _port(self, host):
        return f"port{self.number(host)}"

    def existing(self):
        """Namespaces of this lab that there are, whoever made them."""
        wanted = re.compile(rf"^mammoth-{re.escape(self._lab)}-(switch|{CLIENT}|node\d+)$")
        names = [line.split()[0] for line in shell.run("ip", "netns", "list").splitlines() if line.strip()]
        return [name for name in names if wanted.match(name)]

    def make(self, rate):
        """The switch, and each host with a link of that rate; the client's link is not limited."""
        shell.run("ip", "netns", "add", self.switch)
        shell.run("ip", "-n", self.switch, "link", "add", "bridge", "type", "bridge")
        shell.run("ip", "-n", self.switch, "link", "set", "bridge", "up")
        for host in self._hosts:
            self._make_host(host)
            if host != CLIENT:
                self.rate(host, rate)

    def _make_host(self, host):
        name, port = self.namespace(host), self._port(host)
        self._write_etc(host)
        shell.run("ip", "netns", "add", name)
        shell.run("ip", "link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", port, "netns", self.switch)
        shell.run("ip", "-n", name, "link", "set", "lo", "up")
        shell.run("ip", "-n", name, "addr", "add", f"{self.address(host)}/24", "dev", "eth0")
        shell.run("ip", "-n", name, "link", "set", "eth0", "up")
        # Frames of a real link's size; else the limit passes pieces of 64 KiB.
        for where, device in ((name, "eth0"), (self.switch, port)):
            shell.run("ip", "netns", "exec", where, "ethtool", "-K", device, "tso", "off", "gso", "off", "gro", "off", check=False)
        shell.run("ip", "-n", self.switch, "link", "set", port, "up")
        self.mend(host)

    def _write_etc(self, host):
        """What 'ip netns exec' lays over the machine's files: names of the hosts, and no name server."""
        folder = os.path.join("/etc/netns", self.namespace(host))
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "hosts"), "w", encoding="ascii") as out:
            out.write("127.0.0.1 localhost\n" + "".join(f"{self.address(one)} {one}\n" for one in self._hosts))
        with open(os.path.join(folder, "resolv.conf"), "w", encoding="ascii") as out:
            out.write("# no name server in a lab\n")

    def remove(self):
        """Removes all namespaces of this lab, whole or half made. What runs in them must have ended."""
        for name in self.existing():
            shell.run("ip", "netns", "del", name)
        if os.path.isdir("/etc/netns"):
            wanted = re.compile(rf"^mammoth-{re.escape(self._lab)}-({CLIENT}|node\d+)$")
            for name in filter(wanted.match, os.listdir("/etc/netns")):
                for file in ("hosts", "resolv.conf"):
                    path = os.path.join("/etc/netns", name, file)
                    if os.path.exists(path):
                        os.remove(path)
                os.rmdir(os.path.join("/etc/netns", name))

    def _ends(self, host):
        return (self.switch, self._port(host)), (self.namespace(host), "eth0")

    def rate(self, host, rate):
        """Limits a host's link, to it and from it; a delay of the link is gone then."""
        check_rate(rate)
        for namespace, device in self._ends(host):
            shell.run("tc", "-n", namespace, "qdisc", "replace", "dev", device, "root", "handle", "1:",
                      "tbf", "rate", rate, "burst", str(_BURST), "latency", "100ms")

    def delay(self, host, millis):
        """Adds to the time a packet takes, in each direction. Needs netem in the kernel. The link must be limited by rate()."""
        for namespace, device in self._ends(host):
            try:
                shell.run("tc", "-n", namespace, "qdisc", "replace", "dev", device, "parent", "1:1", "handle", "10:",
                          "netem", "delay", f"{millis}ms", "limit", "100000")
            except LabError as error:
                raise LabError(f"links of this machine cannot be delayed; its kernel may lack netem (CONFIG_NET_SCH_NETEM): {error}") from error

    def cut(self, host):
        """Pulls the cable out at the switch: the host's interface stays up, packets get lost, connections stay half open."""
        shell.run("ip", "-n", self.switch, "link", "set", self._port(host), "nomaster")

    def mend(self, host):
        shell.run("ip", "-n", self.switch, "link", "set", self._port(host), "master", "bridge")

    def traffic(self):
        """host -> {received, sent, cut}: bytes since the lab is up, headers included, and whether the cable is out."""
        found = {}
        ports = {self._port(host): host for host in self._hosts}
        for link in json.loads(shell.run("ip", "-n", self.switch, "-s", "-j", "link", "show")):
            host = ports.get(link["ifname"])
            if host:
                stats = link["stats64"]
                # What the switch sends is what the host receives.
                found[host] = {"received": stats["tx"]["bytes"], "sent": stats["rx"]["bytes"], "cut": "master" not in link}
        return {host: found[host] for host in self._hosts if host in found}
