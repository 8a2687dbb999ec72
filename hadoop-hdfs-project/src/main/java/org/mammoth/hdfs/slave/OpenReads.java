package org.mammoth.hdfs.slave;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Replicas that are being read. Upstream does not say when it has sent what was asked for, but the
 * thread that sends it is named after it until then. A reader may ask for a block in pieces, as
 * Mammoth's engines do when they read in turns: a piece from within a block counts for a moment
 * after it has been sent, and so does one from its beginning if its reader is new. Safe for any
 * thread.
 */
final class OpenReads {

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Between two pieces: turns of some other readers of the disk, and what a map needs for one. */
  private static final long PIECES_APART_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Bytes of a block that nobody reads in pieces. */
  private static final long SHORT = 3L << 20;

  /**
   * The latest read of a block.
   *
   * @param client who reads, by the sender's name
   * @param offset where it begins
   * @param firstSince when the client began to read of the block
   */
  private record Read(Thread sender, String client, long offset, long since, long firstSince) {}

  private final LongSupplier nanoClock;
  private final Map<BlockKey, Read> reads = new ConcurrentHashMap<>();

  /**
   * @param nanoClock goes forward only
   */
  OpenReads(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A thread begins to send a replica, from {@code offset} on. */
  void begin(BlockKey key, long offset, Thread sender) {
    long now = nanoClock.getAsLong();
    String client = client(sender.getName());
    reads.merge(
        key,
        new Read(sender, client, offset, now, now),
        (before, read) ->
            before.client.equals(client)
                ? new Read(sender, client, offset, now, before.firstSince)
                : read);
  }

  private static String client(String sender) {
    int address = sender.indexOf(" at ");
    return address < 0 ? sender : sender.substring(0, address);
  }

  /**
   * Whether the replica is being sent to whoever asked last, or he asked so lately that he may want
   * the next piece; after five minutes he no longer counts.
   */
  boolean isOpen(BlockKey key) {
    Read read = reads.get(key);
    if (read == null) {
      return false;
    }
    long now = nanoClock.getAsLong();
    boolean sends =
        read.sender.isAlive()
            && read.sender.getName().contains(":blk_" + key.blockId() + "_")
            && now - read.since < LONGEST_NANOS;
    boolean isPiece =
        key.length() > SHORT && (read.offset > 0 || now - read.firstSince < PIECES_APART_NANOS);
    return sends || isPiece && now - read.since < PIECES_APART_NANOS;
  }

  /** Forgets those that have ended; who reads on before the next call has read all the time. */
  void forgetEnded() {
    long now = nanoClock.getAsLong();
    reads
        .entrySet()
        .removeIf(
            read -> now - read.getValue().since >= PIECES_APART_NANOS && !isOpen(read.getKey()));
  }
}
