// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/** A {@link Revocable} that the scheduler knows; closing it makes the scheduler forget it. */
public interface Registration extends AutoCloseable {

  @Override
  void close();
}
