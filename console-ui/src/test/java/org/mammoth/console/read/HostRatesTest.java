// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.HostSample;

/** Rates are of two readings of one host's life, and unknown where these say nothing of now. */
class HostRatesTest {

  private static final long START = 1_700_000_000_000L;

  private final HostRates rates = new HostRates();

  private static ObjectNode snapshot(long atMs, long cpuMs, long in) {
    ObjectNode snapshot = new ObjectMapper().createObjectNode().put("atMs", START + atMs);
    snapshot.putObject("host").put("cores", 8).put("cpuMs", cpuMs).put("networkInBytes", in);
    return snapshot;
  }

  @Test
  void theFirstReadingHasAmountsAndNoRates() {
    HostSample first = rates.take(snapshot(0, 5000, 700));
    assertThat(first.cores()).isEqualTo(8);
    assertThat(first.cpuMillis()).isEqualTo(Figures.UNKNOWN);
    assertThat(first.memory()).isEqualTo(Figures.UNKNOWN);
  }

  @Test
  void theSecondSaysWhatWasDoneInBetween() {
    rates.take(snapshot(0, 5000, 700));
    HostSample second = rates.take(snapshot(2000, 9000, 2_000_700));
    // 4 s of processor time in 2 s are two cores.
    assertThat(second.cpuMillis()).isEqualTo(2000);
    assertThat(second.networkIn()).isEqualTo(1_000_000);
    assertThat(second.networkOut()).isEqualTo(Figures.UNKNOWN);
    assertThat(rates.take(snapshot(2000, 9000, 2_000_700))).isEqualTo(second);
  }

  @Test
  void aHostThatWasStartedAgainBeginsAnew() {
    rates.take(snapshot(0, 500_000, 700));
    assertThat(rates.take(snapshot(1000, 10, 900)).cpuMillis()).isEqualTo(Figures.UNKNOWN);
    assertThat(rates.take(snapshot(2000, 1010, 900)).cpuMillis()).isEqualTo(1000);
  }

  @Test
  void readingsFarApartOrOfAClockThatWentBackHaveNoRate() {
    rates.take(snapshot(0, 0, 0));
    assertThat(rates.take(snapshot(60_000, 9000, 0)).cpuMillis()).isEqualTo(Figures.UNKNOWN);
    assertThat(rates.take(snapshot(50_000, 9500, 0)).cpuMillis()).isEqualTo(Figures.UNKNOWN);
  }

  @Test
  void aNodeOfAnEarlierReleaseTellsNothing() {
    assertThat(rates.take(new ObjectMapper().createObjectNode().put("atMs", START))).isNull();
  }
}
