// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

/** {@link PushTest} where both sides speak TLS. */
class PushUnderTlsTest extends PushTest {

  @Override
  Rig rig() {
    return TlsRig.open();
  }
}
