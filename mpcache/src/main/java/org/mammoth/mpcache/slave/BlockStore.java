// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * Copies of blocks as files in several SSD directories. A copy is written under a temporary name,
 * read back, compared by CRC32C and published by one rename. One that was found after a restart is
 * served as well, so that readers have to compare what they read with the replica's checksums, as
 * HDFS does; {@link #verify} finds bad ones before a reader does. Every failure ends in a miss,
 * none in an error of a reader.
 *
 * <p>Safe for any thread; no lock is held over I/O, and no file is deleted by the thread that drops
 * a copy. A copy that is evicted while somebody reads it stays readable through the open
 * descriptor. There is one copy per block: a newer generation stamp or length replaces the older.
 */
public final class BlockStore {

  private static final int CHUNK = 1 << 16;

  private record Name(String pool, long blockId) {
    static Name of(BlockKey key) {
      return new Name(key.pool(), key.blockId());
    }
  }

  private static final class Copy {
    final BlockKey key;
    final SsdDirectory directory;
    final int crc;
    final long serial;

    Copy(BlockKey key, SsdDirectory directory, int crc, long serial) {
      this.key = key;
      this.directory = directory;
      this.crc = crc;
      this.serial = serial;
    }

    Path file() {
      return BlockLayout.file(directory.path(), key, crc, serial);
    }
  }

  private final List<SsdDirectory> directories;
  private final SsdFiles files;
  private final LongSupplier inputCapacity;
  private final StoreListener listener;
  private final Deletions deletions;
  private final SsdReads reads = new SsdReads();
  private final Map<Name, Copy> index = new ConcurrentHashMap<>();
  private final Map<Name, Boolean> filling = new ConcurrentHashMap<>();
  private final AtomicLong inputUsed = new AtomicLong();
  private final AtomicLong serials = new AtomicLong();
  private final AtomicLongArray fills = new AtomicLongArray(FillResult.values().length);

  /**
   * @param directories at least one; call {@link #recover} before the first fill
   * @param inputCapacity bytes the Input Cache may use at this moment
   * @param deleters who deletes the files of a directory, one thread for each
   */
  public BlockStore(
      List<SsdDirectory> directories,
      SsdFiles files,
      LongSupplier inputCapacity,
      StoreListener listener,
      Function<SsdDirectory, Executor> deleters) {
    if (directories.isEmpty()) {
      throw new IllegalArgumentException("the cache has no directory (mammoth.mpcache.dirs)");
    }
    this.directories = List.copyOf(directories);
    this.files = files;
    this.inputCapacity = inputCapacity;
    this.listener = listener;
    this.deletions = new Deletions(files, deleters, reads);
  }

  /**
   * Reads the index from the directories: remains of unfinished fills are deleted, copies nobody
   * wants too, the others indexed and served. A directory that cannot be used is left out and says
   * why in {@link SsdDirectory#failure}; one that has failed before is not touched.
   *
   * @param wanted whether the key is that of a finalized replica
   * @return the copies to verify
   */
  public List<BlockKey> recover(Predicate<BlockKey> wanted) {
    List<BlockKey> found = new ArrayList<>();
    for (SsdDirectory directory : directories) {
      if (!directory.healthy()) {
        continue;
      }
      try {
        files.makeFolder(BlockLayout.blocks(directory.path()));
        files.makeFolder(BlockLayout.filling(directory.path()));
        for (Path rest : files.list(BlockLayout.filling(directory.path()))) {
          files.delete(rest);
        }
        for (Path file : files.list(BlockLayout.blocks(directory.path()))) {
          recover(directory, file, wanted).ifPresent(found::add);
        }
        probeAtStart(directory);
      } catch (IOException e) {
        quarantine(directory, e.toString());
      }
    }
    found.removeIf(key -> !holds(key));
    return found;
  }

  private void probeAtStart(SsdDirectory directory) throws IOException {
    try {
      probe(directory);
    } catch (IOException e) {
      // What is there can be read; more comes once there is room.
      if (!DeviceErrors.isFull(e)) {
        throw e;
      }
    }
  }

  private Optional<BlockKey> recover(SsdDirectory directory, Path file, Predicate<BlockKey> wanted)
      throws IOException {
    Optional<BlockLayout.Found> name = BlockLayout.read(directory.path(), file);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    BlockKey key = name.get().key();
    Copy copy = new Copy(key, directory, name.get().crc(), name.get().serial());
    serials.accumulateAndGet(copy.serial, Math::max);
    if (!copy.file().equals(file) || directory.free() < key.length() || !wanted.test(key)) {
      files.delete(file);
      return Optional.empty();
    }
    Copy other = index.putIfAbsent(Name.of(key), copy);
    if (other != null) {
      // Two states of a block: at most one is valid and neither is trusted on a guess.
      files.delete(file);
      return Optional.empty();
    }
    directory.found(key.length());
    inputUsed.addAndGet(key.length());
    return Optional.of(key);
  }

  /**
   * Reads a copy and compares it with its checksum.
   *
   * @return false if there is none, if it was not what it should be and is gone, or if it cannot be
   *     read now, as by a process without descriptors; then it is still there
   */
  public boolean verify(BlockKey key, BandwidthLimiter limiter) throws InterruptedException {
    Copy copy = find(key);
    if (copy == null) {
      return false;
    }
    try {
      if (checksum(copy.directory, copy.file(), key.length(), limiter) != copy.crc) {
        lose(copy, "its checksum differs");
        return false;
      }
    } catch (IOException e) {
      trouble(copy, e);
      return false;
    }
    return index.get(Name.of(key)) == copy;
  }

  /** CRC32C of a file of that length, or something else if it has another length. */
  private int checksum(SsdDirectory directory, Path file, long length, BandwidthLimiter limiter)
      throws IOException, InterruptedException {
    CRC32C crc = new CRC32C();
    byte[] chunk = new byte[CHUNK];
    long total = 0;
    try (FileInputStream in = files.open(file);
        SsdReads.Reader reader = reads.of(directory)) {
      for (int n = read(in, chunk, reader); n > 0; n = read(in, chunk, reader)) {
        limiter.pass(n);
        crc.update(chunk, 0, n);
        total += n;
      }
    }
    if (total != length) {
      throw new IOException(file + " has " + total + " bytes, not " + length);
    }
    return (int) crc.getValue();
  }

  private static int read(InputStream in, byte[] chunk, SsdReads.Reader reader) throws IOException {
    reader.begin();
    try {
      return in.read(chunk);
    } finally {
      reader.end();
    }
  }

  /**
   * Opens a copy.
   *
   * @param offset where the stream shall stand, 0 to the length
   * @return empty on a miss, also when the device fails
   */
  public Optional<FileInputStream> open(BlockKey key, long offset) {
    Copy copy = find(key);
    if (copy == null || !copy.directory.healthy()) {
      return Optional.empty();
    }
    try (SsdReads.Reader reader = reads.of(copy.directory)) {
      reader.begin();
      FileInputStream in = files.open(copy.file());
      try {
        in.getChannel().position(offset);
        return Optional.of(in);
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    } catch (IOException e) {
      if (index.get(Name.of(key)) == copy) {
        trouble(copy, e);
      }
      return Optional.empty();
    }
  }

  /**
   * Looks after the reads of a copy that was opened: a directory that does not answer one is left
   * out.
   *
   * @return to be told of each read, and closed
   */
  public SsdReads.Reader reader(BlockKey key) {
    Copy copy = index.get(Name.of(key));
    return copy == null ? SsdReads.unwatched() : reads.of(copy.directory);
  }

  /**
   * Leaves out directories that do not answer; call once a second, from one thread, which waits for
   * no SSD. Their files stay for the next start: they are asked for nothing more.
   */
  public void look() {
    for (SsdDirectory directory : reads.hanging()) {
      String why =
          "a read or a delete was not answered for "
              + SsdReads.LONGEST_LOOKS
              + " s; see what the kernel says of the device, then restart the DataNode";
      if (directory.fail(why)) {
        copiesOf(directory).forEach(copy -> lose(copy, why, this::leave));
      }
    }
  }

  /** Waits for what is being deleted, some seconds at most, so that its room can be had. */
  public void settle() throws InterruptedException {
    deletions.settle();
  }

  /** The copy of exactly this key; one of an older state is dropped on sight. */
  private Copy find(BlockKey key) {
    Copy copy = index.get(Name.of(key));
    if (copy == null || copy.key.equals(key)) {
      return copy;
    }
    if (copy.key.generationStamp() <= key.generationStamp()) {
      lose(copy, "the replica has changed");
    }
    return null;
  }

  /** Whether a copy of exactly this key is indexed, verified or not. */
  public boolean holds(BlockKey key) {
    Copy copy = index.get(Name.of(key));
    return copy != null && copy.key.equals(key);
  }

  /** The state of a block of which there is a copy, verified or not. */
  public Optional<BlockKey> held(String pool, long blockId) {
    return Optional.ofNullable(index.get(new Name(pool, blockId))).map(copy -> copy.key);
  }

  /** Whether a copy of any state of the block is indexed. */
  boolean holdsAny(String pool, long blockId) {
    return index.containsKey(new Name(pool, blockId));
  }

  /** Copies a block beside its reader: write, read back, compare, publish. */
  public FillResult fill(BlockKey key, FillSource source, BandwidthLimiter limiter) {
    FillResult result = tryFill(key, source, limiter);
    fills.incrementAndGet(result.ordinal());
    return result;
  }

  /** How many fills have ended so. */
  public long fills(FillResult result) {
    return fills.get(result.ordinal());
  }

  private FillResult tryFill(BlockKey key, FillSource source, BandwidthLimiter limiter) {
    Name name = Name.of(key);
    if (find(key) != null || filling.putIfAbsent(name, true) != null) {
      return FillResult.ALREADY;
    }
    try {
      if (index.containsKey(name)) {
        return FillResult.ALREADY;
      }
      if (inputUsed.addAndGet(key.length()) > inputCapacity.getAsLong()) {
        inputUsed.addAndGet(-key.length());
        return FillResult.NO_ROOM;
      }
      SsdDirectory directory = reserve(key.length());
      if (directory == null) {
        // The copy that was dropped for this one may not be deleted yet.
        directory = settled(key.length());
      }
      if (directory == null) {
        inputUsed.addAndGet(-key.length());
        return FillResult.NO_ROOM;
      }
      // What is no FillResult, such as a lack of memory, gives its room back too.
      FillResult result = null;
      try {
        result = fill(name, key, directory, source, limiter);
      } finally {
        if (result != FillResult.FILLED) {
          directory.release(key.length());
          inputUsed.addAndGet(-key.length());
        }
      }
      return result;
    } finally {
      filling.remove(name);
    }
  }

  private SsdDirectory settled(long bytes) {
    try {
      settle();
      return reserve(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private SsdDirectory reserve(long bytes) {
    List<SsdDirectory> byRoom = new ArrayList<>(directories);
    byRoom.sort(Comparator.comparingLong(SsdDirectory::free).reversed());
    for (SsdDirectory directory : byRoom) {
      if (directory.reserve(bytes)) {
        return directory;
      }
    }
    return null;
  }

  private FillResult fill(
      Name name,
      BlockKey key,
      SsdDirectory directory,
      FillSource source,
      BandwidthLimiter limiter) {
    long serial = serials.incrementAndGet();
    Path temporary = BlockLayout.filling(directory.path()).resolve(serial + ".tmp");
    FillResult result = null;
    try {
      if (files.usableBytes(directory.path()) < key.length()) {
        return FillResult.NO_ROOM;
      }
      FillWriter writer = new FillWriter(key.length(), limiter);
      result = writer.copy(source, files, temporary);
      if (result == FillResult.FILLED) {
        result = publish(name, new Copy(key, directory, writer.crc(), serial), temporary, source);
      }
    } catch (IOException e) {
      suspect(directory, e);
      result = DeviceErrors.isFull(e) ? FillResult.NO_ROOM : FillResult.DISK_FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result = FillResult.STOPPED;
    } finally {
      if (result != FillResult.FILLED) {
        deletions.discard(temporary);
      }
    }
    return result;
  }

  private FillResult publish(Name name, Copy copy, Path temporary, FillSource source)
      throws IOException, InterruptedException {
    BandwidthLimiter unlimited = new BandwidthLimiter(Pace.ofSystem(), 0);
    if (checksum(copy.directory, temporary, copy.key.length(), unlimited) != copy.crc) {
      suspect(copy.directory, new IOException(temporary + " does not hold what was written to it"));
      return FillResult.DISK_FAILED;
    }
    if (!source.stillValid()) {
      return FillResult.STALE;
    }
    Path file = copy.file();
    files.makeFolder(file.getParent());
    files.rename(temporary, file);
    index.put(name, copy);
    if (!copy.directory.healthy() && unindex(copy)) {
      // The directory was given up between the reservation and now.
      return FillResult.DISK_FAILED;
    }
    return FillResult.FILLED;
  }

  /** Drops a copy on order; readers that hold it open go on. False if there was none. */
  public boolean evict(String pool, long blockId) {
    Copy copy = index.get(new Name(pool, blockId));
    if (copy == null) {
      return false;
    }
    listener.leaving(copy.key);
    return remove(copy);
  }

  private void lose(Copy copy, String why) {
    lose(copy, why, this::remove);
  }

  private void lose(Copy copy, String why, Predicate<Copy> way) {
    listener.leaving(copy.key);
    if (way.test(copy)) {
      listener.lost(copy.key, why);
    }
  }

  /** Forgets a copy; its file stays. */
  private boolean leave(Copy copy) {
    if (!unindex(copy)) {
      return false;
    }
    inputUsed.addAndGet(-copy.key.length());
    return true;
  }

  private boolean remove(Copy copy) {
    if (!leave(copy)) {
      return false;
    }
    deletions.delete(copy.directory, copy.file(), () -> copy.directory.release(copy.key.length()));
    return true;
  }

  private boolean unindex(Copy copy) {
    boolean was = index.remove(Name.of(copy.key), copy);
    if (was) {
      listener.left(copy.key);
    }
    return was;
  }

  /** False if neither the copy nor its directory is to blame. */
  private boolean trouble(Copy copy, IOException cause) {
    if (!DeviceErrors.isOfDevice(cause)) {
      return false;
    }
    lose(copy, cause.toString());
    suspect(copy.directory, cause);
    return true;
  }

  /** After an error: one bad file is forgiven, a directory that fails a probe is not. */
  private void suspect(SsdDirectory directory, IOException cause) {
    try {
      if (DeviceErrors.isOfDevice(cause) && files.usableBytes(directory.path()) >= CHUNK) {
        probe(directory);
      }
    } catch (IOException e) {
      if (DeviceErrors.isOfDevice(e)) {
        cause.addSuppressed(e);
        quarantine(directory, cause.toString());
      }
    }
  }

  /** Each has a file of its own, so that two at once do not take each other's for the device's. */
  private void probe(SsdDirectory directory) throws IOException {
    Path file = BlockLayout.filling(directory.path()).resolve(serials.incrementAndGet() + ".probe");
    try {
      probe(file);
    } finally {
      deletions.discard(file);
    }
  }

  private void probe(Path file) throws IOException {
    try (OutputStream out = files.create(file)) {
      out.write("mpcache".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
    try (InputStream in = files.open(file)) {
      if (in.readAllBytes().length != "mpcache".length()) {
        throw new IOException(file + " does not hold what was written to it");
      }
    }
    files.delete(file);
  }

  private void quarantine(SsdDirectory directory, String cause) {
    if (directory.fail(cause)) {
      copiesOf(directory).forEach(copy -> lose(copy, "its directory failed: " + cause));
    }
  }

  private List<Copy> copiesOf(SsdDirectory directory) {
    List<Copy> copies = new ArrayList<>(index.values());
    copies.removeIf(copy -> copy.directory != directory);
    return copies;
  }

  /**
   * Writes a small file that goes with a copy, which nobody counts and the next start deletes:
   * beside the copy, or in another directory if that one takes no more.
   *
   * @throws IOException if no healthy directory takes it
   */
  public Path keep(BlockKey key, byte[] bytes) throws IOException {
    Copy copy = index.get(Name.of(key));
    List<SsdDirectory> nearest = new ArrayList<>(directories);
    nearest.sort(Comparator.comparing(each -> copy == null || each != copy.directory));
    IOException none = new IOException("no SSD directory is left (mammoth.mpcache.dirs)");
    for (SsdDirectory directory : nearest) {
      if (directory.healthy()) {
        try {
          return keep(directory, bytes);
        } catch (IOException e) {
          none.addSuppressed(e);
        }
      }
    }
    throw none;
  }

  private Path keep(SsdDirectory directory, byte[] bytes) throws IOException {
    Path file = BlockLayout.filling(directory.path()).resolve(serials.incrementAndGet() + ".tmp");
    try (OutputStream out = files.create(file)) {
      out.write(bytes);
    } catch (IOException e) {
      deletions.discard(file);
      throw e;
    }
    return file;
  }

  /** Opens what {@link #keep} wrote. */
  public FileInputStream kept(Path file) throws IOException {
    return files.open(file);
  }

  /** Deletes what {@link #keep} wrote; who has it open goes on. */
  public void unkeep(Path file) {
    for (SsdDirectory directory : directories) {
      if (BlockLayout.filling(directory.path()).equals(file.getParent())) {
        deletions.delete(directory, file, () -> {});
        return;
      }
    }
  }

  /** Every indexed copy. */
  public List<BlockKey> keys() {
    return index.values().stream().map(copy -> copy.key).toList();
  }

  /** Bytes of all copies, those being filled counted. */
  public long inputUsed() {
    return inputUsed.get();
  }

  public List<SsdDirectory> directories() {
    return directories;
  }
}
