// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.mammoth.engine.isolation.standins.files.PathCalls.back;
import static org.mammoth.engine.isolation.standins.files.PathCalls.path;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.file.CopyOption;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.spi.FileTypeDetector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.PartCalls;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten user code calls instead of {@code java.nio.file.Files}: each method of the same
 * name and parameters, relative paths resolved on the way in and results shown as written on the
 * way out. Methods that list folders are in {@link WalkCalls}. Stateless, thread-safe; everything
 * else as the JDK's documentation has it.
 */
public final class FilesCalls {
  private FilesCalls() {}

  @Replaces(Files.class)
  public static Path createTempFile(String prefix, String suffix, FileAttribute<?>... attrs)
      throws IOException {
    TaskProcess process = Owners.callerOrNull();
    return process == null
        ? Files.createTempFile(prefix, suffix, attrs)
        : Files.createTempFile(PathCalls.tmp(process), prefix, suffix, attrs);
  }

  @Replaces(Files.class)
  public static Path createTempDirectory(String prefix, FileAttribute<?>... attrs)
      throws IOException {
    TaskProcess process = Owners.callerOrNull();
    return process == null
        ? Files.createTempDirectory(prefix, attrs)
        : Files.createTempDirectory(PathCalls.tmp(process), prefix, attrs);
  }

  @Replaces(Files.class)
  public static InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    return Files.newInputStream(path(path), options);
  }

  @Replaces(Files.class)
  public static OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    return Files.newOutputStream(path(path), options);
  }

  @Replaces(Files.class)
  public static SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attrs) throws IOException {
    return Files.newByteChannel(path(path), options, attrs);
  }

  @Replaces(Files.class)
  public static SeekableByteChannel newByteChannel(Path path, OpenOption... options)
      throws IOException {
    return Files.newByteChannel(path(path), options);
  }

  @Replaces(Files.class)
  public static Path createFile(Path path, FileAttribute<?>... attrs) throws IOException {
    Path real = path(path);
    return back(path, real, Files.createFile(real, attrs));
  }

  @Replaces(Files.class)
  public static Path createDirectory(Path path, FileAttribute<?>... attrs) throws IOException {
    Path real = path(path);
    return back(path, real, Files.createDirectory(real, attrs));
  }

  @Replaces(Files.class)
  public static Path createDirectories(Path path, FileAttribute<?>... attrs) throws IOException {
    Path real = path(path);
    return back(path, real, Files.createDirectories(real, attrs));
  }

  @Replaces(Files.class)
  public static Path createTempFile(
      Path path, String prefix, String suffix, FileAttribute<?>... attrs) throws IOException {
    Path real = path(path);
    return back(path, real, Files.createTempFile(real, prefix, suffix, attrs));
  }

  @Replaces(Files.class)
  public static Path createTempDirectory(Path path, String prefix, FileAttribute<?>... attrs)
      throws IOException {
    Path real = path(path);
    return back(path, real, Files.createTempDirectory(real, prefix, attrs));
  }

  @Replaces(Files.class)
  public static Path createSymbolicLink(Path path, Path target, FileAttribute<?>... attrs)
      throws IOException {
    Path real = path(path);
    return back(path, real, Files.createSymbolicLink(real, target, attrs));
  }

  @Replaces(Files.class)
  public static Path createLink(Path path, Path existing) throws IOException {
    Path real = path(path);
    return back(path, real, Files.createLink(real, path(existing)));
  }

  @Replaces(Files.class)
  public static void delete(Path path) throws IOException {
    Owners.checkGoesOn();
    Files.delete(path(path));
  }

  @Replaces(Files.class)
  public static boolean deleteIfExists(Path path) throws IOException {
    Owners.checkGoesOn();
    return Files.deleteIfExists(path(path));
  }

  @Replaces(Files.class)
  public static Path copy(Path source, Path path, CopyOption... options) throws IOException {
    Path real = path(path);
    return back(path, real, Files.copy(path(source), real, options));
  }

  @Replaces(Files.class)
  public static Path move(Path source, Path path, CopyOption... options) throws IOException {
    Owners.checkGoesOn();
    Path real = path(path);
    return back(path, real, Files.move(path(source), real, options));
  }

  @Replaces(Files.class)
  public static Path readSymbolicLink(Path path) throws IOException {
    Path own = TaskDescriptors.link(path);
    return own != null ? own : Files.readSymbolicLink(path(path));
  }

  @Replaces(Files.class)
  public static FileStore getFileStore(Path path) throws IOException {
    return Files.getFileStore(path(path));
  }

  @Replaces(Files.class)
  public static boolean isSameFile(Path path, Path other) throws IOException {
    return Files.isSameFile(path(path), path(other));
  }

  @Replaces(Files.class)
  public static long mismatch(Path path, Path other) throws IOException {
    return Files.mismatch(path(path), path(other));
  }

  @Replaces(Files.class)
  public static boolean isHidden(Path path) throws IOException {
    return Files.isHidden(path(path));
  }

  @Replaces(Files.class)
  public static String probeContentType(Path path) throws IOException {
    PartCalls.reaching("Files.probeContentType", FileTypeDetector.class);
    return Files.probeContentType(path(path));
  }

  @Replaces(Files.class)
  public static <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return Files.getFileAttributeView(path(path), type, options);
  }

  @Replaces(Files.class)
  public static <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return Files.readAttributes(path(path), type, options);
  }

  @Replaces(Files.class)
  public static Path setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    Path real = path(path);
    return back(path, real, Files.setAttribute(real, attribute, value, options));
  }

  @Replaces(Files.class)
  public static Object getAttribute(Path path, String attribute, LinkOption... options)
      throws IOException {
    return Files.getAttribute(path(path), attribute, options);
  }

  @Replaces(Files.class)
  public static Map<String, Object> readAttributes(
      Path path, String attributes, LinkOption... options) throws IOException {
    return Files.readAttributes(path(path), attributes, options);
  }

  @Replaces(Files.class)
  public static Set<PosixFilePermission> getPosixFilePermissions(Path path, LinkOption... options)
      throws IOException {
    return Files.getPosixFilePermissions(path(path), options);
  }

  @Replaces(Files.class)
  public static Path setPosixFilePermissions(Path path, Set<PosixFilePermission> perms)
      throws IOException {
    Path real = path(path);
    return back(path, real, Files.setPosixFilePermissions(real, perms));
  }

  @Replaces(Files.class)
  public static UserPrincipal getOwner(Path path, LinkOption... options) throws IOException {
    return Files.getOwner(path(path), options);
  }

  @Replaces(Files.class)
  public static Path setOwner(Path path, UserPrincipal owner) throws IOException {
    Path real = path(path);
    return back(path, real, Files.setOwner(real, owner));
  }

  @Replaces(Files.class)
  public static boolean isSymbolicLink(Path path) {
    return Files.isSymbolicLink(path(path));
  }

  @Replaces(Files.class)
  public static boolean isDirectory(Path path, LinkOption... options) {
    return Files.isDirectory(path(path), options);
  }

  @Replaces(Files.class)
  public static boolean isRegularFile(Path path, LinkOption... options) {
    return Files.isRegularFile(path(path), options);
  }

  @Replaces(Files.class)
  public static FileTime getLastModifiedTime(Path path, LinkOption... options) throws IOException {
    return Files.getLastModifiedTime(path(path), options);
  }

  @Replaces(Files.class)
  public static Path setLastModifiedTime(Path path, FileTime time) throws IOException {
    Path real = path(path);
    return back(path, real, Files.setLastModifiedTime(real, time));
  }

  @Replaces(Files.class)
  public static long size(Path path) throws IOException {
    return Files.size(path(path));
  }

  @Replaces(Files.class)
  public static boolean exists(Path path, LinkOption... options) {
    return Files.exists(path(path), options);
  }

  @Replaces(Files.class)
  public static boolean notExists(Path path, LinkOption... options) {
    return Files.notExists(path(path), options);
  }

  @Replaces(Files.class)
  public static boolean isReadable(Path path) {
    return Files.isReadable(path(path));
  }

  @Replaces(Files.class)
  public static boolean isWritable(Path path) {
    return Files.isWritable(path(path));
  }

  @Replaces(Files.class)
  public static boolean isExecutable(Path path) {
    return Files.isExecutable(path(path));
  }

  @Replaces(Files.class)
  public static BufferedReader newBufferedReader(Path path, Charset charset) throws IOException {
    return Files.newBufferedReader(path(path), charset);
  }

  @Replaces(Files.class)
  public static BufferedReader newBufferedReader(Path path) throws IOException {
    return Files.newBufferedReader(path(path));
  }

  @Replaces(Files.class)
  public static BufferedWriter newBufferedWriter(Path path, Charset charset, OpenOption... options)
      throws IOException {
    return Files.newBufferedWriter(path(path), charset, options);
  }

  @Replaces(Files.class)
  public static BufferedWriter newBufferedWriter(Path path, OpenOption... options)
      throws IOException {
    return Files.newBufferedWriter(path(path), options);
  }

  @Replaces(Files.class)
  public static long copy(InputStream in, Path path, CopyOption... options) throws IOException {
    return Files.copy(in, path(path), options);
  }

  @Replaces(Files.class)
  public static long copy(Path path, OutputStream out) throws IOException {
    return Files.copy(path(path), out);
  }

  @Replaces(Files.class)
  public static byte[] readAllBytes(Path path) throws IOException {
    return Files.readAllBytes(path(path));
  }

  @Replaces(Files.class)
  public static String readString(Path path) throws IOException {
    return Files.readString(path(path));
  }

  @Replaces(Files.class)
  public static String readString(Path path, Charset charset) throws IOException {
    return Files.readString(path(path), charset);
  }

  @Replaces(Files.class)
  public static List<String> readAllLines(Path path, Charset charset) throws IOException {
    return Files.readAllLines(path(path), charset);
  }

  @Replaces(Files.class)
  public static List<String> readAllLines(Path path) throws IOException {
    return Files.readAllLines(path(path));
  }

  @Replaces(Files.class)
  public static Path write(Path path, byte[] bytes, OpenOption... options) throws IOException {
    Path real = path(path);
    return back(path, real, Files.write(real, bytes, options));
  }

  @Replaces(Files.class)
  public static Path write(
      Path path, Iterable<? extends CharSequence> lines, Charset charset, OpenOption... options)
      throws IOException {
    Path real = path(path);
    return back(path, real, Files.write(real, lines, charset, options));
  }

  @Replaces(Files.class)
  public static Path write(Path path, Iterable<? extends CharSequence> lines, OpenOption... options)
      throws IOException {
    Path real = path(path);
    return back(path, real, Files.write(real, lines, options));
  }

  @Replaces(Files.class)
  public static Path writeString(Path path, CharSequence text, OpenOption... options)
      throws IOException {
    Path real = path(path);
    return back(path, real, Files.writeString(real, text, options));
  }

  @Replaces(Files.class)
  public static Path writeString(
      Path path, CharSequence text, Charset charset, OpenOption... options) throws IOException {
    Path real = path(path);
    return back(path, real, Files.writeString(real, text, charset, options));
  }

  @Replaces(Files.class)
  public static Stream<String> lines(Path path, Charset charset) throws IOException {
    return Files.lines(path(path), charset);
  }

  @Replaces(Files.class)
  public static Stream<String> lines(Path path) throws IOException {
    return Files.lines(path(path));
  }
}
