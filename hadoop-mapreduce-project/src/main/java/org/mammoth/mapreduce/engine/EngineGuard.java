// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.security.Permission;
import org.mammoth.engine.isolation.TaskProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code System.exit} of code that is not rewritten (the JDK's own, and what a library that
 * tasks share calls by reflection) from ending the engine: it ends the calling task instead.
 * Permits all else.
 *
 * <p>A SecurityManager is the only hook there is for it. Where the JVM has none any more (24),
 * rewriting stands alone, of the classes of jobs and of all that tasks share.
 */
@SuppressWarnings({"removal", "deprecation"})
final class EngineGuard extends SecurityManager {

  private static final Logger LOG = LoggerFactory.getLogger(EngineGuard.class);

  static void install() {
    // Loaded now: the check itself must not need classes.
    TaskProcess.currentOrNull();
    try {
      System.setSecurityManager(new EngineGuard());
      LOG.debug("System.exit is guarded");
    } catch (UnsupportedOperationException e) {
      LOG.debug("This JVM has no SecurityManager: System.exit is guarded where it is rewritten");
    }
  }

  @Override
  public void checkExit(int status) {
    TaskProcess task = TaskProcess.currentOrNull();
    if (task != null) {
      task.requestExit(status, false);
    }
  }

  @Override
  public void checkPermission(Permission permission) {
    // everything else is permitted
  }

  @Override
  public void checkPermission(Permission permission, Object context) {
    // everything else is permitted
  }

  @Override
  public void checkAccess(Thread thread) {
    // as without a security manager
  }

  @Override
  public void checkAccess(ThreadGroup group) {
    // as without a security manager
  }
}
