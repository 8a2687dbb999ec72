// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.nio.ByteBuffer;
import org.mammoth.engine.config.BufferType;

/** Allocates cache units. */
final class NewUnits {

  private NewUnits() {}

  /** One unit of {@code capacity} bytes. */
  static CacheUnit of(BufferType type, int capacity) {
    return switch (type) {
      case DIRECT -> new BufferUnit(PageAligned.allocate(capacity));
      case HEAP -> new BufferUnit(ByteBuffer.allocate(capacity));
      case ARRAY -> new ArrayUnit(new byte[capacity]);
    };
  }
}
