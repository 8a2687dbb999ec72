// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import java.util.List;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;
import org.mammoth.config.names.KeyNames;

/** Every configuration key of the node's I/O scheduler. */
public final class IoKeys {

  public static final ConfigKey<Long> THREADS_PER_DISK =
      ConfigKey.ofLong(
              "mammoth.io.threads-per-disk",
              1,
              1,
              16,
              "threads",
              Scope.NODE,
              "How many files of one disk are read or written at the same time; 1 keeps the access to a"
                  + " spinning disk sequential, an SSD may gain from more.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> QUEUE_UNITS =
      ConfigKey.ofLong(
          "mammoth.io.queue-units",
          5,
          1,
          1024,
          "cache units",
          Scope.NODE,
          "How much one file may have waiting for its disk before whoever writes it has to wait.");

  public static final ConfigKey<String> SPINNING_DIRS =
      ConfigKey.ofString(
              "mammoth.io.spinning-dirs",
              "auto",
              Scope.NODE,
              "Those of yarn.nodemanager.local-dirs, comma-separated, that lie on spinning disks. Such a"
                  + " disk moves several cache units in one turn, past the page cache where it writes,"
                  + " and reads HDFS blocks of its DataNode in turns too. 'auto' has the NodeManager time"
                  + " seeks in a file of 64 MiB in each directory, once; 'none' and 'all' say it without.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> BURST_UNITS =
      ConfigKey.ofLong(
              "mammoth.io.burst-units",
              4,
              1,
              64,
              "cache units",
              Scope.NODE,
              "How many cache units of one file a spinning disk moves in one turn at most; other disks"
                  + " move one.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Boolean> INPUT_TURNS =
      ConfigKey.ofBoolean(
              "mammoth.io.input-turns",
              true,
              Scope.NODE,
              "Whether tasks read blocks of this node's DataNode in turns with the local files of the"
                  + " same spinning disk, and ahead of their record readers.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> READ_BUFFER_KB =
      ConfigKey.ofLong(
          "mammoth.io.read-buffer-kb",
          64,
          4,
          2048,
          "KiB",
          Scope.NODE,
          "Size of each of the two heap buffers a file is read back with while no cache unit is"
              + " free.");

  public static final ConfigKey<Boolean> CHECKSUM =
      ConfigKey.ofBoolean(
          "mammoth.io.checksum",
          true,
          Scope.NODE,
          "Whether the CRC-32 of each block of a written file is taken on the way to the disk, and"
              + " compared when the block is read back. Without it what a disk has damaged is noticed"
              + " at the end of its segment, as upstream's merge does.");

  public static final ConfigKey<Long> AGING_AFTER_MS =
      ConfigKey.ofLong(
          "mammoth.io.aging.after-ms",
          1_000,
          0,
          3_600_000,
          "ms",
          Scope.NODE,
          "A file that waited this long for its turn is overdue, whatever its priority.");

  public static final ConfigKey<Long> AGING_TURNS =
      ConfigKey.ofLong(
          "mammoth.io.aging.turns",
          8,
          2,
          1_000_000,
          "turns",
          Scope.NODE,
          "One of this many turns of a disk may go to an overdue file of lower priority; all others"
              + " follow the priorities.");

  public static final ConfigKey<Long> QUARANTINE_TIME_MS =
      ConfigKey.ofLong(
          KeyNames.QUARANTINE_TIME_MS,
          60_000,
          100,
          86_400_000,
          "ms",
          Scope.NODE,
          "How long a local directory is left out after an I/O error before a probe file is tried"
              + " in it.");

  public static final ConfigKey<Long> FULL_RETRY_MS =
      ConfigKey.ofLong(
          KeyNames.FULL_RETRY_MS,
          10_000,
          100,
          86_400_000,
          "ms",
          Scope.NODE,
          "How often the free space of a full local directory is looked at.");

  public static final ConfigKey<Long> FULL_FREE_MB =
      ConfigKey.ofLong(
          "mammoth.io.full.free-mb",
          512,
          0,
          1L << 30,
          "MiB",
          Scope.NODE,
          "A local directory that was full is used again when this much is free.");

  public static final ConfigKey<Long> STALL_TIMEOUT_MS =
      ConfigKey.ofLong(
          "mammoth.io.stall.timeout-ms",
          300_000,
          1_000,
          86_400_000,
          "ms",
          Scope.NODE,
          "When one turn of a disk, a read or write of at most mammoth.io.burst-units cache units,"
              + " takes longer than this, the disk counts as hung: its files fail and its directories"
              + " are left out.");

  public static final ConfigKey<List<String>> SSD_DIRS =
      ConfigKey.ofList(
              KeyNames.SSD_DIRS,
              "",
              "directory, ...",
              Scope.NODE,
              "Those of yarn.nodemanager.local-dirs, comma-separated, that are the folder 'localized' of"
                  + " a directory in mammoth.mpcache.dirs: spills, merges and map output go there while"
                  + " the DataNode's SSD cache lends room for them, and nothing else of a task does."
                  + " Never the first of the local directories.",
              text -> text)
          .tagged(Tag.PERFORMANCE);

  private IoKeys() {}
}
