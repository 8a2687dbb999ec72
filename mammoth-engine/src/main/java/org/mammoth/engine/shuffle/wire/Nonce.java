// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import java.security.SecureRandom;
import java.util.Arrays;

/** 32 random bytes, new for each connection and side, so that no proof fits twice. Immutable. */
public final class Nonce {

  /** Size in bytes. */
  public static final int BYTES = 32;

  private final byte[] bytes;

  Nonce(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A new one. */
  public static Nonce random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new Nonce(bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Nonce nonce && Arrays.equals(bytes, nonce.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
