# SPDX-License-Identifier: Apache-2.0
"""Looks for words in all that passes a world's loopback interface."""

import subprocess
import sys

_WATCH = r"""
import select, socket, sys, time
words = [one.encode() for one in sys.argv[1:]]
raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
raw.setsockopt(socket.SOL_SOCKET, 33, 256 << 20)  # SO_RCVBUFFORCE
raw.bind(("lo", 0))
print("watching", flush=True)
packets = size = 0
found = {}
end = None  # standard input is closed: what has passed so far is still read
while True:
    ready = select.select([raw] if end else [raw, sys.stdin], [], [], 0.2)[0]
    if sys.stdin in ready:
        end = time.monotonic()
    if raw not in ready:
        if end:
            break
        continue
    packet = raw.recv(1 << 17)
    if end and time.monotonic() > end + 5:
        break
    packets += 1
    size += len(packet)
    for word in words:
        if word in packet:
            ports = sorted((int.from_bytes(packet[34:36], "big"), int.from_bytes(packet[36:38], "big")))
            found[(word.decode(), ports[0])] = found.get((word.decode(), ports[0]), 0) + 1
lost = int.from_bytes(raw.getsockopt(263, 6, 8)[4:8], sys.byteorder)  # SOL_PACKET, PACKET_STATISTICS
print(packets, size, lost)
for (word, port), times in found.items():
    print(word, port, times)
"""


class Wire:
    """Between its start and its end every packet is read; a word that two packets share is not found."""

    def __init__(self, world, *words):
        self._process = subprocess.Popen(world.command(sys.executable, "-c", _WATCH, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process.stdout.readline()

    def end(self):
        """What was seen: packets, bytes, packets that were missed, and by (word, lower port) how often a word was there."""
        said, _ = self._process.communicate(timeout=60)
        first, *rest = said.splitlines()
        found = {}
        for line in rest:
            word, port, times = line.split()
            found[(word, int(port))] = int(times)
        packets, size, lost = (int(one) for one in first.split())
        return packets, size, lost, found
