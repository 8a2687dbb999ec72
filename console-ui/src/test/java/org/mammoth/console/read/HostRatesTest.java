// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.HostUse;
import org.mammoth.api.status.StatusJson;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.HostSample;

/** Rates are of two readings of one host's life, and unknown where these say nothing of now. */
class HostRatesTest {

  private static final long START = 1_700_000_000_000L;

  private final HostRates rates = new HostRates();

  private HostSample take(long atMs, long cpuMs, long in) throws IOException {
    String host = "{\"cores\":8,\"cpuMs\":" + cpuMs + ",\"networkInBytes\":" + in + "}";
    return rates.take(new StatusJson().read(host, HostUse.class), START + atMs);
  }

  @Test
  void theFirstReadingHasAmountsAndNoRates() throws IOException {
    HostSample first = take(0, 5000, 700);
    assertThat(first.cores()).isEqualTo(8);
    assertThat(first.cpuMillis()).isEqualTo(Figures.UNKNOWN);
    assertThat(first.memory()).isEqualTo(Figures.UNKNOWN);
  }

  @Test
  void theSecondSaysWhatWasDoneInBetween() throws IOException {
    take(0, 5000, 700);
    HostSample second = take(2000, 9000, 2_000_700);
    // 4 s of processor time in 2 s are two cores.
    assertThat(second.cpuMillis()).isEqualTo(2000);
    assertThat(second.networkIn()).isEqualTo(1_000_000);
    assertThat(second.networkOut()).isEqualTo(Figures.UNKNOWN);
    assertThat(take(2000, 9000, 2_000_700)).isEqualTo(second);
  }

  @Test
  void aHostThatWasStartedAgainBeginsAnew() throws IOException {
    take(0, 500_000, 700);
    assertThat(take(1000, 10, 900).cpuMillis()).isEqualTo(Figures.UNKNOWN);
    assertThat(take(2000, 1010, 900).cpuMillis()).isEqualTo(1000);
  }

  @Test
  void readingsFarApartOrOfAClockThatWentBackHaveNoRate() throws IOException {
    take(0, 0, 0);
    assertThat(take(60_000, 9000, 0).cpuMillis()).isEqualTo(Figures.UNKNOWN);
    assertThat(take(50_000, 9500, 0).cpuMillis()).isEqualTo(Figures.UNKNOWN);
  }

  @Test
  void aNodeOfAnEarlierReleaseTellsNothing() {
    assertThat(rates.take(null, START)).isNull();
  }
}
