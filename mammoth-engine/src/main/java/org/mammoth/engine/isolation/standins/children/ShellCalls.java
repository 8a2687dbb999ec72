// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import jdk.jshell.JShell;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Precedes;

/** What rewritten code calls before the module jdk.jshell, which not every JRE has. Stateless. */
public final class ShellCalls {
  private ShellCalls() {}

  /** Before the JDK's shell is made, all of which have one thread that ends with a task. */
  @Precedes(
      value = JShell.class,
      names = {"builder", "create"})
  public static void shell() {
    ProcessNeed.because("JShell.create");
  }
}
