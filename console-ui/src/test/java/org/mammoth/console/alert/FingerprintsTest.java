// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Fingerprints are those of Prometheus: its own tests have these two. */
class FingerprintsTest {

  @Test
  void labelsHaveTheFingerprintThatPrometheusGivesThem() {
    assertThat(Fingerprints.of(new TreeMap<>()))
        .isEqualTo(Long.toHexString(Long.parseUnsignedLong("14695981039346656037")));
    assertThat(
            Fingerprints.of(
                new TreeMap<>(Map.of("name", "garland, briggs", "fear", "love is not enough"))))
        .isEqualTo(String.format("%016x", 5799056148416392346L));
  }
}
