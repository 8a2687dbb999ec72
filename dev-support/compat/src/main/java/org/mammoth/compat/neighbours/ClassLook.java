// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** How the job's own classes and resources are found. */
final class ClassLook {
  static final String RESOURCE = "compat-bundle.properties";

  /** What a witness may offer, found by ServiceLoader. */
  public interface Part {}

  private ClassLook() {}

  static void look(Report report) {
    String own = WitnessJob.class.getName();
    report.tell("class.context", () -> found(own, Thread.currentThread().getContextClassLoader()));
    report.tell("class.system", () -> found(own, ClassLoader.getSystemClassLoader()));
    report.tell("class.for-name", () -> Class.forName(own) == WitnessJob.class);
    report.tell(
        "class.common-pool",
        () ->
            CompletableFuture.supplyAsync(
                    () -> found(own, Thread.currentThread().getContextClassLoader()))
                .get());
    report.tell(
        "class.parallel-stream",
        () ->
            IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> found(own, Thread.currentThread().getContextClassLoader()))
                .distinct()
                .toList());
    report.tell(
        "class.executor",
        () -> {
          var pool = Executors.newSingleThreadExecutor();
          try {
            return pool.submit(() -> found(own, Thread.currentThread().getContextClassLoader()))
                .get();
          } finally {
            pool.shutdown();
          }
        });
    report.tell(
        "class.path-has-job", () -> System.getProperty("java.class.path").contains("job.jar"));
    report.tell("resource.own", () -> text(ClassLook.class.getResourceAsStream("/" + RESOURCE)));
    report.tell("resource.system", () -> text(ClassLoader.getSystemResourceAsStream(RESOURCE)));
    report.tell("resource.system-url", () -> ClassLoader.getSystemResource(RESOURCE) != null);
    report.tell(
        "resource.loader",
        () -> text(ClassLoader.getSystemClassLoader().getResourceAsStream(RESOURCE)));
    report.tell("service.parts", () -> ServiceLoader.load(Part.class).stream().count());
    report.tell("watch", ClassLook::watch);
  }

  private static String found(String name, ClassLoader loader) {
    try {
      return String.valueOf(Class.forName(name, false, loader) == WitnessJob.class);
    } catch (ClassNotFoundException e) {
      return "not found";
    }
  }

  private static String text(InputStream in) throws IOException {
    if (in == null) {
      return "none";
    }
    try (in) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
    }
  }

  private static Object watch() throws IOException {
    try (WatchService watch = FileSystems.getDefault().newWatchService()) {
      java.nio.file.Path.of("")
          .toAbsolutePath()
          .register(
              watch,
              List.of(StandardWatchEventKinds.ENTRY_CREATE)
                  .toArray(new java.nio.file.WatchEvent.Kind<?>[0]));
      return "watched";
    }
  }
}
