// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlopeTest {
  @Test
  void findsTheSlopeOfALine() {
    Slope slope = Slope.of(new double[] {1, 3, 5, 7});
    assertThat(slope.perSample()).isEqualTo(2, within(1e-9));
    assertThat(slope.error()).isEqualTo(0, within(1e-9));
    assertThat(slope.surelyAbove(1.9)).isTrue();
    assertThat(slope.surelyAbove(2.1)).isFalse();
  }

  @Test
  void seesASmallLeakInNoiseButNoLeakInNoiseAlone() {
    Random random = new Random(1);
    double[] noise = random.doubles(150, -500, 500).toArray();
    assertThat(Slope.of(noise).surelyAbove(20)).isFalse();
    double[] leak = IntStream.range(0, 150).mapToDouble(i -> noise[i] + 40 * i).toArray();
    assertThat(Slope.of(leak).surelyAbove(20)).isTrue();
  }

  @Test
  void refusesTwoSamples() {
    assertThatThrownBy(() -> Slope.of(new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
