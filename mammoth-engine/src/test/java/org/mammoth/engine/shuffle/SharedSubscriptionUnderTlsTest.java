// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

/** {@link SharedSubscriptionTest} where both sides speak TLS. */
class SharedSubscriptionUnderTlsTest extends SharedSubscriptionTest {

  @Override
  Rig rig() {
    return TlsRig.open();
  }
}
