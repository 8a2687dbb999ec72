#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what matches regular expressions in packets on the loopback until its input ends."""

import re
import select
import socket
import sys

ETH_P_ALL = 3
SO_RCVBUFFORCE = 33

patterns = [re.compile(pattern.encode("ascii").decode("unicode_escape").encode("latin-1")) for pattern in sys.argv[1:]]
counts = [0] * len(patterns)
packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
packets.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 256 << 20)
packets.bind(("lo", 0))
print("listens", flush=True)
while True:
    ready, _, _ = select.select([packets, sys.stdin], [], [])
    if packets in ready:
        packet, address = packets.recvfrom(1 << 17)
        # Each packet of the loopback comes twice, once as it leaves.
        if address[2] != socket.PACKET_OUTGOING:
            for i, pattern in enumerate(patterns):
                counts[i] += len(pattern.findall(packet))
    elif sys.stdin in ready:
        break
print(*counts, flush=True)
