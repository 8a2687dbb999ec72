// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.samples;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Static fields of every kind, and calls that change the JVM. */
public final class Shared {

  /** What may change. */
  public static final class Mutable {
    private int value;

    /** Changes it. */
    public void set(int to) {
      value = to;
    }

    @Override
    public String toString() {
      return "" + value;
    }
  }

  /** What may not. */
  public record Fixed(String name, Fixed next) {}

  /** An enumeration whose constants can change. */
  public enum Loose {
    ONE;

    private int count;

    /** Changes it. */
    public void count() {
      count++;
    }

    @Override
    public String toString() {
      return name() + count;
    }
  }

  /** An enumeration as most are. */
  public enum Tight {
    ONE
  }

  static final String NAME = "name";
  static final Fixed FIXED = new Fixed("a", null);
  static final Object FIXED_AS_OBJECT = new Fixed("b", null);
  static final Object LOCK = new Object();
  static final Runnable LAMBDA = () -> {};
  static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
  static final List<String> LIST = List.of("a");
  static final List<String> WRAPPED = Collections.unmodifiableList(new ArrayList<>());
  static final int[] TABLE = {1, 2, 3};
  static final String[] NONE = {};
  static final Map<String, List<String>> FILLED = new HashMap<>();
  static final AtomicInteger COUNTER = new AtomicInteger();
  static final int[][] CELLS = new int[2][2];
  static final Mutable MUTABLE = new Mutable();
  public static String assignable = "a";
  private static String late;
  private static String never = "b";

  private Shared() {}

  static String late() {
    if (late == null) {
      late = "c";
    }
    return late + never + TABLE[0] + NONE.length;
  }

  static void change(String key) {
    FILLED.computeIfAbsent(key, k -> new ArrayList<>()).add("d");
    COUNTER.incrementAndGet();
    CELLS[0][1] = 1;
  }

  /** Calls that the census lists. */
  public static final class Calls {
    private Calls() {}

    static void settings() {
      java.util.Locale.setDefault(java.util.Locale.ROOT);
      System.setProperty("a", "b");
      Runnable byReference = System::gc;
      byReference.run();
    }
  }
}
