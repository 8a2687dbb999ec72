# SPDX-License-Identifier: Apache-2.0
"""A process that serves one file, "disk", with the timing of one hard disk: harddisk.py IMAGE FOLDER BYTES_PER_SECOND.

The kernel's own means were tried first: cgroup blkio limits know bytes and operations per second, but not where on the
disk they are, so that they cannot tell a seek from a run; device mapper and nbd are not in every kernel. FUSE is, and
needs no library: the protocol is spoken here. The image's content comes from the machine's disk and page cache; a request
is answered when the modelled disk would have it.
"""

import ctypes
import errno
import os
import sys
import time

sys.dont_write_bytecode = True
if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
    import fuse
    from diskmodel import DiskModel
else:
    from . import fuse
    from .diskmodel import DiskModel

_MS_NOSUID, _MS_NODEV = 2, 4
_PR_SET_IO_FLUSHER = 57


def serve(device, image, model, size, clock=time.monotonic, sleep=time.sleep):
    """Answers requests of the kernel on device, a file descriptor, from image, another, until it is unmounted."""
    buffer = bytearray(fuse.BUFFER_BYTES)
    view = memoryview(buffer)
    while True:
        try:
            count = os.readv(device, [buffer])
        except OSError as error:
            if error.errno in (errno.EINTR, errno.EAGAIN, errno.ENOENT):  # ENOENT: the request was interrupted
                continue
            if error.errno == errno.ENODEV:  # unmounted
                return
            raise
        operation, unique, node, body = fuse.parse(view[:count])
        if operation in (fuse.READ, fuse.WRITE):
            now = clock()
            offset, length = fuse.range_of(body)
            done = model.finished_at(now, offset, length)
            response = _move(operation, unique, image, offset, length, body)
            left = done - clock()
            if left > 0:
                sleep(left)
        else:
            response = fuse.answer(operation, unique, node, body, size)
        if response is not None:
            try:
                os.write(device, response)
            except OSError as error:
                if error.errno != errno.ENOENT:  # whoever asked is gone
                    raise


def _move(operation, unique, image, offset, length, body):
    try:
        if operation == fuse.READ:
            return fuse.reply(unique, os.pread(image, length, offset))
        return fuse.reply(unique, fuse.written(os.pwrite(image, fuse.data_of(body, length), offset)))
    except OSError as error:
        return fuse.reply(unique, error=error.errno)


def mount(folder):
    """Mounts a FUSE file system there and returns the descriptor its requests come from. Needs root and /dev/fuse."""
    libc = ctypes.CDLL(None, use_errno=True)
    # Under memory pressure the kernel writes to this disk; this process must not wait for that.
    libc.prctl(_PR_SET_IO_FLUSHER, 1, 0, 0, 0)
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0"
    if libc.mount(b"mammoth-lab-hdd", folder.encode(), b"fuse.mammoth-lab", _MS_NOSUID | _MS_NODEV, options.encode()):
        number = ctypes.get_errno()
        raise OSError(number, f"cannot mount FUSE at {folder}: {os.strerror(number)}")
    return device


def main(image_path, folder, bytes_per_second):
    image = os.open(image_path, os.O_RDWR | os.O_CLOEXEC)
    size = os.fstat(image).st_size
    serve(mount(folder), image, DiskModel(size, bytes_per_second), size)


if __name__ == "__main__":
    main(*sys.argv[1:])
