// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.FileDescriptor;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code reads instead of the descriptors of the standard streams: the task's, see
 * {@link TaskDescriptors}. Stateless, thread-safe.
 */
public final class DescriptorCalls {
  private DescriptorCalls() {}

  /** A read of {@code FileDescriptor.in}. */
  @Replaces(value = FileDescriptor.class, field = true)
  public static FileDescriptor in() {
    TaskDescriptors own = TaskDescriptors.ofCaller();
    return own == null ? FileDescriptor.in : own.in();
  }

  /** A read of {@code FileDescriptor.out}. */
  @Replaces(value = FileDescriptor.class, field = true)
  public static FileDescriptor out() {
    TaskDescriptors own = TaskDescriptors.ofCaller();
    return own == null ? FileDescriptor.out : own.out();
  }

  /** A read of {@code FileDescriptor.err}. */
  @Replaces(value = FileDescriptor.class, field = true)
  public static FileDescriptor err() {
    TaskDescriptors own = TaskDescriptors.ofCaller();
    return own == null ? FileDescriptor.err : own.err();
  }
}
