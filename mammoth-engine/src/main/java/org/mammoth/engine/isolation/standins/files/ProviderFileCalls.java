// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.mammoth.engine.isolation.standins.files.PathCalls.back;
import static org.mammoth.engine.isolation.standins.files.PathCalls.path;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.network.ChannelThreads;

/**
 * What rewritten code calls instead of asking a file system's provider for what {@code Files} asks
 * it for: relative paths are resolved as there. Stateless, thread-safe.
 */
public final class ProviderFileCalls {
  private ProviderFileCalls() {}

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static InputStream newInputStream(
      FileSystemProvider self, Path path, OpenOption... options) throws IOException {
    return self.newInputStream(path(path), options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static OutputStream newOutputStream(
      FileSystemProvider self, Path path, OpenOption... options) throws IOException {
    return self.newOutputStream(path(path), options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static FileChannel newFileChannel(
      FileSystemProvider self,
      Path path,
      Set<? extends OpenOption> options,
      FileAttribute<?>... attributes)
      throws IOException {
    return self.newFileChannel(path(path), options, attributes);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static SeekableByteChannel newByteChannel(
      FileSystemProvider self,
      Path path,
      Set<? extends OpenOption> options,
      FileAttribute<?>... attributes)
      throws IOException {
    return self.newByteChannel(path(path), options, attributes);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void createDirectory(
      FileSystemProvider self, Path path, FileAttribute<?>... attributes) throws IOException {
    self.createDirectory(path(path), attributes);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void delete(FileSystemProvider self, Path path) throws IOException {
    self.delete(path(path));
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static boolean deleteIfExists(FileSystemProvider self, Path path) throws IOException {
    return self.deleteIfExists(path(path));
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void copy(FileSystemProvider self, Path from, Path to, CopyOption... options)
      throws IOException {
    self.copy(path(from), path(to), options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void move(FileSystemProvider self, Path from, Path to, CopyOption... options)
      throws IOException {
    self.move(path(from), path(to), options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void checkAccess(FileSystemProvider self, Path path, AccessMode... modes)
      throws IOException {
    self.checkAccess(path(path), modes);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static <A extends BasicFileAttributes> A readAttributes(
      FileSystemProvider self, Path path, Class<A> type, LinkOption... options) throws IOException {
    return self.readAttributes(path(path), type, options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static Map<String, Object> readAttributes(
      FileSystemProvider self, Path path, String attributes, LinkOption... options)
      throws IOException {
    return self.readAttributes(path(path), attributes, options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void setAttribute(
      FileSystemProvider self, Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    self.setAttribute(path(path), attribute, value, options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static <V extends FileAttributeView> V getFileAttributeView(
      FileSystemProvider self, Path path, Class<V> type, LinkOption... options) {
    return self.getFileAttributeView(path(path), type, options);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static FileStore getFileStore(FileSystemProvider self, Path path) throws IOException {
    return self.getFileStore(path(path));
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static boolean isHidden(FileSystemProvider self, Path path) throws IOException {
    return self.isHidden(path(path));
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static boolean isSameFile(FileSystemProvider self, Path one, Path other)
      throws IOException {
    return self.isSameFile(path(one), path(other));
  }

  /** The target is kept as it is written: it is read relative to the link. */
  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void createSymbolicLink(
      FileSystemProvider self, Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    self.createSymbolicLink(path(link), target, attributes);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static void createLink(FileSystemProvider self, Path link, Path existing)
      throws IOException {
    self.createLink(path(link), path(existing));
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static Path readSymbolicLink(FileSystemProvider self, Path link) throws IOException {
    return self.readSymbolicLink(path(link));
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static FileSystem newFileSystem(FileSystemProvider self, Path path, Map<String, ?> env)
      throws IOException {
    return self.newFileSystem(path(path), env);
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static DirectoryStream<Path> newDirectoryStream(
      FileSystemProvider self, Path dir, DirectoryStream.Filter<? super Path> filter)
      throws IOException {
    Objects.requireNonNull(filter);
    Path real = path(dir);
    return WalkCalls.shown(
        dir, real, self.newDirectoryStream(real, p -> filter.accept(back(dir, real, p))));
  }

  @Replaces(value = FileSystemProvider.class, receiver = true)
  public static AsynchronousFileChannel newAsynchronousFileChannel(
      FileSystemProvider self,
      Path path,
      Set<? extends OpenOption> options,
      ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    return self.newAsynchronousFileChannel(
        path(path), options, ChannelThreads.orOwn(path, executor), attributes);
  }
}
