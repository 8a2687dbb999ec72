// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileAttribute;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.network.ChannelThreads;

/**
 * What rewritten user code calls instead of members that turn a relative {@code Path} into a place
 * on disk.
 *
 * <p>Paths themselves stay as written ({@code Path.of} is not rewritten), because {@code
 * dir.resolve(Path.of("x"))} needs a relative one; they are resolved where they are used. So a
 * relative Path handed to a library is the library's to resolve, against the engine's working
 * directory: run the engine where nothing is. Stateless, thread-safe.
 */
public final class PathCalls {
  private PathCalls() {}

  /**
   * A path made absolute against the calling task's working directory; itself when absolute,
   * foreign, null or the engine's.
   */
  public static Path path(Path path) {
    if (path == null || path.getFileSystem() != FileSystems.getDefault()) {
      return path;
    }
    if (path.isAbsolute()) {
      boolean mayBeStream = path.startsWith("/dev") || path.startsWith("/proc");
      return mayBeStream ? Path.of(TaskDescriptors.name(path.toString())) : path;
    }
    TaskProcess process = Owners.callerOrNull();
    return process == null ? path : process.workDir().resolve(path);
  }

  /**
   * The reverse, for results: what lies below the resolved path is shown below the path as written.
   */
  static Path back(Path written, Path resolved, Path result) {
    if (written == resolved || !result.startsWith(resolved)) {
      return result;
    }
    return written.resolve(resolved.relativize(result));
  }

  /** The process's folder for temporary files; a task that deletes it has none, as on stock. */
  static Path tmp(TaskProcess process) {
    return process.tmpDir();
  }

  @Replaces(value = Path.class, receiver = true)
  public static Path toAbsolutePath(Path path) {
    return path(path).toAbsolutePath();
  }

  @Replaces(value = Path.class, receiver = true)
  public static Path toRealPath(Path path, LinkOption... options) throws IOException {
    Path real = path(path).toRealPath(options);
    return path.getFileSystem() == FileSystems.getDefault()
        ? Path.of(TaskDescriptors.shown(real.toString()))
        : real;
  }

  @Replaces(value = Path.class, receiver = true)
  public static URI toUri(Path path) {
    return path(path).toUri();
  }

  @Replaces(value = Path.class, receiver = true)
  public static File toFile(Path path) {
    // A foreign path refuses here as it should.
    return new TaskFile(path.toFile());
  }

  /** {@code FileSystem.newWatchService}: closed with the task. */
  @Replaces(value = FileSystem.class, receiver = true)
  public static WatchService newWatchService(FileSystem self) throws IOException {
    WatchService service = self.newWatchService();
    TaskProcess process = Owners.callerOrNull();
    return process == null ? service : process.watches().opened(service);
  }

  @Replaces(value = Path.class, receiver = true)
  public static WatchKey register(Path path, WatchService watcher, WatchEvent.Kind<?>... events)
      throws IOException {
    return path(path).register(watcher, events);
  }

  @Replaces(value = Path.class, receiver = true)
  public static WatchKey register(
      Path path,
      WatchService watcher,
      WatchEvent.Kind<?>[] events,
      WatchEvent.Modifier... modifiers)
      throws IOException {
    return path(path).register(watcher, events, modifiers);
  }

  @Replaces(FileChannel.class)
  public static FileChannel open(Path path, OpenOption... options) throws IOException {
    return FileChannel.open(path(path), options);
  }

  @Replaces(FileChannel.class)
  public static FileChannel open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attrs) throws IOException {
    return FileChannel.open(path(path), options, attrs);
  }

  @Replaces(value = AsynchronousFileChannel.class, name = "open")
  public static AsynchronousFileChannel openAsynchronous(Path path, OpenOption... options)
      throws IOException {
    Set<OpenOption> all = new HashSet<>(Arrays.asList(options));
    return open(path, all, (ExecutorService) null);
  }

  @Replaces(AsynchronousFileChannel.class)
  public static AsynchronousFileChannel open(
      Path path,
      Set<? extends OpenOption> options,
      ExecutorService executor,
      FileAttribute<?>... attrs)
      throws IOException {
    return AsynchronousFileChannel.open(
        path(path), options, ChannelThreads.orOwn(path, executor), attrs);
  }

  @Replaces(FileSystems.class)
  public static FileSystem newFileSystem(Path path, ClassLoader loader) throws IOException {
    return FileSystems.newFileSystem(path(path), loader);
  }

  @Replaces(FileSystems.class)
  public static FileSystem newFileSystem(Path path, Map<String, ?> env) throws IOException {
    return FileSystems.newFileSystem(path(path), env);
  }

  @Replaces(FileSystems.class)
  public static FileSystem newFileSystem(Path path) throws IOException {
    return FileSystems.newFileSystem(path(path));
  }

  @Replaces(FileSystems.class)
  public static FileSystem newFileSystem(Path path, Map<String, ?> env, ClassLoader loader)
      throws IOException {
    return FileSystems.newFileSystem(path(path), env, loader);
  }
}
