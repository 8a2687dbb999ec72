// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What user code does to its process, one kind each. Each returns what it has observed, which the
 * job writes to its output; what never returns says nothing.
 */
final class Misdeeds {
  private static final Logger LOG = LoggerFactory.getLogger(Misdeeds.class);

  /**
   * Shared by every task that sees the same copy of this class. This is the point of the kind
   * static-mutate; beside {@link #LEAKED} the only static state of the module that changes.
   */
  private static int mutated;

  /** What the kind leak never lets go. */
  private static final List<Object> LEAKED = new ArrayList<>();

  /** The kinds, by the name a command line gives them. */
  enum Kind {
    /** Nothing bad: the reference the others are compared with. */
    NONE,
    /** System.exit with the argument as status (3). */
    EXIT,
    /** Runtime.halt with the argument as status (3). */
    HALT,
    /** Endless recursion. */
    STACK_OVERFLOW,
    /** Allocates and holds until nothing is left. */
    OUT_OF_MEMORY,
    /**
     * Keeps small objects in a static field for ever, at most as many megabytes a second as the
     * argument says (100).
     */
    LEAK,
    /** Returns, but leaves a thread sleeping for the argument in seconds (600). */
    LEAVE_THREAD,
    /** Spins for ever, but heeds an interrupt. */
    ENDLESS_LOOP,
    /** Spins for ever and swallows interrupts. */
    ENDLESS_LOOP_DEAF,
    /** Adds one to a static field and observes it. */
    STATIC_MUTATE,
    /** Reads the file of the argument by its relative name. */
    RELATIVE_FILE,
    /** Observes the environment variable of the argument. */
    GETENV,
    /** Prints the attempt's name to stdout, stderr and the log. */
    PRINT,
    /** Sleeps for the argument in seconds (1). */
    SLEEP;

    static Kind of(String name) {
      for (Kind kind : values()) {
        if (kind.toString().equals(name)) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no misdeed '" + name + "'; there are: " + names());
    }

    static String names() {
      return Stream.of(values()).map(Kind::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private Misdeeds() {}

  /**
   * Does it, in the calling thread.
   *
   * @param attempt name of the task attempt, for the prints
   * @param argument see {@link Kind}; empty for the kind's default
   */
  static String commit(Kind kind, String argument, String attempt)
      throws IOException, InterruptedException {
    switch (kind) {
      case EXIT:
        System.exit((int) number(argument, 3));
        return "exit returned";
      case HALT:
        Runtime.getRuntime().halt((int) number(argument, 3));
        return "halt returned";
      case STACK_OVERFLOW:
        return "depth " + descend(0);
      case OUT_OF_MEMORY:
        return "held " + hoard();
      case LEAK:
        return "leaked " + leak(number(argument, 100));
      case LEAVE_THREAD:
        return leave(number(argument, 600));
      case ENDLESS_LOOP:
        return spin();
      case ENDLESS_LOOP_DEAF:
        return spinDeaf();
      case STATIC_MUTATE:
        return Integer.toString(++mutated);
      case RELATIVE_FILE:
        return new String(Files.readAllBytes(new File(argument).toPath()), StandardCharsets.UTF_8)
            .trim();
      case GETENV:
        return argument + "=" + System.getenv(argument);
      case PRINT:
        System.out.println("stdout of " + attempt);
        System.err.println("stderr of " + attempt);
        LOG.info("log of {}", attempt);
        return "printed";
      case SLEEP:
        TimeUnit.SECONDS.sleep(number(argument, 1));
        return "slept";
      case NONE:
      default:
        return "fine";
    }
  }

  private static long number(String argument, long otherwise) {
    return argument.isEmpty() ? otherwise : Long.parseLong(argument);
  }

  /** Uses its result after the call, so that no compiler makes a loop of it. */
  @SuppressWarnings("InfiniteRecursion") // the misdeed itself: the stack is to overflow
  private static long descend(long depth) {
    return descend(depth + 1) + depth;
  }

  private static int hoard() {
    List<byte[]> held = new ArrayList<>();
    while (true) {
      held.add(new byte[8 << 20]);
      if (held.size() == Integer.MAX_VALUE) {
        return held.size();
      }
    }
  }

  /** Deaf to interrupts, as code that leaks seldom waits for one. */
  private static int leak(long megabytesPerSecond) {
    long perPause = Math.max(1, megabytesPerSecond * (1 << 20) / 64 / 100);
    while (LEAKED.size() < Integer.MAX_VALUE - 8) {
      for (long i = 0; i < perPause; i++) {
        LEAKED.add(new byte[40]);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    return LEAKED.size();
  }

  private static String leave(long seconds) {
    Thread left =
        new Thread(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(seconds);
              } catch (InterruptedException e) {
                LOG.info("left thread was interrupted");
              }
            },
            "left-behind");
    left.setDaemon(false);
    left.start();
    return "left a thread";
  }

  private static String spin() throws InterruptedException {
    while (!Thread.interrupted()) {
      Thread.onSpinWait();
    }
    throw new InterruptedException("the endless loop was interrupted");
  }

  private static String spinDeaf() {
    long swallowed = 0;
    while (swallowed < Long.MAX_VALUE) {
      if (Thread.interrupted()) {
        swallowed++;
      }
      Thread.onSpinWait();
    }
    return "swallowed " + swallowed;
  }
}
