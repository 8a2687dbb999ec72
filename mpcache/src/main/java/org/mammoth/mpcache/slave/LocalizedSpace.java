// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mammoth.mpcache.space.DynamicSpaceTuner;

/**
 * Where engines ask for SSD room for localized data: the tuner decides how much there may be, the
 * directories and their devices whether it is there.
 *
 * <p>Safe for any thread. May evict cached input, which deletes files.
 */
public final class LocalizedSpace {

  private static final String FOLDER = "localized";

  /**
   * Room of one engine. Whatever it holds goes back when this is closed. One thread at a time.
   *
   * <p>An engine that died leaves map outputs behind, which reduces still read. Their room is given
   * back with the others'; the device's free bytes then keep more from being granted than there is.
   */
  public final class Tenant implements AutoCloseable {

    private final Map<SsdDirectory, Long> held = new HashMap<>();

    private Tenant() {}

    /**
     * Asks for room.
     *
     * @param folder of the SSD directory, see {@link LocalizedSpace#folder}
     * @return false if the data must go elsewhere, which is never an error
     */
    public boolean take(Path folder, long bytes) {
      Optional<SsdDirectory> directory = directory(folder);
      if (bytes <= 0 || directory.isEmpty() || !hasBytes(directory.get(), bytes)) {
        return false;
      }
      if (!tuner.acquire(bytes)) {
        return false;
      }
      if (!directory.get().reserve(bytes)) {
        tuner.release(bytes);
        return false;
      }
      held.merge(directory.get(), bytes, Long::sum);
      return true;
    }

    /** Gives room back; more than is held counts as all that is held. */
    public void give(Path folder, long bytes) {
      directory(folder).ifPresent(directory -> give(directory, bytes));
    }

    private void give(SsdDirectory directory, long bytes) {
      long given = Math.max(0, Math.min(bytes, held.getOrDefault(directory, 0L)));
      held.merge(directory, -given, Long::sum);
      directory.release(given);
      tuner.release(given);
    }

    /** Gives everything back; a second time does nothing. */
    @Override
    public void close() {
      List.copyOf(held.keySet()).forEach(directory -> give(directory, Long.MAX_VALUE));
    }
  }

  private final DynamicSpaceTuner tuner;
  private final List<SsdDirectory> directories;
  private final SsdFiles files;

  /**
   * @param files tells what a device has left
   */
  public LocalizedSpace(DynamicSpaceTuner tuner, List<SsdDirectory> directories, SsdFiles files) {
    this.tuner = tuner;
    this.directories = List.copyOf(directories);
    this.files = files;
  }

  /** The folder for localized data in an SSD directory; whoever owns it may ask for its room. */
  public static Path folder(Path ssdDirectory) {
    return ssdDirectory.resolve(FOLDER);
  }

  /** An engine that holds nothing yet. */
  public Tenant open() {
    return new Tenant();
  }

  private Optional<SsdDirectory> directory(Path folder) {
    return directories.stream()
        .filter(directory -> folder(directory.path()).equals(folder))
        .findFirst();
  }

  private boolean hasBytes(SsdDirectory directory, long bytes) {
    try {
      return files.usableBytes(folder(directory.path())) >= bytes;
    } catch (IOException e) {
      return false;
    }
  }
}
