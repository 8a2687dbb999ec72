// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.mammoth.engine.isolation.standins.files.PathCalls.path;

import java.io.FileNotFoundException;
import java.lang.module.ModuleFinder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of parts of the JDK beside {@code java.io} and {@code java.nio}
 * that take paths: relative ones are the task's. Stateless, thread-safe.
 */
public final class OtherPathCalls {
  private OtherPathCalls() {}

  @Replaces(BodyPublishers.class)
  public static BodyPublisher ofFile(Path path) throws FileNotFoundException {
    return BodyPublishers.ofFile(path(path));
  }

  @Replaces(value = BodyHandlers.class, name = "ofFile")
  public static BodyHandler<Path> handlerOfFile(Path path) {
    return BodyHandlers.ofFile(path(path));
  }

  @Replaces(value = BodyHandlers.class, name = "ofFile")
  public static BodyHandler<Path> handlerOfFile(Path path, OpenOption... options) {
    return BodyHandlers.ofFile(path(path), options);
  }

  @Replaces(BodyHandlers.class)
  public static BodyHandler<Path> ofFileDownload(Path folder, OpenOption... options) {
    return BodyHandlers.ofFileDownload(path(folder), options);
  }

  @Replaces(value = BodySubscribers.class, name = "ofFile")
  public static BodySubscriber<Path> subscriberOfFile(Path path) {
    return BodySubscribers.ofFile(path(path));
  }

  @Replaces(value = BodySubscribers.class, name = "ofFile")
  public static BodySubscriber<Path> subscriberOfFile(Path path, OpenOption... options) {
    return BodySubscribers.ofFile(path(path), options);
  }

  @Replaces(ModuleFinder.class)
  public static ModuleFinder of(Path... entries) {
    return ModuleFinder.of(paths(entries));
  }

  @Replaces(value = StandardJavaFileManager.class, receiver = true)
  public static Iterable<? extends JavaFileObject> getJavaFileObjects(
      StandardJavaFileManager self, Path... paths) {
    return self.getJavaFileObjects(paths(paths));
  }

  private static Path[] paths(Path... written) {
    return Stream.of(written).map(PathCalls::path).toArray(Path[]::new);
  }
}
