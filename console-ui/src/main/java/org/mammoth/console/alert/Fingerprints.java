// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;

/** Names alerts by their labels as Prometheus and Alertmanager do: 64 bits of FNV-1a, in hex. */
final class Fingerprints {

  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /** No UTF-8 has this byte. */
  private static final int SEPARATOR = 255;

  private Fingerprints() {}

  static String of(SortedMap<String, String> labels) {
    long hash = OFFSET;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      hash = add(add(hash, label.getKey()), label.getValue());
    }
    return String.format("%016x", hash);
  }

  private static long add(long hash, String text) {
    long next = hash;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      next = (next ^ b & 0xff) * PRIME;
    }
    return (next ^ SEPARATOR) * PRIME;
  }
}
