# SPDX-License-Identifier: Apache-2.0
"""Asks what listens inside a namespace, from outside."""

import ctypes
import json
import os
import threading
import urllib.request

_CLONE_NEWNET = 0x40000000
_LIBC = ctypes.CDLL(None, use_errno=True)
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def fetch_json(namespace, address, port, path, timeout=5):
    """The JSON document at an address of a namespace. Raises what urllib raises, OSError or ValueError.

    A thread of its own enters the namespace and ends with the answer, because a thread cannot be trusted to come back.
    """
    answer = []

    def ask():
        try:
            handle = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
            try:
                if _LIBC.setns(handle, _CLONE_NEWNET):
                    number = ctypes.get_errno()
                    raise OSError(number, f"cannot enter namespace {namespace}: {os.strerror(number)}")
            finally:
                os.close(handle)
            with _OPENER.open(f"http://{address}:{port}{path}", timeout=timeout) as document:
                answer.append(json.load(document))
        except Exception as error:  # pylint: disable=broad-except
            answer.append(error)

    thread = threading.Thread(target=ask, name=f"asks {address}", daemon=True)
    thread.start()
    thread.join(timeout + 30)
    if not answer:
        raise TimeoutError(f"no answer from {address}:{port}{path}")
    if isinstance(answer[0], Exception):
        raise answer[0]
    return answer[0]
