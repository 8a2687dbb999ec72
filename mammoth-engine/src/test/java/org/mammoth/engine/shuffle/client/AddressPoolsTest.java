// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.Nonce;

/** Addresses by the thousand, on a clock and with connections that the test holds. */
class AddressPoolsTest {

  private final AtomicLong now = new AtomicLong();
  private final Scheduler scheduler =
      new Scheduler() {
        @Override
        public long nanoTime() {
          return now.get();
        }

        @Override
        public Runnable after(long delayMs, Runnable task) {
          return () -> {};
        }
      };
  private final ClientSettings settings = ClientSettings.from(new Configuration(false));
  private final Map<InetSocketAddress, List<ClientConnection>> opened = new HashMap<>();
  private final AddressPools pools =
      new AddressPools(to -> new AddressPool(patience -> open(to), settings, scheduler));

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }

  private ClientConnection open(InetSocketAddress to) {
    ClientConnection connection =
        new ClientConnection(
            to, job -> new byte[] {1}, Nonce.random(new SecureRandom()), scheduler);
    opened.computeIfAbsent(to, each -> new ArrayList<>()).add(connection);
    return connection;
  }

  private void fail(int port, Reason reason) {
    AddressPool pool = pools.of(address(port));
    pool.acquire();
    opened.get(address(port)).get(0).finish(new ShuffleException(reason, "the test ends it"));
  }

  @Test
  void whatHasGoneIsForgottenWhenManyCome() {
    AddressPool living = pools.of(address(1));
    living.acquire();
    for (int port = 2; port < 20_000; port++) {
      fail(port, Reason.UNREACHABLE);
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(settings.patience().reconnectMax()));
    }
    assertThat(pools.all()).hasSizeLessThanOrEqualTo(AddressPools.FEW + 1);
    assertThat(pools.of(address(1))).isSameAs(living);
    assertThat(living.all()).hasSize(1);
  }

  @Test
  void anAddressThatIsLeftAloneIsRemembered() {
    fail(1, Reason.NOT_OURS);
    for (int port = 2; port < 2_000; port++) {
      pools.of(address(port));
    }
    assertThat(pools.of(address(1)).acquire()).isCompletedExceptionally();
    assertThat(opened.get(address(1))).hasSize(1);
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(settings.patience().negative()));
    for (int port = 2_000; port < 4_000; port++) {
      pools.of(address(port));
    }
    assertThat(pools.of(address(1)).acquire()).isNotDone();
    assertThat(opened.get(address(1))).hasSize(2);
  }
}
