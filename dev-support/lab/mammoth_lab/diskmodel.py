# SPDX-License-Identifier: Apache-2.0
"""When a hard disk would have finished its requests."""

#: One arm over platters of 7,200 revolutions a minute: some 100 random reads of 64 KiB a second, 150 MB/s in a row.
TRACK_SECONDS = 0.001
SEEK_SECONDS = 0.003
LONG_SEEK_SECONDS = 0.005
TURN_SECONDS = 60 / 7200
BYTES_PER_SECOND = 150e6
#: A request so near to the end of the last one costs no turn: track buffer and read-ahead of the disk have it.
NEAR_BYTES = 2 << 20
#: A request that comes so shortly after the last one ended was waiting already; our own slowness must not slow the disk.
SLACK_SECONDS = 0.0005


class DiskModel:
    """One arm, which serves one request after the other in the order they come. For one thread; clock values in seconds."""

    def __init__(self, size, bytes_per_second=BYTES_PER_SECOND):
        self._size = size
        self._speed = float(bytes_per_second)
        self._head = 0
        self._free_at = float("-inf")

    def finished_at(self, now, offset, length):
        """When a request of length bytes at offset that is seen now is done. Never before now."""
        begin = self._free_at if now - self._free_at < SLACK_SECONDS else now
        self._free_at = begin + self._arm_seconds(abs(offset - self._head)) + length / self._speed
        self._head = offset + length
        return max(now, self._free_at)

    def _arm_seconds(self, distance):
        if distance == 0:
            return 0.0
        if distance <= NEAR_BYTES:
            return TRACK_SECONDS
        # The arm accelerates for half of its way; then half a turn passes until the sector comes by.
        return SEEK_SECONDS + LONG_SEEK_SECONDS * (distance / self._size) ** 0.5 + TURN_SECONDS / 2
