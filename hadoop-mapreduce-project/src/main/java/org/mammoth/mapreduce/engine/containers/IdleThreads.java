// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Timer;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadPoolExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what hosted code left idling when it ended: pools and {@link Timer}s that nobody shut down.
 * Their threads swallow interrupts, in a process they would simply be gone, and in an engine each
 * would cost the node its engine. They are shut down as their owner should have done, which needs
 * their owner, found from the thread by reflection into the JDK; where that is closed the thread
 * lingers and the engine is drained, as for any thread that ignores its end.
 */
public final class IdleThreads {

  private static final Logger LOG = LoggerFactory.getLogger(IdleThreads.class);

  private static final String TIMER = "java.util.TimerThread";
  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";

  private IdleThreads() {}

  /** Shuts down the pool or timer whose thread this is; no-op for any other thread. */
  static void shutDownOwner(Thread thread) {
    try {
      if (thread.getClass().getName().equals(TIMER)) {
        endTimer(thread);
        return;
      }
      if (thread instanceof ForkJoinWorkerThread worker) {
        // Its threads would otherwise sleep on for a minute. The common pool's are no task's.
        worker.getPool().shutdownNow();
        return;
      }
      ThreadPoolExecutor pool = poolOf(thread);
      if (pool != null) {
        pool.shutdownNow();
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("{} is left alone", thread, e);
    }
  }

  /**
   * Whether this is a thread of a pool or timer that waits for work and that nobody has given any.
   * One that cannot be looked at may have work.
   */
  static boolean isIdle(Thread thread) {
    Thread.State state = thread.getState();
    if (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING) {
      return false;
    }
    try {
      if (thread.getClass().getName().equals(TIMER)) {
        return isEmpty(read(thread.getClass(), thread, "queue"));
      }
      if (thread instanceof ForkJoinWorkerThread worker) {
        return worker.getPool().isQuiescent() && !worker.getPool().hasQueuedSubmissions();
      }
      ThreadPoolExecutor pool = poolOf(thread);
      return pool != null && pool.getQueue().isEmpty() && pool.getActiveCount() == 0;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("{} is taken for busy", thread, e);
      return false;
    }
  }

  private static boolean isEmpty(Object timerQueue) throws ReflectiveOperationException {
    synchronized (timerQueue) {
      Method empty = timerQueue.getClass().getDeclaredMethod("isEmpty");
      empty.setAccessible(true);
      return (boolean) empty.invoke(timerQueue);
    }
  }

  /** The pool whose worker it is, or null. */
  private static ThreadPoolExecutor poolOf(Thread thread) throws ReflectiveOperationException {
    Object task = read(Thread.class, thread, "target");
    return task != null && task.getClass().getName().equals(WORKER)
        ? (ThreadPoolExecutor) read(task.getClass(), task, "this$0")
        : null;
  }

  private static void endTimer(Thread timer) throws ReflectiveOperationException {
    Object queue = read(timer.getClass(), timer, "queue");
    Field more = timer.getClass().getDeclaredField("newTasksMayBeScheduled");
    more.setAccessible(true);
    synchronized (queue) {
      more.setBoolean(timer, false);
      // A cancelled timer's thread ends when its queue is empty.
      Method clear = queue.getClass().getDeclaredMethod("clear");
      clear.setAccessible(true);
      clear.invoke(queue);
      queue.notifyAll();
    }
  }

  private static Object read(Class<?> holder, Object object, String name)
      throws ReflectiveOperationException {
    Field field = holder.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }
}
