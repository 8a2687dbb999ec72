// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.Locale;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.config.MemoryKeys;

/**
 * How the engine divides its share of the node. Of the share, what {@code
 * mammoth.engine.heap-fraction} leaves goes to metaspace, threads and compiled code, the cache pool
 * lies outside or inside the heap by its buffer type, and the heap is what remains, unless {@code
 * mammoth.engine.java.opts} says how large it is.
 *
 * @param shareBytes the engine's share, after the control group's limit
 * @param heapBytes maximum Java heap
 * @param bufferType where the cache pool lies
 * @param unitBytes size of a cache unit
 * @param poolUnits number of cache units
 * @param elementBytes size of an element
 * @param elementSlabs number of elements
 * @param ioBytes what the ledger may lease beside pool and elements
 * @param explanation one paragraph for the log: what was chosen and why
 */
public record MemorySizing(
    long shareBytes,
    long heapBytes,
    BufferType bufferType,
    int unitBytes,
    int poolUnits,
    int elementBytes,
    int elementSlabs,
    long ioBytes,
    String explanation) {

  private static final long MIB = 1L << 20;

  /** Elements a slot works with at least: one collects, one is sorted, one is in the queue. */
  static final int LEAST_PER_SLOT = 3;

  /** What user code and Hadoop need at least of the heap. */
  private static final double LEAST_FOR_TASKS = 0.2;

  /** Bytes the ledger may lease at any time. */
  public long ledgerBytes() {
    return poolBytes() + elementPoolBytes() + ioBytes;
  }

  /** Bytes of the cache pool. */
  public long poolBytes() {
    return (long) unitBytes * poolUnits;
  }

  /** Bytes of the element pool. */
  public long elementPoolBytes() {
    return (long) elementBytes * elementSlabs;
  }

  /**
   * Bytes that a task which was alone could have in place of a heap of its own: of the heap, and of
   * the elements and the pool, which hold what its process would have sorted and received there.
   */
  public long loneTaskBytes() {
    long outside = bufferType == BufferType.DIRECT ? poolBytes() : 0;
    return Math.max(0, heapBytes + outside - ioBytes);
  }

  /** Bytes of the heap that elements and, where it lies there, the pool take for good. */
  public long heapBuffersBytes() {
    return elementPoolBytes() + (bufferType == BufferType.DIRECT ? 0 : poolBytes());
  }

  /** Makes the pool; one that checks its borrowers if the configuration says so. */
  public CachePool makePool(Configuration conf) {
    return MemoryKeys.LEAK_CHECK.get(conf)
        ? new LeakCheckingPool(bufferType, unitBytes, poolUnits)
        : new CachePool(bufferType, unitBytes, poolUnits);
  }

  /**
   * Sizes the engine. Nothing of the process that calls it has a part in that: a supervisor and its
   * engine, in control groups of their own, come to the same result.
   *
   * @param share what the engine was given of the node, in bytes
   * @param limit of the control group that the engine will be in, in bytes
   * @param mapSlots maps that may run at the same time, at least 1
   * @param ioBytes what queues of the I/O scheduler and the data cache may take, on the heap
   * @throws IllegalArgumentException naming the keys, if the parts do not fit the share
   */
  public static MemorySizing of(
      Configuration conf, long share, long limit, int mapSlots, long ioBytes) {
    if (mapSlots < 1) {
      throw new IllegalArgumentException("an engine of " + mapSlots + " map slots runs no map");
    }
    long real = Math.min(share, limit);
    int unit = (int) (MemoryKeys.UNIT_KB.get(conf) * 1024);
    long poolUnits = (long) (real * MemoryKeys.POOL_FRACTION.get(conf)) / unit;
    int element = (int) (MemoryKeys.ELEMENT_KB.get(conf) * 1024);
    long queue = MemoryKeys.ELEMENT_QUEUE_MB.get(conf) * MIB;
    long slabs =
        queue > 0
            ? mapSlots * ((queue + element - 1) / element + 2)
            : (long) (real * MemoryKeys.ELEMENT_FRACTION.get(conf)) / element;
    BufferType type = MemoryKeys.BUFFER_TYPE.get(conf);
    long inHeapAndPool = (long) (real * EngineKeys.HEAP_FRACTION.get(conf));
    OptionalLong told = LargestHeap.in(EngineKeys.JAVA_OPTS.get(conf));
    long heap = told.orElse(inHeapAndPool - (type == BufferType.DIRECT ? poolUnits * unit : 0));
    long ours = slabs * element + ioBytes + (type == BufferType.DIRECT ? 0 : poolUnits * unit);
    long guaranteed = MemoryKeys.GUARANTEED_UNITS.get(conf);
    require(
        poolUnits >= guaranteed * mapSlots && poolUnits <= Integer.MAX_VALUE,
        "The cache pool would have %d units, %d map slots need %d each. Change %s, %s or %s.",
        poolUnits,
        mapSlots,
        guaranteed,
        MemoryKeys.POOL_FRACTION.name(),
        MemoryKeys.UNIT_KB.name(),
        EngineKeys.MEMORY_MB.name());
    require(
        slabs >= (long) LEAST_PER_SLOT * mapSlots && slabs <= Integer.MAX_VALUE,
        "The element pool would have %d elements, %d map slots need %d each. Change %s, %s or %s.",
        slabs,
        mapSlots,
        LEAST_PER_SLOT,
        MemoryKeys.ELEMENT_FRACTION.name(),
        MemoryKeys.ELEMENT_QUEUE_MB.name(),
        EngineKeys.MEMORY_MB.name());
    require(
        heap - ours >= LEAST_FOR_TASKS * told.orElse(inHeapAndPool),
        "Of %d MiB of %s only %d MiB would be left to tasks. Lower %s, %s or %s%s.",
        told.orElse(inHeapAndPool) / MIB,
        told.isPresent() ? "heap (" + EngineKeys.JAVA_OPTS.name() + ")" : "heap and pool",
        (heap - ours) / MIB,
        MemoryKeys.POOL_FRACTION.name(),
        MemoryKeys.ELEMENT_FRACTION.name(),
        MemoryKeys.ELEMENT_QUEUE_MB.name(),
        told.isPresent() ? ", or raise the -Xmx in " + EngineKeys.JAVA_OPTS.name() : "");
    String text =
        String.format(
            Locale.ROOT,
            "The engine has %d MiB of this node%s. Cache pool: %d units of %d KiB, %d MiB of %s"
                + " memory (%s %s). Elements: %d of %d KiB, %d MiB, for %d map slots (%s). I/O and"
                + " data cache: up to %d MiB. Maximum heap: %d MiB%s, of which %d MiB are left to"
                + " tasks; %d MiB of the share are for metaspace, threads and code.",
            real / MIB,
            limit < share
                ? ", the limit of its control group, not the " + share / MIB + " MiB it was given"
                : "",
            poolUnits,
            unit / 1024,
            poolUnits * unit / MIB,
            type.name().toLowerCase(Locale.ROOT),
            MemoryKeys.POOL_FRACTION.name(),
            MemoryKeys.POOL_FRACTION.get(conf),
            slabs,
            element / 1024,
            slabs * element / MIB,
            mapSlots,
            queue > 0
                ? MemoryKeys.ELEMENT_QUEUE_MB.name() + " " + queue / MIB
                : MemoryKeys.ELEMENT_FRACTION.name() + " " + MemoryKeys.ELEMENT_FRACTION.get(conf),
            ioBytes / MIB,
            heap / MIB,
            told.isPresent() ? " (" + EngineKeys.JAVA_OPTS.name() + ")" : "",
            (heap - ours) / MIB,
            (real - inHeapAndPool) / MIB);
    return new MemorySizing(
        real, heap, type, unit, (int) poolUnits, element, (int) slabs, ioBytes, text);
  }

  private static void require(boolean holds, String message, Object... arguments) {
    if (!holds) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, message, arguments));
    }
  }
}
