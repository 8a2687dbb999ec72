# SPDX-License-Identifier: Apache-2.0
"""The kernel's FUSE protocol (linux/fuse.h, 7.31), as far as a folder with one file of fixed size needs it."""

import errno
import stat
import struct

FILE_NAME = b"disk"
_ROOT, _FILE = 1, 2
MAX_BYTES = 1 << 20
#: The longest request: a write of MAX_BYTES with its headers.
BUFFER_BYTES = MAX_BYTES + (64 << 10)

LOOKUP, FORGET, GETATTR, SETATTR, OPEN, READ, WRITE, STATFS, RELEASE = 1, 2, 3, 4, 14, 15, 16, 17, 18
FSYNC, FLUSH, INIT, OPENDIR, RELEASEDIR, INTERRUPT, DESTROY, BATCH_FORGET = 20, 25, 26, 27, 29, 36, 38, 42

_ASYNC_READ, _BIG_WRITES, _ASYNC_DIO, _MAX_PAGES = 1 << 0, 1 << 5, 1 << 15, 1 << 22
_DIRECT_IO, _PARALLEL_DIRECT_WRITES = 1 << 0, 1 << 6
_IN = struct.Struct("=IIQQIIIHH")
_OUT = struct.Struct("=IiQ")
_ATTR = struct.Struct("=6Q10I")
_DATA_IN = struct.Struct("=QQII")
_WRITE_IN_BYTES = 40
_FOREVER = 1 << 30


def parse(request):
    """(operation, unique number, node, body) of a request, a memoryview."""
    _, operation, unique, node, *_ = _IN.unpack_from(request)
    return operation, unique, node, request[_IN.size:]


def reply(unique, body=b"", error=0):
    """A whole answer. error: a positive errno, or 0."""
    return _OUT.pack(_OUT.size + len(body), -error, unique) + body


def range_of(body):
    """(offset, length) of a READ's or WRITE's body."""
    _, offset, length, _ = _DATA_IN.unpack_from(body)
    return offset, length


def data_of(body, length):
    """What a WRITE brings."""
    return body[_WRITE_IN_BYTES:_WRITE_IN_BYTES + length]


def written(length):
    """The body that answers a WRITE."""
    return struct.pack("=II", length, 0)


def _attributes(node, size):
    if node == _ROOT:
        return _ATTR.pack(_ROOT, 0, 0, 0, 0, 0, 0, 0, 0, stat.S_IFDIR | 0o700, 2, 0, 0, 0, 4096, 0)
    return _ATTR.pack(_FILE, size, size // 512, 0, 0, 0, 0, 0, 0, stat.S_IFREG | 0o600, 1, 0, 0, 0, 4096, 0)


def answer(operation, unique, node, body, size):
    """The answer to everything but reads and writes; None where the kernel wants none."""
    if operation in (FORGET, BATCH_FORGET, INTERRUPT):
        return None
    if operation == INIT:
        flags = _ASYNC_READ | _BIG_WRITES | _ASYNC_DIO | _MAX_PAGES
        return reply(unique, struct.pack("=IIIIHHIIHH8I", 7, 31, MAX_BYTES, flags, 64, 48, MAX_BYTES, 1, MAX_BYTES // 4096, 0, *[0] * 8))
    if operation == LOOKUP:
        if bytes(body).rstrip(b"\0") != FILE_NAME:
            return reply(unique, error=errno.ENOENT)
        return reply(unique, struct.pack("=4Q2I", _FILE, 0, _FOREVER, _FOREVER, 0, 0) + _attributes(_FILE, size))
    if operation in (GETATTR, SETATTR):
        return reply(unique, struct.pack("=Q2I", _FOREVER, 0, 0) + _attributes(node, size))
    if operation == OPEN:
        return reply(unique, struct.pack("=QIi", 0, _DIRECT_IO | _PARALLEL_DIRECT_WRITES, 0))
    if operation == OPENDIR:
        return reply(unique, struct.pack("=QIi", 0, 0, 0))
    if operation == STATFS:
        return reply(unique, struct.pack("=5Q4I24x", size // 4096, 0, 0, 2, 0, 4096, 255, 4096, 0))
    if operation in (FLUSH, FSYNC, RELEASE, RELEASEDIR, DESTROY):
        return reply(unique)
    return reply(unique, error=errno.ENOSYS)
