// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 with a job's secret over everything both sides said in their first frames, who says
 * it, and the job. It fits one connection, one side and one job; comparing takes the same time
 * whatever the outcome. Immutable.
 */
public final class Proof {

  /** Size in bytes. */
  public static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] bytes;

  Proof(byte[] bytes) {
    this.bytes = bytes;
  }

  /** What the client shows. */
  public static Proof ofClient(byte[] secret, String job, Frame.Hello server, Frame.Hello client) {
    return make(secret, "mammoth shuffle client", job, server, client);
  }

  /** What the server shows. */
  public static Proof ofServer(byte[] secret, String job, Frame.Hello server, Frame.Hello client) {
    return make(secret, "mammoth shuffle server", job, server, client);
  }

  private static Proof make(
      byte[] secret, String side, String job, Frame.Hello server, Frame.Hello client) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      text(mac, side);
      text(mac, job);
      hello(mac, server);
      hello(mac, client);
      return new Proof(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }

  private static void text(Mac mac, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    mac.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
    mac.update(bytes);
  }

  private static void hello(Mac mac, Frame.Hello hello) {
    mac.update(
        ByteBuffer.allocate(20 + Nonce.BYTES)
            .putInt(hello.minVersion())
            .putInt(hello.maxVersion())
            .putLong(hello.instance())
            .put(hello.nonce().bytes())
            .putInt(hello.maxChunk())
            .array());
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Proof proof && MessageDigest.isEqual(bytes, proof.bytes);
  }

  @Override
  public int hashCode() {
    return bytes[0];
  }
}
