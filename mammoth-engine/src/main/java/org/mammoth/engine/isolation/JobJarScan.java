package org.mammoth.engine.isolation;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;

/**
 * Tells from a task's class path, before the task starts, why its code needs a process of its own:
 * native libraries, which one class loader of a JVM may load only once, and calls that change the
 * whole JVM in ways no rewriting can confine.
 *
 * <p>Leaves out what the parent loader has too, since a parent-first loader takes it from there: a
 * jar with all of Hadoop packed in is no reason. Finds calls that may never run, and misses
 * reflection. Jars inside jars and a manifest's Class-Path are not followed. Answers about jars are
 * kept by (path, length, modification time) in a cache of bounded size; folders are looked through
 * each time. Thread-safe.
 */
public final class JobJarScan {
  private final ProcessWideCalls calls = new ProcessWideCalls();
  private final ScanCache cache;
  private final Duration atMost;
  private final LongSupplier nanos;
  private final ClassLoader parent;

  /**
   * A scan with its own cache.
   *
   * @param atMost time one question may take; when it is over, the answer is that a process is
   *     needed
   * @param cached how many jars' answers to keep
   * @param nanos clock in nanoseconds
   */
  public JobJarScan(Duration atMost, int cached, LongSupplier nanos) {
    this(atMost, cached, nanos, JobJarScan.class.getClassLoader());
  }

  /**
   * As above.
   *
   * @param parent what it provides is not looked at, for it is loaded from there; null for jobs
   *     whose own classes come first
   */
  public JobJarScan(Duration atMost, int cached, LongSupplier nanos, ClassLoader parent) {
    this.parent = parent;
    this.cache = new ScanCache(cached);
    this.atMost = atMost;
    this.nanos = nanos;
  }

  private static final class TooLong extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Looks through jars and class folders in order.
   *
   * @param classPath what the task's user classes come from; entries that do not exist are skipped
   * @return the first reason found, naming class, call and entry; empty when the task may share a
   *     JVM
   */
  public Optional<String> reason(List<Path> classPath) {
    long deadline = nanos.getAsLong() + atMost.toNanos();
    for (Path entry : classPath) {
      String found;
      try {
        found = Files.isDirectory(entry) ? folder(entry, deadline) : jar(entry, deadline);
      } catch (TooLong e) {
        return Optional.of(
            "looking through " + entry + " took more than " + atMost.toMillis() + " ms");
      } catch (IOException e) {
        return Optional.of("could not look through " + entry + ": " + e.getMessage());
      }
      if (found != null) {
        return Optional.of(found + " (" + entry.getFileName() + ")");
      }
    }
    return Optional.empty();
  }

  /** A reason among names of localized files and cache links: a native library. */
  public static Optional<String> nativeAmong(Collection<String> names) {
    return names.stream().filter(JobJarScan::isNative).findFirst().map(n -> "native library " + n);
  }

  private String jar(Path path, long deadline) throws IOException {
    if (!Files.isRegularFile(path)) {
      return null;
    }
    File file = path.toFile();
    ScanCache.Key key =
        new ScanCache.Key(file.getAbsolutePath(), file.length(), file.lastModified());
    Optional<String> known = cache.get(key);
    if (known == null) {
      known = Optional.ofNullable(open(file, deadline));
      cache.put(key, known);
    }
    return known.orElse(null);
  }

  private String open(File file, long deadline) throws IOException {
    try (ZipFile zip = new ZipFile(file)) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (isNative(entry.getName()) && !provides(entry.getName())) {
          return "native library " + entry.getName();
        }
        if (isClass(entry.getName())) {
          String found;
          try (InputStream in = zip.getInputStream(entry)) {
            found = look(in.readAllBytes(), deadline);
          }
          if (found != null) {
            return found;
          }
        }
      }
      return null;
    } catch (java.util.zip.ZipException notAJar) {
      // Text and data files stand on class paths too.
      return null;
    }
  }

  private String folder(Path root, long deadline) throws IOException {
    String[] found = new String[1];
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
              throws IOException {
            String name = file.getFileName().toString();
            if (isNative(name)) {
              found[0] = "native library " + root.relativize(file);
            } else if (isClass(name)) {
              found[0] = look(Files.readAllBytes(file), deadline);
            }
            return found[0] == null ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
          }
        });
    return found[0];
  }

  private static boolean isClass(String name) {
    return name.endsWith(".class") && !name.endsWith("module-info.class");
  }

  private static boolean isNative(String name) {
    return name.endsWith(".so") || name.contains(".so.") || name.endsWith(".jnilib");
  }

  private String look(byte[] code, long deadline) throws TooLong {
    if (nanos.getAsLong() > deadline) {
      throw new TooLong();
    }
    ClassReader reader;
    try {
      reader = new ClassReader(code);
    } catch (RuntimeException notAClass) {
      // Newer than the JVM, or no class at all: it cannot run here either way.
      return null;
    }
    String found = calls.find(reader, this::isShared);
    if (found == null || isShared(reader.getClassName())) {
      return null;
    }
    return reader.getClassName().replace('/', '.') + " " + found;
  }

  /**
   * Packed into the job's jar or not: the engine's own copy is the one that is loaded, or a JDK's.
   */
  private boolean isShared(String internalName) {
    return provides(internalName + ".class");
  }

  private boolean provides(String resource) {
    return parent != null && parent.getResource(resource) != null;
  }
}
