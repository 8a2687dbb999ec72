// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/**
 * A job jar and a class loader over it, as {@code hadoop jar} makes one.
 *
 * <p>The tests' own class path does not hold the jobs, so that engines and containers get them from
 * the jar only.
 */
public final class JobCode {
  private final Path jar;
  private final URLClassLoader loader;

  private JobCode(Path jar) throws IOException {
    this.jar = jar;
    loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, JobCode.class.getClassLoader());
  }

  /** The jobs of this module. */
  public static JobCode ofThisModule(Path jar) throws IOException {
    pack(Path.of(System.getProperty("mammoth.compat.jobs.classes")), jar);
    return new JobCode(jar);
  }

  /** A jar that exists. */
  public static JobCode of(Path jar) throws IOException {
    return new JobCode(jar);
  }

  /** Packs all files below a folder. */
  public static void pack(Path folder, Path jar) throws IOException {
    Files.createDirectories(jar.getParent());
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    try (OutputStream raw = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(raw)) {
      for (Path file : files) {
        out.putNextEntry(new JarEntry(folder.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The jar's path. */
  public Path jar() {
    return jar;
  }

  /** A configuration whose jobs come from this jar. */
  public Configuration conf(Configuration cluster) {
    Configuration conf = new Configuration(cluster);
    conf.setClassLoader(loader);
    conf.set("mapreduce.job.jar", jar.toUri().toString());
    return conf;
  }

  /**
   * Lets a factory of the jar make a job; the thread's class loader is the jar's meanwhile, as
   * under {@code hadoop jar}.
   */
  public Job make(String factory, Configuration conf, org.apache.hadoop.fs.Path folder)
      throws ReflectiveOperationException {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      @SuppressWarnings("unchecked")
      BiFunction<Configuration, org.apache.hadoop.fs.Path, Job> maker =
          (BiFunction<Configuration, org.apache.hadoop.fs.Path, Job>)
              loader.loadClass(factory).getDeclaredConstructor().newInstance();
      return maker.apply(conf, folder);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** Submits a job; the thread's class loader is the jar's meanwhile. */
  public void submit(Job job) throws IOException, InterruptedException, ClassNotFoundException {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      job.submit();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** The class loader over the jar. */
  public ClassLoader loader() {
    return loader;
  }
}
