// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.mammoth.api.timing.Lasting;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.CachePool;
import org.mammoth.engine.memory.ElementPool;
import org.mammoth.engine.memory.MemorySizing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the JVM provide an engine's pools, which takes seconds of CPU time per gigabyte. What lies
 * outside the heap is provided a little ahead of its use, so that an engine of small jobs stays
 * small. What lies on the heap is provided at once, because a collector moves late comers about in
 * the middle of jobs, but not in the first moments of an engine's first job, which wants the same
 * processors.
 */
public final class PoolFiller {

  private static final Logger LOG = LoggerFactory.getLogger(PoolFiller.class);

  /** Bytes that are to be ready in the cache pool at any time. */
  private static final long AHEAD_BYTES = 64L << 20;

  private static final int LOOK_MS = 200;

  /** An engine that has had no task for so long has time. */
  public static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A first job that is still running after this is not a small one. */
  static final long LATEST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Each try that fails costs a full collection. */
  private static final long TRY_AGAIN_MS = TimeUnit.MINUTES.toMillis(1);

  private final ElementPool elements;
  private final CachePool pool;
  private final MemorySizing sizing;
  private final long tryAgainMs;

  PoolFiller(ElementPool elements, CachePool pool, MemorySizing sizing) {
    this(elements, pool, sizing, TRY_AGAIN_MS);
  }

  /**
   * For tests, which do not wait.
   *
   * @param tryAgainMs how long the pool is left as it is when others have its memory
   */
  PoolFiller(ElementPool elements, CachePool pool, MemorySizing sizing, long tryAgainMs) {
    this.elements = elements;
    this.pool = pool;
    this.sizing = sizing;
    this.tryAgainMs = tryAgainMs;
  }

  /**
   * Begins; returns at once.
   *
   * @param threads of the engine's own
   * @param idle whether no task runs
   * @param heapFilled runs once, when all that lies on the heap is there, or could not be made as
   *     tasks hold what it needs
   * @param lacking told if the JVM may not have that much, or its heap cannot though no task runs,
   *     on any thread
   */
  public void start(
      ThreadFactory threads,
      BooleanSupplier idle,
      Runnable heapFilled,
      Consumer<OutOfMemoryError> lacking) {
    try {
      check();
    } catch (OutOfMemoryError e) {
      lacking.accept(e);
    }
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(threads);
    Moment moment = new Moment(System.nanoTime());
    AtomicBoolean first = new AtomicBoolean(true);
    Runnable look =
        () -> {
          long now = System.nanoTime();
          if (moment.hasCome(now, idle.getAsBoolean())) {
            if (isHeapFilled(idle, lacking)) {
              timer.shutdown();
            } else {
              moment.comesAgain(now + TimeUnit.MILLISECONDS.toNanos(tryAgainMs));
            }
            // Also where it lacks something: the heap is watched from then on.
            if (first.getAndSet(false)) {
              heapFilled.run();
            }
          }
        };
    timer.scheduleWithFixedDelay(
        new Lasting("Filling the pools", look), LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    threads.newThread(this::fillAhead).start();
  }

  /**
   * False if tasks have what it needs, as below: an engine that ended of it would take them along,
   * and its successor those that come back.
   */
  private boolean isHeapFilled(BooleanSupplier idle, Consumer<OutOfMemoryError> lacking) {
    boolean idleBefore = idle.getAsBoolean();
    try {
      fillHeap();
      return true;
    } catch (OutOfMemoryError e) {
      if (idleBefore && idle.getAsBoolean()) {
        lacking.accept(e);
        return true;
      }
      LOG.warn(
          "The heap has {} bytes of the elements' memory: tasks hold so much of it that no more can"
              + " be made now",
          elements.allocatedBytes(),
          e);
      return false;
    }
  }

  /** Sees whether the JVM may allocate the cache pool at all. */
  private void check() {
    String option =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxDirectMemorySize")
            .getValue();
    long told = Long.parseLong(option);
    long limit = told == 0 ? Runtime.getRuntime().maxMemory() : told;
    if (outsideHeap() && limit < sizing.poolBytes()) {
      throw new OutOfMemoryError(
          "a cache pool of "
              + sizing.poolBytes()
              + " bytes does not fit -XX:MaxDirectMemorySize="
              + limit);
    }
  }

  private void fillHeap() {
    elements.makeAll();
    if (!outsideHeap()) {
      pool.makeAll();
    }
  }

  private void fillAhead() {
    if (!outsideHeap()) {
      return;
    }
    try {
      while (!isFilledAhead()) {
        TimeUnit.MILLISECONDS.sleep(tryAgainMs);
      }
      LOG.info("All {} bytes of the cache pool have been in use", sizing.poolBytes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * False if tasks have taken what the JVM allows outside its heap. That is no reason to end those
   * which have what they need: who asks for a unit that is not there is refused it, and may end.
   */
  private boolean isFilledAhead() throws InterruptedException {
    try {
      pool.makeAhead((int) Math.max(1, AHEAD_BYTES / sizing.unitBytes()));
      return true;
    } catch (OutOfMemoryError e) {
      LOG.warn(
          "The cache pool has {} of {} units: tasks hold so much direct memory that no more can be"
              + " made now. -XX:MaxDirectMemorySize in mammoth.engine.java.opts allows more",
          pool.madeUnits(),
          sizing.poolUnits(),
          e);
      return false;
    }
  }

  private boolean outsideHeap() {
    return sizing.bufferType() == BufferType.DIRECT;
  }

  /** Tells the moment for what lies on the heap. One thread. */
  static final class Moment {
    private final long begun;
    private long idleSince;
    private boolean waits;
    private long nextNanos;

    /** An engine without tasks; times are those of {@link System#nanoTime}. */
    Moment(long now) {
      begun = now;
      idleSince = now;
    }

    /** Whether it has come, for an engine that runs tasks or does not. */
    boolean hasCome(long now, boolean idle) {
      if (!idle) {
        idleSince = now;
      }
      boolean come = now - idleSince >= IDLE_NANOS || now - begun >= LATEST_NANOS;
      return come && !(waits && now - nextNanos < 0);
    }

    /** It was not the right one: there is another one, not before this time. */
    void comesAgain(long nanos) {
      waits = true;
      nextNanos = nanos;
    }
  }
}
