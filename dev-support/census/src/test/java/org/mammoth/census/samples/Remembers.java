// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.samples;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Classes that look whether others are there. */
public final class Remembers {

  /** Says it once for all. */
  public static final class AtOnce {
    static final boolean THERE = find();

    private AtOnce() {}

    private static boolean find() {
      try {
        Class.forName("com.acme.AtOnce");
        return true;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }

  /** Says it once for all when somebody asks. */
  public static final class Later {
    private static final Map<String, Boolean> KNOWN = new HashMap<>();

    private Later() {}

    static boolean has() {
      return KNOWN.computeIfAbsent("it", name -> find());
    }

    private static boolean find() {
      try {
        Shy.call();
        return true;
      } catch (NoClassDefFoundError e) {
        return false;
      }
    }
  }

  /** Cannot run without a class. */
  public static final class Shy {
    private Shy() {}

    static void call() {
      Lacking.call();
    }
  }

  /** Is left out, as if it were in no jar. */
  public static final class Lacking {
    private Lacking() {}

    static void call() {}
  }

  /** Keeps which parts there are. */
  public static final class Parts {
    static final List<Runnable> FOUND = new ArrayList<>();

    static {
      ServiceLoader.load(Runnable.class).forEach(FOUND::add);
    }

    private Parts() {}
  }

  /** Looks anew each time. */
  public static final class Forgets {
    private Forgets() {}

    static boolean has() {
      try {
        Class.forName("com.acme.Forgets");
        return ServiceLoader.load(Runnable.class).findFirst().isPresent();
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }

  private Remembers() {}
}
