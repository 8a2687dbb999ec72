// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of files below an SSD directory. The name of a copy holds all that says whether it is
 * valid, its CRC32C too, so that one rename publishes the bytes and their checksum together. The
 * serial number is never used twice: deleting an old copy cannot hit a newer one of the same key.
 *
 * <pre>
 * blocks/&lt;pool&gt;/&lt;2 hex&gt;/blk_&lt;id&gt;_&lt;generation stamp&gt;_&lt;length&gt;_&lt;crc32c, 8 hex&gt;_&lt;serial&gt;
 * filling/&lt;number&gt;.tmp
 * filling/&lt;number&gt;.probe
 * </pre>
 */
final class BlockLayout {

  /** A copy's name, read. */
  record Found(BlockKey key, int crc, long serial) {}

  private static final Pattern NAME =
      Pattern.compile("blk_(-?\\d{1,19})_(\\d{1,19})_(\\d{1,19})_([0-9a-f]{8})_(\\d{1,18})");

  private BlockLayout() {}

  static Path blocks(Path root) {
    return root.resolve("blocks");
  }

  static Path filling(Path root) {
    return root.resolve("filling");
  }

  static Path file(Path root, BlockKey key, int crc, long serial) {
    return blocks(root)
        .resolve(key.pool())
        .resolve(String.format("%02x", Long.hashCode(key.blockId() * 0x9E3779B97F4A7C15L) & 0xff))
        .resolve(
            String.format(
                "blk_%d_%d_%d_%08x_%d",
                key.blockId(), key.generationStamp(), key.length(), crc, serial));
  }

  /** What a file below {@link #blocks} is; empty if it is none of ours. */
  static Optional<Found> read(Path root, Path file) {
    Path inside = blocks(root).relativize(file);
    Matcher name = NAME.matcher(inside.getFileName().toString());
    if (inside.getNameCount() != 3 || !name.matches()) {
      return Optional.empty();
    }
    try {
      BlockKey key =
          new BlockKey(
              inside.getName(0).toString(),
              Long.parseLong(name.group(1)),
              Long.parseLong(name.group(2)),
              Long.parseLong(name.group(3)));
      return Optional.of(
          new Found(
              key, Integer.parseUnsignedInt(name.group(4), 16), Long.parseLong(name.group(5))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
