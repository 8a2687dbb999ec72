// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.mammoth.api.collections.LatestMap;

/**
 * Which of some names are at the top of jars. Each jar is opened once for all containers: that of a
 * large one takes tens of milliseconds. Thread-safe.
 */
final class JarNames {

  private static final int CAPACITY = 2_000;

  private final Set<String> names;

  private final Map<String, Set<String>> found = LatestMap.byUse(CAPACITY);

  /**
   * @param names all that will be asked for
   */
  JarNames(Set<String> names) {
    this.names = names;
  }

  /**
   * Those that a jar has; none of a file that is no jar, or may not be read: the java launcher
   * passes it by.
   *
   * @throws UncheckedIOException if it can't be opened now, as for want of descriptors
   */
  Set<String> in(File jar) {
    String key = jar.getPath() + '@' + jar.length() + '@' + jar.lastModified();
    synchronized (found) {
      Set<String> known = found.get(key);
      if (known != null) {
        return known;
      }
    }
    Set<String> read;
    try {
      read = read(jar);
    } catch (IOException e) {
      if (jar.canRead()) {
        throw new UncheckedIOException("cannot look into " + jar, e);
      }
      return Set.of();
    }
    synchronized (found) {
      found.put(key, read);
    }
    return read;
  }

  private Set<String> read(File jar) throws IOException {
    try (ZipFile open = new ZipFile(jar)) {
      return names.stream()
          .filter(name -> open.getEntry(name) != null)
          .collect(Collectors.toUnmodifiableSet());
    } catch (ZipException e) {
      return Set.of();
    }
  }
}
