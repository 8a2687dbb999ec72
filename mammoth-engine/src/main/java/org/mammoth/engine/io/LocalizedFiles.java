// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Puts localized data, which is spills, merges and map output, on SSD while the SSD cache lends
 * room for it (mpCache paper, Wang et al. 2016, §3.2), and elsewhere otherwise. The room of a file
 * goes back once the file is gone, whoever deleted it.
 *
 * <p>Safe for any thread.
 */
public final class LocalizedFiles {

  /** Who lends room. Any thread; an answer may take a moment, never long. */
  public interface SpaceLender {

    /** Asks for {@code bytes} in one of the SSD directories; false if it is not to be had. */
    boolean take(Path dir, long bytes);

    /** Gives room back. */
    void give(Path dir, long bytes);
  }

  private final List<Path> dirs;
  private final SpaceLender lender;
  private final long step;
  private final Supplier<List<Path>> healthy;
  private final BiConsumer<Path, IOException> failed;
  private final AtomicInteger next = new AtomicInteger();
  private final Set<Lease> settled = ConcurrentHashMap.newKeySet();

  /**
   * @param dirs those of the local directories that are on SSD; empty puts nothing there
   * @param step bytes of room that a file asks for at a time
   * @param healthy local directories that may be used now
   * @param failed hears which file an SSD could not write, and why
   */
  public LocalizedFiles(
      List<Path> dirs,
      SpaceLender lender,
      long step,
      Supplier<List<Path>> healthy,
      BiConsumer<Path, IOException> failed) {
    this.dirs = dirs.stream().map(LocalizedFiles::plain).toList();
    this.lender = lender;
    this.step = step;
    this.healthy = healthy;
    this.failed = failed;
  }

  /** Without an SSD. */
  public static LocalizedFiles none() {
    return new LocalizedFiles(List.of(), null, 0, List::of, (file, why) -> {});
  }

  private static Path plain(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** Whether a folder or file lies on SSD. */
  public boolean isOnSsd(Path path) {
    return dirs.stream().anyMatch(plain(path)::startsWith);
  }

  /**
   * Decides where a file is written.
   *
   * @param ordinary where it lies if not on SSD
   * @param appDirs the application's folder in each local directory, the ordinary file's and the
   *     SSDs' among them
   */
  public Target target(Path ordinary, List<Path> appDirs) {
    Target there = new FileTarget(ordinary);
    if (dirs.isEmpty() || isOnSsd(ordinary)) {
      return there;
    }
    List<Path> usable = healthy.get().stream().map(LocalizedFiles::plain).toList();
    int first = next.getAndIncrement();
    for (int i = 0; i < dirs.size(); i++) {
      Path dir = dirs.get(Math.floorMod(first + i, dirs.size()));
      Path file = onSsd(dir, ordinary, appDirs);
      if (file != null && usable.contains(dir) && lender.take(dir, step)) {
        Lease lease = new Lease(dir, file, step);
        return new SsdTarget(
            new FileTarget(file), there, lease, error -> failed.accept(file, error));
      }
    }
    return there;
  }

  /** The file's place below an SSD directory; null if the application has no folder there. */
  private static Path onSsd(Path dir, Path ordinary, List<Path> appDirs) {
    for (Path appDir : appDirs) {
      if (ordinary.startsWith(appDir)) {
        return appDirs.stream()
            .filter(other -> plain(other).startsWith(dir) && Files.isDirectory(other))
            .findFirst()
            .map(other -> other.resolve(appDir.relativize(ordinary)))
            .orElse(null);
      }
    }
    return null;
  }

  /** Gives back the room of files that are gone; call about each second. */
  public void tick() {
    for (Lease lease : settled) {
      if (!Files.exists(lease.file)) {
        lease.close();
      }
    }
  }

  /** The room of one file. One thread at a time, {@link #close} any. */
  final class Lease implements AutoCloseable {

    private final Path dir;
    private final Path file;
    private long bytes;

    /**
     * @param bytes that were taken already
     */
    Lease(Path dir, Path file, long bytes) {
      this.dir = dir;
      this.file = file;
      this.bytes = bytes;
    }

    /** Whether the file may have {@code length} bytes; asks for more room if it has to. */
    synchronized boolean covers(long length) {
      if (length > bytes) {
        long more = Math.max(step, length - bytes);
        if (!lender.take(dir, more)) {
          return false;
        }
        bytes += more;
      }
      return true;
    }

    /** The file is complete; what it does not need goes back, the rest when it is deleted. */
    void settle(long length) {
      giveBack(length);
      settled.add(this);
    }

    /** The file is not on SSD any more. */
    @Override
    public void close() {
      settled.remove(this);
      giveBack(0);
    }

    private synchronized void giveBack(long keep) {
      if (bytes > keep) {
        lender.give(dir, bytes - keep);
        bytes = keep;
      }
    }
  }
}
