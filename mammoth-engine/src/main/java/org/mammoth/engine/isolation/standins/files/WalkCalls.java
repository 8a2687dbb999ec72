// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.mammoth.engine.isolation.standins.files.PathCalls.back;
import static org.mammoth.engine.isolation.standins.files.PathCalls.path;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten user code calls instead of the methods of {@code java.nio.file.Files} that list
 * folders: what a relative start yields is shown relative again. Stateless, thread-safe.
 */
public final class WalkCalls {
  private WalkCalls() {}

  @Replaces(Files.class)
  public static Stream<Path> list(Path dir) throws IOException {
    Path real = path(dir);
    return Files.list(real).map(p -> back(dir, real, p));
  }

  @Replaces(Files.class)
  public static Stream<Path> walk(Path start, int depth, FileVisitOption... options)
      throws IOException {
    Path real = path(start);
    return Files.walk(real, depth, options).map(p -> back(start, real, p));
  }

  @Replaces(Files.class)
  public static Stream<Path> walk(Path start, FileVisitOption... options) throws IOException {
    return walk(start, Integer.MAX_VALUE, options);
  }

  @Replaces(Files.class)
  public static Stream<Path> find(
      Path start,
      int depth,
      BiPredicate<Path, BasicFileAttributes> matcher,
      FileVisitOption... options)
      throws IOException {
    Path real = path(start);
    return Files.find(real, depth, (p, a) -> matcher.test(back(start, real, p), a), options)
        .map(p -> back(start, real, p));
  }

  @Replaces(Files.class)
  public static DirectoryStream<Path> newDirectoryStream(Path dir) throws IOException {
    Path real = path(dir);
    return shown(dir, real, Files.newDirectoryStream(real));
  }

  @Replaces(Files.class)
  public static DirectoryStream<Path> newDirectoryStream(Path dir, String glob) throws IOException {
    Path real = path(dir);
    return shown(dir, real, Files.newDirectoryStream(real, glob));
  }

  @Replaces(Files.class)
  public static DirectoryStream<Path> newDirectoryStream(
      Path dir, DirectoryStream.Filter<? super Path> filter) throws IOException {
    Objects.requireNonNull(filter);
    Path real = path(dir);
    return shown(dir, real, Files.newDirectoryStream(real, p -> filter.accept(back(dir, real, p))));
  }

  static DirectoryStream<Path> shown(Path written, Path real, DirectoryStream<Path> stream) {
    return written == real ? stream : ShownStream.of(written, real, stream);
  }

  @Replaces(Files.class)
  public static Path walkFileTree(Path start, FileVisitor<? super Path> visitor)
      throws IOException {
    Path real = path(start);
    Files.walkFileTree(real, new Guide(start, real, visitor));
    return start;
  }

  @Replaces(Files.class)
  public static Path walkFileTree(
      Path start, Set<FileVisitOption> options, int depth, FileVisitor<? super Path> visitor)
      throws IOException {
    Path real = path(start);
    Files.walkFileTree(real, options, depth, new Guide(start, real, visitor));
    return start;
  }

  private record Guide(Path written, Path real, FileVisitor<? super Path> visitor)
      implements FileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs)
        throws IOException {
      return visitor.preVisitDirectory(back(written, real, dir), attrs);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attrs) throws IOException {
      return visitor.visitFile(back(written, real, file), attrs);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
      return visitor.visitFileFailed(back(written, real, file), error);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, IOException error) throws IOException {
      return visitor.postVisitDirectory(back(written, real, dir), error);
    }
  }
}
