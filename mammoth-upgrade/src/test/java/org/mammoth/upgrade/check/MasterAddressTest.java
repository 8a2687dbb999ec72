// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that only this host can reach. */
class MasterAddressTest {

  private static Optional<Finding> check(String host, String address) {
    return MasterAddress.check(
        host,
        name -> {
          try {
            return Optional.ofNullable(address == null ? null : InetAddress.getByName(address));
          } catch (UnknownHostException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void debiansLineForTheOwnNameIsNamed() {
    assertThat(check("m1", "127.0.1.1"))
        .hasValueSatisfying(
            finding -> {
              assertThat(finding.text()).startsWith("m1 is 127.0.1.1 here");
              assertThat(finding.remedy()).contains("/etc/hosts");
            });
  }

  @Test
  void anAddressOfTheNetworkIsRight() {
    assertThat(check("m1", "192.0.2.1")).isEmpty();
    assertThat(check("m1", null)).as("nobody knows it here").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0.0.0.0", "localhost", "127.0.0.1", "::1"})
  void whatIsMeantForThisHostIsNoMistake(String host) {
    assertThat(check(host, "127.0.0.1")).isEmpty();
  }
}
