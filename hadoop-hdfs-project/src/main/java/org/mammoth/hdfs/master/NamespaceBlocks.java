// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.mammoth.mpcache.master.BlockResolver;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.slave.AccessEvent;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Which data set a block belongs to: the longest input path of the job that reads it above its
 * file, by the NameNode's own tables; without such a job, the longest of {@code
 * mammoth.mpcache.data-sets}, or the file's directory. The namesystem's read lock is held for a few
 * hundred blocks at a time, and never while anything else is waited for.
 *
 * <p>Blocks of erasure-coded files belong to no data set and are not cached: a stripe's reader
 * needs all of its nodes. Safe for any thread.
 */
final class NamespaceBlocks implements BlockResolver {

  /** Blocks looked up, or files counted, under one holding of the lock. */
  static final int BATCH = 200;

  /** A data set's place: identity, directory, and whether what is below counts too. */
  record Place(DataSetId id, long inode, boolean deep) {}

  private final FSNamesystem namesystem;
  private final String pool;
  private final JobInputs inputs;
  private final List<DataSetId> roots;
  private final DataSetSizes sizes;
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong lockedNanos = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();

  /**
   * @param inputs what jobs read
   */
  NamespaceBlocks(FSNamesystem namesystem, JobInputs inputs, Configuration conf) {
    this.inputs = inputs;
    this.namesystem = namesystem;
    this.pool = namesystem.getBlockPoolId();
    this.roots = MpCacheKeys.DATA_SETS.get(conf);
    this.sizes =
        new DataSetSizes(
            this,
            namesystem,
            TimeUnit.SECONDS.toNanos(MpCacheKeys.DATA_SETS_REFRESH_S.get(conf)),
            System::nanoTime);
  }

  /** Runs something short under the namesystem's read lock, and takes the time. */
  void locked(Runnable look) {
    namesystem.readLock();
    long from = System.nanoTime();
    try {
      look.run();
    } finally {
      namesystem.readUnlock("mpcache");
      long took = System.nanoTime() - from;
      batches.incrementAndGet();
      lockedNanos.addAndGet(took);
      longestNanos.accumulateAndGet(took, Math::max);
    }
  }

  /** A block, and what the job that reads it has for input. */
  private record Read(long block, List<DataSetId> inputs) {}

  private Read read(BlockKey key, String reader) {
    return new Read(key.blockId(), inputs.of(reader));
  }

  /** Looks blocks up; the answer knows those, and looks up any other by itself. */
  BlockResolver lookUp(List<AccessEvent> accesses) {
    List<Read> wanted =
        accesses.stream()
            .filter(access -> access.key().pool().equals(pool))
            .map(access -> read(access.key(), access.reader()))
            .distinct()
            .toList();
    Set<Read> lookedUp = Set.copyOf(wanted);
    Map<Read, Place> places = new HashMap<>();
    for (int from = 0; from < wanted.size(); from += BATCH) {
      List<Read> batch = wanted.subList(from, Math.min(wanted.size(), from + BATCH));
      locked(() -> batch.forEach(read -> place(read).ifPresent(at -> places.put(read, at))));
    }
    Map<Place, Located> located = new LinkedHashMap<>();
    places.values().stream().distinct().forEach(place -> located.put(place, sizes.of(place)));
    return (key, reader) -> {
      Read read = read(key, reader);
      Place place = places.get(read);
      if (place != null) {
        return Optional.of(located.get(place));
      }
      return lookedUp.contains(read) ? Optional.empty() : resolve(key, reader);
    };
  }

  @Override
  public Optional<Located> resolve(BlockKey key, String reader) {
    List<Place> found = new ArrayList<>(1);
    locked(() -> place(read(key, reader)).ifPresent(found::add));
    return found.stream().findFirst().map(sizes::of);
  }

  private Optional<Place> place(Read read) {
    BlockInfo block = namesystem.getBlockManager().getStoredBlock(new Block(read.block()));
    if (block == null || block.isStriped() || block.isDeleted()) {
      return Optional.empty();
    }
    INodeFile file = namesystem.getBlockCollection(block.getBlockCollectionId());
    INodeDirectory parent = file == null ? null : file.getParent();
    if (parent == null) {
      return Optional.empty();
    }
    DataSetId directory = new DataSetId(parent.getFullPathName());
    DataSetId input =
        read.inputs().isEmpty() ? null : root(read.inputs(), new DataSetId(file.getFullPathName()));
    if (input != null && !input.isUnder(directory)) {
      return Optional.of(below(input, parent));
    }
    if (input != null && !input.equals(directory)) {
      return Optional.of(new Place(input, file.getId(), false));
    }
    DataSetId root = input == null ? root(roots, directory) : null;
    if (root == null) {
      return Optional.of(new Place(directory, parent.getId(), false));
    }
    return Optional.of(below(root, parent));
  }

  private static Place below(DataSetId root, INodeDirectory parent) {
    INodeDirectory top = parent;
    while (top.getParent() != null && !new DataSetId(top.getFullPathName()).equals(root)) {
      top = top.getParent();
    }
    return new Place(root, top.getId(), true);
  }

  private static DataSetId root(List<DataSetId> above, DataSetId path) {
    DataSetId longest = null;
    for (DataSetId root : above) {
      if (path.isUnder(root)
          && (longest == null || root.path().length() > longest.path().length())) {
        longest = root;
      }
    }
    return longest;
  }

  /** Times the lock was taken. */
  long batches() {
    return batches.get();
  }

  /** All the time it was held, ns. */
  long lockedNanos() {
    return lockedNanos.get();
  }

  /** The longest it was held at once, ns. */
  long longestNanos() {
    return longestNanos.get();
  }
}
