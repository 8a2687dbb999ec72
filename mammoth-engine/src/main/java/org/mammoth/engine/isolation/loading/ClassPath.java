// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.loading;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/**
 * Folders and jars in the order of a class path, {@code Class-Path} of manifests included, opened
 * one after another as look-ups reach them.
 *
 * <p>Exists because the JDK's jar URL connections share one open file per path in the whole JVM: a
 * loader that closes it takes it away from the other tasks of the same job, and one that does not
 * leaks it. Here each loader has its own and closes its own. Thread-safe. Entries that do not exist
 * are skipped, as on a command line.
 */
public final class ClassPath implements Closeable {
  private final List<ClassPathEntry> opened = new ArrayList<>();
  private final Deque<URL> waiting = new ArrayDeque<>();
  private final Set<String> seen = new HashSet<>();
  private boolean closed;

  /** A path of these folders and jars; opens none yet. */
  public ClassPath(URL[] urls) {
    waiting.addAll(Arrays.asList(urls));
  }

  /** Adds a folder or jar at the end. */
  public synchronized void add(URL url) {
    waiting.addLast(url);
  }

  /** The first resource of that name, or null. */
  public ClassPathEntry.Found find(String name) {
    for (int i = 0; ; i++) {
      ClassPathEntry entry = entry(i);
      if (entry == null) {
        return null;
      }
      ClassPathEntry.Found found = entry.find(name);
      if (found != null) {
        return found;
      }
    }
  }

  /** All resources of that name, in order. */
  public List<URL> findAll(String name) {
    List<URL> urls = new ArrayList<>();
    for (int i = 0; ; i++) {
      ClassPathEntry entry = entry(i);
      if (entry == null) {
        return urls;
      }
      ClassPathEntry.Found found = entry.find(name);
      if (found != null) {
        urls.add(found.url());
      }
    }
  }

  private synchronized ClassPathEntry entry(int index) {
    while (!closed && index >= opened.size() && !waiting.isEmpty()) {
      URL url = waiting.removeFirst();
      File file = fileOf(url);
      if (file == null || !file.exists() || !seen.add(file.getAbsolutePath())) {
        continue;
      }
      try {
        ClassPathEntry entry = ClassPathEntry.open(file);
        opened.add(entry);
        follow(url, entry.manifest());
      } catch (IOException notAJar) {
        // A JVM ignores what it cannot open on its class path.
        continue;
      }
    }
    return !closed && index < opened.size() ? opened.get(index) : null;
  }

  private void follow(URL base, Manifest manifest) throws MalformedURLException {
    String more =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    if (more == null) {
      return;
    }
    String[] names = more.trim().split("\\s+");
    for (int i = names.length - 1; i >= 0; i--) {
      if (!names[i].isEmpty()) {
        waiting.addFirst(new URL(base, names[i]));
      }
    }
  }

  private static File fileOf(URL url) {
    if (!"file".equals(url.getProtocol())) {
      return null;
    }
    try {
      return new File(URI.create(url.toString().replace(" ", "%20")));
    } catch (IllegalArgumentException odd) {
      return new File(url.getPath());
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    IOException first = null;
    for (ClassPathEntry entry : opened) {
      try {
        entry.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    opened.clear();
    waiting.clear();
    if (first != null) {
      throw first;
    }
  }
}
