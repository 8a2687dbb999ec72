// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.SpareUnit;
import org.mammoth.engine.memory.SpareUnits;

/**
 * Files that tasks of this engine have written, in memory for the jobs that follow (Flame-MR-It
 * paper, Veiga et al. 2018, §3.3.2). HDFS has them too, so that they may go at any moment. A file
 * is found by what HDFS says it is, never by its name.
 *
 * <p>Memory goes set by set: first of sets that have lost some already, then of those nobody has
 * read, then of those used longest ago. Any thread.
 */
public final class DataCache implements AutoCloseable {

  /** Whom its memory is charged to. */
  public static final LeaseOwner OWNER = new LeaseOwner("engine", "", "data cache");

  private static final int MOST_SETS = 1_000;
  private static final int MOST_GHOSTS = 4_096;

  private final SpareUnits spares;
  private final DataCacheSettings settings;
  private final LongSupplier nanos;
  private final Habits habits = new Habits();
  private final Map<FileIdentity, KeptFile> files = new HashMap<>();
  private final Map<FileSet.Key, FileSet> sets = new LinkedHashMap<>();
  private final Deque<SpareUnit> unwanted = new ArrayDeque<>();

  /** Files that were written here and are not in memory, to learn whether they should have been. */
  private final Map<FileIdentity, FileSet> ghosts = LatestMap.byAge(MOST_GHOSTS);

  private final LongAdder readBytes = new LongAdder();
  private long uses;
  private long hits;
  private long misses;
  private long keptBytes;
  private long givenUpBytes;

  /**
   * An empty cache, the only holder of these units.
   *
   * @param most units that it may have
   * @param nanos a clock that never runs backwards
   */
  public DataCache(SpareUnits spares, long most, DataCacheSettings settings, LongSupplier nanos) {
    this.spares = spares;
    this.settings = settings;
    this.nanos = nanos;
    spares.open(
        OWNER,
        most,
        new SpareUnits.Holder() {
          @Override
          public SpareUnit giveUp() {
            return giveUpOne();
          }

          @Override
          public SpareUnit unwanted() {
            return nextUnwanted();
          }
        });
  }

  int unitBytes() {
    return spares.unitBytes();
  }

  SpareUnits spares() {
    return spares;
  }

  /**
   * A task has created a file. Its bytes are kept as far as it is worth it and there is memory.
   *
   * @param path as the task has it
   * @param job the task's
   */
  public synchronized KeptWriter begin(String path, String job) {
    String folder = OutputPath.folder(OutputPath.committed(path));
    FileSet.Key key = new FileSet.Key(folder, job);
    FileSet set = sets.get(key);
    if (set == null) {
      String kind = Habits.kindOf(folder);
      boolean named = settings.paths().stream().anyMatch(top -> OutputPath.isUnder(folder, top));
      boolean admitted = named || habits.isWorthwhile(kind);
      habits.written(kind);
      set = new FileSet(key, kind, admitted, named, nanos.getAsLong());
      forgetOldSets();
      sets.put(key, set);
    }
    set.writers++;
    set.used = ++uses;
    KeptFile file = new KeptFile(set, path, unitBytes(), readBytes);
    return new KeptWriter(this, file, settings.maxFileBytes(), !set.admitted);
  }

  /** Sets are remembered for a while after the last of them has left memory. */
  private void forgetOldSets() {
    if (sets.size() >= MOST_SETS) {
      sets.values().stream()
          .filter(set -> set.slots.isEmpty() && set.writers == 0)
          .findFirst()
          .ifPresent(set -> sets.remove(set.key));
    }
  }

  /**
   * A task has opened a file.
   *
   * @param path under which it was opened
   * @return null if it is not in memory
   */
  public synchronized KeptFile find(FileIdentity identity, String path) {
    KeptFile file = files.get(identity);
    FileSet set = file == null ? ghosts.get(identity) : file.set;
    if (set == null) {
      return null;
    }
    set.used = ++uses;
    boolean soon = nanos.getAsLong() - set.writtenNanos <= settings.soonNanos();
    if (soon && !set.read) {
      habits.read(set.kind);
    }
    set.read = true;
    if (file == null) {
      misses++;
    } else {
      hits++;
      file.path = path;
    }
    return file;
  }

  /**
   * Where a file's blocks are has been told by HDFS, of one moment.
   *
   * @param identity of the file at that moment
   * @return null if it is not in memory; the blocks are to be bound to it otherwise
   */
  public synchronized KeptFile peek(FileIdentity identity) {
    return files.get(identity);
  }

  /** A unit to be written, of which {@code file} is told; null if there is none for it. */
  SpareUnit newUnit(KeptFile file) {
    SpareUnit unit = spares.take();
    if (unit == null && replaceOne(file.set)) {
      spares.trim();
      unit = spares.take();
    }
    boolean added = unit != null && add(file, unit);
    if (unit != null && !added) {
      spares.keep(unit);
      spares.trim();
    }
    return added ? unit : null;
  }

  private synchronized boolean add(KeptFile file, SpareUnit unit) {
    if (file.dropped) {
      unwanted.add(unit);
      return false;
    }
    Slot slot = new Slot(unit);
    file.set.slots.add(slot);
    join(file, slot);
    return true;
  }

  private static void join(KeptFile file, Slot slot) {
    slot.files.add(file);
    file.slots.add(slot);
    file.held++;
  }

  /** Gives up a unit of a set that is worth no more than this one, if there is such. */
  private synchronized boolean replaceOne(FileSet forSet) {
    FileSet victim = victim(forSet, worth(forSet));
    if (victim == null) {
      forSet.incomplete = true;
      return false;
    }
    unwanted.add(takeFrom(victim));
    return true;
  }

  /**
   * Puts a small file where other small ones of its set are.
   *
   * @return where it begins in its unit, or -1 if there is no memory for it
   */
  int share(KeptFile file, byte[] bytes, int count) {
    Slot slot = reserveShared(file, count);
    if (slot == null) {
      SpareUnit unit = newUnit(file);
      if (unit == null) {
        return -1;
      }
      write(unit, 0, bytes, count);
      beginSharing(file, count);
      return 0;
    }
    int at = file.set.sharedUsed;
    boolean there = spares.borrow(slot.unit);
    if (there) {
      write(slot.unit, at, bytes, count);
    }
    endSharing(file.set, there ? count : 0);
    return there ? at : -1;
  }

  private void write(SpareUnit unit, int at, byte[] bytes, int count) {
    try {
      unit.put(at, bytes, 0, count);
    } finally {
      spares.keep(unit);
    }
  }

  private synchronized Slot reserveShared(KeptFile file, int count) {
    FileSet set = file.set;
    boolean fits = set.shared != null && set.sharedUsed + count <= unitBytes();
    if (file.dropped || set.sharing || !fits) {
      return null;
    }
    set.sharing = true;
    join(file, set.shared);
    return set.shared;
  }

  private synchronized void endSharing(FileSet set, int count) {
    set.sharing = false;
    set.sharedUsed += count;
  }

  private synchronized void beginSharing(KeptFile file, int count) {
    if (!file.dropped && !file.set.sharing) {
      file.set.shared = file.slots.get(0);
      file.set.sharedUsed = count;
    }
  }

  /** A file was closed, and can be found from now on if all of it was kept. */
  void finished(KeptFile file, FileIdentity identity, int first, boolean kept) {
    synchronized (this) {
      if (kept && !file.dropped) {
        KeptFile before = files.get(identity);
        if (before != null) {
          drop(before);
        }
        file.finish(identity, first);
        files.put(identity, file);
        ghosts.remove(identity);
        file.set.files++;
        file.set.bytes += file.length();
        keptBytes += file.length();
      } else {
        drop(file);
        ghosts.put(identity, file.set);
      }
    }
    spares.trim();
  }

  /** A file that is being written is not kept. */
  void abandoned(KeptFile file) {
    synchronized (this) {
      drop(file);
    }
    spares.trim();
  }

  synchronized void writerEnded(KeptFile file) {
    file.set.writers--;
  }

  /**
   * Forgets files by name.
   *
   * @param path a file, or a folder of files
   * @return bytes of the files that were in memory
   */
  public long drop(String path) {
    long bytes = 0;
    synchronized (this) {
      for (KeptFile file : List.copyOf(files.values())) {
        if (OutputPath.isUnder(file.path, path) || OutputPath.isUnder(file.writtenPath, path)) {
          bytes += file.length();
          drop(file);
        }
      }
    }
    spares.trim();
    return bytes;
  }

  private void drop(KeptFile file) {
    if (file.dropped) {
      return;
    }
    file.dropped = true;
    if (file.identity != null && files.remove(file.identity, file)) {
      file.set.files--;
      file.set.bytes -= file.length();
      ghosts.put(file.identity, file.set);
    }
    for (Slot slot : file.slots) {
      if (slot.files.remove(file) && slot.files.isEmpty()) {
        file.set.remove(slot);
        unwanted.add(slot.unit);
      }
    }
  }

  private synchronized SpareUnit nextUnwanted() {
    return unwanted.poll();
  }

  private synchronized SpareUnit giveUpOne() {
    SpareUnit none = unwanted.poll();
    if (none != null) {
      return none;
    }
    FileSet victim = victim(null, Integer.MAX_VALUE);
    return victim == null ? null : takeFrom(victim);
  }

  /** The last unit of a set: what is left are whole files, but for one. */
  private SpareUnit takeFrom(FileSet set) {
    Slot slot = set.slots.removeLast();
    set.forgetShared(slot.unit);
    set.incomplete = true;
    givenUpBytes += unitBytes();
    List<KeptFile> losers = List.copyOf(slot.files);
    slot.files.clear();
    for (KeptFile file : losers) {
      file.held--;
      if (file.identity == null || file.held == 0) {
        drop(file);
      }
    }
    return slot.unit;
  }

  private FileSet victim(FileSet but, int worthAtMost) {
    FileSet victim = null;
    for (FileSet set : sets.values()) {
      boolean eligible = set != but && !set.slots.isEmpty() && worth(set) <= worthAtMost;
      if (eligible && (victim == null || goesBefore(set, victim))) {
        victim = set;
      }
    }
    return victim;
  }

  private boolean goesBefore(FileSet a, FileSet b) {
    if (a.incomplete != b.incomplete) {
      return a.incomplete;
    }
    return worth(a) == worth(b) ? a.used < b.used : worth(a) < worth(b);
  }

  /** Whether there is reason to believe that it will be read. */
  private int worth(FileSet set) {
    return set.named || set.read || habits.isLearned(set.kind) ? 1 : 0;
  }

  /**
   * What it holds and has done.
   *
   * @param mostSets that are told of, as there may be very many small ones
   */
  public DataCacheUse snapshot(int mostSets) {
    long held = spares.units() * unitBytes();
    long limit = spares.most() * unitBytes();
    synchronized (this) {
      long now = nanos.getAsLong();
      List<FileSet> order = new ArrayList<>();
      sets.values().stream().filter(set -> set.files > 0).forEach(order::add);
      Comparator<FileSet> last = (a, b) -> goesBefore(a, b) ? 1 : goesBefore(b, a) ? -1 : 0;
      order.sort(last);
      List<DataCacheUse.Set> rows = new ArrayList<>();
      for (FileSet set : order.subList(0, Math.min(mostSets, order.size()))) {
        rows.add(
            new DataCacheUse.Set(
                set.key.folder(),
                set.key.job(),
                set.files,
                set.bytes,
                (long) set.slots.size() * unitBytes(),
                !set.incomplete,
                set.read,
                set.bytesRead.sum(),
                TimeUnit.NANOSECONDS.toMillis(now - set.writtenNanos)));
      }
      return new DataCacheUse(
          limit, held, files.size(), hits, misses, keptBytes, readBytes.sum(), givenUpBytes, rows);
    }
  }

  /** Gives everything back. */
  @Override
  public void close() {
    drop("/");
  }
}
