// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Revocable;

/** A map's output as the engine offers it for revocation. */
record RevocableOutput(MapOutput output) implements Revocable {

  @Override
  public BufferKind kind() {
    return BufferKind.SEND;
  }

  @Override
  public LeaseOwner owner() {
    return new LeaseOwner("ann", output.job(), output.attempt());
  }

  @Override
  public long revocableBytes() {
    return output.untakenBytes();
  }

  @Override
  public long revoke(long bytes) {
    return output.drop(bytes);
  }
}
