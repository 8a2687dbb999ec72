// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.ProviderNotFoundException;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Map;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.standins.PartCalls;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of asking for file systems by their URIs: those of jars and
 * zips are the task's, see {@link TaskZips}; kinds that the job's own jars provide need a process,
 * as the JDK finds them by the class path. Stateless, thread-safe.
 */
public final class ZipCalls {
  private static final List<String> OF_JDK = List.of("file", "jrt", TaskZips.SCHEME);

  private ZipCalls() {}

  /** {@code FileSystems.newFileSystem}. */
  @Replaces(FileSystems.class)
  public static FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
    TaskZips zips = zips(uri, "FileSystems.newFileSystem");
    return zips == null
        ? FileSystems.newFileSystem(uri, env)
        : zips.open(provider(uri.getScheme()), uri, env);
  }

  /** {@code FileSystems.newFileSystem}. */
  @Replaces(FileSystems.class)
  public static FileSystem newFileSystem(URI uri, Map<String, ?> env, ClassLoader loader)
      throws IOException {
    // The provider may be the loader's; then it is no one else's.
    TaskZips zips = TaskZips.ofCallerFor(uri.getScheme());
    return zips == null
        ? FileSystems.newFileSystem(uri, env, loader)
        : zips.open(provider(uri.getScheme()), uri, env);
  }

  /** {@code FileSystems.getFileSystem}. */
  @Replaces(FileSystems.class)
  public static FileSystem getFileSystem(URI uri) {
    TaskZips zips = zips(uri, "FileSystems.getFileSystem");
    return zips == null ? FileSystems.getFileSystem(uri) : zips.get(uri);
  }

  /** {@code Path.of}. */
  @Replaces(Path.class)
  public static Path of(URI uri) {
    TaskZips zips = zips(uri, "Path.of");
    return zips == null ? Path.of(uri) : zips.path(uri);
  }

  /** {@code Paths.get}. */
  @Replaces(Paths.class)
  public static Path get(URI uri) {
    TaskZips zips = zips(uri, "Paths.get");
    return zips == null ? Paths.get(uri) : zips.path(uri);
  }

  /** {@code FileSystemProvider.installedProviders}. */
  @Replaces(FileSystemProvider.class)
  public static List<FileSystemProvider> installedProviders() {
    PartCalls.reaching("FileSystemProvider.installedProviders", FileSystemProvider.class);
    return FileSystemProvider.installedProviders();
  }

  /** {@code provider.newFileSystem}. */
  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static FileSystem newFileSystem(FileSystemProvider self, URI uri, Map<String, ?> env)
      throws IOException {
    TaskZips zips = ofJdk(self);
    return zips == null ? self.newFileSystem(uri, env) : zips.open(self, uri, env);
  }

  /** {@code provider.getFileSystem}. */
  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static FileSystem getFileSystem(FileSystemProvider self, URI uri) {
    TaskZips zips = ofJdk(self);
    return zips == null ? self.getFileSystem(uri) : zips.get(uri);
  }

  /** {@code provider.getPath}. */
  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static Path getPath(FileSystemProvider self, URI uri) {
    TaskZips zips = ofJdk(self);
    return zips == null ? self.getPath(uri) : zips.path(uri);
  }

  private static TaskZips ofJdk(FileSystemProvider provider) {
    boolean isShared = TaskClassLoader.above(provider.getClass().getClassLoader()) == null;
    return isShared ? TaskZips.ofCallerFor(provider.getScheme()) : null;
  }

  private static TaskZips zips(URI uri, String call) {
    String scheme = uri.getScheme();
    if (scheme != null && OF_JDK.stream().noneMatch(scheme::equalsIgnoreCase)) {
      PartCalls.reaching(call + " of " + scheme, FileSystemProvider.class);
    }
    return TaskZips.ofCallerFor(scheme);
  }

  private static FileSystemProvider provider(String scheme) {
    return FileSystemProvider.installedProviders().stream()
        .filter(each -> each.getScheme().equalsIgnoreCase(scheme))
        .findFirst()
        .orElseThrow(() -> new ProviderNotFoundException("Provider \"" + scheme + "\" not found"));
  }
}
