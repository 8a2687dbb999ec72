// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Supplier;

/**
 * A thread of the engine's for work that may not be left undone for what befalls the thread which
 * comes upon it: a stack that is nearly used up, a thread that is stopped, a heap that has no room
 * for a moment. Here the stack is empty, nobody stops the thread, and it waits for memory.
 *
 * <p>The work must not depend on the thread it is done on, nor on locks of the one that waits for
 * it. Any thread may ask; one piece of work at a time is done here.
 */
public final class SecondTry {

  private static final int TRIES = 150;

  /** With as many tries, half a minute: the engine ends meanwhile who fills the heap. */
  private static final long PAUSE_MILLIS = 200;

  /** Calls that need more of a stack than waiting does. */
  private static final int ROOM = 32;

  /** Made before, as there is none to make it of. */
  private static final class NoMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoMemoryException() {
      super("the heap had no room for it for half a minute", null, false, false);
    }
  }

  /** One piece of work; its fields are guarded by the lock of the whole. */
  private static final class Work {
    private final Supplier<byte[]> what;
    private byte[] answer;
    private Throwable failure;
    private boolean done;

    Work(Supplier<byte[]> what) {
      this.what = what;
    }
  }

  private final Thread thread = new Thread(this::work, "second try");
  private final RuntimeException noMemory = new NoMemoryException();

  /** What is to be done next; null if nothing. */
  @GuardedBy("this")
  private Work next;

  private SecondTry() {}

  /** Starts the thread, which lives as long as the JVM. */
  public static SecondTry start() {
    SecondTry made = new SecondTry();
    made.thread.setDaemon(true);
    made.thread.start();
    return made;
  }

  /** Whether the calling thread is this one. */
  public boolean isOn() {
    return Thread.currentThread() == thread;
  }

  /**
   * Does some work on the calling thread, and once more on this one if that fails, for up to half a
   * minute while there is no memory. An interrupt of the calling thread is kept for later.
   *
   * @param what may be called several times
   * @throws StackOverflowError if the calling thread has not even room to wait
   * @throws OutOfMemoryError if there was not even memory to wait with; where it waited in vain, a
   *     RuntimeException says so
   */
  public byte[] of(Supplier<byte[]> what) {
    try {
      return what.get();
    } catch (RuntimeException | Error failed) {
      return here(what);
    }
  }

  /** As the other, but on this thread at once. */
  public byte[] here(Supplier<byte[]> what) {
    haveRoom(ROOM);
    Work work = new Work(what);
    boolean interrupted;
    synchronized (this) {
      interrupted = isInterruptedBefore(null);
      next = work;
      notifyAll();
      interrupted |= isInterruptedBefore(work);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (work.failure instanceof Error error) {
      throw error;
    }
    if (work.failure instanceof RuntimeException failure) {
      throw failure;
    }
    return work.answer;
  }

  /** Fails now, and not with the lock held. */
  private static int haveRoom(int calls) {
    return calls == 0 ? 0 : 1 + haveRoom(calls - 1);
  }

  /**
   * Waits for the end of some work, or for the turn of the next, whatever befalls the thread
   * meanwhile.
   *
   * @param work null for the turn
   */
  @GuardedBy("this")
  private boolean isInterruptedBefore(Work work) {
    boolean interrupted = false;
    while (work == null ? next != null : !work.done) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (Error stoppedOrWithoutMemory) {
        // what it waits for comes all the same
        continue;
      }
    }
    return interrupted;
  }

  private void work() {
    while (true) {
      try {
        Work work = take();
        tryOut(work);
        synchronized (this) {
          work.done = true;
          notifyAll();
        }
      } catch (InterruptedException | RuntimeException | Error nobodyDoesThat) {
        continue;
      }
    }
  }

  private synchronized Work take() throws InterruptedException {
    while (next == null) {
      wait();
    }
    Work taken = next;
    next = null;
    notifyAll();
    return taken;
  }

  private void tryOut(Work work) throws InterruptedException {
    for (int left = TRIES; ; left--) {
      try {
        work.answer = work.what.get();
        return;
      } catch (OutOfMemoryError e) {
        if (left == 0) {
          work.failure = noMemory;
          return;
        }
      } catch (RuntimeException | Error e) {
        work.failure = e;
        return;
      }
      pause();
    }
  }

  private synchronized void pause() throws InterruptedException {
    wait(PAUSE_MILLIS);
  }
}
