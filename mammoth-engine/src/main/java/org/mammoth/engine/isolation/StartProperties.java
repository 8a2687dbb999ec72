// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;

/** The system properties that a process begins with. Immutable. */
final class StartProperties {
  /** Properties by which the engine is started, and which no task's process would have. */
  private static final List<String> OF_ENGINE =
      List.of(
          "hadoop.log.dir",
          "java.security.manager",
          "java.util.concurrent.ForkJoinPool.common.threadFactory",
          "mammoth.engine.divided-mb",
          "mammoth.engine.share-mb",
          "mammoth.engine.user");

  private final Map<Object, Object> ofJvm;

  private StartProperties(Map<Object, Object> ofJvm) {
    this.ofJvm = ofJvm;
  }

  /** What the JVM's properties are now, but for those. */
  static StartProperties now() {
    // Sets user.timezone, which every task's JVM has, as it dates its log.
    TimeZone.getDefault();
    Map<Object, Object> properties = new HashMap<>(System.getProperties());
    OF_ENGINE.forEach(properties::remove);
    return new StartProperties(Map.copyOf(properties));
  }

  /**
   * Those of a process.
   *
   * @param overlay what it is started with
   */
  Properties of(Path workDir, Path tmpDir, Map<String, String> overlay) {
    TaskProperties p = new TaskProperties();
    p.putAll(ofJvm);
    p.setProperty("user.dir", workDir.toString());
    p.setProperty("java.io.tmpdir", tmpDir.toString());
    overlay.forEach(p::setProperty);
    return p.complete();
  }
}
