# SPDX-License-Identifier: Apache-2.0
"""Free ports on loopback."""

import socket


def free_ports(names):
    """A free port for each name. All are held until all are found, so that no two are equal."""
    held = []
    try:
        for _ in names:
            sock = socket.socket()
            held.append(sock)
            sock.bind(("127.0.0.1", 0))
        return {name: sock.getsockname()[1] for name, sock in zip(names, held)}
    finally:
        for sock in held:
            sock.close()
