package org.mammoth.engine.isolation;

import java.net.URLConnection;

/** What the JDK keeps for all of a JVM unless it is told not to. Stateless. */
public final class JvmCaches {
  private JvmCaches() {}

  /**
   * Has jar URLs open a file of their own each time, as of the JDK's open jars one task would close
   * another's, or read what is no longer there. For a JVM's start.
   */
  public static void switchOff() {
    URLConnection.setDefaultUseCaches("jar", false);
  }
}
