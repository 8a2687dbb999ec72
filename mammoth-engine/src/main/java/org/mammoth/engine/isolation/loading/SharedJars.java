// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.loading;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which entries of a NodeManager's class path engines share among tasks: the jars of Hadoop, of its
 * libraries and of this product, whose static fields people have judged, and folders without
 * classes, which hold configuration. What else an administrator has put there, nobody has looked
 * at: each task attempt loads it for itself, as its process would. Immutable.
 */
public final class SharedJars {

  private static final String LIST = "shared-jars.txt";
  private static final String JAR = ".jar";
  private static final String CLASS = ".class";

  /** Upstream's tests, some of which are programs that jobs run: nobody has judged these. */
  private static final String TESTS = "-tests" + JAR;

  private static final Pattern VERSION = Pattern.compile("-[0-9].*");

  private final Set<String> names;
  private final List<PathMatcher> ofFiles = new ArrayList<>();
  private final List<PathMatcher> ofPaths = new ArrayList<>();

  private SharedJars(Set<String> names, Collection<String> patterns) {
    this.names = names;
    for (String pattern : patterns) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      (pattern.indexOf('/') < 0 ? ofFiles : ofPaths).add(matcher);
    }
  }

  /**
   * Those of this release, and more.
   *
   * @param patterns globs of file names, or of whole paths if they have a slash: what the
   *     administrator lets tasks share beside
   * @throws java.util.regex.PatternSyntaxException if one is no glob
   */
  public static SharedJars with(Collection<String> patterns) {
    return new SharedJars(judged(), patterns);
  }

  /** Names of the release's jars and of those known to be like them, without version. */
  public static Set<String> judged() {
    try (InputStream in = SharedJars.class.getResourceAsStream(LIST)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.replaceFirst("#.*", "").trim())
          .flatMap(line -> Arrays.stream(line.split("\\s+")))
          .filter(name -> !name.isEmpty())
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException(LIST + " cannot be read", e);
    }
  }

  /** Whether people have judged the static fields of a jar, by its file's name. */
  public static boolean isJudged(String file) {
    return isJudged(file, judged());
  }

  private static boolean isJudged(String file, Set<String> names) {
    return !file.endsWith(TESTS) && names.contains(nameOf(file));
  }

  /** A jar's name without its version and what follows that. */
  public static String nameOf(String file) {
    String name = file.endsWith(JAR) ? file.substring(0, file.length() - JAR.length()) : file;
    return VERSION.matcher(name).replaceFirst("");
  }

  /** Whether tasks share what is there; true of what is not there. */
  public boolean has(String entry) {
    try {
      return has(Path.of(entry));
    } catch (InvalidPathException e) {
      // No file system has it, so no task has classes of it.
      return true;
    }
  }

  private boolean has(Path path) {
    Path file = path.getFileName();
    if (file != null && ofFiles.stream().anyMatch(each -> each.matches(file))
        || ofPaths.stream().anyMatch(each -> each.matches(path.toAbsolutePath().normalize()))) {
      return true;
    }
    if (Files.isDirectory(path)) {
      return !hasClasses(path);
    }
    String name = file == null ? "" : file.toString();
    return !Files.exists(path) || isJudged(name, names);
  }

  private static boolean hasClasses(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.anyMatch(each -> each.toString().endsWith(CLASS));
    } catch (IOException | UncheckedIOException e) {
      // Who may not look into it cannot load from it either.
      return false;
    }
  }

  /** The entries of a class path that tasks share, in their order. */
  public String of(String classPath) {
    return entries(classPath).filter(this::has).collect(Collectors.joining(File.pathSeparator));
  }

  /** The entries of a class path that each task has for itself, in their order. */
  public List<String> othersOf(String classPath) {
    return entries(classPath).filter(each -> !has(each)).toList();
  }

  private static Stream<String> entries(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator)).filter(each -> !each.isEmpty());
  }
}
