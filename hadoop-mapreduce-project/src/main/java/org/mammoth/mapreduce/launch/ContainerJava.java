// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/**
 * Whether a container is to run on the Java that the node gives to containers. A job may name
 * another one by a JAVA_HOME of its own, and may have been compiled for it.
 */
public final class ContainerJava {

  private static final String HOME = Environment.JAVA_HOME.name();
  private static final String COMMAND = "/bin/java";
  private static final String USUAL = "$" + HOME + COMMAND;

  private ContainerJava() {}

  /**
   * Why another Java than the node's is to run the container, empty if it is that.
   *
   * @param java the first word of its command
   * @param ofNode the JAVA_HOME that containers have unless they set it
   */
  static Optional<String> reasonAgainst(
      String java, ContainerEnvironment environment, Optional<String> ofNode) {
    String home = environment.variables().getOrDefault(HOME, "");
    if (java.equals(USUAL) && home.equals(ofNode.orElse(""))) {
      return Optional.empty();
    }
    String asked = environment.expand(java);
    String usual = ofNode.orElse(System.getProperty("java.home")) + COMMAND;
    return isSame(asked, usual)
        ? Optional.empty()
        : Optional.of("it runs on a Java of its own: " + asked);
  }

  /**
   * Whether a container sets a JAVA_HOME of another Java than the node's.
   *
   * @param environment as its client gave it
   * @param ofNode the NodeManager's own; null if it has none
   */
  public static boolean isOfContainer(Map<String, String> environment, String ofNode) {
    String own = environment.get(HOME);
    return own != null && (ofNode == null || !isSame(own, ofNode));
  }

  private static boolean isSame(String one, String other) {
    try {
      return Path.of(one).toRealPath().equals(Path.of(other).toRealPath());
    } catch (IOException | InvalidPathException notThere) {
      return false;
    }
  }
}
