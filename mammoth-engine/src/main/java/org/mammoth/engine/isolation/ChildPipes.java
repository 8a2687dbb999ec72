// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Closes this side's ends of a child's pipes, as the kernel does when a process ends: the child
 * sees an end where it reads, and nobody where it writes. What the JDK's streams still hold is not
 * written, and no lock of theirs is waited for, which a thread may have that waits for the child.
 *
 * <p>Stateless, thread-safe.
 */
final class ChildPipes {
  private static final VarHandle SINK = field(FilterOutputStream.class, "out", OutputStream.class);
  private static final VarHandle SOURCE = field(FilterInputStream.class, "in", InputStream.class);

  private ChildPipes() {}

  private static VarHandle field(Class<?> holder, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(holder, MethodHandles.lookup())
          .findVarHandle(holder, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(holder + "." + name + " cannot be reached", e);
    }
  }

  /** Closes those that there are; a stream that was redirected has none. */
  static void close(Process child) {
    if (child.getOutputStream() instanceof FilterOutputStream) {
      close((Closeable) SINK.get((FilterOutputStream) child.getOutputStream()));
    }
    close(child.getInputStream());
    close(child.getErrorStream());
  }

  private static void close(InputStream stream) {
    if (stream instanceof FilterInputStream) {
      close((Closeable) SOURCE.get((FilterInputStream) stream));
    }
  }

  private static void close(Closeable pipe) {
    try {
      if (pipe != null) {
        pipe.close();
      }
    } catch (IOException e) {
      // Is closed in any case.
      return;
    }
  }
}
