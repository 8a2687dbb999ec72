// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;
import org.mammoth.hdfs.replicas.ReadCache;
import org.mammoth.hdfs.replicas.ReadCache.Served;
import org.mammoth.hdfs.replicas.Replicas;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * The DataNode's stock data set with a cache before its reads. It stands in this package because
 * {@code FsDatasetImpl}, its constructor and its replica map are package-private, and because
 * upstream casts a DataNode's data set to that class.
 *
 * <p>What counts is the look-up at each open: a copy serves only a finalized replica of the same
 * generation stamp and length. The other overrides free space early and take back descriptors.
 *
 * <p>Not final, as upstream's tests spy on their data sets.
 */
public class CachedReadDataset extends FsDatasetImpl implements Replicas {

  /** Null while the super class's constructor runs, which calls overridden methods. */
  private volatile ReadCache cache;

  /**
   * Blocks that an administrator has HDFS keep in this DataNode's memory ({@code hdfs cacheadmin}),
   * or that are on their way there. Memory is faster than a copy; and clients compare no checksums
   * of what they read by a descriptor of such a block, which they may of the replica alone.
   */
  private final Set<ExtendedBlockId> inMemory = ConcurrentHashMap.newKeySet();

  /** What a thread was given last whose second question, for the checksums, is still to come. */
  private final ThreadLocal<Handed> handed = new ThreadLocal<>();

  /** The block for which this thread's client has a place in memory that it shares with us. */
  private final ThreadLocal<ExtendedBlockId> slotted = new ThreadLocal<>();

  /** The checksums that go with a copy that was handed out. */
  private record Handed(BlockKey key, FileInputStream checksums) {}

  /**
   * @param caches makes the cache over this data set's replicas
   */
  public CachedReadDataset(
      DataNode datanode,
      DataStorage storage,
      Configuration conf,
      Function<Replicas, ReadCache> caches)
      throws IOException {
    super(datanode, storage, conf);
    cache = caches.apply(this);
  }

  /** The cache before the reads; null if it could not begin. */
  public ReadCache cache() {
    return cache;
  }

  /** Upstream asks when it registers such a place for a client that wants a block's file. */
  @Override
  public boolean isCached(String bpid, long blockId) {
    slotted.set(new ExtendedBlockId(blockId, bpid));
    return super.isCached(bpid, blockId);
  }

  private boolean takeSlot(ExtendedBlock b) {
    ExtendedBlockId last = slotted.get();
    if (last != null) {
      slotted.remove();
    }
    return ExtendedBlockId.fromExtendedBlock(b).equals(last);
  }

  @Override
  public InputStream getBlockInputStream(ExtendedBlock b, long seekOffset) throws IOException {
    ReadCache asked = cache;
    boolean told = asked != null && takeSlot(b);
    if (asked != null && asked.serves(Thread.currentThread())) {
      forgetHanded();
      Optional<BlockKey> key = finalized(b.getBlockPoolId(), b.getBlockId());
      if (key.isPresent()
          && key.get().generationStamp() == b.getGenerationStamp()
          && !inMemory.contains(ExtendedBlockId.fromExtendedBlock(b))) {
        Optional<Served> copy = asked.read(key.get(), seekOffset, told);
        if (copy.isPresent()) {
          if (copy.get().checksums() != null) {
            handed.set(new Handed(key.get(), copy.get().checksums()));
          }
          return copy.get().data();
        }
      }
    }
    return super.getBlockInputStream(b, seekOffset);
  }

  private void forgetHanded() throws IOException {
    Handed last = handed.get();
    if (last != null) {
      handed.remove();
      last.checksums().close();
    }
  }

  /**
   * A client that reads a copy's file itself compares it with the checksums it is given along:
   * those of the moment the copy was taken, as an append rewrites the last of the replica's own in
   * place.
   */
  @Override
  public LengthInputStream getMetaDataInputStream(ExtendedBlock b) throws IOException {
    // Asked for by the super class's constructor, too, at which time there is nothing of ours.
    Handed last = handed == null ? null : handed.get();
    if (last != null
        && last.key().blockId() == b.getBlockId()
        && last.key().pool().equals(b.getBlockPoolId())
        && last.key().generationStamp() == b.getGenerationStamp()) {
      handed.remove();
      return new LengthInputStream(last.checksums(), last.checksums().getChannel().size());
    }
    return super.getMetaDataInputStream(b);
  }

  @Override
  public Optional<BlockKey> finalized(String pool, long blockId) {
    try (AutoCloseDataSetLock held =
        acquireDatasetLockManager().readLock(LockLevel.BLOCK_POOl, pool)) {
      ReplicaInfo replica = volumeMap.get(pool, blockId);
      if (replica == null
          || replica.getState() != ReplicaState.FINALIZED
          || replica.getVolume().isTransientStorage()) {
        return Optional.empty();
      }
      return Optional.of(
          new BlockKey(pool, blockId, replica.getGenerationStamp(), replica.getNumBytes()));
    }
  }

  private static ExtendedBlock block(BlockKey key) {
    return new ExtendedBlock(key.pool(), key.blockId(), key.length(), key.generationStamp());
  }

  @Override
  public InputStream data(BlockKey key, long offset) throws IOException {
    return super.getBlockInputStream(block(key), offset);
  }

  @Override
  public FileInputStream checksums(BlockKey key) throws IOException {
    var meta = getMetaDataInputStream(block(key));
    if (meta == null) {
      throw new FileNotFoundException("no checksums of block " + key);
    }
    if (meta.getWrappedStream() instanceof FileInputStream file) {
      return file;
    }
    meta.close();
    throw new FileNotFoundException("the checksums of block " + key + " are in no local file");
  }

  @Override
  public Closeable hold(BlockKey key) throws IOException {
    FsVolumeImpl volume = getVolume(block(key));
    if (volume == null) {
      throw new FileNotFoundException("no replica of block " + key);
    }
    return volume.obtainReference();
  }

  private void changed(String pool, long blockId) {
    ReadCache asked = cache;
    if (asked != null) {
      asked.changed(pool, blockId);
    }
  }

  /** A pool that some volume cannot take has the replicas of all others, and is used. */
  @Override
  public void addBlockPool(String bpid, Configuration conf) throws IOException {
    try {
      super.addBlockPool(bpid, conf);
    } catch (AddBlockPoolException e) {
      poolAdded(bpid);
      throw e;
    }
    poolAdded(bpid);
  }

  private void poolAdded(String bpid) {
    ReadCache asked = cache;
    if (asked != null) {
      asked.poolAdded(bpid);
    }
  }

  /** Also whenever the DataNode stops. */
  @Override
  public void shutdownBlockPool(String bpid) {
    ReadCache asked = cache;
    if (asked != null) {
      asked.poolLeaves(bpid);
    }
    super.shutdownBlockPool(bpid);
  }

  @Override
  public ReplicaHandler createRbw(
      StorageType type, String storage, ExtendedBlock b, boolean lazyPersist, long newGS)
      throws IOException {
    ReplicaHandler created = super.createRbw(type, storage, b, lazyPersist, newGS);
    ReadCache asked = cache;
    if (asked != null) {
      asked.writing(b.getBlockPoolId(), b.getBlockId());
    }
    return created;
  }

  @Override
  public ReplicaHandler append(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    try {
      return super.append(b, newGS, expectedBlockLen);
    } finally {
      changed(b.getBlockPoolId(), b.getBlockId());
    }
  }

  @Override
  public ReplicaHandler recoverAppend(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    try {
      return super.recoverAppend(b, newGS, expectedBlockLen);
    } finally {
      changed(b.getBlockPoolId(), b.getBlockId());
    }
  }

  @Override
  public Replica recoverClose(ExtendedBlock b, long newGS, long expectedBlockLen)
      throws IOException {
    try {
      return super.recoverClose(b, newGS, expectedBlockLen);
    } finally {
      changed(b.getBlockPoolId(), b.getBlockId());
    }
  }

  @Override
  public ReplicaRecoveryInfo initReplicaRecovery(RecoveringBlock rBlock) throws IOException {
    try {
      return super.initReplicaRecovery(rBlock);
    } finally {
      changed(rBlock.getBlock().getBlockPoolId(), rBlock.getBlock().getBlockId());
    }
  }

  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock oldBlock, long recoveryId, long newBlockId, long newlength) throws IOException {
    try {
      return super.updateReplicaUnderRecovery(oldBlock, recoveryId, newBlockId, newlength);
    } finally {
      changed(oldBlock.getBlockPoolId(), oldBlock.getBlockId());
    }
  }

  @Override
  public void invalidate(String bpid, Block[] invalidBlks) throws IOException {
    try {
      super.invalidate(bpid, invalidBlks);
    } finally {
      for (Block block : invalidBlks) {
        inMemory.remove(new ExtendedBlockId(block.getBlockId(), bpid));
        changed(bpid, block.getBlockId());
      }
    }
  }

  @Override
  public void invalidate(String bpid, ReplicaInfo block) {
    super.invalidate(bpid, block);
    changed(bpid, block.getBlockId());
  }

  /**
   * Upstream asks for this also where a reader came just while an append renamed the files, and
   * would take a good replica out of its map; so it is looked for once more, with renames shut out.
   */
  @Override
  public void invalidateMissingBlock(String bpid, Block block) {
    try (AutoCloseDataSetLock held =
        acquireDatasetLockManager().writeLock(LockLevel.BLOCK_POOl, bpid)) {
      ReplicaInfo replica = volumeMap.get(bpid, block.getBlockId());
      if (replica != null && replica.blockDataExists() && replica.metadataExists()) {
        return;
      }
      super.invalidateMissingBlock(bpid, block);
    }
    changed(bpid, block.getBlockId());
  }

  /**
   * Takes descriptors of copies back before upstream says that checksums need not be compared;
   * once, as the NameNode repeats its order until the block is there.
   */
  @Override
  public void cache(String bpid, long[] blockIds) {
    for (long id : blockIds) {
      if (inMemory.add(new ExtendedBlockId(id, bpid))) {
        changed(bpid, id);
      }
    }
    super.cache(bpid, blockIds);
  }

  @Override
  public void uncache(String bpid, long[] blockIds) {
    super.uncache(bpid, blockIds);
    for (long id : blockIds) {
      inMemory.remove(new ExtendedBlockId(id, bpid));
    }
  }

  @Override
  public void unfinalizeBlock(ExtendedBlock b) throws IOException {
    super.unfinalizeBlock(b);
    changed(b.getBlockPoolId(), b.getBlockId());
  }

  @Override
  public void shutdown() {
    ReadCache asked = cache;
    try {
      if (asked != null) {
        asked.close();
      }
    } finally {
      super.shutdown();
    }
  }
}
