// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import java.util.function.UnaryOperator;

/**
 * What {@code ${...}} in a site file stands for besides other keys: properties and environment of
 * the daemon that reads the file, which are not those of this tool.
 */
public interface Variables {

  /** The name of the user whose process reads the file. */
  String USER = "user.name";

  /** A system property, or null. */
  String property(String name);

  /** A variable of the environment, or null. */
  String environment(String name);

  /** What this tool has itself: for files that a command of this user reads. */
  static Variables ofThisTool() {
    return ofThisTool(System::getenv);
  }

  /** As {@link #ofThisTool()}, with an environment of its own. */
  static Variables ofThisTool(UnaryOperator<String> environment) {
    return new Variables() {
      @Override
      public String property(String name) {
        return System.getProperty(name);
      }

      @Override
      public String environment(String name) {
        return environment.apply(name);
      }
    };
  }
}
