// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.loading;

import java.io.File;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Where the class path has configuration files. Each new {@code Configuration} looks for eight of
 * them, and those that no jar has are looked for in all jars, some two hundred: that took a quarter
 * of what an ApplicationMaster's start takes. Jars keep what they have, so only folders are asked
 * again; one that only the manifest of a jar names is not. Thread-safe.
 */
public final class SharedResources {

  /** Names of files; those with folders in them are looked for as ever. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*\\.xml");

  /** Most names that are kept: tasks may ask for any. */
  private static final int CAPACITY = 512;

  /** Of the class path of the JVM, which has one. */
  private static final SharedResources OF_JVM =
      new SharedResources(
          SharedResources.class.getClassLoader(), System.getProperty("java.class.path", ""));

  private final ClassLoader loader;
  private final List<File> folders = new ArrayList<>();
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /**
   * What a search has found.
   *
   * @param url null if nothing
   * @param folders which folders had it
   */
  private record Known(URL url, List<Boolean> folders) {}

  /**
   * @param classPath of {@code loader}, as {@code java.class.path} has it
   */
  SharedResources(ClassLoader loader, String classPath) {
    this.loader = loader;
    for (String entry : classPath.split(Pattern.quote(File.pathSeparator), -1)) {
      // An empty one is the working folder, which stays the same.
      File file = new File(entry.isEmpty() ? "." : entry).getAbsoluteFile();
      if (!file.isFile()) {
        folders.add(file);
      }
    }
  }

  /** {@link ClassLoader#getResource} of any loader, also of the one that has Hadoop's classes. */
  public static URL resource(ClassLoader loader, String name) {
    return OF_JVM.find(loader, name);
  }

  /** As {@link ClassLoader#getResource}, of any loader. */
  URL find(ClassLoader of, String name) {
    if (of != loader || name == null || !NAME.matcher(name).matches()) {
      return of.getResource(name);
    }
    List<Boolean> has = new ArrayList<>(folders.size());
    for (File folder : folders) {
      has.add(new File(folder, name).exists());
    }
    Known before = known.get(name);
    if (before != null && before.folders.equals(has)) {
      return before.url;
    }
    URL url = of.getResource(name);
    if (before != null || known.size() < CAPACITY) {
      known.put(name, new Known(url, has));
    }
    return url;
  }
}
