package org.mammoth.mpcache.slave;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mammoth.mpcache.space.DynamicSpaceTuner;

/**
 * Where the engine's I/O scheduler asks for SSD room for localized data: the tuner decides how much
 * there may be, the directories whether it is there.
 *
 * <p>Safe for any thread. May evict cached input, which deletes files.
 */
public final class LocalizedSpace {

  /** Room that was granted; give it back by closing it, once the file is deleted. */
  public final class Lease implements AutoCloseable {

    private final SsdDirectory directory;
    private final long bytes;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private Lease(SsdDirectory directory, long bytes) {
      this.directory = directory;
      this.bytes = bytes;
    }

    /** The SSD directory whose room it is; files go below {@code localized} there. */
    public Path folder() {
      return directory.path().resolve("localized");
    }

    public long bytes() {
      return bytes;
    }

    /** Gives the room back; a second time does nothing. */
    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        directory.release(bytes);
        tuner.release(bytes);
      }
    }
  }

  private final DynamicSpaceTuner tuner;
  private final List<SsdDirectory> directories;

  public LocalizedSpace(DynamicSpaceTuner tuner, List<SsdDirectory> directories) {
    this.tuner = tuner;
    this.directories = List.copyOf(directories);
  }

  /**
   * Asks for room for one file.
   *
   * @param bytes the most the file will have
   * @return empty if it must go elsewhere, which is never an error
   */
  public Optional<Lease> acquire(long bytes) {
    if (!tuner.acquire(bytes)) {
      return Optional.empty();
    }
    Optional<SsdDirectory> directory =
        directories.stream()
            .sorted(Comparator.comparingLong(SsdDirectory::free).reversed())
            .filter(candidate -> candidate.reserve(bytes))
            .findFirst();
    if (directory.isEmpty()) {
      tuner.release(bytes);
    }
    return directory.map(found -> new Lease(found, bytes));
  }
}
