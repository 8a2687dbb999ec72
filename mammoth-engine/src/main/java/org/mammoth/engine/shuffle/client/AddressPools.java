// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What a client knows of the addresses it has met. An engine has another port each time it starts,
 * so addresses without connections are forgotten when many have come together. Any thread.
 */
final class AddressPools {

  /** So many are kept, whatever they are. */
  static final int FEW = 256;

  private final Map<InetSocketAddress, AddressPool> pools = new ConcurrentHashMap<>();
  private final Function<InetSocketAddress, AddressPool> maker;
  private volatile int forgetAt = FEW;

  /** Knows none; {@code maker} makes what is met for the first time. */
  AddressPools(Function<InetSocketAddress, AddressPool> maker) {
    this.maker = maker;
  }

  /**
   * The connections to an address. Who keeps what it was given may go on to use it, beside those
   * who were given another one after it was forgotten.
   */
  AddressPool of(InetSocketAddress address) {
    AddressPool known = pools.get(address);
    if (known != null) {
      return known;
    }
    if (pools.size() >= forgetAt) {
      pools.values().removeIf(AddressPool::isForgettable);
      // Half of them new before all are looked at again, so that meeting one stays cheap.
      forgetAt = Math.max(FEW, 2 * pools.size());
    }
    return pools.computeIfAbsent(address, maker);
  }

  /** Those of all known addresses. */
  Collection<AddressPool> all() {
    return List.copyOf(pools.values());
  }
}
